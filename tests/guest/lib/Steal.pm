# SPDX-License-Identifier: GPL-2.0-only
# Whom the records of a guest blame whose virtual CPUs are stopped all the time.
package Steal;
use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../../../userspace/selftest';
use Kinds;
use Thief;
use VM;

our @EXPORT = qw(busy_quiet busy_stalls steal_quiet steal_stalls);

use constant STALL_US => 200_000;

# In a stall whose clock shows no longer gap the CPU ran. A host that is busy otherwise takes it for a few milliseconds at a time.
use constant NO_GAP_NS => 2_000_000;

# A busy host gives and takes by the millisecond and less. So no gap of a stall is longer than this, and all together are at most
# a sixteenth of it.
use constant NO_BUSY_GAP_NS => 500_000;
use constant NO_BUSY_GAPS => 1 / 16;

# Both CPUs have work for most of the time: one turns interrupts off a hundred thousand times a second for a third of the time, the
# other one computes, and sleeps now and then. A stall would be theirs.
my $work = <<'SH';
taskset 1 sh -c 'while :; do i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; sleep 0.05; done' &
SH

# start(COUNTED): the first lines of a script
sub start {
	my ($counted) = @_;
	return ($counted ? "insmod harness_steal.ko\n" : '') . <<'SH';
insmod stall.ko
insmod trace_irqoff.ko enable=1 cpus=all ring_records=4096 nmi_cpu_rate=1000 nmi_rate=1000
SH
}

# explain(RECORD): what a record says
sub explain {
	my ($record) = @_;
	return sprintf('%s %s, %s, by %s, %.1f ms, steal %s', $record->{record}, $record->{class}, $record->{culprit} // 'nobody',
		$record->{evidence}, $record->{min_ns} / 1e6, defined $record->{steal_ns} ? sprintf('%.1f ms', $record->{steal_ns} / 1e6) : '-');
}

# Three processes of the host beside the guest's two CPUs: each CPU of a host with two has it for some 40 % of the time.
use constant LOOPS => 3;

# busy_quiet(SECONDS, COUNTED): both of the guest's CPUs are busy on a host that is busy, too; returns what steal_quiet() does
sub busy_quiet {
	my ($seconds, $counted) = @_;
	my $rounds = int($seconds / 20);
	my $script = start($counted) . <<"SH";
taskset 1 spin &
taskset 2 spin &
section begins
sleep 2
for round in \$(seq $rounds); do
	irqoff clear
	sleep 20
	section records
	packed irqoff list --json
done
SH
	my ($trouble, $sections) = crowded($script, qr/^@@ begins$/, -LOOPS, $counted ? '--counted' : (), '--timeout', 10 * $seconds + 200);
	die "$trouble\n" if $trouble;
	return judged(map { records('records', $_) } grep { $_->[0] eq 'records' } @$sections);
}

# judged(RECORD...): of records of a time in which nobody stalls
sub judged {
	my (@records) = @_;
	my @blame = grep { $_->{culprit} } @records;
	return {
		records => scalar @records,
		stolen => scalar(grep { $_->{class} eq 'stolen' } @records),
		suspected => scalar(grep { defined $_->{suspect} } @records),
		blame => [ map { explain($_) } @blame ],
		list => \@records,
	};
}

