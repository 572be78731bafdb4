#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A machine of 64 CPUs that is nearly idle. A CPU that is stuck, wherever it is, is sampled by the time that
# docs/design/sampling.md states for it, and a walk costs as many looks as it states at most.
#
# Virtual CPUs wait for the host, so times are judged at a threshold of 200 ms. What a walk does depends on thresholds alone, not
# on milliseconds. A walk's length is that of tio_buddy_walk(), by the kernel's own tracer. Under emulation it says how the cost
# grows, not what it is on hardware. That no walk looks at more than 56 of 512 CPUs is shown by KUnit (lookout).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'no CPU of arm64 can sample another one') if on_arm64();
plan(skip_all => "a debug kernel's own work wakes idle CPUs") if on_debug_kernel();

# as in module/core/walk_order.h
use constant WALK_MAX => 56;

my ($cpus, $few) = (64, 48);
my $last = $cpus - 1;
my ($threshold_ns, $period_ns) = (200_000_000, 10_000_000);
my @sections = guest_ok("$cpus CPUs", <<SH, '--smp', $cpus, '--mem', '4G', '--timeout', '900');
tracing=/sys/kernel/tracing
busy() { taskset \$1 sh -c 'while :; do :; done' & } # busy MASK
walks() { # walks NAME: the lengths of CPU 0's walks, in us
	sleep 1
	echo > \$tracing/trace
	sleep 2
	section "\$1"
	awk '/tio_buddy_walk/ { for (i = 2; i <= NF; i++) if (\$i == "us") print \$(i - 1) }' \$tracing/trace
}
both() { # both CPU...: a task there holds interrupts off; then a handler runs long, on top of its idle task
	for cpu in "\$@"; do
		stall irqoff \$cpu 600000
		sleep 0.5
		stall idlehrtimer \$cpu 600000
		sleep 0.5
	done
}
insmod stall.ko
insmod trace_irqoff.ko ring_records=256
busy 1
# patched before it is called: QEMU's CPUs may miss patched code
echo 1 > \$tracing/tracing_cpumask
echo tio_buddy_walk > \$tracing/set_ftrace_filter
echo function_graph > \$tracing/current_tracer
insist irqoff start cpus=0
for round in 1 2 3 4; do
	irqoff set cpus=0
	walks none
	irqoff set cpus=0-@{[ $few - 1 ]}
	walks few
	irqoff set cpus=0-$last
	walks all
done
section status
irqoff status --json
irqoff stop
sleep 1
echo nop > \$tracing/current_tracer
echo > \$tracing/set_ftrace_filter
irqoff clear
insist irqoff start threshold=200ms period=10ms cpus=all
sleep 1
both 1 14 31 47 $last
busy 100000000
sleep 1
both 5 30 33 62
section records
irqoff list --json
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;

# quantile(SHARE, NUMBERS...)
sub quantile {
	my ($share, @numbers) = @_;
	return (sort { $a <=> $b } @numbers)[ $share * $#numbers ] // 0;
}

# What the host takes makes walks longer, so the tenth that was shortest is compared.
my %us;
for my $which ('none', 'few', 'all') {
	my @lengths = map { split(' ', $_->[1]) } grep { $_->[0] eq $which } @sections;
	$us{$which} = quantile(0.1, @lengths);
	cmp_ok(scalar @lengths, '>', 500, sprintf('%u walks were timed, %s of the others watched: %.1f us, median %.1f us',
		scalar @lengths, $which, $us{$which}, quantile(0.5, @lengths)));
}
my ($one, $most) = (($us{few} - $us{none}) / ($few - 1), $us{all} - $us{none});
cmp_ok($one, '>', 0, sprintf('a look at one more sleeper takes time: %.3f us', $one));
cmp_ok($most, '<', 1.5 * WALK_MAX * $one,
	sprintf("a walk over %u sleepers takes that of @{[WALK_MAX]} looks at most: %.1f us", $last, $most));
# walks are 4 ms apart at the default settings
cmp_ok($us{all}, '<', 40, sprintf('the walks take %.2f %% of the CPU, 1 %% at most', $us{all} / 40));

# How late a first sample is requested, in thresholds, once the stall is there. A CPU that was awake is met in the first half
# threshold, and sampled at the threshold. A sleeper is met in the second of two walks, which may have been too early for it at
# its turn before (a quarter of the threshold). So 1.25 is the latest, and the rest is for the host. A stall of which the host
# took more than half has to be sampled, but may be late.
my @records = records('records', @sections);
my %late;
for my $stall (stalls(@sections)) {
	my $name = "$stall->{kind} on CPU $stall->{cpu}";
	my @found = grep { $_->{kind} eq 'hard' && $_->{cpu} == $stall->{cpu} } overlapping($stall, @records);
	my ($first) = sort { $a <=> $b } map { $_->{at_ns} - $_->{delay_ns} } grep { $_->{nmi} } map { @{ $_->{samples} } } @found;
	ok(defined($first), "$name: sampled while it lasted") or next;
	my $after = ($first - $stall->{from_ns} - ($stall->{kind} eq 'irqoff' ? $period_ns : 0)) / $threshold_ns;
	push @{ $late{ $stall->{kind} } }, $after;
	cmp_ok($after, '<=', 1.5, sprintf('%s: first sample after %.2f thresholds', $name, $after))
		if $after <= 1.5 || ($stall->{taken} // 0) <= 0.5;
}
for my $kind ('irqoff', 'idlehrtimer') {
	my @after = @{ $late{$kind} // [] };
	cmp_ok(quantile(0.5, @after), '<=', 1.25,
		sprintf('%s: the first sample after %.3f thresholds (median), %.3f at most', $kind, quantile(0.5, @after), quantile(1, @after)));
}
diag($got{records}) unless Test::More->builder->is_passing;

done_testing;
