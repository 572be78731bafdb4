# SPDX-License-Identifier: GPL-2.0-only
# Stalls of kernel code that nobody here wrote. For each the function that holds interrupts or softirqs off is written down
# here from the kernel's source, with the file that has it.
package Real;
use strict;
use warnings;
use Exporter 'import';
use VM;

our @EXPORT = qw(real_run real_right);

# name: what makes the stall, and script does; class, culprit (a pattern) and busy (a pattern): what the source says; source: where
# it does, and why. What is left to chance is not judged: where a lock's holder wakes others, the sample may be anywhere in that.
my @stalls = (
	{
		name => 'IPv6 routes, device down',
		script => 'ip link set dummy0 up; routes dummy0 5000; again; ip link set dummy0 down',
		class => 'softirq-off',
		culprit => qr/^__fib6_clean_all$/,
		busy => qr/^fib6_(?:walk|clean|del)/,
		source => 'net/ipv6/ip6_fib.c: it walks a table under its lock, and drops routes one by one',
	},
	{
		name => 'neighbours, device down',
		script => 'ip link set dummy0 up; routes --neighbours dummy0 5000; again; ip link set dummy0 down',
		class => 'softirq-off',
		# __neigh_ifdown() takes the lock; pneigh_ifdown_and_unlock(), which it calls last, gives it back
		culprit => qr/^__neigh_ifdown$/,
		busy => qr/^\w/,
		source => 'net/core/neighbour.c: it flushes all of a table under its lock',
	},
	{
		name => 'threads exit',
		script => 'herd_of threads 2000',
		class => 'hardirq-off',
		culprit => qr/^do_group_exit$/,
		busy => qr/^\w/,
		source => 'kernel/exit.c: it kills the other threads under siglock',
	},
	{
		name => 'children get a parent',
		script => 'herd_of children 2000',
		class => 'hardirq-off',
		# exit_notify() is static and called once, so most compilers inline it
		culprit => qr/^(?:exit_notify|do_exit)$/,
		busy => qr/^\w/,
		source => 'kernel/exit.c: exit_notify() reparents them under tasklist_lock',
	},
	{
		name => 'timers expire',
		script => 'herd_of timers 40000',
		class => 'hardirq-long',
		culprit => qr/^timerfd_tmrproc$/,
		busy => qr/^\w/,
		source => 'fs/timerfd.c: __hrtimer_run_queues() calls it for each',
	},
	{
		name => 'epolls are woken',
		script => 'herd_of watchers 20000',
		class => 'hardirq-off',
		culprit => qr/^eventfd_write$/,
		busy => qr/^(?:eventfd_write|__wake_up_|ep_poll_callback)/,
		source => 'fs/eventfd.c: it wakes all who wait under the lock of their queue',
	},
);

my $begin = <<'SH';
again() { sleep 0.5; irqoff clear; }
herd_of() { again; herd "$@"; }
# make NUMBER CLASS FUNCTION: makes a stall anew until it is sampled, $tries times at most
make() {
	try=0
	until [ $try = $tries ] || { [ $try != 0 ] && grep -q '"evidence": *"sample"' /list; }; do
		try=$((try + 1))
		$3
		sleep 0.5
		irqoff list --json --class $2 --min 4ms > /list
	done
	section tries $1
	echo $try
	section list $1
	cat /list
}
modprobe dummy
ip link set dummy0 up
echo 200000 > /proc/sys/net/ipv6/route/max_size
for i in 1 2 3; do echo 100000 > /proc/sys/net/ipv4/neigh/default/gc_thresh$i; done
echo 20000 > /proc/sys/kernel/threads-max
insmod trace_irqoff.ko enable=1 threshold_us=2000 period_us=200
# a CPU that is awake samples the other one
taskset 2 sh -c 'while :; do :; done' &
taskset -p 1 $$ > /dev/null
SH

# The CPU that is awake samples each stall of two thresholds. One that has its end alone was longer by what the host took, or the
# host took the CPU that samples.
my $tries = 3;

# real_run(OPTION...): makes each stall in one guest. Returns (the guest's trouble or '', stalls): of each what is above, with
# tries (how often it was made) and record (the longest of the class that was sampled, or none).
sub real_run {
	my $script = "tries=$tries\n$begin";
	for my $i (0 .. $#stalls) {
		$script .= "stall_$i() { $stalls[$i]{script}; }\nmake $i $stalls[$i]{class} stall_$i\n";
	}
	my ($status, $output, $marks) = guest($script, '--timeout', 600, @_);
	my @sections = sections($output, $marks);
	my @made;
	for my $i (0 .. $#stalls) {
		my @sampled = grep { $_->{evidence} eq 'sample' } records("list $i", @sections);
		my ($longest) = sort { $b->{min_ns} <=> $a->{min_ns} } @sampled;
		my ($count) = map { $_->[1] + 0 } grep { $_->[0] eq "tries $i" } @sections;
		push @made, { %{ $stalls[$i] }, tries => $count // 0, record => $longest };
	}
	return ($status ? "exit status $status\n$output" : '', @made);
}

# real_right(STALL): is it found, named, and known what it was busy in?
sub real_right {
	my ($stall) = @_;
	my $record = $stall->{record} // {};
	return ($record->{culprit} // '') =~ $stall->{culprit} && ($record->{busy_in} // '') =~ $stall->{busy} ? 1 : 0;
}

1;
