# SPDX-License-Identifier: GPL-2.0-only
# The kinds of stall that userspace/selftest/stall makes, and what the record of each must say. This lists only kinds that a test
# looks for one by one.
package Kinds;
use strict;
use warnings;
use Exporter 'import';
use Stalls;

our @EXPORT = qw(kinds kind_exists kind_culprit kind_busy record_blames);

# In the order of a run: name, kind of the record, class, and what else is to be known of it:
#   interrupt: that of a handler; it is blamed where no sample was taken
#   culprit: whom the record blames, if that is not the function that the stall module names ('' for nobody)
#   task: the task that it blames, and no function
#   lock: what was waited for, and how: who waits is not blamed
#   closer: whom it blames where its end alone was seen: who ended the section
#   calls: what the culprit was busy in, and when: up to which share of the length, and the calls below the culprit from the outside
#     in; "NAME:2" is another call of NAME than "NAME". Without it all of the time is busy_work's.
#   relocks: between those calls it is in code of its own, too
# Kinds without a class are no stall: there is no record of them.
my @kinds = (
	[ 'irqoff', 'hard', 'hardirq-off' ],
	[ 'irqlock', 'hard', 'hardirq-off' ],
	[ 'irqdeep', 'hard', 'hardirq-off',
		calls => [ [ 1 / 8, 'busy_work' ], [ 11 / 32, 'busy_parts', 'busy_work' ], [ 1, 'busy_parts', 'busy_work:2' ] ] ],
	[ 'irqcold', 'hard', 'hardirq-off' ],
	[ 'irqinline', 'hard', 'hardirq-off' ],
	[ 'irqopen', 'hard', 'hardirq-off', closer => 'irqs_end', calls => [ [ 1, 'irqs_begin', 'busy_work' ] ] ],
	[ 'irqclose', 'hard', 'hardirq-off' ],
	[ 'irqjump', 'hard', 'hardirq-off' ],
	[ 'irqtail', 'hard', 'hardirq-off', closer => 'irqtail_ends' ],
	[ 'irqhand', 'hard', 'hardirq-off' ],
	[ 'irqinner', 'hard', 'hardirq-off', calls => [ [ 7 / 8, 'inner_irqlock', 'busy_work' ], [ 1, 'busy_work:2' ] ] ],
	[ 'irqrelock', 'hard', 'hardirq-off', relocks => 1 ],
	[ 'irqloop', 'hard', '' ],
	[ 'irqipi', 'hard', 'hardirq-off' ],
	[ 'idlewake', 'hard', 'hardirq-off' ],
	[ 'irqwork', 'hard', 'hardirq-long', interrupt => 'irq_work' ],
	[ 'hrtimer', 'hard', 'hardirq-long', interrupt => 'local_timer' ],
	[ 'idlehrtimer', 'hard', 'hardirq-long', interrupt => 'local_timer' ],
	[ 'storm', 'hard', 'hardirq-long', interrupt => 'irq_work' ],
	[ 'bhoff', 'soft', 'softirq-off' ],
	[ 'bhdeep', 'soft', 'softirq-off',
		calls => [ [ 1 / 8, 'busy_work' ], [ 11 / 32, 'busy_parts', 'busy_work' ], [ 1, 'busy_parts', 'busy_work:2' ] ] ],
	[ 'bhopen', 'soft', 'softirq-off', calls => [ [ 1, 'bh_begin', 'busy_work' ] ] ],
	[ 'bhtail', 'soft', 'softirq-off' ],
	[ 'bhjump', 'soft', 'softirq-off' ],
	[ 'bhinner', 'soft', 'softirq-off', calls => [ [ 7 / 8, 'inner_bhlock', 'busy_work' ], [ 1, 'busy_work:2' ] ] ],
	[ 'bhrelock', 'soft', 'softirq-off', relocks => 1 ],
	[ 'bhloop', 'soft', '' ],
	[ 'nested', 'soft', 'softirq-off',
		calls => [ [ 1 / 2, 'busy_work' ], [ 3 / 4, 'stall_nested_irqoff' ], [ 1, 'busy_work:2' ] ] ],
	[ 'convoy', 'soft', 'softirq-off', culprit => 'stall_holder' ],
	[ 'ipiwait', 'soft', 'softirq-off', culprit => 'stall_holder' ],
	[ 'timer', 'soft', 'softirq-long' ],
	[ 'idletimer', 'soft', 'softirq-long' ],
	[ 'tasklet', 'soft', 'softirq-long' ],
	[ 'netrx', 'soft', 'softirq-long' ],
	[ 'lockspin', 'hard', 'hardirq-off', culprit => '', lock => [ 'wait_spinlock', 'spin' ] ],
	[ 'lockread', 'hard', 'hardirq-off', culprit => '', lock => [ 'wait_rwlock', 'read' ] ],
	[ 'lockwrite', 'hard', 'hardirq-off', culprit => '', lock => [ 'wait_rwlock', 'write' ] ],
	# the task that had the CPU, whatever it was in
	[ 'hog', 'soft', 'ksoftirqd-wait', task => 'stall' ],
	[ 'preempt', 'soft', 'ksoftirqd-wait', task => 'stall' ],
	# no running task is to blame
	[ 'bhheld', 'soft', 'softirq-off', culprit => '' ],
	[ 'servehog', 'soft', 'ksoftirqd-wait', task => 'stall' ],
);

