#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A sample of a CPU that waits for a lock has the lock: its address, how it was wanted, and its name. Holders have interrupts on, so no
# record has them. The CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Locks;
use Test::More;
use VM;

plan(skip_all => 'its slow paths of locks are not read') if on_arm64();
my ($trouble, @waits) = lock_waits(4, 2, 40, in_turn());
is($trouble, '', 'the guest made waits');
for my $kind (sort keys %{ (LOCK_KINDS) }) {
	my @all = grep { $_->{kind} eq $kind } @waits;
	next if !@all;	# PREEMPT_RT has no rwlocks that spin
	my $count = lock_count($kind, @all);
	# a run queue's holder has interrupts off, too: with three that wait for it no CPU is left to sample any
	my $alone = $kind eq 'runqueue';
	cmp_ok($count->{samples}, '>=', $alone ? $count->{waits} / 2 : $count->{waits}, "$kind: $count->{waits} waits were sampled");
	cmp_ok($count->{told}, '>=', 0.95 * $count->{samples}, "$kind: $count->{told} of $count->{samples} samples have the lock");
	is($count->{right}, $count->{told}, "$kind: ... the right one") or diag(explain(\@all));
	is($count->{named}, $count->{told}, "$kind: ... by its name");
	next if $alone;
	cmp_ok($count->{candidates}, '>=', 0.9 * $count->{records}, "$kind: who holds it is the candidate of $count->{records} records");
}

done_testing;
