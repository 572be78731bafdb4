#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# scripts/kernels: which kernels it lists, and under which names.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

is 'a supported kernel' "$(scripts/kernels 6.1 | awk '{ print $1, $2 }')" '6.1 bookworm'
is 'a kernel that build-kernel builds' "$(scripts/kernels 6.1-debug | awk '{ print $1, $2, $5 }')" '6.1-debug bookworm debug'
ok 'the list of all kernels does not have it' test -z "$(scripts/kernels | grep debug)"
is 'a kernel of another architecture' "$(scripts/kernels 6.1-arm64 | awk '{ print $1, $2 }'; scripts/kernels --arch 6.1-arm64)" \
	$'6.1-arm64 bookworm\narm64'
is 'the first kernel is for amd64' "$(scripts/kernels --arch 6.1)" amd64
ok 'the list of all kernels has no arm64 kernel' test -z "$(scripts/kernels | grep arm64)"
is 'a flavour' "$(scripts/kernels 6.1-rt | awk '{ print $1, $2, $3 }')" '6.1-rt bookworm linux-image-rt-amd64'
ok 'the list of all kernels has no flavour' test -z "$(scripts/kernels | grep -e -rt)"
ok 'the list of --more has it' test -n "$(scripts/kernels --more | grep '^6\.1-rt ')"
is 'a kernel of Ubuntu' "$(scripts/kernels ubuntu-24.04 | awk '{ print $1, $2 }')" 'ubuntu-24.04 noble'
ok 'the list of all kernels has none' test -z "$(scripts/kernels | grep ubuntu)"
out=$(scripts/kernels 0.1 2>&1)
is 'another name is refused' $? 2
like 'and the known names are printed' "$out" '6\.1, .*6\.1-debug'

done_testing
