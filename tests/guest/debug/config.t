#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/vm/build-kernel does not build a kernel that lacks what its fragments ask for.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir "$tmp/tree"
tree_files scripts | tar --create --null --files-from=- | tar -x -C "$tmp/tree"
git -C "$tmp/tree" init -q
# this one depends on what is off, that one is nothing at all
printf 'CONFIG_MEDIA_TUNER=y\nCONFIG_TRACE_IRQOFF_NONSENSE=y\n' >> "$tmp/tree/scripts/vm/config/debug.config"
out=$("$tmp/tree/scripts/vm/build-kernel" 6.1 debug 2>&1)
is 'options that take no effect fail the build' $? 126
like 'and are named: one without its dependencies' "$out" 'CONFIG_MEDIA_TUNER=y'
like 'and are named: an unknown one' "$out" 'CONFIG_TRACE_IRQOFF_NONSENSE=y'
is 'no others' "$(grep -c 'CONFIG_' <<< "$out")" 2
done_testing
