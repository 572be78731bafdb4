# SPDX-License-Identifier: GPL-2.0-only
# The kinds of stall that tests/modules/stall makes, and what the record of each must say. This lists only kinds that a test
# looks for one by one.
package Kinds;
use strict;
use warnings;
use Exporter 'import';
use VM;

our @EXPORT = qw(kinds kind_exists kind_interrupt);

# In the order of a run: name, kind of the record, class, and the interrupt that names a handler which was not sampled.
my @kinds = (
	[ 'irqoff', 'hard', 'hardirq-off' ],
	[ 'irqlock', 'hard', 'hardirq-off' ],
	[ 'irqdeep', 'hard', 'hardirq-off' ],
	[ 'irqjump', 'hard', 'hardirq-off' ],
	[ 'irqipi', 'hard', 'hardirq-off' ],
	[ 'idlewake', 'hard', 'hardirq-off' ],
	[ 'irqwork', 'hard', 'hardirq-long', 'irq_work' ],
	[ 'hrtimer', 'hard', 'hardirq-long', 'local_timer' ],
	[ 'idlehrtimer', 'hard', 'hardirq-long', 'local_timer' ],
	[ 'storm', 'hard', 'hardirq-long', 'irq_work' ],
	[ 'bhoff', 'soft', 'softirq-off' ],
	[ 'bhdeep', 'soft', 'softirq-off' ],
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

# kinds(): all kinds, as hashes
sub kinds {
	return map { my %kind; @kind{qw(name record class interrupt)} = @$_; \%kind } @kinds;
}

# kind_exists(KIND, SECTIONS...): can the kernel of that guest have such a stall?
sub kind_exists {
	my ($kind, @sections) = @_;
	return on_rt(@sections) if $kind->{name} =~ /^(?:bhheld|servehog)$/;
	return $kind->{class} ne 'ksoftirqd-wait' || hog_holds(@sections);
}

# kind_interrupt(KIND): a pattern for the reader's name of its interrupt. On arm64 the name is that of a device's interrupt; on
# x86 it is that of a tracepoint.
sub kind_interrupt {
	my ($kind) = @_;
	my %arm64 = (irq_work => '\d+ IPI', local_timer => '\d+ arch_timer');
	my $name = on_arm64() ? $arm64{ $kind->{interrupt} } : $kind->{interrupt};
	return qr/^\(interrupt $name\)$/;
}

1;
