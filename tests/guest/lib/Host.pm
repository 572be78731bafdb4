# SPDX-License-Identifier: GPL-2.0-only
# Gives the CPUs of a guest to CPUs of the machine, and tells what the machine took from them: how long the guest's CPUs waited for one of the machine's (run delay,
# Documentation/scheduler/sched-stats.rst), and how long the machine's own host held those back (steal, proc(5)).
package Host;
use strict;
use warnings;
use POSIX qw(sysconf _SC_CLK_TCK);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $tick_ns = 1e9 / sysconf(_SC_CLK_TCK);

sub first_line {
	my ($path) = @_;
	open(my $file, '<', $path) or return '';
	return scalar(<$file>) // '';
}

# pin(): each CPU of the guest to one of the machine, where there are enough: they would wait for one another else
sub pin {
	my ($self) = @_;
	my @tasks = map { m{(\d+)$} } $self->tasks;
	my ($list) = first_line_like('/proc/self/status', qr/^Cpus_allowed_list:\s*(\S+)/);
	my @cpus = map { /^(\d+)-(\d+)$/ ? $1 .. $2 : $_ } split(/,/, $list // '');
	return if @tasks < 2 || @tasks > @cpus;
	system("taskset -cp $cpus[$_] $tasks[$_] > /dev/null") for 0 .. $#tasks;
}

sub first_line_like {
	my ($path, $pattern) = @_;
	open(my $file, '<', $path) or return;
	while (<$file>) {
		return $1 if /$pattern/;
	}
	return;
}

# new(PID): PID is a function that tells QEMU's process id, or 0 while there is none
sub new {
	my ($class, $pid) = @_;
	return bless { pid => $pid, tasks => [] }, $class;
}

# tasks(): the directories of the threads that run the guest's CPUs
sub tasks {
	my ($self) = @_;
	my $pid = @{ $self->{tasks} } ? 0 : $self->{pid}->();
	$self->{tasks} = [ grep { first_line("$_/comm") =~ m{^(?:ALL )?CPU.*/} } glob("/proc/$pid/task/*") ] if $pid;
	return @{ $self->{tasks} };
}

# mark(): what it has taken so far, in nanoseconds: an array of the clock, one for each CPU, and of steal
sub mark {
	my ($self) = @_;
	my @delays = map { (split(' ', first_line("$_/schedstat")))[1] // 0 } $self->tasks;
	return [ clock_gettime(CLOCK_MONOTONIC) * 1e9, @delays, (split(' ', first_line('/proc/stat')))[8] * $tick_ns ];
}

# took(FROM, TO): the largest part of a CPU's time, from 0 to 1, that it took between two marks; undef where nothing can be said
sub took {
	my ($from, $to) = @_;
	return unless $from && $to && @$from == @$to && @$from > 2;
	my ($ns, @delays) = map { $to->[$_] - $from->[$_] } 0 .. $#$to;
	my $steal = pop(@delays);
	return ($steal + (sort { $b <=> $a } @delays)[0]) / $ns;
}

1;