# named(STALL, KIND, RECORD, SECTIONS...): does a record name the stall, its class and its culprit?
sub named {
	my ($stall, $kind, $record, @sections) = @_;
	my $culprit = kind_culprit($kind, $stall->{function}, $record->{evidence} eq 'end', @sections);
	return $record->{max_ns} >= $stall->{inner_ns} && $record->{class} eq $kind->{class} && ($record->{culprit} // 'nobody') =~ $culprit;
}

# busy_stalls(COUNT, COUNTED): stalls of 12 to 100 ms on a host that is busy now and then; returns a hash: of those in which the CPU ran
# throughout by the stall maker's own clock, and of 50 ms and more, all and right, their numbers; of shorter ones, short, wrong and
# unknown; and says, a line for each that is not right
sub busy_stalls {
	my ($count, $counted) = @_;
	my @kinds = grep { $_->{name} =~ /^(?:irqoff|irqlock|hrtimer|bhoff|timer)$/ } kinds();
	my $makes = join('', map { my $us = 12_000 + 2_000 * int(rand(45)); "stall $kinds[$_ % @kinds]{name} 1 $us\nsleep 0.03\n" } 1 .. $count);
	my $script = start($counted) . <<"SH";
taskset 1 sh -c 'while :; do i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done; sleep 0.05; done' &
section begins
sleep 2
$makes
section records
packed irqoff list --json
SH
	my ($trouble, $sections) = crowded($script, qr/^@@ begins$/, LOOPS, $counted ? '--counted' : (), '--timeout', 600 + 2 * $count);
	die "$trouble\n" if $trouble;
	my @records = records('records', @$sections);
	my %got = map { $_ => 0 } qw(all right short wrong unknown);
	for my $stall (stalls(@$sections)) {
		next if $stall->{gap_ns} > NO_BUSY_GAP_NS || $stall->{gaps_ns} > NO_BUSY_GAPS * $stall->{inner_ns};
		my ($kind) = grep { $_->{name} eq $stall->{kind} } @kinds;
		my @near = grep { $_->{cpu} == 1 && $_->{kind} eq $kind->{record} } overlapping($stall, @records);
		my $right = grep { named($stall, $kind, $_, @$sections) } @near;
		my $nobody = !grep { defined $_->{culprit} } @near;
		if ($stall->{inner_ns} >= 50_000_000) {
			$got{all}++;
			$got{right}++ if $right;
		} else {
			$got{short}++;
			$got{unknown}++ if $nobody;
			$got{wrong}++ if !$right && !$nobody;
		}
		next if $right;
		push @{ $got{says} }, sprintf('%s of %.0f ms, gaps of %.1f ms: %s', $stall->{kind}, $stall->{inner_ns} / 1e6,
			$stall->{gaps_ns} / 1e6, join('; ', map { explain($_) } @near) || 'no record');
	}
	return \%got;
}

# steal_quiet(COUNT, COUNTED): CPUs are stopped for some 40 ms at a time, until there may be COUNT records; returns a hash of
# records and stolen, their numbers, and blame, a line for each that blames somebody
sub steal_quiet {
	my ($count, $counted) = @_;
	# the guest ends by itself, a little after the thief, who needs a moment besides for each
	my $stops = int(0.85 * $count);
	my $seconds = int($stops * 0.11) + 6;
	my $script = start($counted) . $work . <<"SH";
section begins
until=\$((\$(cut -d. -f1 /proc/uptime) + $seconds))
while [ \$(cut -d. -f1 /proc/uptime) -lt \$until ]; do
	echo "short 1 2000000" > /proc/stall
done
section records
packed irqoff list --json
SH
	my ($trouble, $sections) = robbed($script, qr/^@@ begins$/, $stops, '20-60', '20-70', undef, '--both', $counted ? '--counted' : (),
		'--timeout', $seconds + 200);
	die "$trouble\n" if $trouble;
	return judged(records('records', @$sections));
}

# steal_stalls(ROUNDS, COUNTED): stalls of 200 ms while CPUs are stopped; returns a hash of all and right, the numbers of those
# that kept at least half of their time, of stolen, the number of the others, and of wrong, a line for each that is not right
sub steal_stalls {
	my ($rounds, $counted) = @_;
	my @kinds = grep { $_->{name} =~ /^(?:irqoff|irqlock|hrtimer|bhoff|timer)$/ } kinds();
	my $makes = join('', map { "stall $_->{name} 1 " . STALL_US . "\nsleep 0.03\n" } @kinds);
	my $script = start($counted) . $work . <<"SH";
section begins
sleep 2
for i in \$(seq $rounds); do
$makes
done
section records
packed irqoff list --json
SH
	# a stall and its pause take 300 ms with what is stolen of them
	my $stops = int($rounds * @kinds * 0.3 / 0.27);
	my ($trouble, $sections) = robbed($script, qr/^@@ begins$/, $stops, '20-60', '100-360', undef, '--both', $counted ? '--counted' : (),
		'--timeout', '400');
	die "$trouble\n" if $trouble;
	my @records = records('records', @$sections);
	my (@wrong, $all, $stolen);
	for my $stall (stalls(@$sections)) {
		next if $stall->{gap_ns} > NO_GAP_NS;
		my ($kind) = grep { $_->{name} eq $stall->{kind} } @kinds;
		my @near = grep { $_->{cpu} == 1 && $_->{kind} eq $kind->{record} } overlapping($stall, @records);
		my ($whole) = grep { $_->{max_ns} >= $stall->{inner_ns} } @near;
		# the stops of half the stall and more make it a stolen one
		if ($whole && $whole->{class} eq 'stolen' && 2 * ($whole->{steal_ns} // 0) >= $stall->{inner_ns}) {
			$stolen++;
			next;
		}
		$all++;
		next if $whole && named($stall, $kind, $whole, @$sections);
		push @wrong, join('; ', "$stall->{kind}", map { explain($_) } @near);
	}
	return { all => $all // 0, stolen => $stolen // 0, right => ($all // 0) - @wrong, wrong => scalar @wrong, says => \@wrong };
}

1;
