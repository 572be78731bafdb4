#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Each record has an event, which says the same. An event comes with a stall that goes on, in time for a snapshot of what was traced
# until then; the event of the end comes in time to stop a tracer. (slow/tracers.t has the same with perf, trace-cmd and bpftrace.) Two
# CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

detectors_count();
my @sections = guest_ok('events', <<'SH', '--icount', '--smp', 2);
# The CPU that samples the other one stays awake.
taskset -p 1 $$ > /dev/null
spin &
tracing=/sys/kernel/tracing
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=10000
traced() { cat $tracing/$1 | grep -v '^#' || :; }
has() { [ -e $tracing/$1 ] && echo yes || echo no; }
trigger() { echo "$2" > $tracing/events/trace_irqoff/$1/trigger; }
section has
# without dynamic ftrace no function can be chosen
snapshots=$(has snapshot) graph=$(has set_graph_function)
echo "snapshot $snapshots graph $graph"

echo 1 > $tracing/events/trace_irqoff/enable
for kind in irqoff bhoff irqoff tasklet hrtimer; do
	stall $kind 1 50000
done
section records
irqoff list --json
section events
traced trace
echo 0 > $tracing/events/trace_irqoff/enable

[ "$snapshots $graph" = 'yes yes' ] || exit 0
echo busy_work > $tracing/set_graph_function
echo 1 > $tracing/max_graph_depth
echo 16384 > $tracing/buffer_size_kb
echo 1 > $tracing/snapshot
for kind in irqoff bhoff; do
	echo function_graph > $tracing/current_tracer
	echo > $tracing/trace
	echo 2 > $tracing/snapshot	# clears it
	echo 1 > $tracing/tracing_on
	trigger stall_open snapshot
	trigger stall traceoff
	stall $kind 1 50000
	section $kind snapshot
	traced snapshot
	section $kind end
	traced trace
	trigger stall '!traceoff'
	trigger stall_open '!snapshot'
	echo nop > $tracing/current_tracer
done
echo 0 > $tracing/snapshot
echo > $tracing/set_graph_function
echo 0 > $tracing/max_graph_depth
echo 1408 > $tracing/buffer_size_kb
# nobody holds the module any more
rmmod trace_irqoff
SH
my %text = map { ($_->[0] => $_->[1]) } @sections;

my @events = map { { /(\w+)=(\S+)/g, line => $_, frame => (split(' ', s/.*nframes=\d+ //r))[0] } } grep { / stall: / } split(/\n/, $text{events});
my %opened = map { ("$_->[0] $_->[1]" => $_->[2]) } map { [/ stall_open: cpu=(\d+) kind=(\w+) begun_ns=(\d+)/] } grep { / stall_open: / } split(/\n/, $text{events});
my @records = grep { !$_->{open} } records('records', @sections);
cmp_ok(scalar @records, '>=', 5, 'stalls are recorded');
# another stall may end after they were listed
my %number = map { ("$_->{cpu}:$_->{seq}" => 1) } @records;
@events = grep { $number{"$_->{cpu}:$_->{seq}"} } @events;
my @told = map { join(' ', @$_{qw(cpu seq kind min_ns max_ns end_ns)}) } @events;
my @kept = map { join(' ', @$_{qw(cpu seq kind min_ns max_ns end_ns)}) } @records;
is(join("\n", sort @told), join("\n", sort @kept), 'each record has one event, with its number and bounds');
for my $event (@events) {
	my ($record) = grep { $_->{cpu} == $event->{cpu} && $_->{seq} == $event->{seq} } @records;
	my $name = "$event->{cpu}:$event->{seq} ($record->{class})";
	# how much was stolen is known later
	is($event->{class}, $record->{class}, "$name: has its class") unless $record->{class} eq 'stolen';
	my @innermost = map { $_->{frames}[0] // () } $record->{evidence} eq 'end' ? $record->{end} : @{ $record->{samples} };
	ok((!@innermost && !$event->{nframes}) || grep({ /^\Q$event->{frame}\E(?: |$)/ } @innermost), "$name: has the stack that decides")
		or diag(join("\n", $event->{line}, @innermost));
}
is(join(' ', map { /^(\d+) (\w+)$/ ? "$1 $2" : () } grep { /^1 / } sort keys %opened), on_arm64() ? '1 soft' : '1 hard 1 soft', 'stalls that go on have one, too');

SKIP: {
	skip('this kernel has no snapshots or no graph of chosen functions', 6) if ($text{has} // '') ne "snapshot yes graph yes\n";
	for my $kind (on_arm64() ? 'bhoff' : ('irqoff', 'bhoff')) {
		my ($snapshot, $end) = @text{"$kind snapshot", "$kind end"};
		note($snapshot, $end);
		# as a call that has not returned, and as one that has
		like($snapshot, qr/busy_work.* \{$/m, "$kind: a snapshot was taken while it went on");
		unlike($snapshot, qr/busy_work.*\(\);|\}/, "$kind: ... before it ended");
		like($end, qr/us +\| +(?:busy_work.*\(\);|\})/, "$kind: the trace has its end");
	}
}
done_testing;
