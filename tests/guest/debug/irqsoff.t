#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A second opinion: the kernel's own irqsoff tracer (debug kernel) times the same stalls as the module, and agrees with the reader
# on who held interrupts off. This runs on one icount CPU, where the host cannot make stalls of its own.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use JSON::PP;
use Test::More;
use VM;

$ENV{TRACE_IRQOFF_KERNEL} //= DEBUG_KERNEL;

# The tracer goes on with interrupts off after it has read its clock, and the interrupt of the late beat is part of the stall.
# Together these are up to 100 us of this slow kernel's time that the tracer's figure lacks, and twice that where the tick runs
# before the beat (measured: 211 us). A beat that is wrong by one is wrong by 1 ms.
my $own_ns = 400_000;
my $ms = 1_000_000;

my @sections = guest_ok('stalls', <<'SH', '--icount', '--timeout', '900');
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=512
t=/sys/kernel/tracing
echo 0 > $t/tracing_on
echo irqsoff > $t/current_tracer
echo 1 > $t/tracing_on
for kind in irqoff irqlock; do
	for us in 20000 27300 43900; do
		sleep 0.2
		echo 15000 > $t/tracing_max_latency
		stall $kind 0 $us
		section latency
		cat $t/tracing_max_latency
		section trace
		cat $t/trace
	done
done
section records
irqoff list --json
# kernel code that nobody here wrote, in stalls longer than those of this slow kernel itself
for kind in 'children 600' 'watchers 2000'; do
	irqoff clear
	echo 15000 > $t/tracing_max_latency
	herd $kind
	sleep 1
	section tracer $kind
	cat $t/trace
	section reader $kind
	irqoff list --json
done
echo nop > $t/current_tracer
SH

my @records = records('records', @sections);
my @stalls = stalls(@sections);
my @latencies = map { $_->[1] + 0 } grep { $_->[0] eq 'latency' } @sections;
my @traces = map { $_->[1] } grep { $_->[0] eq 'trace' } @sections;
is(scalar @stalls, 6, 'all stalls were made');
for my $i (0 .. $#stalls) {
	my $stall = $stalls[$i];
	my $name = sprintf('%s, %.1f ms', $stall->{kind}, $stall->{inner_ns} / $ms);
	my ($latency_ns, $trace) = ($latencies[$i] * 1000, $traces[$i]);
	my @found = overlapping($stall, @records);

	like($trace, qr/started at:\s+(?:stall_irqoff|_raw_spin_lock_irqsave)\n.*^ => make_$stall->{kind}\n/ms,
		"$name: the tracer timed this stall");
	is(scalar @found, 1, "$name: and the module has one record of it") or next;
	my ($min, $max) = @{ $found[0] }{qw(min_ns max_ns)};
	# the tracer's figure is in whole microseconds
	cmp_ok($min, '<=', $latency_ns + 1000 + $own_ns, "$name: lower bound is no more than the tracer's figure");
	cmp_ok($max, '>=', $latency_ns, "$name: upper bound is no less");
	diag(sprintf('%-8s tracer %.3f ms, bounds %.3f to %.3f ms, true %.3f to %.3f ms', $stall->{kind}, $latency_ns / $ms,
		$min / $ms, $max / $ms, $stall->{inner_ns} / $ms, $stall->{outer_ns} / $ms));
}

# The tracer prints the stack of the end, from the innermost function: who called what gave the lock back.
my @herds = grep { $_->[0] =~ /^(?:tracer|reader) / } @sections;
my ($agree, $judged) = (0, 0);
while (my ($tracer, $reader) = splice(@herds, 0, 2)) {
	my ($end) = $tracer->[1] =~ /<stack trace>\n(.*)/s;
	my ($owner) = grep { !/^(?:trace_|tracer_|_raw_|__raw_|lockdep_)/ } ($end // '') =~ /^ => (\w+)/mg;
	my ($longest) = sort { $b->{min_ns} <=> $a->{min_ns} } grep { $_->{kind} eq 'hard' } @{ decode_json($reader->[1])->{records} };
	if (!$owner || !$longest) {
		diag("$tracer->[0]: ", $owner ? 'no record' : "no stack: $tracer->[1]");
		next;
	}
	$judged++;
	$agree++ if ($longest->{culprit} // '') eq $owner;
	note(sprintf('%s: tracer %s, reader %s (%s), %.1f ms', $tracer->[0], $owner, $longest->{culprit} // 'nobody', $longest->{class},
		$longest->{min_ns} / $ms));
}
is($judged, 2, 'real stalls were timed by both');
is($agree, $judged, '... and both say who held interrupts off');

done_testing;
