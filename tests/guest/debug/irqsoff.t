#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A second opinion: the kernel's own irqsoff tracer (debug kernel) times the same stalls as the module, and agrees with the reader
# on who held interrupts off. This runs on one icount CPU, where the host cannot make stalls of its own.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Tracer;
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
	for us in 20000 27300 35700 43900 50000; do
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
echo nop > $t/current_tracer
SH

my @records = records('records', @sections);
my @stalls = stalls(@sections);
my @latencies = map { $_->[1] + 0 } grep { $_->[0] eq 'latency' } @sections;
my @traces = map { $_->[1] } grep { $_->[0] eq 'trace' } @sections;
is(scalar @stalls, 10, 'all stalls were made');
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

# kernel code that nobody here wrote; tests/guest/debug/slow/owners.t has more of it
my @real = guest_ok('real code', "insmod trace_irqoff.ko enable=1 ring_records=4096 threshold_us=600 period_us=200\n" .
	tracer_script(1, 1000, qw(kernfs_node_cache dentry)), '--icount', '--timeout', 300);
tracer_judge(8, @real);

done_testing;
