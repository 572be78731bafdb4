#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every kind of stall is found once, with bounds that hold its true length, and with its class, its culprit and what that was busy
# in; short sections in a row are found to be none. The class stays the same if a task or function of another name makes the
# stall. This runs on one icount CPU, so nothing depends on the host.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../userspace/selftest";
use Kinds;
use Test::More;
use VM;

my %expected = map { ($_->{name} => $_) } kinds();
my $ms = 1_000_000;
my @sections = guest_ok('kinds', <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
observe 0
insmod trace_irqoff.ko enable=1
for kind in irqoff irqlock irqdeep irqcold irqinline irqopen irqclose irqjump irqtail irqhand irqinner irqrelock irqloop irqipi \
	idlewake irqwork hrtimer idlehrtimer bhoff bhdeep bhopen bhtail bhjump bhinner bhrelock bhloop tasklet timer idletimer hog; do
	stall $kind 0 40000
	sleep 0.5
done
stall nested 0 80000
sleep 0.5
stall bhheld 0 40000
sleep 0.5
stall servehog 0 40000
sleep 0.5
for kind in irqoff irqlock bhoff tasklet timer irqwork hrtimer; do
	stall $kind 0 40000 comm=ksoftirqd/0 renamed
	sleep 0.5
	stall $kind 0 40000 comm=swapper/0
	sleep 0.5
done
section records
irqoff list --json
section report
irqoff report --json
section lines
irqoff list --json=lines
section hist
irqoff hist --json
section state
irqoff status --json
section status
irqoff status
rmmod trace_irqoff
rmmod stall
SH

# what scripts read, of records of all kinds
my %got = map { ($_->[0] => $_->[1]) } @sections;
my $dir = tempdir(CLEANUP => 1);
for (['list', 'records'], ['report', 'report'], ['line', 'lines'], ['hist', 'hist'], ['status', 'state']) {
	my ($kind, $section) = @$_;
	open(my $file, '>', "$dir/$kind") or die("$dir/$kind: $!");
	print {$file} $got{$section} // '';
	close($file);
	my $said = `$FindBin::Bin/../schema $kind $dir/$kind 2>&1`;
	is($? ? "fails: $said" : 'follows', 'follows', "$section: follows the schema");
}

my @records = records('records', @sections);
my $total = 0;
for my $stall (stalls(@sections)) {
	my $name = "$stall->{kind} as $stall->{function}";
	my $expected = $expected{ $stall->{kind} };
	my ($kind, $class) = @$expected{qw(record class)};
	my @found = overlapping($stall, @records);
	my $ran = $kind eq 'soft' && others_run_softirqs(@sections) && $stall->{inner_ns} < 10 * $ms;

	if ($stall->{kind} eq 'nested') {
		my @inner = grep { $_->{kind} eq 'hard' } @found;
		is(scalar @inner, 1, "$name: the nested stall has its own record") or next;
		check_bounds("$name, inner", $inner[0], $stall->{nested_inner_ns}, $stall->{nested_outer_ns});
		is($inner[0]{class}, 'hardirq-off', "$name, inner: class");
		is($inner[0]{culprit}, 'stall_nested_irqoff [stall]', "$name, inner: culprit");
		@found = grep { $_->{kind} eq 'soft' } @found;
		is($found[0]{nested_ns}, $inner[0]{min_ns}, "$name: knows how much of it was nested") unless $ran;
		$total += $inner[0]{min_ns};
	}
	if (!kind_exists($expected, @sections)) {
		cmp_ok($stall->{outer_ns}, '<', $ms, "$name: holds no softirq back on this kernel");
		is(scalar @found, 0, "$name: and makes no record");
		next;
	}
	if ($ran) {
		is(scalar @found, 0, "$name: what waited found another thread to run it before the threshold, and made no record");
		next;
	}
	if (!$class) {
		is(join(' ', map { $_->{culprit} // 'nobody' } @found), '', "$name: interrupts and softirqs come in between, and there is no record");
		next;
	}
	is(scalar @found, 1, "$name: one stall, one record") or do {
		diag(explain($stall, [ map { +{ %$_, samples => undef, end => undef } } @found ]));
		next;
	};
	my $record = $found[0];
	is($record->{kind}, $kind, "$name: kind");
	is($record->{class}, $class, "$name: class");
	# with one CPU nothing samples a hard stall: only its end is known, and of a handler its interrupt
	like($record->{culprit} // 'nobody', kind_culprit($expected, $stall->{function}, $kind eq 'hard', @sections), "$name: culprit");
	is($record->{evidence}, $kind eq 'hard' ? 'end' : 'sample', "$name: evidence");
	my $busy = join('|', map { quotemeta } kind_busy($expected, $stall, $record));
	like($record->{busy_in} // '', qr/^(?:$busy)$/, "$name: busy in");
	# sched_set_fifo() gives a hog 50; a sample may be from right before that
	my %policies = map { (($_->{policy} // 'unknown') . ' ' . ($_->{prio} // 'unknown') => 1) } grep { $_->{comm} eq 'stall' } @{ $record->{samples} };
	like(join(', ', sort keys %policies), qr/^SCHED_FIFO 49(?:, SCHED_OTHER 120)?$/, "$name: the policy and priority of who had the CPU")
		if $class eq 'ksoftirqd-wait';
	check_bounds($name, $record, $stall->{inner_ns}, $stall->{outer_ns});
	$total += $record->{min_ns} - $record->{nested_ns};

	my $reached = grep { $record->{min_ns} >= $_ * 10 * $ms } 0.5, 1, 2, 4;
	if ($kind eq 'soft') {
		cmp_ok(scalar @{ $record->{samples} }, '>=', $reached, "$name: sampled by 0.5, 1, 2 and 4 thresholds");
		cmp_ok($record->{end_ns} - $record->{samples}[-1]{at_ns}, '<=', $record->{max_ns} / 2 + 2 * $ms,
			"$name: sampled in its second half");
	}
	diag(sprintf('%-8s %-14s %-32s true %.3f to %.3f ms, bounds %.3f to %.3f ms', $stall->{kind}, $record->{class},
		$record->{culprit} // '-', $stall->{inner_ns} / $ms, $stall->{outer_ns} / $ms, $record->{min_ns} / $ms,
		$record->{max_ns} / $ms));
}

my ($report) = grep { $_->[0] eq 'report' } @sections;
my $sum = 0;
$sum += $_->{total_ns} for @{ JSON::PP::decode_json($report->[1])->{groups} };
is($sum, $total, 'report adds no time twice');

done_testing;
