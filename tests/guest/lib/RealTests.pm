# SPDX-License-Identifier: GPL-2.0-only
# Stalls by the kernel's own test modules, lib/test_lockup.c and kernel/trace/preemptirq_delay_test.c, built from the source of
# the distribution's kernel (Real.pm says what the words mean).
package RealTests;
use strict;
use warnings;

# test_lock() turns interrupts or bottom halves off, and test_unlock() on again; test_lockup() calls both. It is static, and called
# by a work and by the module's init, and inlined nowhere.
my $lockup = qr/^test_lockup \[test_lockup\]/;
my $lockup_source = 'lib/test_lockup.c: test_lockup() has test_lock() turn them off, waits, and has test_unlock() turn them on';

sub lockup {
	my ($name, $class, $options, %more) = @_;
	return {
		name => "test_lockup, $name",
		script => "again; modprobe test_lockup time_secs=0 call_cond_resched=N $options 2> /tmp/modprobe || :",
		class => $class,
		culprit => $lockup,
		closes => qr/^test_unlock \[test_lockup\]/,
		least => 15,
		source => $lockup_source,
		%more,
	};
}

sub delay_test {
	my ($burst, $name) = @_;
	return {
		name => "preemptirq_delay, $name",
		script => "again; modprobe preemptirq_delay_test delay=20000 test_mode=irq burst_size=$burst cpu_affinity=0
			sleep 1; rmmod preemptirq_delay_test",
		class => 'hardirq-off',
		every => 1,
		number => $burst,
		least => 15,
		culprit => qr/^execute_preemptirqtest(?:\.\w+)* \[preemptirq_delay_test\]/,
		# preemptirqtest_N() jumps to it
		source => 'kernel/trace/preemptirq_delay_test.c: irqoff_test() is inlined into execute_preemptirqtest()',
	};
}

our @stalls = (
	lockup('irqs', 'hardirq-off', 'disable_irq=1 time_nsecs=30000000'),
	lockup('irqs thrice', 'hardirq-off', 'disable_irq=1 time_nsecs=20000000 iterations=3 reacquire_locks=1', every => 1,
		number => 3),
	lockup('softirqs', 'softirq-off', 'disable_softirq=1 time_nsecs=40000000'),
	lockup('both', 'hardirq-off', 'disable_irq=1 disable_softirq=1 time_nsecs=30000000'),
	lockup('irqs, all CPUs', 'hardirq-off', 'disable_irq=1 all_cpus=1 time_nsecs=30000000', every => 1, number => 2),
	lockup('softirqs, all CPUs', 'softirq-off', 'disable_softirq=1 all_cpus=1 time_nsecs=40000000', every => 1,
		number => 2),
	delay_test(1, 'irq'),
	delay_test(5, 'burst'),
);

1;
