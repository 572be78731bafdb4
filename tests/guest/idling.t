#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A CPU may have interrupts off as it switches to the idle task, before its first sleep, and between two sleeps. Each such stall has a
# record, and an alibi says that it was there. Where another CPU samples it, the code that ran is to blame. Calls of other CPUs, which
# an idle task that polls makes itself, are told as well, and so are NMI handlers that run long, and timers that the kernel gives up on. The CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own') if on_debug_kernel();
my $ms = 1_000_000;
my @kinds = qw(idlebefore idlebehind idleloop idleirq);

# run(NAME, KINDS, OPTION...): makes stalls of these kinds on the last CPU, three of each, and returns them with their records
sub run {
	my ($name, $kinds, @options) = @_;
	my $count = 3 * @$kinds;
	my @sections = guest_ok($name, <<"SH", '--icount', '--timeout', 300, @options);
insmod stall.ko
insmod trace_irqoff.ko enable=1
last=\$((\$(nproc) - 1))
# another CPU is awake, where there is one
[ \$last = 0 ] || taskset -c 0 sh -c 'while :; do :; done' &
busy=\$!
# the first one attaches the probes
stall idlebefore \$last 1000
sleep 1
# a CPU that works does not poll
while ps | grep -q '[c]ryptomgr_test'; do sleep 0.1; done
section made
for n in 1 2 3; do
	for kind in @$kinds; do
		stall \$kind \$last 40000
		sleep 0.3
	done
done
kill \$busy 2> /dev/null || :
section records
irqoff list --json
section list
irqoff list -v
section alibi
fails irqoff alibi --from 1m --over 30ms --cpu \$last
SH
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	my @records = grep { $_->{kind} eq 'hard' && $_->{max_ns} >= 20 * $ms } records('records', @sections);
	my @pairs;
	for my $stall (grep { $_->{inner_ns} >= 30 * $ms } stalls(@sections)) {
		my @found = overlapping($stall, @records);
		is(scalar @found, 1, "$name: $stall->{kind}: one stall, one record") or diag($got{list});
		push @pairs, [ $stall, $found[0] ] if @found == 1;
	}
	is(scalar @pairs, $count, "$name: $count stalls");
	like($got{alibi}, qr/^$count stalls of 30 ms or longer/m, "$name: no alibi");
	return @pairs;
}

