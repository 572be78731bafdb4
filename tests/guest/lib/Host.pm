# SPDX-License-Identifier: GPL-2.0-only
# Pins a guest's CPUs to CPUs of the machine, and measures what the machine took from them: how long they waited for a CPU of
# the machine (run delay, Documentation/scheduler/sched-stats.rst), and how long the machine's own host held that one back
# (steal, proc(5)). Limits the time that they run.
package Host;
use strict;
use warnings;
use List::Util qw(max);
use POSIX qw(sysconf _SC_CLK_TCK);
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);

my $tick_ns = 1e9 / sysconf(_SC_CLK_TCK);

sub first_line {
	my ($path) = @_;
	open(my $file, '<', $path) or return '';
	return scalar(<$file>) // '';
}

# pin(): pins each CPU of the guest to one of the machine, if there are enough; otherwise they would wait for one another
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
	# not by $_, which may be a caller's constant
	while (defined(my $line = <$file>)) {
		return $1 if $line =~ $pattern;
	}
	return;
}

# new(PID): PID is a function that returns QEMU's process id, or 0 while there is none
sub new {
	my ($class, $pid) = @_;
	return bless { pid => $pid, tasks => [] }, $class;
}

# tasks(): the /proc directories of the threads that run the guest's CPUs
sub tasks {
	my ($self) = @_;
	my $pid = @{ $self->{tasks} } ? 0 : $self->{pid}->();
	$self->{tasks} = [ grep { first_line("$_/comm") =~ m{^(?:ALL )?CPU.*/} } glob("/proc/$pid/task/*") ] if $pid;
	return @{ $self->{tasks} };
}

# schedstat(FIELD): that field for each of the guest's CPUs, in ns: 0 how long it ran, 1 how long it waited for a CPU of the machine
sub schedstat {
	my ($self, $field) = @_;
	return map { (split(' ', first_line("$_/schedstat")))[$field] // 0 } $self->tasks;
}

# wall(SECONDS): the limit of the wall clock beside a time limit for the guest's CPUs, as in scripts/vm/run
sub wall {
	my ($seconds) = @_;
	return $ENV{TRACE_IRQOFF_WALL_S} // 4 * $seconds + 300;
}

# limit(SECONDS): a function that says which time limit the guest is over, counted from now, or ''
sub limit {
	my ($self, $seconds) = @_;
	my $wall = wall($seconds);
	my $until = clock_gettime(CLOCK_MONOTONIC) + $wall;
	my @from = $self->schedstat(0);
	return sub {
		my @ran = $self->schedstat(0);
		return "$seconds s of its CPUs' time" if grep { $ran[$_] - $from[$_] > $seconds * 1e9 } 0 .. $#from;
		return clock_gettime(CLOCK_MONOTONIC) > $until ? "$wall s" : '';
	};
}

# mark(): the clock in nanoseconds, the run delay of each CPU so far, and the steal time of each CPU of the machine so far
sub mark {
	my ($self) = @_;
	return {
		at => clock_gettime(CLOCK_MONOTONIC) * 1e9,
		delays => [ $self->schedstat(1) ],
		steals => [ steals() ],
	};
}

sub steals {
	open(my $file, '<', '/proc/stat') or return;
	return map { (split)[8] * $tick_ns } grep { /^cpu\d/ } <$file>;
}

# most_more(FROM, TO): the most by which a number of these lists grew; undef if they do not go together
sub most_more {
	my ($from, $to) = @_;
	return if !@$from || @$from != @$to;
	return max(map { $to->[$_] - $from->[$_] } 0 .. $#$from);
}

# taken(FROM, TO): of the interval between two marks its length, how long the machine kept the CPU waiting that waited longest, both
# in nanoseconds, and the number of CPUs; nothing if that is not known
sub taken {
	my ($from, $to) = @_;
	return unless $from && $to;
	my ($delay, $steal) = map { most_more($from->{$_}, $to->{$_}) } qw(delays steals);
	return unless defined $delay && defined $steal;
	return ($to->{at} - $from->{at}, $delay + $steal, scalar @{ $to->{delays} });
}

1;
