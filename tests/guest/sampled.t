#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Another CPU samples each hard stall by NMI while it lasts. The samples name the culprit even where the end of the stall shows
# nothing, also if the other CPU sleeps and is made a guard. Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../userspace/selftest";
use Kinds;
use Test::More;
use VM;

detectors_count();
plan(skip_all => 'no CPU of arm64 can sample another one') if on_arm64();

my %expected = map { ($_->{name} => $_) } kinds();

# Every kind on CPU 1 while CPU 0 is busy; then while CPU 0 is idle and has to be made a guard. That is to happen before the first
# stall already, which guard=auto does not promise (guard.t).
my @sections = guest_ok('sampled', <<'SH', '--icount', '--smp', 2, '--timeout', '600');
stalls() { # stalls NUMBER US: each on a CPU that has just been busy
	i=0
	while [ $i -lt $1 ]; do
		section stall
		taskset 2 sh -c 'n=0; while [ $n -lt 10000 ]; do n=$((n + 1)); done; echo irqwork 1 '$2' > /proc/stall; cat /proc/stall'
		i=$((i + 1))
	done
}
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024 guard=always
taskset 1 spin &
for round in 1 2; do
	for kind in irqoff irqlock irqdeep irqipi irqwork hrtimer idlehrtimer; do
		stall $kind 1 40000
		sleep 0.1
	done
done
kill $!
section busy
irqoff list --json
irqoff clear
stalls 8 40000
section guarded
irqoff list --json
irqoff clear
# asleep nearly all of the time, but awake more often than a guard walks
irqoff set threshold=20ms
taskset 1 nap 1000000 8000000 > /dev/null &
stalls 5 80000
kill $!
section napping
irqoff list --json
section list
irqoff list -v
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @stalls = stalls(@sections);
my @parts = (    # name, its stalls
	[ 'busy', splice(@stalls, 0, 14) ],
	[ 'guarded', splice(@stalls, 0, 8) ],
	[ 'napping', @stalls ],
);
is(scalar @stalls, 5, 'stalls were made');
for (@parts) {
	my ($part, @made) = @$_;
	my @records = grep { $_->{kind} eq 'hard' } records($part, @sections);
	for my $stall (@made) {
		my $kind = $expected{ $stall->{kind} };
		my $handler = $kind->{interrupt};
		my $name = "$part: $stall->{kind}";
		my ($record, @more) = overlapping($stall, @records);
		ok($record && !@more, "$name: one record") or diag(explain($record, @more)), next;
		check_bounds($name, $record, $stall->{inner_ns}, $stall->{outer_ns});
		is("$record->{class} by $record->{evidence}", "$kind->{class} by sample", "$name: sampled while it lasted, and classed");
		is($record->{culprit}, "$stall->{function} [stall]", "$name: named");
		my $busy = $record->{busy_in} // 'nothing';
		ok(scalar(grep { $busy eq $_ } kind_busy($kind, $stall, $record)), "$name: busy in $busy");
		ok(scalar(grep { ($_->{irq_name} // '') eq $handler } @{ $record->{samples} }), "$name: interrupt $handler") if $handler;
	}
}
diag($got{list}) unless Test::More->builder->is_passing;

# An idle CPU also handles interrupts that concern no task there, such as the IPIs that synchronize patched code.
@sections = guest_ok('IPIs to an idle CPU', <<'SH', '--icount', '--smp', 2);
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
ipis() { awk '/CAL:/ { print $3 }' /proc/interrupts; }
taskset 1 sh -c 'while :; do echo 1 > /sys/module/stall/parameters/ipi; done' &
section before
ipis
for i in 1 2 3 4 5; do
	stall idlehrtimer 1 40000
done
section after
ipis
kill $!
section records
irqoff list --json
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
cmp_ok($got{after} - $got{before}, '>=', 20, 'many IPIs were handled') or diag($got{after});
my @hard = grep { $_->{kind} eq 'hard' } records('records', @sections);
for my $stall (stalls(@sections)) {
	my ($record, @more) = overlapping($stall, grep { $_->{cpu} == 1 } @hard);
	ok($record && !@more, 'a long handler there was found') or diag(explain(\@hard));
	check_bounds('of it', $record, $stall->{inner_ns}, $stall->{outer_ns}) if $record;
}
my @more = grep { $_->{handler_ns} > $_->{max_ns} } @hard;
is(scalar(@more), 0, 'no handler is credited with more time than its stall has') or diag(explain(\@more));

# NMIs of others rain on the sampled CPU. At a threshold of 1 ms a slow kernel would make thousands of stalls of its own.
my ($rain, $least) = on_debug_kernel() ? ('threshold=4000 period=1000', 1) : ('threshold=1000 period=200', 2);
@sections = guest_ok('rain', "$rain\n" . <<'SH', '--icount', '--smp', 2, '--timeout', '600');
echo 1 > /proc/sys/kernel/unknown_nmi_panic
insmod stall.ko
insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1 threshold_us=$threshold period_us=$period ring_records=1024 nmi_cpu_rate=1000 nmi_rate=1000
i=0
while [ $i -lt 15 ]; do
	taskset 1 sh -c 'echo "1 300 100 known" > /sys/module/foreign_nmi/parameters/send' &
	stall irqoff 1 50000
	wait $!
	i=$((i + 1))
done
section records
irqoff list --json --cpu 1 --min 10ms
irqoff set nmi=off
irqoff clear
taskset 1 sh -c 'echo "1 2000 100 known" > /sys/module/foreign_nmi/parameters/send' &
sleep 0.05
stall irqoff 1 50000
wait $!
section profiled
irqoff list --json --cpu 1 --min 10ms
rmmod trace_irqoff
SH
my @records = records('records', @sections);
my @rained = stalls(@sections);
my $by_end = pop @rained;
my @dry = grep { my $n = 0; $n += @{ $_->{samples} } for grep { $_->{kind} eq 'hard' } overlapping($_, @records); $n < $least } @rained;
is(scalar @dry, 0, "unknown_nmi_panic=1: $least samples of each were taken among other NMIs") or diag(explain(\@dry));
my ($profiled) = grep { $_->{kind} eq 'hard' } overlapping($by_end, records('profiled', @sections));
is(($profiled // {})->{class}, 'hardirq-off', 'NMIs that are counted as interrupts do not keep an end from telling') or diag(explain($profiled));

done_testing;
