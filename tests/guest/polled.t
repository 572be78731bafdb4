#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A CPU can wake a task on an idle CPU without an interrupt, while that CPU is between two sleeps of the idle loop. The task may
# stall its CPU at once, and that stall is found too. Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

detectors_count();
my @sections = guest_ok('polled', <<'SH', '--icount', '--smp', 2);
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
i=0
while [ $i -lt 8 ]; do
	stall idlepoll 1 50000
	i=$((i + 1))
done
section records
irqoff list --json
SH
my @stalls = grep { $_->{inner_ns} } stalls(@sections);
my @records = grep { $_->{kind} eq 'hard' && $_->{cpu} == 1 } records('records', @sections);
cmp_ok(scalar(@stalls), '>=', 4, 'at least half of the stalls could be made this way');
for my $stall (@stalls) {
	my @found = overlapping($stall, @records);
	is(scalar @found, 1, 'one record') or diag(explain(\@found));
	check_bounds('of it', $_, $stall->{inner_ns}, $stall->{outer_ns}) for @found;
}

done_testing;
