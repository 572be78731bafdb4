#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff-selftest finds that the module works here, and refuses to run where it might hurt. After kill -9, of itself alone or with
# all that it started, the next run clears up. Nothing is left behind. tests/host/selftest.t has its logic and its building.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own, as long as these') if on_debug_kernel();
plan(skip_all => "the guest has no Perl of arm64") if on_arm64();

my @sections = guest_ok('selftest', <<'SH', '--with', 'selftest', '--timeout', 600);
try() { # try NAME COMMAND...
	section "$1"
	shift
	fails "$@"
}
self="irqoff-selftest --modules /lib/trace_irqoff"
made() { # made FILE: waits until both modules are loaded and a stall was made, or what writes to the file has ended without
	until grep -q trace_irqoff /proc/modules && grep -q kind= /proc/stall 2> /dev/null; do
		grep -q '^State:.[^Z]' /proc/$!/status 2> /dev/null || { section 'ended early'; cat "$1"; return; }
		sleep 0.1
	done
}
left() {
	section "left $1"
	grep -w -e trace_irqoff -e stall /proc/modules || :
	ls -d /run/irqoff-selftest 2> /dev/null || :
	ps | grep '[g]etppid' || :
}
try 'no terminal' $self
try 'no modules' irqoff-selftest --yes --modules /tmp
try 'no headers' irqoff-selftest --yes
for name in unknown_nmi_panic panic_on_unrecovered_nmi panic_on_warn; do
	echo 1 > /proc/sys/kernel/$name
	try $name $self --yes
	echo 0 > /proc/sys/kernel/$name
done
insmod trace_irqoff.ko
try loaded $self --yes
section still
grep -c trace_irqoff /proc/modules
rmmod trace_irqoff
try 'no cpu' $self --yes --cpu 7
left refusals

$self --yes > /tmp/killed 2>&1 &
made /tmp/killed
section 'second run'
# The CPU that samples needs a while until it is awake, and no stall is made before.
mkdir /tmp/slow
printf '#!/bin/sh\nd=/tmp/slow\ncat /proc/stall > $d/before\nsleep 1\ncat /proc/stall > $d/after\nexec %s "$@"\n' "$(command -v taskset)" \
	> /tmp/slow/taskset
chmod +x /tmp/slow/taskset
PATH=/tmp/slow:$PATH timeout 100 $self --yes --json > /tmp/second 2> /tmp/said &
sleep 1
kill -9 %1 2> /dev/null || kill -9 $(pidof perl | tr ' ' '\n' | sort -n | head -n 1)
wait $! || echo "status: $?"
cat /tmp/said
section row
cat /tmp/second
section asleep
cmp /tmp/slow/before /tmp/slow/after || echo differ
left 'a killed one'

setsid sh -c "exec $self --yes" > /tmp/killed 2>&1 &
made /tmp/killed
ps -o pid,args | grep '[i]rqoff-selftest\|[g]etppid' | while read pid rest; do kill -9 $pid 2> /dev/null || :; done
sleep 0.5
section 'killed all'
grep -c -w -e trace_irqoff -e stall /proc/modules
section 'third run'
$self --yes --length 20 2>&1 || echo "status: $?"
left 'all that were killed'

section 'a report'
hostname secret-host
$self --yes --report /tmp/report --time 10 2>&1 || echo "status: $?"
section 'report file'
cat /tmp/report
section 'report again'
$self --yes --report /tmp/report 2>&1 || echo "status: $?"

$self --yes > /tmp/terminated 2>&1 &
made /tmp/terminated
kill -TERM $!
section terminated
wait $! || echo "status: $?"
left 'one that was terminated'
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
is($got{'ended early'}, undef, 'each run makes stalls');

my %refused = (
	'no terminal' => [ 2, qr/--yes runs it/ ],
	'no modules' => [ 2, qr{There is no /tmp/trace_irqoff\.ko} ],
	'no headers' => [ 3, qr/no headers of kernel/ ],
	'no cpu' => [ 3, qr/CPU 7 is not online/ ],
	loaded => [ 3, qr/The module trace_irqoff is loaded/ ],
	map({ ($_ => [ 3, qr/kernel\.$_ is 1/ ]) } qw(unknown_nmi_panic panic_on_unrecovered_nmi panic_on_warn)),
);
for my $name (sort keys %refused) {
	my ($status, $sentence) = @{ $refused{$name} };
	like($got{$name}, qr/status: $status\n\z/, "$name: refused");
	like($got{$name}, $sentence, "$name: the sentence");
	unlike($got{$name}, qr/PREEMPT/, "$name: no row");
}
is($got{still}, "1\n", "a module of somebody else stays loaded");
is($got{"left $_"}, '', "$_: nothing is left behind") 
	for 'refusals', 'a killed one', 'all that were killed', 'one that was terminated';
is($got{terminated}, "status: 1\n", 'terminated: ends at once');

like($got{'second run'}, qr/A self-test that was killed had left/, 'killed: the next run says so');
unlike($got{'second run'}, qr/wrong record|^status: [^4]/m, 'killed: and makes its own stalls');
is($got{asleep}, '', 'killed: ... when the CPU that samples is awake');
my $row = decode_json($got{row});
is($row->{verdict}, @{ $row->{unknown} } ? 'cannot tell' : 'right', 'the verdict') or diag(explain($row));
timed(intervals('second run', @sections), sub {
	cmp_ok(2 * $row->{disturbed}, '<=', $row->{made}, 'it could judge half of them at least');
});
cmp_ok($row->{kinds}, '>=', 28, 'each kind of stall was made');
is(join(' ', map { $row->{$_} ? 1 : 0 } qw(built loaded unloaded)), '1 1 1', 'what was done');
is($row->{kernel}, (split(/\n/, $got{release}))[0], 'the kernel');
is(scalar @{ $row->{log} }, 0, 'the kernel has no complaint');
is($got{'killed all'}, "2\n", 'killed with all: both modules stay loaded');
like($got{'third run'}, qr/A self-test that was killed had left/, 'killed with all: the next run says so');
like($got{'third run'}, qr/^KERNEL +PREEMPT .*\n\Q$row->{kernel}\E .* yes +yes +\d+\/\d+ .* yes +clean$/m, 'and prints a row');
like($got{'a report'}, qr{^irqoff-selftest: /tmp/report is the report\.}m, 'a report is written');
my $report = decode_json($got{'report file'});
cmp_ok($report->{rounds}, '>=', 1, '... of rounds');
cmp_ok($report->{made}, '>=', 28 * $report->{rounds}, '... of all kinds');
cmp_ok($report->{report}{seconds}, '>=', 10, '... for as long as was asked for');
cmp_ok(scalar(grep { $_->{beats} && defined $_->{ns_per_beat} } @{ $report->{report}{costs} }), '>=', 1, '... with what watching cost');
cmp_ok($report->{report}{counts}{nmis} // 0, '>=', 1, '... and how many NMIs came');
unlike($got{'report file'}, qr/secret-host/, '... without the name of the host');
is($got{'report again'}, "irqoff-selftest: /tmp/report is there already; name another file.\nstatus: 2\n", 'which is not replaced');
done_testing;
