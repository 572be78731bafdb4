# SPDX-License-Identifier: GPL-2.0-only
# Waits for locks whose addresses are known (tests/modules/locks), and what samples of them say.
package Locks;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use VM;

our @EXPORT = qw(LOCK_KINDS lock_waits lock_count halted_register);

# by the harness's names: how a lock is wanted, and what the reader calls it ('' for what has no name; NR is the CPU that holds it)
use constant LOCK_KINDS => {
	bucket => [ 'spin', 'harness_table+0x500 [harness_locks]' ],
	kernel => [ 'spin', 'css_set_lock' ],
	runqueue => [ 'spin', 'run queue of CPU NR' ],
	spin => [ 'spin', 'harness_spinlock [harness_locks]' ],
	bh => [ 'spin', 'harness_spinlock [harness_locks]' ],
	allocated => [ 'spin', '' ],
	read => [ 'read', 'harness_rwlock [harness_locks]' ],
	write => [ 'write', 'harness_rwlock [harness_locks]' ],
};

# lock_waits(CPUS, ROUNDS, MS, OPTION...): in a guest of so many CPUs each kind of wait, for 1 to CPUS - 1 waiters (1, 2, 4 and 8 where
# there are more than 4), ROUNDS times, MS ms long. Returns (what is wrong with the guest, waits). Each wait is { kind, cpu, holder, lock,
# from_ns, to_ns, samples, records }: what samples within it say of a lock, undef where one says nothing; and the records of it.
sub lock_waits {
	my ($cpus, $rounds, $ms, @options) = @_;
	my $kinds = join(' ', sort keys %{ (LOCK_KINDS) });
	my $waiters = join(' ', $cpus > 4 ? grep { $_ < $cpus } 1, 2, 4, 8 : 1 .. $cpus - 1);
	my ($status, $output, $marks) = guest(<<"SH", '--smp', $cpus, '--timeout', 900, @options);
insmod harness_locks.ko
# address PARAMETER SYMBOL: a parameter is left alone where the kernel has no such symbol
address() {
	awk -v name=\$2 '\$3 == name { print "0x" \$1; exit }' /proc/kallsyms > /tmp/address
	[ ! -s /tmp/address ] || cat /tmp/address > /sys/module/harness_locks/parameters/\$1
}
address kernel_lock css_set_lock
case \$(grep -c ' raw_spin_rq_\\(lock_nested\\|unlock\\)\$' /proc/kallsyms) in
0) address runqueues runqueues;;	# before v5.14
*) address runqueues runqueues
	address runqueue_lock raw_spin_rq_lock_nested
	address runqueue_unlock raw_spin_rq_unlock;;
esac
insmod trace_irqoff.ko enable=1 cpus=all ring_records=1024 nmi_cpu_rate=1000 nmi_rate=100000
dmesg -c > /dev/null
wait=/sys/module/harness_locks/parameters/wait
round=0
while [ \$round -lt $rounds ]; do
	for kind in $kinds; do
		for waiters in $waiters; do
			# kinds that the kernel does not have are refused
			echo \$kind \$((round % $cpus)) \$waiters $ms > \$wait || break
			# at most eight questions a second are asked
			sleep 0.15
		done 2> /dev/null
	done
	round=\$((round + 1))
done
section log
packed dmesg
section records
packed irqoff list --json
SH
	my @sections = sections($output, $marks);
	my %text = map { ($_->[0] => $_->[1]) } @sections;
	return ("guest: status $status\n" . substr($output, -2000)) if $status;
	my @records = records('records', @sections);
	my @waits;
	while ($text{log} =~ /harness_locks: wait: (\w+) cpu (\d+) holder (\d+) lock (0x[0-9a-f]+) from (\d+) to (\d+)/g) {
		my %wait = (kind => $1, cpu => $2, holder => $3, lock => $4, from_ns => $5, to_ns => $6, samples => [], records => []);
		for my $record (grep { $_->{cpu} == $wait{cpu} } overlapping(\%wait, @records)) {
			push @{ $wait{records} }, $record;
			push @{ $wait{samples} }, map { $_->{lock} } grep {
				my $at_ns = $_->{at_ns};
				$at_ns > $wait{from_ns} && $at_ns < $wait{to_ns}
			} @{ $record->{samples} };
		}
		push @waits, \%wait;
	}
	return ('', @waits);
}

# is_right(WAIT, LOCK): is that the lock which was waited for? Of a run queue the harness knows where it begins, not where in it the lock is
sub is_right {
	my ($wait, $lock) = @_;
	return $lock->{address} eq $wait->{lock} && !defined $lock->{cpu} if $wait->{kind} ne 'runqueue';
	no warnings 'portable';
	my $offset = hex($lock->{address}) - hex($wait->{lock});
	return $offset >= 0 && $offset < 4096 && ($lock->{cpu} // -1) == $wait->{holder};
}

# lock_count(KIND, WAITS...): how many waits there are, samples of them, those that have a lock, those that have the right one, and those
# that have its name; how many records have a lock, and how many of these have the CPU that held it as candidate
sub lock_count {
	my ($kind, @waits) = @_;
	my ($wanted, $name) = @{ LOCK_KINDS->{$kind} };
	my %count = (waits => scalar @waits, map { ($_ => 0) } qw(samples told right named records candidates));
	for my $wait (@waits) {
		for my $lock (@{ $wait->{samples} }) {
			$count{samples}++;
			$count{told}++ if $lock;
			next if !$lock || !is_right($wait, $lock) || $lock->{kind} ne $wanted;
			$count{right}++;
			$count{named}++ if ($lock->{name} // '') eq $name =~ s/NR/$wait->{holder}/r;
		}
		# who has a run queue's lock has interrupts off, and a stall of its own
		next if $kind eq 'runqueue';
		for my $record (grep { grep { $_->{lock} } @{ $_->{samples} } } @{ $wait->{records} }) {
			$count{records}++;
			$count{candidates}++ if (($record->{meanwhile} // {})->{cpu} // -1) == $wait->{holder};
		}
	}
	return \%count;
}

# halted_register(): in a guest, the register that has the lock of a paravirtual waiter that has halted: one that holds it as the slow path
# calls kvm_wait(), and that kvm_wait() has not written where it halts. '' where there is none. No guest here halts so: the text alone is read.
sub halted_register {
	my ($status, $output, $marks) = guest(<<'SH');
insmod harness_locks.ko
text() { # text NAME: what is known of that function
	section "$1"
	dmesg -c > /dev/null
	sort /proc/kallsyms | awk -v name="$1" 'from && $1 != from { print from, $1; exit } $3 == name { from = $1 }' \
		> /sys/module/harness_locks/parameters/text
	dmesg -c
}
text __pv_queued_spin_lock_slowpath
text kvm_wait
SH
	die "guest: status $status\n" . substr($output, -2000) if $status;
	my %text = map { ($_->[0] => $_->[1]) } sections($output, $marks);
	my %argument = map { ($_ => 1) } $text{__pv_queued_spin_lock_slowpath} =~ /text: \S+ argument (\w+)/g;
	# what every way to a call or to hlt has left alone
	my %left;
	$left{$2}{$1} = 1 while $text{kvm_wait} =~ /text: (\S+) unwritten (\w+)/g;
	my %places = map { ($_ => 1) } map { keys %$_ } values %left;
	return join(' ', grep { keys %{ $left{$_} // {} } == keys %places } sort keys %argument);
}

1;
