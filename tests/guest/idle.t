#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# An idle CPU has no stalls and is left asleep, but a stall that begins when it wakes is found. A CPU that naps all the time
# pays for beats, not for naps. This runs on one icount CPU, where the host cannot make stalls. That the other CPUs of a machine
# sleep while one is busy is guard.t's matter.
#
# A debug kernel's softirqs take up to 37 ms after a task exits (measured: RCU callbacks under KASAN), so costs mean nothing
# there. The test then checks only that these stalls are found and no others. Slab checks are off, because they alone make an
# idle CPU's RCU callbacks take up to 0.3 ms (measured).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

my ($naps, $s) = (20_000, on_debug_kernel() ? 15 : 60);
for my $settings (on_debug_kernel() ? 'threshold_us=100000' : ('', 'threshold_us=100 period_us=50')) {
	my $name = $settings || 'default settings';
	my $stall_us = on_debug_kernel() ? 200_000 : 20_000;
	my $cost = on_debug_kernel() ? 'exit' : '';
	my @sections = guest_ok($name, <<SH, '--icount', '--timeout', '900', '--append', 'slub_debug=-');
interrupts() { section \$1; awk '/LOC:/ { print \$2 }' /proc/interrupts; }
insmod stall.ko
insmod trace_irqoff.ko $settings
sleep 5
interrupts off
sleep $s
interrupts on
insist enable
sleep $s
interrupts done
# on newer kernels, starting a program turns interrupts off for more than 100 us
echo 0 > /sys/module/trace_irqoff/parameters/enable
section records
irqoff list --json
section list
irqoff list -v
irqoff clear
insist irqoff start
for kind in idlewake idletimer idlehrtimer; do
	stall \$kind 0 $stall_us
done
section woken
irqoff list --json

$cost
cd /sys/kernel/tracing
grep ' heartbeat.*trace_irqoff' /proc/kallsyms | cut -d ' ' -f 1 > /beat
echo 16384 > buffer_size_kb
echo "function == 0x\$(cat /beat)" > events/timer/hrtimer_start/filter
echo 1 > events/timer/hrtimer_start/enable
section naps
nap $naps 20000
echo 0 > events/timer/hrtimer_start/enable
section starts
grep -c hrtimer_start: trace || true
SH
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	is(scalar(records('records', @sections)), 0, "$name: no records in $s s idle") or diag($got{list});
	my ($unwatched, $watched) = ($got{on} - $got{off}, $got{done} - $got{on});
	# At the finest period a beat also runs during a wakeup that takes 50 us or longer.
	my $more = ($settings ? 3 : 1) * $s;
	cmp_ok($watched, '<=', $unwatched + $more,
		"$name: $more more timer interrupts at most ($unwatched in $s s, watched $watched)" =~ s/\n//gr) unless $cost;
	my @woken = records('woken', @sections);
	for my $stall (stalls(@sections)) {
		my @found = overlapping($stall, @woken);
		my @long = grep { $_->{max_ns} >= $stall->{inner_ns} } @found;
		is(scalar @long, 1, "$name: $stall->{kind}: found") or diag(explain(\@found));
		check_bounds("$name: $stall->{kind}", $long[0], $stall->{inner_ns}, $stall->{outer_ns}) if @long;
	}
	# CPU 0's idle task was started by code that has been freed
	unlike($got{woken}, qr/\[unloaded\]/, "$name: all frames have names");
	next if $cost;
	my $beats = $naps / $got{naps} * ($settings ? 20_000 : 1000);
	cmp_ok($got{naps}, '>', 10_000, "$name: it naps often enough ($got{naps} times a second)" =~ s/\n//r);
	cmp_ok($got{starts}, '>', 0, "$name: starts of the beat were counted");
	cmp_ok($got{starts}, '<=', 1.2 * $beats + 200, "$name: napping, the beat starts once a period ($got{starts})" =~ s/\n//r);
}

done_testing;
