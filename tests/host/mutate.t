#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/mutate: every patch still applies, and a surviving mutant is told from a caught one, whatever else fails.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

out=$(tests/mutate --check 2>&1)
is 'every mutant applies and has a whole header' $? 0
! grep -q '^not ok' <<< "$out" || diag "$(grep -A 5 '^not ok' <<< "$out")"
list=$(tests/mutate --list)
like 'there are mutants' "$list" '^record-uncounted +tests/guest/ring\.t@6\.1 +check +no record is lost'
is 'make check-all catches each' "$(awk '$3 == "none"' <<< "$list")" ''
ok 'make check catches four of five' test "$(awk '$3 == "check"' <<< "$list" | wc -l)" -ge $(($(wc -l <<< "$list") * 4 / 5))
out=$(tests/mutate nobody 2>&1)
is 'an unknown mutant is refused' $? 2
like 'and the message names --list' "$out" '--list'

TRACE_IRQOFF_MUTANTS=$(mktemp -d)
export TRACE_IRQOFF_MUTANTS XDG_CACHE_HOME=$TRACE_IRQOFF_MUTANTS
trap 'rm -rf "$TRACE_IRQOFF_MUTANTS"' EXIT
# mutant STATUS HEADERS LINE...: runs a mutant whose test prints these lines and ends with STATUS; sets $out and $status
mutant() {
	local ends=$1 headers=$2
	shift 2
	{
		printf 'Breaks: nothing\nCaught-by: tests/fake.t@6.1\n%s\n\n' "$headers"
		printf -- '--- /dev/null\n+++ b/tests/fake.t\n@@ -0,0 +1,%s @@\n' $(($# + 4))
		printf '+%s\n' '#!/bin/sh' "cat <<'END'" "$@" END "exit $ends"
	} | sed '/^--- /i diff --git a/tests/fake.t b/tests/fake.t\nnew file mode 100755' > "$TRACE_IRQOFF_MUTANTS/fake.patch"
	out=$(tests/mutate fake 2>&1)
	status=$?
}
named='Failing: nothing is lost$'

mutant 1 "$named" 'ok 1 - a' 'not ok 2 - x: nothing is lost' '1..2'
is 'the test fails in the named assertion: caught' "$status" 0
like 'the assertion is printed' "$out" '^ok 1 - fake: tests/fake.t@6.1 fails in "x: nothing is lost" \([0-9]+ s\)$'
mutant 0 "$named" 'ok 1 - nothing is lost' '1..1'
is 'the test passes: survived' "$status" 1
like 'it is reported that the test passes' "$out" '^# it passes'
mutant 1 "$named" 'not ok 1 - nothing is lost, or so' '1..1'
like 'another assertion fails: survived' "$out" '^not ok 1 .*does not fail as it should'
like 'the other assertion is printed' "$out" '^# not ok 1 - nothing is lost, or so$'
for share in 40.0 60.0; do
	mutant 1 'Failing: half' 'not ok 1 - half' "# timed: the host took $share % of 1.0 s from 2 virtual CPUs" '1..1'
	[ "$share" = 40.0 ] && want='^ok 1 ' || want='^not ok 1 '
	like "an assertion of which the host took $share %" "$out" "$want"
done
mutant 1 "$named" 'not ok 1 - x: guest ended well' 'not ok 2 - nothing is lost' '1..2'
like 'a guest that ends badly proves nothing' "$out" '^# not ok 1 - x: guest ended well, which is not'
for no in 'vm/build: could not build the guest'\''s modules for kernel 6.1' 'vm/run: the guest did not answer within 9 s'; do
	mutant 1 "$named" "$no" 'not ok 1 - nothing is lost' '1..1'
	like "this proves nothing: $no" "$out" "^# $no"
done
badly='Failing: x: guest ended well'
mutant 1 "$badly" 'not ok 1 - x: guest ended well' '1..1'
like 'a patch that makes the guest end badly needs the message' "$out" '^# the patch needs a line "Said:"'
mutant 1 "$badly"$'\nSaid: ^BUG: ' 'BUG: at a' 'not ok 1 - x: guest ended well' '1..1'
like 'the guest ends badly with that message' "$out" '^ok 1 '
mutant 1 "$badly"$'\nSaid: ^BUG: ' 'WARNING: at a' 'not ok 1 - x: guest ended well' '1..1'
like 'the guest ends badly with another message' "$out" '^# no line of its output matches \^BUG: $'
# shellcheck disable=SC2016 # the test expands it
mutant '${ROUNDS:-0}' "$named"$'\nEnvironment: ROUNDS=20' 'not ok 1 - nothing is lost' '1..1'
like 'the test gets its environment' "$out" '^ok 1 '
mutant 1 'Failed: x'
like 'an incomplete header is reported' "$out" '^# the patch needs one line "Failing:"$'
sed -i 's,/dev/null,a/tests/fake.t,; /^new file/d' "$TRACE_IRQOFF_MUTANTS/fake.patch"
out=$(tests/mutate --check)
is 'a patch that does not apply fails' $? 1
like 'it is reported' "$out" '^not ok 1 - fake: the patch does not apply$'
done_testing
