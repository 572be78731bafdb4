#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# On a machine on which a beat takes longer than its period, other work goes on, and watching can be stopped. This runs on one
# icount CPU.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

# where beats take nine tenths of the time, the debug kernel starts two programs in five seconds
my $limit = on_debug_kernel() ? 30 : 3;
my @sections = guest_ok('slow beats', "limit=$limit\n" . <<'SH', '--icount');
work() { # counts what a shell does in half a second, and fails if a timer does not expire in time
	section work
	n=0
	hundredths
	end=$((hundredths + 50))
	while hundredths && [ $hundredths -lt $end ]; do
		n=$((n + 1))
	done
	echo $n
	timeout $limit sleep 0.2
}
insmod stall.ko
insmod trace_irqoff.ko threshold_us=400 period_us=200
work
irqoff start
echo 1000 > /sys/module/stall/parameters/beat_us
section status
irqoff status --json
work
section status
irqoff status --json
irqoff stop
work
rmmod trace_irqoff
rmmod stall
work
SH
my @work = map { $_->[1] + 0 } grep { $_->[0] eq 'work' } @sections;
my ($before, $after) = map { JSON::PP::decode_json($_->[1]) } grep { $_->[0] eq 'status' } @sections;
is(scalar @work, 4, 'the guest worked before, during and after the slow beats, and without the module');
note("work: @work");
cmp_ok($work[1] * 50, '>', $work[0], 'during slow beats it does at least a fiftieth of the work');
cmp_ok($work[2] * 1.1, '>', $work[0], 'afterwards it does as much as before');
cmp_ok($work[3] * 1.1, '>', $work[0], '... and without the module');
my $beats = $after->{cpus}[0]{beats} - $before->{cpus}[0]{beats};
my $seconds = ($after->{enabled_for_ns} - $before->{enabled_for_ns}) / 1e9;
cmp_ok($beats, '>', 100, 'beats came');
note(sprintf('%.0f beats a second', $beats / $seconds));
cmp_ok($beats / $seconds, '<', 1000, '... not at the requested 5,000 a second');

done_testing;
