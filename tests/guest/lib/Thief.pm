# SPDX-License-Identifier: GPL-2.0-only
# A guest with a virtual CPU that is stopped now and then, as by an overcommitted host.
package Thief;
use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use File::Temp qw(tempdir);
use List::Util qw(max min);
use POSIX ();
use VM;

our @EXPORT = qw(crowded robbed stolen_run);

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

# accompanied(SCRIPT, BEGIN, HEAR, OPTIONS, HOST): runs the script in a guest. HOST, with QEMU's process, runs beside it in a process
# of its own from the first line of output on that matches BEGIN; it has to end where QEMU does, or at SIGTERM. HEAR, unless
# undef, gets each line. Returns (what went wrong or '', the guest's sections).
sub accompanied {
	my ($script, $begin, $hear, $options, $host) = @_;
	my $companion;
	my $listen = sub {
		my ($line, $qemu) = @_;
		$hear->($line) if $hear;
		return if $companion || $line !~ $begin;
		$companion = fork() // die "fork: $!";
		return if $companion;
		$host->($qemu->());
		POSIX::_exit(0);
	};
	my ($status, $output, $marks) = guest_heard($listen, $script, @$options);
	return "the guest did not begin: $output" unless $companion;
	kill('TERM', $companion) if $status;
	waitpid($companion, 0);
	return "the guest ended with status $status: $output" if $status;
	return "what ran beside the guest ended with status $?" if $?;
	return ('', [ sections($output, $marks) ]);
}

# crowded(SCRIPT, BEGIN, LOOPS, OPTION...): runs the script in a guest of ordinary priority, beside so many processes that are busy for
# 0 to 400 ms and then idle for as long, or with LOOPS below 0 always busy. --counted tells the guest for how long its CPUs
# waited. Other options are for scripts/vm/run. Returns what accompanied() does.
sub crowded {
	my ($script, $begin, $loops, @options) = @_;
	my $dir = tempdir(CLEANUP => 1);
	my $counted = grep { $_ eq '--counted' } @options;
	my @shared = $counted ? "$dir/shared" : ();
	@options = ((grep { $_ ne '--counted' } @options), '--ordinary', map { ('--shared', $_) } @shared);
	return 'the meter could not be built' if $counted && system('cc', '-O2', '-Wall', '-o', "$dir/steal", dirname(__FILE__) . '/../steal.c');
	my $spell = $loops < 0 ? '1 while 1' :
		'use Time::HiRes qw(time sleep); while (1) { my $end = time + rand(0.4); 1 while time < $end; sleep(rand(0.4)) }';
	return accompanied($script, $begin, undef, \@options, sub {
		my ($qemu) = @_;
		my @commands = ((map { [ $^X, '-e', $spell ] } 1 .. abs($loops)), map { [ "$dir/steal", $qemu, '-', $_ ] } @shared);
		my @children;
		local $SIG{TERM} = sub { kill('KILL', @children); POSIX::_exit(0) };
		for my $command (@commands) {
			my $child = fork() // die "fork: $!";
			push @children, $child;
			next if $child;
			exec(@$command) or die "$command->[0]: $!";
		}
		select(undef, undef, undef, 0.2) while kill(0, $qemu);
		kill('KILL', @children);
		waitpid($_, 0) for @children;
	});
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
	my ($trouble, $sections) = accompanied($script, $begin, $hear, \@options, sub {
		my ($qemu) = @_;
		sleep 2;
		open(STDOUT, '>', "$dir/waited") or die "$dir/waited: $!";
		exec("$dir/steal", $qemu, $threads, 'CPU 0/TCG', $count, $stop_ms, $run_ms, @shared) or die "steal: $!";
	});
	return $trouble if $trouble;
	my @thefts = map { [ split(' ', $_) ] } split(/\n/, read_file("$dir/waited"));
	return ('', $sections, \@thefts);
}

# stolen_run(COUNT, STOP_MS, OPTION...): runs in a guest with these options of scripts/vm/run; returns (what went wrong or '', the interval of the thefts (VM.pm), `irqoff list -v`, the records of
# CPU 1's stalls of that length). A record gets "unseen" if CPU 0 was itself stalled for at
# least half of that time and so could sample nobody: a thread of QEMU that is stopped while it holds the lock of all devices
# also stops CPU 0's timer.
sub stolen_run {
	my ($count, $stop_ms, @options) = @_;
	my ($trouble, $sections) =
		robbed('least=' . ($stop_ms - 10) . "ms\n$script", qr/^@@ begins$/, $count, $stop_ms, 240, undef, '--timeout', '180', @options);
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
