#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What failed in a run of the tests is said again, shortly, at its end.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/harness/tap.sh

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat > "$dir/test.t" <<'SH'
#!/bin/sh
echo "ok 1 - fine"
echo "vm/run: the guest did not answer within 1 s" >&2
echo "not ok 2 - the kernel is $TRACE_IRQOFF_KERNEL"
seq 100 | sed 's/^/# line /' >&2
echo "ok 3 - fine again"
echo "# no failure" >&2
echo "1..3"
exit 7
SH
chmod +x "$dir/test.t"
mkdir "$dir/logs"
output=$(TRACE_IRQOFF_LOGS=$dir/logs tests/run-test "$dir/test.t@6.1-debug")
is 'a test keeps its exit status' $? 7
like 'a test keeps its output' "$output" '^not ok 2 - the kernel is 6.1-debug$'

output=$(tests/failures "$dir"/logs/*)
like 'a failure is said with its test' "$output" '^--- .*/test.t@6.1-debug$'
like 'what the guest was said to do' "$output" '^vm/run: the guest did not answer'
like 'the failed test' "$output" '^not ok 2 '
like 'why it failed' "$output" '^# line 5$'
like 'the last of its output' "$output" '^# line 100$'
ok 'not all of its output' test "$(wc -l <<< "$output")" -lt 25
is 'nothing else' "$(grep -c -e 'fine' -e 'no failure' <<< "$output")" 0

cat > "$dir/logs/crash.t" <<'END'
vm/run: the guest ended without an answer (QEMU's status 0)
ok 1 - and so it should
1..1
END
is 'nor of a test that passed' "$(tests/failures "$dir/logs/crash.t")" ''
sed -i '$d' "$dir/logs/crash.t"
like 'but of one that did not come to its end' "$(tests/failures "$dir/logs/crash.t")" '^vm/run: '

# --- a host that takes CPU time
cat > "$dir/again.t" <<'SH'
#!/bin/sh
echo "cpu 0 0 0 0 0 0 0 $STOLEN" > "$TRACE_IRQOFF_STAT"
echo "1..${PLAN-2}"
[ ! -e "$TRIED" ] || { printf 'ok %s\n' 1 2; exit 0; }
: > "$TRIED"
echo "not ok 1 - some were found (host permitting)"
echo "${SECOND-ok} 2 - none was wrong"
sleep 1
exit 1
SH
chmod +x "$dir/again.t"
export TRIED=$dir/tried TRACE_IRQOFF_STAT=$dir/stat TRACE_IRQOFF_LOGS=$dir/logs
# try VARIABLE=VALUE...: the test's exit status, run so
try() {
	rm -f "$TRIED"
	echo "cpu 0 0 0 0 0 0 0 0" > "$dir/stat"
	env "$@" tests/run-test "$dir/again.t" > "$dir/output"
	echo $?
}
is 'what the host may spoil is tried again where it takes time' "$(try STOLEN=100)" 0
like 'the second try counts' "$(cat "$dir/output")" '^ok 1$'
like 'the first is kept' "$(cat "$dir"/logs/*.first)" '^not ok 1 - some'
like 'and why' "$(cat "$dir"/logs/*.first)" 'the host took 1000 ms'
is 'it has failed where the host takes none' "$(try STOLEN=0)" 1
is 'so has what is never the host'"'"'s doing' "$(try STOLEN=100 SECOND='not ok')" 1
is 'and what did not come to its end' "$(try STOLEN=100 PLAN=)" 1
done_testing
