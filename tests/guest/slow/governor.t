#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What the kernel's idle governor (menu) chooses while one CPU is busy: without the module, watched, and with guards at all times,
# which shows that the test can see a lighter choice. tests/modules/cpuidle has the states. The kernel counts how often and for
# how long a CPU was in each one, and how often a deeper one would have been right.
#
# CPU 1 wakes each 20 ms for a moment; CPUs 2 and 3 have nothing to do. Drivers of x86 have a state that polls, those of arm64 have
# none.
#
# All settings are the default but guard=never. The default differs from that in guard time alone, which a host that stops a
# virtual CPU would open at any moment. Guard time has sleepers.t and guard.t.
#
# Environment: GOVERNOR_SECONDS (20).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'the idle states are for x86') if on_arm64();
plan(skip_all => "a debug kernel's own work wakes idle CPUs") if on_debug_kernel();

my $seconds = $ENV{GOVERNOR_SECONDS} // 20;
my @phases = ('without', 'watched', 'always', 'without again');
my @states = ('POLL', 'LIGHT', 'MIDDLE', 'DEEP');

my $shell = <<SH;
cpus=/sys/devices/system/cpu
states() { # lines "CPU STATE TIMES MICROSECONDS BELOW"
	for cpu in 1 2 3; do
		for state in \$cpus/cpu\$cpu/cpuidle/state*; do
			echo \$cpu \$(cat \$state/name \$state/usage \$state/time \$state/below)
		done
	done
}
count() { # count NAME
	sleep 2
	section "\$1 from"
	states
	sleep $seconds
	section "\$1 to"
	states
}
taskset 1 sh -c 'while :; do :; done' &
taskset 2 nap 1000000 20000000 > /dev/null &
insmod harness_cpuidle.ko poll=\$poll
section governor
cat \$cpus/cpuidle/current_driver \$cpus/cpuidle/current_governor_ro
count without
insmod trace_irqoff.ko enable=1 guard=never
count watched
echo always > /sys/module/trace_irqoff/parameters/guard
count always
rmmod trace_irqoff
count 'without again'
SH
my %got;

# counts(NAME): {CPU}{STATE} => [TIMES, MICROSECONDS, BELOW]
sub counts {
	my ($name) = @_;
	my %counts;
	for (split(/\n/, $got{$name} // '')) {
		my ($cpu, $state, @numbers) = split;
		$counts{$cpu}{$state} = \@numbers;
	}
	return \%counts;
}

# deep(PHASE, CPU): the share of its idle time that a CPU was in DEEP, in percent
sub deep {
	my ($phase, $cpu) = @_;
	my ($from, $to) = (counts("$phase from"), counts("$phase to"));
	my ($idle, $too_light, %times, %us) = (0, 0);
	for my $state (grep { $to->{$cpu}{$_} } @states) {
		my ($times, $us, $below) = map { $to->{$cpu}{$state}[$_] - $from->{$cpu}{$state}[$_] } 0 .. 2;
		($times{$state}, $us{$state}) = ($times, $us);
		$idle += $us;
		$too_light += $below;
	}
	$idle ||= 1;
	note(sprintf('CPU %u, %s: idle %.2f s; %s; %.1f a second too light', $cpu, $phase, $idle / 1e6,
		join(', ', map { sprintf('%s %d times, %.2f %%', $_, $times{$_}, 100 * $us{$_} / $idle) } grep { exists($us{$_}) } @states),
		$too_light / $seconds));
	return 100 * ($us{DEEP} // 0) / $idle;
}

for my $poll (1, 0) {
	my $table = $poll ? 'POLL: ' : 'no POLL: ';
	my @sections = guest_ok($table . 'idle states', "poll=$poll\n$shell", '--smp', 4, '--append', 'cpuidle.governor=menu',
		'--timeout', 4 * $seconds + 300);
	%got = map { ($_->[0] => $_->[1]) } @sections;
	is($got{governor} // '', "harness_cpuidle\nmenu\n", $table . 'menu chooses among the states');
	note($table);
	my %deep;
	for my $phase (@phases) {
		$deep{$phase}{$_} = deep($phase, $_) for 1 .. 3;
	}
	for my $cpu (1 .. 3) {
		my $name = "${table}CPU $cpu";
		my ($without) = sort { $a <=> $b } $deep{without}{$cpu}, $deep{'without again'}{$cpu};
		cmp_ok($without, '>=', 85, sprintf('%s: deep without the module for %.2f %% of its sleep', $name, $without));
		cmp_ok($deep{watched}{$cpu}, '>=', $without - 5,
			sprintf('%s: as deep with the module as without (%.2f %%)', $name, $deep{watched}{$cpu}));
	}
	my ($guarding) = sort { $a <=> $b } map { $deep{always}{$_} } 1 .. 3;
	cmp_ok($guarding, '<', 50, sprintf('%sguard=always: a guard sleeps lightly, and the test sees it (%.2f %%)', $table, $guarding));
}

done_testing;
