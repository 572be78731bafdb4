#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A CPU can wake a task on an idle CPU without an interrupt, while that CPU is between two sleeps of the idle loop. The task may
# stall its CPU at once, and that stall is found too. (The host's scheduling may shift a bound here, so the test only tells
# lengths apart that differ much.)
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

my @sections = guest_ok('polled', <<'SH');
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
i=0
while [ $i -lt 20 ]; do
	stall idlepoll 1 50000
	i=$((i + 1))
done
section records
irqoff list --json --min 25ms
SH
my @stalls = fair('polled', grep { $_->{inner_ns} } stalls(@sections));
my @records = grep { $_->{kind} eq 'hard' && $_->{cpu} == 1 } records('records', @sections);
cmp_ok(scalar(grep { $_->{inner_ns} } stalls(@sections)), '>=', 10, 'at least half of the stalls could be made this way');
my @missed = grep { my $stall = $_; !grep { $_->{min_ns} > 25_000_000 } overlapping($stall, @records) } @stalls;
is(scalar @missed, 0, 'each was found') or diag(explain(\@missed));

done_testing;
