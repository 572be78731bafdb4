#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# tests/run-test keeps output, Failures.pm summarises what failed in it, and Verdict.pm judges it.
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
mkdir -p "$dir/logs"
export TRACE_IRQOFF_LOGS=$dir/logs
unset TRACE_IRQOFF_KERNEL
output=$(tests/run-test "$dir/test.t@6.1-debug")
is 'a test keeps its exit status' $? 7
like 'a test keeps its output' "$output" '^not ok 2 - the kernel is 6.1-debug$'

is 'a test is found by its name in the output, from everywhere' "$(cd / && "$OLDPWD/tests/run-test" host/stall.t > /dev/null 2>&1; echo $?)" 0
is 'one that there is not' "$(tests/run-test guest/none.t@6.1 2>&1; echo $?)" "run-test: there is no tests/guest/none.t
2"
is 'no name' "$(tests/run-test 2>&1 | head -c 22)" 'usage: tests/run-test '

# failures LOG: what Failures.pm says of it
failures() { perl -Itests/lib -MFailures -e 'print map { "$_\n" } failures(@ARGV)' "$1"; }
output=$(failures "$dir"/logs/*)
like 'the complaint about the guest' "$output" '^    vm/run: the guest did not answer'
like 'the failed test' "$output" '^    not ok 2 '
like 'why it failed' "$output" '^    # line 5$'
like 'the last of its output' "$output" '^    # line 100$'
ok 'not all of its output' test "$(wc -l <<< "$output")" -lt 25
is 'nothing else' "$(grep -c -e 'fine' -e 'no failure' <<< "$output")" 0
# what a command of a shell test prints comes before the verdict on it
printf '%s\n' 'ok 1 - a' 'CC x.o' 'x.c:3: error: no x' 'make: leaving' 'not ok 2 - x builds' 'y.c:4: error: no y' 'not ok 3 - y builds' \
	'# got: 1' 'ok 4 - z' 'died at line 7' > "$dir/logs/shell"
is 'of a shell test, the errors that come before a verdict' "$(failures "$dir/logs/shell")" "$(printf '    %s\n' 'not ok 2 - x builds' \
	'x.c:3: error: no x' 'not ok 3 - y builds' 'y.c:4: error: no y' '# got: 1' 'died at line 7')"
printf '%s\n' {1..9} > "$dir/logs/silent"
is 'of a test that did not say what failed, its last lines' "$(failures "$dir/logs/silent")" "$(printf '    %s\n' {5..9})"

# --- the verdict
# verdict STATUS LINE...: the verdict on a test that prints these lines and ends with that status, or is killed, on a machine with two CPUs
verdict() {
	local end="exit $1"
	# shellcheck disable=SC2016 # the test expands it
	[ "$1" != killed ] || end='kill -9 $$'
	printf '#!/bin/sh\ncat <<"END"\n%s\nEND\n%s\n' "$(printf '%s\n' "${@:2}")" "$end" > "$dir/one.t"
	chmod +x "$dir/one.t"
	perl -Itests/lib -MVerdict -MTAP::Parser -e '
		my $parser = TAP::Parser->new({ exec => [$ARGV[0]] });
		my $verdict = Verdict->new(2);
		while (my $result = $parser->next) { $verdict->see($result) }
		print $verdict->word($parser), "\n"' "$dir/one.t"
}
timed() { echo "# timed: the host took $1 % of 2.000 s from $2 virtual CPUs"; }
is 'all passed' "$(verdict 0 'ok 1 - a' 1..1)" ok
is 'one failed' "$(verdict 1 'ok 1 - a' 'not ok 2 - b' 1..2)" failed
is 'one failed, and the status is 0' "$(verdict 0 'not ok 1 - b' 1..1)" failed
is 'one failed as expected' "$(verdict 0 'not ok 1 - b # todo later' 1..1)" failed
is 'none failed, and the status is not 0' "$(verdict 3 'ok 1 - a' 1..1)" failed
is 'it did not end' "$(verdict 0 'ok 1 - a')" failed
is 'an assertion is missing' "$(verdict 0 'ok 1 - a' 1..2)" failed
is 'nothing was asserted, and nothing says why' "$(verdict 0 1..0)" failed
is 'skipped' "$(verdict 0 '1..0 # SKIP not here')" skipped
is 'the host took most of a timed one' "$(verdict 1 'ok 1 - a' 'not ok 2 - b' "$(timed 50.1 2)" '# got: 1' 1..2)" undecided
is 'the host took half of it' "$(verdict 1 'not ok 1 - b' "$(timed 50.0 2)" 1..1)" failed
is 'the guest has more CPUs than the machine' "$(verdict 1 'not ok 1 - b' "$(timed 90.0 3)" 1..1)" failed
is 'another one failed as well' "$(verdict 2 'not ok 1 - b' "$(timed 90.0 2)" 'not ok 2 - c' 1..2)" failed
is 'what is said behind one that passed is of none' "$(verdict 1 'not ok 1 - b' 'ok 2 - c' "$(timed 90.0 2)" 1..2)" failed
is 'the status is another than that of one failure' "$(verdict 2 'not ok 1 - b' "$(timed 90.0 2)" 1..1)" failed
is 'it was killed' "$(verdict killed 'not ok 1 - b' "$(timed 90.0 2)" 1..1)" failed

# --- what guest tests print of a timed assertion: of an interval of which the host took 3 of 4 s from one of two CPUs
cat > "$dir/timed.t" <<PERL
#!/usr/bin/perl -I$PWD/tests/guest/lib
use Test::More;
use VM;
my @marks = map { { at => \$_->[0] * 1e9, delays => [ 5e9, \$_->[1] * 1e9 ], steals => [ 0, \$_->[2] * 1e9 ] } } [ 10, 1, 0 ], [ 14, 3.5, 0.5 ];
my @sections = sections("@@ one\n@@ two\n", [ [ section => \$marks[0] ], [ section => \$marks[1] ] ]);
timed(intervals('one', @sections), sub { is(1, \$_, "is \$_") }) for 1, 2;
timed(intervals('two', @sections), sub { is(1, 2, 'without an end') });
done_testing;
PERL
chmod +x "$dir/timed.t"
output=$(tests/run-test "$dir/timed.t")
is 'what the host took of a timed assertion is told where it fails, if it is known' "$(grep -e '^# timed' <<< "$output")" "$(timed 75.0 2 | sed 's/2\.000/4.000/')"
like 'behind that assertion' "$(grep -v '^#  ' <<< "$output")" '^not ok 2 - is 2
# timed'

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
# counts KERNEL [NAME=VALUE]: does a failure count there?
counts() {
	env "${2:-NONE=}" tests/run-test "$dir/live/time.t@$1" > "$dir/said" 2>&1 && echo no || echo yes
}
is 'a debug kernel: an assertion about time counts not' "$(counts 6.1-debug)" no
like 'it is reported' "$(cat "$dir/said")" '^ok 1 - in time # skip failed, uncounted$'
is 'what the detectors say counts' "$(counts 6.1-debug WRONG=1)" yes
is 'all counts if so asked' "$(counts 6.1-debug ALL_COUNT=1)" yes
is 'all counts on a stock kernel' "$(counts 6.1)" yes
done_testing
