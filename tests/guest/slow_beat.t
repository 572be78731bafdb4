#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# On a machine on which a beat takes longer than its period, other work goes on, and watching can be stopped.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use List::Util qw(max min);
use Test::More;
use VM;

my @sections = guest_ok('slow beats', <<'SH');
work() { # counts what a shell does in three seconds, and fails if a timer does not expire within three
	section work
	n=0
	read now rest < /proc/uptime
	end=$((${now%.*} + 3))
	while read now rest < /proc/uptime && [ ${now%.*} -lt $end ]; do
		n=$((n + 1))
	done
	echo $n
	timeout 3 sleep 0.2
}
insmod stall.ko
insmod trace_irqoff.ko threshold_us=100 period_us=50 cpus=all
work
insist irqoff start
echo 1000 > /sys/module/stall/parameters/beat_us
section status
irqoff status --json
work
section status
irqoff status --json
irqoff stop
work
work
work
rmmod trace_irqoff
rmmod stall
work
SH
my @work = map { $_->[1] + 0 } grep { $_->[0] eq 'work' } @sections;
my ($before, $after) = map { JSON::PP::decode_json($_->[1]) } grep { $_->[0] eq 'status' } @sections;
is(scalar @work, 6, 'the guest worked before, during and after the slow beats, and without the module');
note("work: @work");
# a host that becomes busy meanwhile makes the second one less
my $without = min(@work[ 0, 5 ]);
cmp_ok($work[1] * 50, '>', $without, 'during slow beats it does at least a fiftieth of the work');
# a busy host may take most of three seconds
cmp_ok(max(@work[2 .. 4]) * 3, '>', $without, 'afterwards it does about as much as without the module');
cmp_ok($work[5] * 50, '>', $work[0], '... which leaves nothing that slows it down');
# a busy host makes these seconds longer
my $seconds = ($after->{enabled_for_ns} - $before->{enabled_for_ns}) / 1e9;
for my $cpu (0, 1) {
	my $beats = $after->{cpus}[$cpu]{beats} - $before->{cpus}[$cpu]{beats};
	cmp_ok($beats, '>', 100, "CPU $cpu: beats came");
	note(sprintf('CPU %d: %.0f beats a second', $cpu, $beats / $seconds));
	cmp_ok($beats / $seconds, '<', 3000, "CPU $cpu: not at the requested 20,000 a second");
}

done_testing;
