#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/vm/build-kernel refuses to build a kernel that lacks an option of its fragments.
set -u
cd "$(dirname "$0")/../../.." || exit
. tests/host/tap.sh
tree=$PWD
. scripts/common.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

mkdir "$tmp/tree"
copy_files "$tmp/tree" scripts
git -C "$tmp/tree" init -q
# the first option depends on one that is off, the second does not exist
printf 'CONFIG_MEDIA_TUNER=y\nCONFIG_TRACE_IRQOFF_NONSENSE=y\n' >> "$tmp/tree/scripts/vm/config/debug.config"
out=$("$tmp/tree/scripts/vm/build-kernel" 6.1 debug 2>&1)
is 'options that take no effect fail the build' $? 126
like 'the message names the option without its dependencies' "$out" 'CONFIG_MEDIA_TUNER=y'
like 'the message names the unknown option' "$out" 'CONFIG_TRACE_IRQOFF_NONSENSE=y'
is 'the message names no other option' "$(grep -c 'CONFIG_' <<< "$out")" 2
done_testing
