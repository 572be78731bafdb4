#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Who waits for tasklist_lock is not to blame: the lock is told, who waited, and that the CPU that signals all processes may have had it.
# That one has interrupts on, and no stall. Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use List::Util qw(sum0);
use Test::More;
use VM;

plan(skip_all => 'its slow paths of locks are not read') if on_arm64();
detectors_count();
my @sections = guest_ok('signalled', <<'SH', in_turn(), '--smp', 2, '--timeout', 600);
insmod trace_irqoff.ko enable=1 cpus=all ring_records=1024 threshold_us=1000 period_us=200 nmi_cpu_rate=1000 nmi_rate=100000
herd signalled 4000
section report
irqoff report --json
section screen
irqoff report
section release
uname -v
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @groups = @{ decode_json($got{report})->{groups} };
plan(skip_all => 'its rwlocks sleep') if $got{release} =~ /PREEMPT_RT/;
my ($waits) = grep { (($_->{waits_for_lock} // {})->{name} // '') eq 'tasklist_lock' } @groups;
ok($waits, 'waits for tasklist_lock are told') or diag($got{screen});
my $lock = ($waits // {})->{waits_for_lock} // {};
is($lock->{kind}, 'write', '... of who writes it');
my %waiters = map { ($_->{function} => $_->{count}) } @{ $lock->{waiters} // [] };
ok(!(grep { !/^(?:copy_process|do_exit|release_task|exit_notify|wait_\w+|do_wait)$/ } keys %waiters), '... and who waited') or
	diag(explain(\%waiters));
my @candidates = @{ $lock->{candidates} // [] };
my $all = sum0(map { $_->{count} } @candidates);
my $right = sum0(map { $_->{count} } grep { $_->{who} =~ / in herd \((?:kill|.*signal.*)\)$/ } @candidates);
# eight questions a second are asked, and each is answered
cmp_ok($all, '>=', 12, "... and who may have had it, $all times");
is(sum0(map { $_->{count} } grep { $_->{who} eq 'herd (kill)' } @candidates), $all, '... which is who signals all processes') or
	diag(explain(\@candidates));
# herd gives its children another parent as it ends, which does hold the lock
my @blamed = grep { ($_->{culprit} // '') =~ /^(?:copy_process|release_task|do_exit)$/ && $_->{evidence} ne 'end' } @groups;
ok(!(grep { $_->{culprit} ne 'do_exit' || $_->{count} > 1 } @blamed), 'nobody who waited is blamed by a sample') or diag($got{screen});
note($got{screen});

done_testing;
