#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The unit tests have a summary of their own; here they are one test of the whole.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/harness/tap.sh

ok 'the reader builds' make tools
out=$(make -C tests/unit check 2>&1)
is 'make -C tests/unit check' $? 0
like 'which ran tests' "$out" 'Tests=[1-9]'
grep -q '^Result: PASS' <<< "$out" || diag "$out"
done_testing
