#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# While one CPU is busy, the others sleep: nothing of the module wakes them. Only a hard stall that nobody sampled changes that:
# from then on one of them stands guard, and the stall has a sample when it comes back. The knob "guard" and the switch for NMIs
# overrule this. Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Sleepers;
use Test::More;
use VM;

plan(skip_all => 'no CPU of arm64 can sample another one') if on_arm64();
plan(skip_all => "a debug kernel's own work wakes idle CPUs; KUnit has the rules of guard time") if on_debug_kernel();

my @two = ('--icount', '--smp', 2);
sleep_on(2, 3, '--icount');

# A guard walks twice a threshold while it sleeps, and its timer is started as often. What ends it, ends it for good.
my @sections = guest_ok('what ends a guard', counting() . <<'SH', @two);
knob() { echo $2 > /sys/module/trace_irqoff/parameters/$1; }
insmod trace_irqoff.ko enable=1 guard=always
watch_sleepers
busy
sleep 1
control
count always 1
knob guard never
count never 1
knob guard always
count again 1
knob nmi off
count nmi=off 1
knob nmi auto
knob enable 0
count stopped 1
kill $busy
SH
traced('what ends a guard', @sections);
for (['always', 50, 600], ['never', 0, 1], ['again', 50, 600], ['nmi=off', 0, 1], ['stopped', 0, 0]) {
	my ($name, $least, $most) = @$_;
	my $ours = counted($name, 1, undef, @sections);
	cmp_ok($ours, '>=', $least, "$name: $ours interrupts of the sleeping CPU in a second, $least at least");
	cmp_ok($ours, '<=', $most, "$name: $most at most") or diag(explain(\@sections));
}

# The same stall twice on the only CPU that is busy. Each round loads the module anew if guard time has begun in it.
my $rounds = 2;
for my $guard ('auto', 'never', 'always') {
	my @got = guest_ok("guard=$guard", "guard=$guard rounds=$rounds\n" . <<'SH', @two, '--timeout', '600');
alone() { # a stall on CPU 1, which has just been busy, while CPU 0 sleeps
	section stall
	taskset 2 sh -c 'n=0; while [ $n -lt 10000 ]; do n=$((n + 1)); done; echo irqoff 1 50000 > /proc/stall; cat /proc/stall'
}
again() { insmod trace_irqoff.ko enable=1 guard=$guard; sleep 1; }
insmod stall.ko
again
i=0
while [ $i -lt $rounds ]; do
	i=$((i + 1))
	alone
	# the sleeper's beat must not be running any more
	sleep 0.5
	alone
	[ $guard = auto ] || [ $i = $rounds ] || { sleep 0.5; continue; }
	section records $i
	irqoff list --json --cpu 1 --min 40ms
	rmmod trace_irqoff
	[ $i = $rounds ] || again
done
SH
	my @stalls = stalls(@got);
	my @records = grep { $_->{kind} eq 'hard' } map { records("records $_", @got) } 1 .. $rounds;
	my (@sampled, @unsampled, @again, @summoned);
	for my $round (1 .. $rounds) {
		my @pair = splice(@stalls, 0, 2);
		my @samples = map { my $n = 0; $n += @{ $_->{samples} } for overlapping($_, @records); $n } @pair;
		push @{ $samples[0] ? \@sampled : \@unsampled }, $round;
		push @again, $round if $samples[1];
		# guard time begins with a stall that nobody sampled
		push @summoned, $round if $samples[1] && !$samples[0];
		note("guard=$guard, round $round: @samples samples");
	}
	if ($guard eq 'auto') {
		is(scalar(@unsampled), $rounds, 'guard=auto: at first nobody stands guard');
		is(scalar(@summoned), $rounds, 'guard=auto: a stall that comes back is sampled');
	} elsif ($guard eq 'never') {
		is(scalar(@unsampled), $rounds, 'guard=never: the first one has no sample');
		is(scalar(@again), 0, 'guard=never: nor has the second one');
	} else {
		is(scalar(@sampled), $rounds, 'guard=always: the first one is sampled');
		is(scalar(@again), $rounds, 'guard=always: so is the second one');
	}
}

done_testing;