# kinds(): all kinds, as hashes
sub kinds {
	return map { my ($name, $record, $class, %more) = @$_; +{ name => $name, record => $record, class => $class, %more } } @kinds;
}

# kind_exists(KIND, SECTIONS...): can the kernel of that machine have such a stall?
sub kind_exists {
	my ($kind, @sections) = @_;
	return on_rt(@sections) if $kind->{name} =~ /^(?:bhheld|servehog)$/;
	return $kind->{class} ne 'ksoftirqd-wait' || hog_holds(@sections);
}

# record_blames(RECORD): whom it blames, "waits for LOCK, KIND", "waits for a lock" where it does not tell which one, or "nobody"
sub record_blames {
	my ($record) = @_;
	my $lock = $record->{waits_for_lock} or return $record->{culprit} // 'nobody';
	return defined $lock->{name} ? "waits for $lock->{name}, $lock->{kind}" : 'waits for a lock';
}

# kind_culprit(KIND, FUNCTION, ALONE, SECTIONS...): a pattern for what record_blames() says of it; FUNCTION is what the stall module
# names. ALONE: an end and no sample says it, and so not that anybody waited.
sub kind_culprit {
	my ($kind, $function, $alone, @sections) = @_;
	my %interrupts = interrupt_names(@sections);
	return qr/^\(interrupt $interrupts{ $kind->{interrupt} }\)$/ if $kind->{interrupt} && ($alone || $kind->{name} eq 'storm');
	return qr/^\(task \Q$kind->{task}\E\)$/ if $kind->{task};
	if (my $lock = $kind->{lock}) {
		# a virtual machine whose waiters halt may not tell which lock it is; and if ksoftirqd waits for the holder, too, that
		# stall is the one that is waited for
		return $alone ? qr/^\Q$function\E \[stall\]$/ : qr/^(?:waits for (?:a lock|$lock->[0] \[stall\], $lock->[1])|\(task holder\))$/;
	}
	$function = $kind->{culprit} // $function;
	$function = $kind->{closer} if $alone && $kind->{closer};
	return $function eq '' ? qr/^nobody$/ : qr/^\Q$function\E \[stall\]$/;
}

# Clock readings around a call and the time of a sample differ by this, in nanoseconds, and by as long as the CPU did not run.
use constant NEAR_NS => 500_000;

# calls_at(KIND, STALL, NS): the calls that may have been going on at that time after the stall began, as lists; an empty list is
# the culprit's own code
sub calls_at {
	my ($kind, $stall, $ns) = @_;
	my $from = 0;
	my @calls = $kind->{relocks} ? [] : ();
	my $near_ns = NEAR_NS + $stall->{gap_ns};
	for (@{ $kind->{calls} // [ [ 1, 'busy_work' ] ] }) {
		my ($share, @names) = @$_;
		my $to = $share * $stall->{inner_ns};
		push @calls, \@names if $ns > $from - $near_ns && $ns < $to + $near_ns;
		$from = $to;
	}
	return @calls;
}

# shared(FUNCTION, CALLS...): the innermost call of FUNCTION and all of these, as its record names it
sub shared {
	my ($function, $first, @others) = @_;
	my @names = @$first;
	for my $other (@others) {
		my $n = 0;
		$n++ while $n < @names && $n < @$other && $names[$n] eq $other->[$n];
		@names = @names[ 0 .. $n - 1 ];
	}
	return (@names ? $names[-1] =~ s/:.*//r : $function) . ' [stall]';
}

# kind_busy(KIND, STALL, RECORD): what the culprit may have been busy in, going by the calls that were going on at the times of
# the record's samples. Where nobody's function is blamed, and of an end alone, nothing is known of it: ''.
sub kind_busy {
	my ($kind, $stall, $record) = @_;
	return ('') if $record->{evidence} ne 'sample' || ($kind->{culprit} // ' ') eq '' || $kind->{name} eq 'storm';
	my @samples = sort { $a <=> $b } map { $_->{at_ns} - $stall->{from_ns} } @{ $record->{samples} };
	my @ways = ([]);
	for my $i (0 .. $#samples) {
		my @calls = calls_at($kind, $stall, $samples[$i]) or next;
		my @longer = map { my $way = $_; map { [ @$way, $_ ] } @calls } @ways;
		# one that speaks for a small part of the time is not compared, nor is one after the stall's own end
		my $part = ($samples[ $i + 1 ] // $stall->{inner_ns}) - $samples[$i];
		@ways = (@longer, $part < $record->{min_ns} / 12 ? @ways : ());
	}
	my %names = map { @$_ ? (shared($kind->{culprit} // $stall->{function}, @$_) => 1) : () } @ways;
	# what all samples of the task are in, of which one may be from before its loop
	$names{"$_ [stall]"} = 1 for $kind->{task} ? ($stall->{function}, "make_$kind->{name}") : ();
	return sort keys %names;
}

1;
