#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/failures repeats at the end of a run what failed in it, and tests/run-test keeps output and verdicts.
set -u
cd "$(dirname "$0")/../.." || exit
. tests/host/tap.sh

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
mkdir -p "$dir/logs" "$dir/verdicts/6.1-debug" "$dir/verdicts/host"
export TRACE_IRQOFF_LOGS=$dir/logs TRACE_IRQOFF_VERDICTS=$dir/verdicts
unset TRACE_IRQOFF_KERNEL
verdicts=
output=$(tests/run-test "$dir/test.t@6.1-debug")
is 'a test keeps its exit status' $? 7
like 'a test keeps its output' "$output" '^not ok 2 - the kernel is 6.1-debug$'

output=$(tests/failures "$dir"/logs/*)
like 'a failure is printed with its test' "$output" '^--- .*/test.t@6.1-debug$'
like 'the complaint about the guest' "$output" '^vm/run: the guest did not answer'
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
is 'nothing is printed for a test that passed' "$(tests/failures "$dir/logs/crash.t")" ''
sed -i '$d' "$dir/logs/crash.t"
like 'a test that did not end has failed' "$(tests/failures "$dir/logs/crash.t")" '^vm/run: '

# --- what is kept of a test
kept() { cut -d ' ' -f 1 "$dir/verdicts/$1/"*"$2"*; }
is 'the verdict is kept with its kernel' "$(kept 6.1-debug test.t)" failed
for line in 'ok 1 - fine' '1..0 # SKIP not here'; do
	printf '#!/bin/sh\necho "%s"\n[ "%s" = "ok 1 - fine" ] && echo 1..1 || true\n' "$line" "$line" > "$dir/one.t"
	chmod +x "$dir/one.t"
	tests/run-test "$dir/one.t" > /dev/null
	verdicts+=" $(kept host one.t)"
done
is 'the verdicts of a test that passed and of one that was skipped' "$verdicts" ' ok skipped'
printf '#!/bin/sh\necho "ok 1 - fine"\n' > "$dir/one.t"
tests/run-test "$dir/one.t" > /dev/null
is 'the verdict of a test that did not end is failed' "$(kept host one.t)" failed

# --- on a debug kernel only what its detectors say counts, of tests that judge time
mkdir "$dir/live"
cat > "$dir/live/time.t" <<PERL
#!/usr/bin/perl -I$PWD/tests/guest/lib
use Test::More;
use VM;
is(1, 2, 'in time');
is(\$ENV{WRONG} // '', '', "\$_") for 'load: guest ended well', 'nothing is leaked';
done_testing;
PERL
chmod +x "$dir/live/time.t"
# counted KERNEL [NAME=VALUE]: the verdict of that test
counted() {
	env "${2:-NONE=}" tests/run-test "$dir/live/time.t@$1" > /dev/null 2>&1
	kept "$1" time.t
}
mkdir "$dir/verdicts/6.1"
is 'a debug kernel: an assertion about time counts not' "$(counted 6.1-debug)" ok
like 'it is reported' "$(cat "$dir/logs/"*time.t@6.1-debug)" '^ok 1 - in time # skip failed, uncounted$'
is 'its failure is not printed' "$(tests/failures "$dir/logs/"*time.t@6.1-debug)" ''
is 'what the detectors say counts' "$(counted 6.1-debug WRONG=1)" failed
is 'all counts if so asked' "$(counted 6.1-debug ALL_COUNT=1)" failed
is 'all counts on a stock kernel' "$(counted 6.1)" failed

# --- no test begins when no time is left
is 'after UNTIL a test is skipped' "$(UNTIL=$(date +%s) counted 6.1)" skipped
is 'before it the test runs' "$(UNTIL=$(($(date +%s) + 60)) counted 6.1)" failed
done_testing
