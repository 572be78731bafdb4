#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A wall clock that jumps, a change of the clocksource and suspend to memory are no stalls, and watching goes on afterwards. The
# test's stalls are far longer than what a busy host takes from a guest; the sleep takes seconds, and the clock jumps by years.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'the debug kernel is built without suspend') if on_debug_kernel();

# With QEMU's main thread at real-time priority, newer guests resume with a timer that fires all the time.
my @sections = guest_ok('clock', <<'SH', '--timeout', '120', '--ordinary');
found() { # found NAME: the records since the last call
	section $1
	irqoff list --json
	section list $1
	irqoff list -v
	irqoff clear
}
insmod stall.ko
# a period that a slow clock allows (tests/guest/clock.t)
insmod trace_irqoff.ko enable=1 threshold_us=200000 period_us=50000
date -s '2030-01-01 00:00:00'
sleep 0.5
date -s '2020-01-01 00:00:00'
sleep 0.5
found jumped
cd /sys/devices/system/clocksource/clocksource0
section clocksource
cat current_clocksource
echo acpi_pm > current_clocksource
cat current_clocksource
sleep 1
echo tsc > current_clocksource
sleep 1
echo acpi_pm > current_clocksource
cd /lib/trace_irqoff
found switched
stall irqoff 1 500000
section on another clocksource
irqoff list --json
echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource
irqoff clear
echo +3 > /sys/class/rtc/rtc0/wakealarm
date +%s > /asleep
echo mem > /sys/power/state
section slept
echo $(($(date +%s) - $(cat /asleep)))
sleep 1
found resumed
stall irqoff 0 500000
stall irqoff 1 500000
section after
irqoff list --json
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
is($got{clocksource}, "tsc\nacpi_pm\n", 'the clocksource was changed');
cmp_ok($got{slept} // 0, '>=', 2, 'the machine slept');
for my $section ('jumped', 'switched', 'resumed') {
	my @stalls = grep { $_->{class} ne 'stolen' } records($section, @sections);
	is(scalar(@stalls), 0, "$section: no stall") or diag($got{"list $section"});
	# 1.5 s is more than a host takes, and less than the clock jumped or the machine slept
	my @long = grep { $_->{max_ns} > 1_500_000_000 } records($section, @sections);
	is(scalar(@long), 0, "$section: no record is that long, of any class");
}
my @made = stalls(@sections);
is(scalar @made, 3, 'stalls were made');
for my $i (0 .. $#made) {
	my @found = grep { $_->{kind} eq 'hard' && $_->{cpu} == $made[$i]{cpu} && $_->{min_ns} > 300_000_000 }
		overlapping($made[$i], records($i ? 'after' : 'on another clocksource', @sections));
	is(scalar(@found), 1, 'a stall is found ' . ($i ? 'after the sleep' : 'on another clocksource'));
}
done_testing;
