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

# CPU 1 takes no interrupts while CPU 2 goes offline, which holds off all who count CPUs. Each command begins while CPU 1 is stuck and
# CPU 2 on its way.
@sections = guest_ok('offline', <<'SH', '--smp', 3, '--timeout', 200);
taskset -p 1 $$ > /dev/null
knobs=/sys/module/stall/parameters
online=/sys/devices/system/cpu/cpu2/online
goes_offline() { grep -q stall_offline ${hotplug%comm}stack; }
is_stuck() { grep -q '^State:.R' /proc/$stalled/status 2> /dev/null; }
both() { is_stuck && goes_offline; }
told() { # told COMMAND...: a section with its time, status, what both says before and after it, and its output
	section told
	both && before=1 || before=0
	timed "$@"
	both && after=1 || after=0
	echo "$before $after"
	cat /tmp/out
}
insmod stall.ko
insmod trace_irqoff.ko enable=1
irqoff status --json > /dev/null
hotplug=$(grep -lx cpuhp/2 /proc/[0-9]*/comm)
for i in 1 2 3 4; do
	echo 5000 > $knobs/offline_ms
	echo 0 > $online &
	going=$!
	until goes_offline; do usleep 1000; done
	# not a write to /proc/stall, which counts CPUs, too
	taskset 2 sh -c "echo irqoff 4000000 > $knobs/here" &
	stalled=$!
	sleep 0.5
	told set irqoff set nmi_rate=65
	told status irqoff status
	told stop irqoff stop
	told start irqoff start
	wait $stalled $going
	echo 1 > $online
	insist irqoff start
done
section records
irqoff list --json
# the probes are attached no more
irqoff stop
sleep 12
echo 0 > $online &
going=$!
until goes_offline; do usleep 1000; done
section detached
timed start irqoff start
cat /tmp/out
wait $going
SH
my @told;
for my $section (grep { $_->[0] eq 'told' } @sections) {
	my ($name, $hundredths, $status, $before, $after, $output) = $section->[1] =~ /^(\w+) (\d+) (\d+)\n([01]) ([01])\n(.*)/s or next;
	push @told, { name => $name, hundredths => $hundredths, status => $status, met => $before, over_first => $after, output => $output };
}
is(scalar @told, 16, 'each command ran');
my @refused = grep { $_->{status} } @told;
is(scalar(grep { $_->{name} ne 'start' } @refused), 0, 'what needs no count of CPUs is not refused');
is(scalar(grep { $_->{output} !~ /CPU is coming online or going offline, so nothing is changed; try again/ } @refused), 0,
	'a start is, and says why');
my @stops = grep { $_->{name} eq 'stop' } @told;
SKIP: {
	skip('a debug kernel waits for all CPUs when a program ends', 6) if on_debug_kernel();
	my @starts = grep { $_->{name} eq 'start' && $_->{met} } @told;
	timed(intervals('told', @sections), sub { is(scalar @starts, 4, 'starts meet a CPU that is stuck and one that goes offline') });
	for my $name (qw(set status stop start)) {
		my @met = grep { $_->{name} eq $name && $_->{met} } @told;
		# not a matter of time: what waits for either is never over before both
		ok(scalar(grep { $_->{over_first} } @met), "$name waits for neither") or diag(explain(\@told));
	}
	# the host may keep one of four waiting, while code that waits does so each time
	my @slow = grep {
		my $name = $_;
		(min(map { $_->{hundredths} } grep { $_->{name} eq $name && $_->{met} } @told) // 0) > ($name eq 'start' ? 230 : 30)
	} qw(set status stop start);
	timed(intervals('told', @sections), sub { is("@slow", '', 'nobody waits for 300 ms, or as long as a start asks, 2 s') }) or diag(explain(\@told));
}
# The kernel itself may keep CPU 0 until a stall is over (stuck.t); code of ours that waits does so each time.
my $in_time = grep { $_->{over_first} } @stops;
timed(intervals('told', @sections), sub { cmp_ok($in_time, '>=', 2, 'CPU 1 is stuck while it is stopped') });
my @long = sort { $a->{end_ns} <=> $b->{end_ns} } grep { $_->{cpu} == 1 && $_->{min_ns} > 3e9 } records('records', @sections);
is(scalar @long, 4, 'each stall is one record');
is(join(' ', map { $long[$_]{end_by} // '-' } grep { $stops[$_]{over_first} } 0 .. $#stops), join(' ', ('stop') x $in_time),
	'... that the stop ended');

my ($hundredths, $status, $said) = map { $_->[1] =~ /^start (\d+) (\d+)\n(.*)/s } grep { $_->[0] eq 'detached' } @sections;
is($status, 1, 'a start that has to attach probes fails, too');
like($said, qr/^irqoff: a CPU is coming online or going offline/, '... and says why');
timed(intervals('detached', @sections), sub { cmp_ok($hundredths, '<=', 230, '... after 2 s') });

done_testing;
