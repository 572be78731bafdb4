#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A stall that waited for another CPU's stall is linked to it and counted under its culprit. The link is probable if the CPU
# spun for a lock. It is certain if the CPU waited for an IPI to be answered, every CPU is watched and no other was stuck. Two CPUs
# run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use List::Util qw(sum0);
use Test::More;
use VM;

detectors_count();
my $rounds = 4;
my @sections = guest_ok('pairs', <<"SH", '--icount', '--smp', 2);
insmod stall.ko
insmod trace_irqoff.ko enable=1 cpus=all ring_records=1024
i=0
while [ \$i -lt $rounds ]; do
	stall convoy 1 50000
	sleep 0.1
	stall ipiwait 1 50000
	sleep 0.1
	i=\$((i + 1))
done
section records
irqoff list --json
section again
irqoff list --json --min 40ms
section report
irqoff report --json
section filtered
irqoff report --cpu 0 --json
section screen
irqoff report
section absent
irqoff list --cpu 63
irqoff report --cpu 63
section list
irqoff list -v --min 40ms
section unwatched
irqoff set cpus=0
irqoff list --cpu 1 --min 60s
irqoff report --cpu 1 --min 60s
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @records = records('records', @sections);
my %linked = (convoy => 0, ipiwait => 0);
my %expected = (convoy => [ 'lock', 1 ], ipiwait => [ 'ipi', 0 ]);    # what it waited for, whether that is only probable
# The IPI that was waited for may come in right before the late beat. The end shows that, so what was sampled is named, or a caller of it.
my $holding = qr/^(?:stall_holder|busy_work) \[stall\]$/;
my $wrong = '';
for my $stall (stalls(@sections)) {
	my ($wait, $probable) = @{ $expected{ $stall->{kind} } };
	my @here = grep { $_->{min_ns} > 40_000_000 } overlapping($stall, @records);
	my ($victim) = grep { $_->{cpu} == 1 && $_->{kind} eq 'soft' } @here;
	my ($holder) = grep { $_->{cpu} == 0 && $_->{kind} eq 'hard' } @here;
	my $for = $victim && $victim->{waits_for} or next;
	$wrong .= "$stall->{kind}: $victim->{culprit} waits; " if $victim->{culprit} ne "$stall->{function} [stall]";
	if (!$holder || "$for->{cpu}:$for->{seq}" ne "$holder->{cpu}:$holder->{seq}" || $for->{wait} ne $wait) {
		$wrong .= "$stall->{kind} waits for $for->{cpu}:$for->{seq}, $for->{wait}; ";
		next;
	}
	next if ($for->{culprit} // '') !~ $holding || $for->{class} ne 'hardirq-off';
	next if !$for->{probable} && $probable;
	next if !!$for->{probable} != !!$probable;
	$linked{ $stall->{kind} }++;
}
is($linked{convoy}, $rounds, 'spinning for a lock: linked to its holder, as probable');
is($linked{ipiwait}, $rounds, 'waiting for an IPI: linked to the CPU that did not take it, as certain');
is($wrong, '', 'no link is wrong');
is(scalar(grep { $_->{waits_for} && $_->{cpu} != 1 } @records), 0, 'only the waiting CPU has links');
for my $name ('report', 'filtered') {
	my @groups = grep { ($_->{culprit} // '') =~ $holding } @{ JSON::PP::decode_json($got{$name})->{groups} };
	is(sum0(map { $_->{victims} } @groups), 2 * $rounds, "$name: counts them under the culprit");
}
like($got{screen}, qr/^stall_holder \[stall\] .*\n`-victims \((?:\d+ )?unproved\) /m, 'report: victims are listed below the culprit');
my $nowhere = 'There is no CPU 63 (CPUs 0-1).';
like($got{absent}, qr/\Q$nowhere\E\n.*\Q$nowhere\E\n/s, 'the reader says that there is no such CPU');
my $nobody = 'None of these CPUs is watched (watched now: 0).';
like($got{unwatched}, qr/\Q$nobody\E\n.*\Q$nobody\E\n/s, 'the reader says that a CPU is not watched');
my %ended = map { ("$_->{cpu}:$_->{seq}" => $_->{end_realtime_ns}) } grep { !$_->{open} } records('again', @sections);
my @both = grep { !$_->{open} && $ended{"$_->{cpu}:$_->{seq}"} } @records;
cmp_ok(scalar @both, '>=', $rounds, 'the same records are listed again');
my ($moved) = sort { $b <=> $a } map { abs($_->{end_realtime_ns} - $ended{"$_->{cpu}:$_->{seq}"}) } @both;
cmp_ok($moved, '<', 20_000, "the wall clock's time of a record stays ($moved ns)");
diag($got{list}) unless Test::More->builder->is_passing;
done_testing;
