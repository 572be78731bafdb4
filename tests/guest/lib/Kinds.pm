# SPDX-License-Identifier: GPL-2.0-only
# The kinds of stall that tests/modules/stall makes and a test looks for one by one, and what the record of each must say.
package Kinds;
use strict;
use warnings;
use Exporter 'import';
use VM;

our @EXPORT = qw(kinds kind_exists kind_interrupt);

# In the order of a run: name, the record's kind and class, and the interrupt that a handler is named by where nobody
# sampled it.
my @kinds = (
	[ 'irqoff', 'hard', 'hardirq-off' ],
	[ 'irqlock', 'hard', 'hardirq-off' ],
	[ 'irqipi', 'hard', 'hardirq-off' ],
	[ 'idlewake', 'hard', 'hardirq-off' ],
	[ 'irqwork', 'hard', 'hardirq-long', 'irq_work' ],
	[ 'hrtimer', 'hard', 'hardirq-long', 'local_timer' ],
	[ 'idlehrtimer', 'hard', 'hardirq-long', 'local_timer' ],
	[ 'storm', 'hard', 'hardirq-long', 'irq_work' ],
	[ 'bhoff', 'soft', 'softirq-off' ],
	[ 'nested', 'soft', 'softirq-off' ],
	[ 'convoy', 'soft', 'softirq-off' ],
	[ 'ipiwait', 'soft', 'softirq-off' ],
	[ 'timer', 'soft', 'softirq-long' ],
	[ 'idletimer', 'soft', 'softirq-long' ],
	[ 'tasklet', 'soft', 'softirq-long' ],
	[ 'netrx', 'soft', 'softirq-long' ],
	[ 'hog', 'soft', 'ksoftirqd-wait' ],
	[ 'preempt', 'soft', 'ksoftirqd-wait' ],
	[ 'bhheld', 'soft', 'softirq-off' ],
	[ 'servehog', 'soft', 'ksoftirqd-wait' ],
);

# kinds(): all of them, as hashes
sub kinds {
	return map { my %kind; @kind{qw(name record class interrupt)} = @$_; \%kind } @kinds;
}

# kind_exists(KIND, SECTIONS...): is there such a stall on that guest's kernel?
sub kind_exists {
	my ($kind, @sections) = @_;
	return on_rt(@sections) if $kind->{name} =~ /^(?:bhheld|servehog)$/;
	return $kind->{class} ne 'ksoftirqd-wait' || hog_holds(@sections);
}

# kind_interrupt(KIND): a pattern for what the reader calls its interrupt. arm64's own interrupts are like those of
# devices, x86's have tracepoints of their own.
sub kind_interrupt {
	my ($kind) = @_;
	my %arm64 = (irq_work => '\d+ IPI', local_timer => '\d+ arch_timer');
	my $name = on_arm64() ? $arm64{ $kind->{interrupt} } : $kind->{interrupt};
	return qr/^\(interrupt $name\)$/;
}

1;
