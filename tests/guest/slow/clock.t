#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A wall clock that jumps, a change of the clocksource and suspend to memory are no stalls, and watching goes on afterwards. The
# test's stalls are far longer than what a busy host takes from a guest; the sleep takes seconds, and the clock jumps by years.
# Followers go on, and a capture has the right time of what comes after the sleep.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
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
irqoff watch --json=lines > /watched 2>&1 &
watch=$!
irqoff record /slept.irqoff > /recorded 2>&1 &
record=$!
sleep 1
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
sleep 1
kill $watch $record
section followed
wait $watch
echo "status: $?"
wait $record
echo "status: $?"
cat /recorded
section watched
cat /watched
section captured
irqoff list --json -i /slept.irqoff
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
my %watched = map { ($_->{record} => 1) } map { decode_json($_) } $got{watched} =~ /^(\{.*\})$/mg;
my %captured = map { ($_->{record} => $_) } records('captured', @sections);
my @after = records('after', @sections);
like($got{followed}, qr/\A(?:status: 0\n){2}.*, lost 0\n\z/s, 'followers go on over the sleep');
is(join(' ', grep { !$watched{$_} } map { $_->{record} } @after), '', '... and have each stall after it');
is(join(' ', grep { !$captured{$_} } map { $_->{record} } @after), '', '... also in a capture');
my @off = map { abs($captured{ $_->{record} }{end_realtime_ns} - $_->{end_realtime_ns}) } grep { $captured{ $_->{record} } } @after;
is(scalar(grep { $_ > 100e6 } @off), 0, '... which has the time of day') or diag("@off");
my @made = stalls(@sections);
is(scalar @made, 3, 'stalls were made');
for my $i (0 .. $#made) {
	my @found = grep { $_->{kind} eq 'hard' && $_->{cpu} == $made[$i]{cpu} && $_->{min_ns} > 300_000_000 }
		overlapping($made[$i], records($i ? 'after' : 'on another clocksource', @sections));
	is(scalar(@found), 1, 'a stall is found ' . ($i ? 'after the sleep' : 'on another clocksource'));
}
done_testing;