# bounds(NAME, STALL, RECORD): they hold the true length. Those of a stall behind the switch are a tick apart, 10 ms at most. The switch
# has interrupts off before a stall's outer reading begins, and another CPU may have its turn in between
sub bounds {
	my ($name, $stall, $record) = @_;
	my $turn_ns = $stall->{kind} =~ /^idlebe/ && $name ne 'one CPU' ? 0.5 * $ms : 0;
	cmp_ok($record->{min_ns}, '<=', $stall->{outer_ns} + $turn_ns, "$name: $stall->{kind}: its lower bound");
	cmp_ok($record->{max_ns}, '>=', $stall->{inner_ns}, "$name: $stall->{kind}: its upper bound");
	cmp_ok($record->{max_ns} - $record->{min_ns}, '<=', ($stall->{kind} eq 'idlebehind' ? 10 : 1.2) * $ms, "$name: $stall->{kind}: they are close");
	diag(sprintf('%-10s true %.3f to %.3f ms, bounds %.3f to %.3f ms, %s %s by %s', $stall->{kind}, $stall->{inner_ns} / $ms, $stall->{outer_ns} / $ms,
		$record->{min_ns} / $ms, $record->{max_ns} / $ms, $record->{class}, $record->{culprit} // '-', $record->{evidence}));
	return;
}

for my $pair (run('one CPU', \@kinds)) {
	my ($stall, $record) = @$pair;
	bounds('one CPU', $stall, $record);
	is($record->{class}, 'unknown', "one CPU: $stall->{kind}: the end of it, in the idle task, tells nobody to blame");
}
for my $pair (run('two CPUs', \@kinds, '--smp', 2)) {
	my ($stall, $record) = @$pair;
	bounds('two CPUs', $stall, $record);
	# nobody walks over a CPU whose beat is paused
	next if $stall->{kind} =~ /^idle(?:loop|irq)$/;
	is($record->{class}, 'hardirq-off', "two CPUs: $stall->{kind}: class");
	like($record->{culprit} // '-', qr/^(?:stall_idling|busy_work) \[stall\]$/, "two CPUs: $stall->{kind}: culprit");
}
for my $pair (run('polling', [ 'idlecall', @kinds[ 0, 1 ] ], '--smp', 2, '--append', 'idle=poll')) {
	my ($stall, $record) = @$pair;
	bounds('polling', $stall, $record);
	is($record->{class}, 'hardirq-off', "polling: $stall->{kind}: class");
	like($record->{culprit} // '-', qr/^(?:stall_idling|stall_idlecall|busy_work) \[stall\]$/, "polling: $stall->{kind}: culprit");
}
# hrtimer_interrupt() gives up, and puts all timers off, on a CPU that works and on one that idles: the handlers are one stall, and the
# time for which beats are put off is none
for my $cpus (1, 2) {
	my @sections = guest_ok("hang, $cpus", <<'SH', '--icount', '--smp', $cpus, '--allow-log', 'hrtimer: interrupt took');
hangs() { sed -n 's/.*nr_hangs *: //p' /proc/timer_list | tail -n 1; }
insmod stall.ko
insmod trace_irqoff.ko enable=1
last=$(($(nproc) - 1))
[ $last = 0 ] || taskset -c 0 sh -c 'while :; do :; done' &
busy=$!
sleep 0.5
for kind in irqhang idlehang; do
	section before
	hangs
	for n in 1 2 3; do
		stall $kind $last 45000
		sleep 0.3
	done
	section behind
	hangs
done
kill $busy 2> /dev/null || :
section records
irqoff list --json
section list
irqoff list -v
SH
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	my @records = grep { $_->{kind} eq 'hard' } records('records', @sections);
	my ($hung) = map { $_->[1] } grep { $_->[0] eq 'behind' } @sections;
	cmp_ok($hung, '>=', 3, "hang, $cpus: the interrupt gives up");
	my $culprit = $cpus == 1 ? '(interrupt local_timer)' : 'hang_func [stall]';
	my $told = 0;
	for my $stall (stalls(@sections)) {
		my @own = overlapping($stall, @records);
		$told += @own;
		my %named = map { ("$_->{class} $_->{culprit}" => 1) } @own;
		is("@{[sort keys %named]}", "hardirq-long $culprit", "hang, $cpus: $stall->{kind}: class and culprit");
		# An interrupt that another timer began gives up after two of the three rounds. Then the third is a stall of its own.
		my ($least, $most) = (0, 0);
		$least += $_->{min_ns} for @own;
		$most += $_->{max_ns} for @own;
		ok($least <= 46 * $ms && $most >= 45 * $ms && $most <= $stall->{outer_ns} + 2 * $ms * @own, "hang, $cpus: $stall->{kind}: its length")
			or diag("$least to $most ns in " . @own . ' records');
		cmp_ok(scalar @own, '<=', 2, "hang, $cpus: $stall->{kind}: no record beyond the interrupts");
	}
	is($told, scalar @records, "hang, $cpus: nothing else is a stall") or diag($got{list});
}
# NMI handlers of others run long: while CPU 1 sleeps, and while it works
unless (on_arm64()) {
	my @sections = guest_ok('NMIs', <<'SH', '--icount', '--smp', 2, '--timeout', 300);
insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1
hold() {
	section "held $1"
	for n in 1 2 3; do
		sleep 0.3
		taskset -c 0 sh -c 'echo "1 1 40000" > /sys/module/foreign_nmi/parameters/hold'
		cat /sys/module/foreign_nmi/parameters/hold
	done
}
hold idle
taskset -c 1 sh -c 'while :; do :; done' &
busy=$!
sleep 0.3
hold busy
kill $busy
section records
irqoff list --json --cpu 1
section alibi
fails irqoff alibi --from 1m --over 30ms --cpu 1
SH
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	my @records = records('records', @sections);
	for my $state (qw(idle busy)) {
		my @held = map { [split(/ /)] } $got{"held $state"} =~ /^\d+ (\d+ \d+)$/mg;
		is(scalar(@held), 3, "NMIs, $state: they came");
		for (@held) {
			my ($from, $to) = @$_;
			my @found = grep { $_->{end_ns} > $from && $_->{end_ns} - $_->{max_ns} < $to && $_->{min_ns} >= 20 * $ms } @records;
			is(scalar @found, 1, "NMIs, $state: one record") or next;
			is($found[0]{class}, 'hardirq-long', "NMIs, $state: class");
			is($found[0]{culprit}, 'foreign_hold [foreign_nmi]', "NMIs, $state: culprit");
			cmp_ok($found[0]{max_ns}, '>=', $to - $from, "NMIs, $state: upper bound");
			cmp_ok($found[0]{min_ns}, '<=', $to - $from + $ms, "NMIs, $state: lower bound");
		}
	}
	like($got{alibi}, qr/^6 stalls of 30 ms or longer/m, 'NMIs: no alibi');
}
done_testing;
