# SPDX-License-Identifier: GPL-2.0-only
# A guest with a virtual CPU that is stopped now and then, as by an overcommitted host.
package Thief;
use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use List::Util qw(max min);
use VM;

our @EXPORT = qw(robbed stolen_run);

# CPU 1 turns interrupts off a hundred thousand times a second, for a third of the time, starting long before the thief does.
my $script = <<'SH';
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024 nmi_cpu_rate=1000 nmi_rate=1000
taskset 1 sh -c 'while :; do :; done' &
busy=$!
section begins
echo "short 1 10000000" > /proc/stall
echo "short 1 10000000" > /proc/stall
kill $busy
section records
irqoff list --json --min $least
section list
irqoff list -v --min $least
SH

# together_ns(RECORD, RECORD): how long the two stalls overlapped
sub together_ns {
	my ($one, $other) = @_;
	return min(map { $_->{end_ns} } $one, $other) - max(map { $_->{end_ns} - $_->{min_ns} } $one, $other);
}

# robbed(SCRIPT, BEGIN, COUNT, STOP_MS, RUN_MS, HEAR, OPTION...): runs the script in a guest whose CPU 1 is stopped COUNT times,
# beginning soon after the first line of output that matches BEGIN. STOP_MS and RUN_MS may be ranges (steal.c). HEAR, unless
# undef, gets each line of output. The option --both stops CPU 0 or both as often, --counted tells the guest what was stolen, if
# it loads harness_steal.ko. Other options are for scripts/vm/run. Returns (what went wrong or '', the guest's sections, the thefts): of each theft, in
# microseconds, how long CPU 0 waited for a CPU of the machine, how long it ran, and the theft's begin and end.
sub robbed {
	my ($script, $begin, $count, $stop_ms, $run_ms, $hear, @options) = @_;
	my $dir = tempdir(CLEANUP => 1);
	my $source = dirname(__FILE__) . '/../steal.c';
	my %own = map { $_ => 1 } grep { /^--(?:both|counted)$/ } @options;
	@options = grep { !$own{$_} } @options;
	my $threads = $own{'--both'} ? 'CPU 1/TCG,CPU 0/TCG' : 'CPU 1/TCG';
	my @shared = $own{'--counted'} ? "$dir/shared" : ();
	push @options, map { ('--shared', $_) } @shared;
	return 'the thief could not be built' if system('cc', '-O2', '-Wall', '-o', "$dir/steal", $source);
	my $thief;
	my $listen = sub {
		my ($line, $qemu) = @_;
		$hear->($line) if $hear;
		return if $thief || $line !~ $begin;
		$thief = fork() // die "fork: $!";
		return if $thief;
		sleep 2;
		open(STDOUT, '>', "$dir/waited") or die "$dir/waited: $!";
		exec("$dir/steal", $qemu->(), $threads, 'CPU 0/TCG', $count, $stop_ms, $run_ms, @shared) or die "steal: $!";
	};
	my ($status, $output, $marks) = guest_heard($listen, $script, @options);
	return "the guest did not begin: $output" unless $thief;
	kill('TERM', $thief) if $status;
	waitpid($thief, 0);
	return "the guest ended with status $status: $output" if $status;
	return "the thief ended with status $?" if $?;
	my @thefts = map { [ split(' ', $_) ] } split(/\n/, read_file("$dir/waited"));
	return ('', [ sections($output, $marks) ], \@thefts);
}

# stolen_run(COUNT, STOP_MS): returns (what went wrong or '', the interval of the thefts (VM.pm), `irqoff list -v`, the records of
# CPU 1's stalls of that length). A record gets "unseen" if CPU 0 was itself stalled for at
# least half of that time and so could sample nobody: a thread of QEMU that is stopped while it holds the lock of all devices
# also stops CPU 0's timer.
sub stolen_run {
	my ($count, $stop_ms) = @_;
	my ($trouble, $sections) =
		robbed('least=' . ($stop_ms - 10) . "ms\n$script", qr/^@@ begins$/, $count, $stop_ms, 240, undef, '--timeout', '180');
	return $trouble if $trouble;
	my @sections = @$sections;
	my ($list) = map { $_->[1] } grep { $_->[0] eq 'list' } @sections;
	my @hard = grep { $_->{kind} eq 'hard' && $_->{min_ns} > ($stop_ms - 10) * 1_000_000 } records('records', @sections);
	my @long = grep { $_->{cpu} == 1 } @hard;
	for my $record (@long) {
		$record->{unseen} = grep { $_->{cpu} == 0 && together_ns($_, $record) > $record->{min_ns} / 2 } @hard;
	}
	return ('', intervals('begins', @sections), $list, @long);
}

1;
