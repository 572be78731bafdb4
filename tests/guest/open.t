#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A stall that has not ended is shown as open, with its samples. They name what it is busy in. When it has ended, it is one record,
# and the end shows who held interrupts or softirqs off.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

# Everything but the stall stays on CPU 0. A program that had run on CPU 1 would have to interrupt that CPU whenever its memory
# mapping changes (TLB flush), and would wait.
my $busy = on_arm64() ? 0 : 2;
# A debug kernel waits for all CPUs when a program ends, so none can list a hard stall there. follow.t has
# one, whose reader runs before it begins.
my @kinds = ('bhoff', on_debug_kernel() ? () : 'irqoff');
# A debug kernel takes 2 s to read its names, and the records that are shown are read after them.
my $lasts = on_debug_kernel() ? 8 : 4;
my @sections = guest_ok('open stalls', "busy=$busy kinds='@kinds' lasts=$lasts\n" . <<'SH', '--icount', '--smp', 2, '--timeout', 300);
taskset -p 1 $$ > /dev/null
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=50000
# The first program that needs random numbers waits until other CPUs' timers have made some.
irqoff list --json > /dev/null
for kind in $kinds; do
	echo "$kind 1 ${lasts}000000" > /proc/stall &
	sleep 1
	# CPU 0 slept when the stall began. Where NMIs work, it samples CPU 1 once it has been busy for half a threshold.
	read now rest < /proc/uptime
	end=$((${now%.*} + busy))
	while [ ${now%.*} -lt $end ]; do read now rest < /proc/uptime; done
	section $kind proc
	cat /proc/trace_irqoff
	section $kind open
	irqoff list --json
	wait
	section $kind ended
	irqoff list --json
	irqoff clear
done
SH
my $s = 1_000_000_000;
# the samples' stacks have the function that the end will name
sub whole { return grep { my $sample = $_; grep { /^$_[1]\+/ } @{ $sample->{frames} } } @{ $_[0]{samples} } }
my %proc = map { ($_->[0] => $_->[1]) } @sections;
for my $kind (@kinds) {
	my @open = grep { $_->{open} && $_->{cpu} == 1 && $_->{kind} eq ($kind eq 'bhoff' ? 'soft' : 'hard') }
		records("$kind open", @sections);
	unless (is(scalar @open, 1, "$kind: shown as open")) {
		diag(map { "\@\@ $_->[0]\n$_->[1]" } @sections);
		next;
	}
	my $open = $open[0];
	is($open->{seq}, undef, "$kind: has no number yet");
	cmp_ok($open->{min_ns}, '>', 0.3 * $s, "$kind: lower bound so far");
	cmp_ok($open->{max_ns}, '<', $lasts * $s, "$kind: upper bound so far");
	if ($kind eq 'bhoff') {
		cmp_ok(scalar @{ $open->{samples} }, '>=', 3, "$kind: with its samples");
		is($open->{culprit}, 'busy_work [stall]', "$kind: and what they share");
		is(scalar whole($open, 'stall_bhoff'), scalar @{ $open->{samples} }, "$kind: and who called that");
		like($proc{"$kind proc"}, qr/^ open:\n.*^     open: soft class: softirq-off .*?\n     sample at/ms,
			"$kind: in /proc as well");
	} elsif (on_arm64()) {
		# no NMI can sample it there
		is($open->{class}, 'unknown', "$kind: its class is unknown");
		is($open->{evidence}, 'none', "$kind: there is no evidence");
		is($open->{culprit}, undef, "$kind: nobody is blamed");
		like($proc{"$kind proc"}, qr/^     open: hard class: unknown evidence: none$/m, "$kind: in /proc as well");
	} else {
		is($open->{class}, 'hardirq-off', "$kind: with its class");
		cmp_ok(scalar @{ $open->{samples} }, '>=', 2, "$kind: with the samples that another CPU requested");
		is($open->{culprit}, 'busy_work [stall]', "$kind: and what they share");
		is(scalar whole($open, 'stall_irqoff'), scalar @{ $open->{samples} }, "$kind: and who called that");
		like($proc{"$kind proc"}, qr/^     open: hard class: hardirq-off evidence: sample.*?\n     sample at/ms,
			"$kind: in /proc as well");
	}
	my @ended = grep { !$_->{open} && $_->{min_ns} > ($lasts - 0.1) * $s } records("$kind ended", @sections);
	is(scalar @ended, 1, "$kind: one record when it has ended");
	is($ended[0]{culprit}, "stall_$kind [stall]", "$kind: with the culprit");
}

done_testing;
