#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A wall clock that jumps and a machine that was suspended to memory make no stall, and watching goes on thereafter.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'the debug kernel is built without suspend') if on_debug_kernel();

my @sections = guest_ok('clock', <<'SH', '--timeout', '120');
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=20000
date -s '2030-01-01 00:00:00'
sleep 0.3
date -s '2020-01-01 00:00:00'
sleep 0.3
section jumped
irqoff list --json
section list jumped
irqoff list -v
irqoff clear
echo +3 > /sys/class/rtc/rtc0/wakealarm
date +%s > /asleep
echo mem > /sys/power/state
section slept
echo $(($(date +%s) - $(cat /asleep)))
sleep 0.5
section resumed
irqoff list --json
section list resumed
irqoff list -v
irqoff clear
stall irqoff 0 100000
stall irqoff 1 100000
section after
irqoff list --json
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
cmp_ok($got{slept} // 0, '>=', 2, 'the machine slept');
for my $section ('jumped', 'resumed') {
	# what a busy host takes from the guest is another matter
	my @stalls = grep { $_->{class} ne 'stolen' && $_->{class} ne 'unknown' } records($section, @sections);
	is(scalar(@stalls), 0, "$section: no stall") or diag($got{"list $section"});
}
for my $stall (stalls(@sections)) {
	my @found = grep { $_->{kind} eq 'hard' && $_->{cpu} == $stall->{cpu} && $_->{max_ns} >= $stall->{inner_ns} }
		overlapping($stall, records('after', @sections));
	is(scalar(@found), 1, "a stall of CPU $stall->{cpu} is found afterwards");
}
done_testing;
