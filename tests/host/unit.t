#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs the unit tests; each case is named by its program and its own name.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

ok 'the reader builds without a warning' make tools WERROR=1
out=$(make -C tests/host/unit check V=1 2>&1)
status=$?
while read -r verdict case; do
	is "$case" "$verdict" ok
done < <(awk '/^\.\/test_/ { program = substr($1, 8) }
	sub(/^ok [0-9]+ - /, "") { print "ok", program ": " $0 }
	sub(/^not ok [0-9]+ - /, "") { print "failed", program ": " $0 }' <<< "$out")
is 'make -C tests/host/unit check' "$status" 0
like 'it ran tests' "$out" 'Tests=[1-9]'
[ "$status" = 0 ] || diag "$(grep -v '^ok ' <<< "$out")"

# The suites that fail in tests/guest/debug/kunit_judge.t have to fail here too.
export CMOCKA_MESSAGE_OUTPUT=TAP
ok 'bad suites build' make -C tests/host/unit harness_kunit_fails harness_kunit_empty
out=$(tests/host/unit/harness_kunit_fails 2>&1)
is 'two failures' $? 2
like 'the case before them passes' "$out" '^ok 1 - before$'
like 'an expectation that fails' "$out" '^not ok 2 - failing$'
like 'its place and values are printed' "$out" 'failing: .*harness_kunit_fails\.c:[0-9]+: .*"1" against "2"$'
like 'the case goes on after it' "$out" '"one" against "two"$'
like 'an assertion that fails' "$out" '^not ok 3 - asserting$'
is 'the case ends at it' "$(grep -c '"3"' <<< "$out")" 0
like 'the case after them passes' "$out" '^ok 4 - after$'
out=$(tests/host/unit/harness_kunit_empty 2>&1)
is 'an empty suite fails' $? 1
like 'and says why' "$out" '^not ok 1 - harness_empty: no cases$'
done_testing
