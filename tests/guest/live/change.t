#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A change of a knob leaves alone what CPUs are measuring, and waits neither for a CPU that is stuck nor for another one that is
# going offline and waits for it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use List::Util qw(min);
use Test::More;
use VM;

# Handlers keep CPU 1 busy, and knobs that it does not measure by change all the while.
my @sections = guest_ok('measuring', <<'SH');
insmod stall.ko
insmod trace_irqoff.ko enable=1
knobs=/sys/module/trace_irqoff/parameters
taskset 1 sh -c "while :; do echo 65 > $knobs/nmi_rate; usleep 5000; echo 64 > $knobs/nmi_rate; usleep 5000; done" &
changing=$!
sleep 0.5
for i in 1 2 3 4; do stall storm 1 100000; sleep 0.3; done
kill $changing
section records
irqoff list --json --min 50ms
SH
my @records = records('records', @sections);
my @stalls = stalls(@sections);
my @short = grep {
	my ($record) = grep { $_->{cpu} == 1 && $_->{kind} eq 'hard' } overlapping($_, @records);
	!$record || ($record->{handler_ns} // 0) < $record->{min_ns} / 2;
} @stalls;
timed([ map { $_->{interval} } @stalls ], sub { is(scalar @short, 0, 'the time of all handlers is known') }) or diag(explain(\@records));

# CPU 1 takes no interrupts while CPU 2 goes offline and comes back, which stops all CPUs at once, and so waits for CPU 1.
@sections = guest_ok('offline', <<'SH', '--smp', 3, '--timeout', 200);
taskset -p 1 $$ > /dev/null
told() { # told COMMAND...: a section with its time, status and output
	section told
	timed "$@"
	cat /tmp/out
}
insmod stall.ko
insmod trace_irqoff.ko enable=1
irqoff status --json > /dev/null
online=/sys/devices/system/cpu/cpu2/online
for i in 1 2 3 4; do
	while :; do
		echo 0 > $online
		echo 1 > $online
	done &
	coming=$!
	sleep 0.$i
	echo "irqoff 1 4000000" > /proc/stall &
	stalled=$!
	sleep 0.5
	told set irqoff set nmi_rate=65
	told status irqoff status
	told stop irqoff stop
	section in time
	! grep -q '^State:.D' /proc/$stalled/status 2> /dev/null || echo yes
	wait $stalled
	kill $coming
	wait $coming || true
	echo 1 > $online
	insist irqoff start
done
section records
irqoff list --json
SH
my @took = map { [ $_->[1] =~ /^(\w+) (\d+) (\d+)\n(.*)/s ] } grep { $_->[0] eq 'told' } @sections;
is(scalar @took, 12, 'each command ran');
my @refused = grep { $_->[0] eq 'set' && $_->[2] } @took;
is(scalar(grep { $_->[3] !~ /CPU is coming online or going offline, so nothing is changed; try again/ } @refused), 0,
	'a change beside both may be refused, and says why');
note(scalar @refused, ' of 4 were refused');
is(scalar(grep { $_->[0] ne 'set' && $_->[2] } @took), 0, 'nothing else is');
SKIP: {
	skip('a debug kernel waits for all CPUs when a program ends', 1) if on_debug_kernel();
	# the host may keep one of four waiting, while code that waits does so each time
	my @slow = grep { my $command = $_; min(map { $_->[1] } grep { $_->[0] eq $command } @took) > 30 } qw(set status stop);
	timed(intervals('told', @sections), sub { is("@slow", '', 'nobody waits') }) or diag(explain(\@took));
}
# The kernel itself may keep CPU 0 until a stall is over (stuck.t); code of ours that waits does so each time.
my @in_time = map { scalar($_->[1] =~ /^yes$/m) } grep { $_->[0] eq 'in time' } @sections;
my $in_time = grep { $_ } @in_time;
timed(intervals('told', @sections), sub { cmp_ok($in_time, '>=', 2, 'CPU 1 is stuck while it is stopped') });
my @long = sort { $a->{end_ns} <=> $b->{end_ns} } grep { $_->{cpu} == 1 && $_->{min_ns} > 3e9 } records('records', @sections);
is(scalar @long, 4, 'each stall is one record');
is(join(' ', map { $long[$_]{end_by} // '-' } grep { $in_time[$_] } 0 .. 3), join(' ', ('stop') x $in_time), '... that the stop ended');

done_testing;
