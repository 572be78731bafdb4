# SPDX-License-Identifier: GPL-2.0-only
# Counts what the module does to CPUs that sleep while CPU 0 is busy.
package Sleepers;
use strict;
use warnings;
use Exporter 'import';
use Test::More;
use VM;

our @EXPORT = qw(counting counted traced sleep_on);

# Shell functions. "watch_sleepers" looks up the module's timers; call it once the module is loaded. "count NAME SECONDS" then
# makes a section with lines "CPU EVENT SECOND NUMBER". They say how often in that second of CLOCK_MONOTONIC an event interrupted
# the idle task of a CPU other than CPU 0. Events are expiries of our timers, by the name of their function, and "guard": a guard's
# timer is started, as by our IPI, or by itself when it expires. "control" makes a section that traced() judges; call it once, while
# CPU 0 is busy and watched.
my $counting = <<'SH';
tracing=/sys/kernel/tracing
busy() { taskset 1 spin & busy=$!; }
functions() { # functions NAME|NAME...: a filter
	awk -v names="$1" '$4 == "[trace_irqoff]" && $3 ~ "^(" names ")$" {
		printf "%sfunction == 0x%s", also, $1
		also = " || "
	}' /proc/kallsyms
}
watch_sleepers() {
	echo "($(functions 'heartbeat|nudged|timer_walk')) && common_pid == 0" > $tracing/events/timer/hrtimer_expire_entry/filter
	echo "($(functions timer_walk)) && common_pid == 0" > $tracing/events/timer/hrtimer_start/filter
	echo mono > $tracing/trace_clock
}
cpus_from() { # cpus_from CPU: traces from that one on
	printf '%x\n' $(((1 << $(grep -c ^processor /proc/cpuinfo)) - (1 << $1))) > $tracing/tracing_cpumask
}
control() {
	functions heartbeat > $tracing/events/timer/hrtimer_expire_entry/filter
	echo 1 > $tracing/tracing_cpumask
	echo > $tracing/trace
	echo 1 > $tracing/events/timer/hrtimer_expire_entry/enable
	sleep 1
	echo 0 > $tracing/events/timer/hrtimer_expire_entry/enable
	section control
	grep -c 'hrtimer_expire_entry:.*function=heartbeat' $tracing/trace || true
	cpus_from 0
	watch_sleepers
}
count() { # count NAME SECONDS
	cpus_from 1
	echo 1 > $tracing/events/timer/hrtimer_expire_entry/enable
	echo 1 > $tracing/events/timer/hrtimer_start/enable
	# enabling an event interrupts all CPUs
	sleep 1
	echo > $tracing/trace
	sleep $2
	cat $tracing/trace > /tmp/trace
	echo 0 > $tracing/events/timer/hrtimer_expire_entry/enable
	echo 0 > $tracing/events/timer/hrtimer_start/enable
	cpus_from 0
	section "$1"
	awk '/hrtimer_start:/ { event = "guard" }
		/hrtimer_expire_entry:/ { event = $0; sub(/.*function=/, "", event); sub(/[ \/+].*/, "", event) }
		/^[^#]/ {
			match($0, /\[[0-9]+\]/)
			cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
			match($0, /[0-9]+\.[0-9]+:/)
			number[cpu " " event " " int(substr($0, RSTART))]++
		}
		END { for (each in number) print each, number[each] }' /tmp/trace
	section "end of $1"
	cut -d ' ' -f 1 /proc/uptime
}
SH

sub counting { return $counting }

# traced(NAME, SECTIONS...): tests that the tracer counts our timers at all. Otherwise each CPU would seem to sleep.
sub traced {
	my ($name, @sections) = @_;
	my ($beats) = map { $_->[1] + 0 } grep { $_->[0] eq 'control' } @sections;
	return cmp_ok($beats // 0, '>=', 10, "$name: the tracer counts the busy CPU's beats");
}

# counted(NAME, CPU, SPARED, SECTIONS...): how often our timers and IPIs interrupted that CPU's sleep, without the seconds for
# which SPARED, if it is given, returns true
sub counted {
	my ($name, $cpu, $spared, @sections) = @_;
	my ($text) = map { $_->[1] } grep { $_->[0] eq $name } @sections;
	my $sum = 0;
	ok(0, "$name: interrupts were counted") unless defined $text;
	for (split(/\n/, $text // '')) {
		my ($on, $event, $second, $number) = split;
		$sum += $number if $on == $cpu && !($spared && $spared->($second));
	}
	return $sum;
}

# Guard time after a stall that nobody sampled (TIO_GUARD_SECONDS in module/record/guard.h), and the second by which it may be longer.
use constant GUARD_S => 61;

# guard_time(RECORDS...): a function that says whether there may be guard time in a second of CLOCK_MONOTONIC
sub guard_time {
	my @from = map { int($_->{end_ns} / 1e9) }
		grep { $_->{kind} eq 'hard' && $_->{class} =~ /^hardirq-/ && !@{ $_->{samples} } } @_;
	return sub {
		my ($second) = @_;
		return scalar grep { $_ <= $second && $second <= $_ + GUARD_S } @from;
	};
}

# sleep_on(CPUS, SECONDS, OPTION...): in a guest with these options, of so many CPUs one is busy, at the default settings. Tests that our timers and IPIs interrupt the
# sleep of each of the others at most once a second. A virtual CPU that the host stops inside of an interrupt reads as a stall
# that nobody sampled, and is followed by guard time. That is left out.
sub sleep_on {
	my ($cpus, $seconds, @options) = @_;
	my $name = "$cpus CPUs, one busy";
	my @sections = guest_ok($name, $counting . <<SH, '--smp', $cpus, '--timeout', $seconds + 300, @options);
insmod trace_irqoff.ko ring_records=1024
watch_sleepers
busy
sleep 1
insist enable
sleep 3
control
count on $seconds
section records
irqoff list --json
SH
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	traced($name, @sections);
	my $spared = guard_time(records('records', @sections));
	my $end = int($got{'end of on'} // 0);
	my $left = grep { !$spared->($_) } $end - $seconds + 1 .. $end;
	cmp_ok(2 * $left, '>=', $seconds, "$name: $left of $seconds s are left");
	for my $cpu (1 .. $cpus - 1) {
		my $woken = counted('on', $cpu, $spared, @sections);
		cmp_ok($woken, '<=', $left, "$name: CPU $cpu sleeps ($woken interrupts of ours in $left s)") or
			diag(explain([ grep { $_->[0] =~ /^(?:on|records)$/ } @sections ]));
	}
}

1;
