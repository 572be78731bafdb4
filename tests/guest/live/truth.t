#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A sample of tests/truth: each kind of stall, short and long. Each stall that the host did not spoil is found, with the right
# class and culprit, and what the culprit was busy in. Bounds may be wrong for one stall, because the emulator brings a beat late in one of 1440 (kinds.t, where
# it cannot, allows none). No sample blames an innocent function, in spoilt stalls either. One exception: a stall that waited is
# blamed itself if it did not end together with the stall that it waited for. Only the host can make them end apart.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Truth;
use TruthGuest;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own, as long as these') if on_debug_kernel();

my @judged = map { @{ $_->{judged} // [] } } truth_run($ENV{TRACE_IRQOFF_KERNEL} // '', 1, 2, 10);
cmp_ok(scalar(@judged), '>=', 28, 'stalls were made');
my %fair = map { ($_ => 1) } fair('truth', map { $_->{stall} } @judged);
for my $judged (@judged) {
	my $name = sprintf('%s, %.0f ms', $judged->{stall}{kind}, $judged->{stall}{inner_ns} / 1e6);
	ok($judged->{found}, "$name: found") if $fair{ $judged->{stall} };
	ok(!$judged->{innocent}, "$name: nobody innocent is blamed by a sample") unless $judged->{apart};
	my $why = truth_explain($judged);
	diag($why) if $why;
}
my @apart = grep { $_->{apart} } @judged;
cmp_ok(scalar(@apart), '<=', 2, 'the host held back at most two of the paired stalls (' . @apart . ' of 4)');
my @judged_fairly = grep { $fair{ $_->{stall} } && !$_->{apart} } @judged;
for my $column (qw(class culprit busy_in)) {
	# a stall that the other CPU came too late to sample has no more than its end, which says who closed it
	my @these = grep { exists $_->{$column} && !($column ne 'class' && $_->{alone}) } @judged_fairly;
	is(join(' ', map { $_->{stall}{kind} } grep { !$_->{$column} } @these), '', "all are right: $column");
}
cmp_ok(scalar(grep { exists $_->{bounds} && !$_->{bounds} } @judged_fairly), '<=', 1, 'at most one has wrong bounds');
done_testing;
