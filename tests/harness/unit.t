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

# The suites that fail in tests/debug/kunit_judge.t have to fail here.
export CMOCKA_MESSAGE_OUTPUT=TAP
ok 'bad suites build' make -C tests/unit harness_kunit_fails harness_kunit_empty
out=$(tests/unit/harness_kunit_fails 2>&1)
is 'two failures' $? 2
like 'before them' "$out" '^ok 1 - before$'
like 'an expectation that fails' "$out" '^not ok 2 - failing$'
like 'its place and values' "$out" 'failing: .*harness_kunit_fails\.c:[0-9]+: .*"1" against "2"$'
like 'what comes behind it' "$out" '"one" against "two"$'
like 'an assertion that fails' "$out" '^not ok 3 - asserting$'
is 'nothing comes behind it' "$(grep -c '"3"' <<< "$out")" 0
like 'after them' "$out" '^ok 4 - after$'
out=$(tests/unit/harness_kunit_empty 2>&1)
is 'an empty suite fails' $? 1
like 'and says why' "$out" '^not ok 1 - harness_empty: no cases$'
done_testing
