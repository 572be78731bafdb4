# SPDX-License-Identifier: GPL-2.0-only
# Stalls of kernel code that nobody here wrote. For each the function that holds interrupts or softirqs off is written down from
# the kernel's source, with the file that has it, in RealCore.pm, RealNet.pm and RealTests.pm:
#
#   name       of the stall
#   once       what is done before the first try, and after: when all is over
#   script     what makes the stall; "again" is called right before it, and herd_of runs herd with that
#   class, culprit (a pattern), busy (a pattern)
#              what the source says. What is left to chance is not judged: where a lock's holder wakes others, the sample may be
#              anywhere in that
#   closes     the function that ends the section, if it is not the culprit; where there is an end alone, it is blamed (a pattern)
#   cause      the id of the known cause that report prints for it; '' where none is known
#   about      what a stack of the record must have to be that stall, where it comes with others (a pattern)
#   source     where it says so, and why
#   every      all stalls that are found are judged, and number of them at least must be; else the longest is
#   least      its length in ms, less what the emulator may be wrong by (4)
#   kernels    those whose source says so (a pattern), if not all
#   cheap      guest/real.t makes it
package Real;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use RealCore;
use RealNet;
use RealTests;
use VM;

our @EXPORT = qw(real_run real_right real_busy);

my $begin = <<'SH';
again() { sleep 0.5; irqoff clear; }
herd_of() { again; herd "$@"; }
# sure: has a record a sample, and does an end or a dispatcher name its culprit? Samples alone may have met a callee only
sure() {
	awk '/"culprit_evidence":/ { sure = /"(end|dispatch)"/ } sure && /"evidence": *"sample"/ { found = 1 } END { exit !found }'
}
# make NUMBER CLASS FUNCTION LEAST: makes a stall anew until one of LEAST ms is sampled, $tries times at most
make() {
	try=0
	until [ $try = $tries ] || { [ $try != 0 ] && irqoff list --json --class $2 --min $4ms | sure; }; do
		try=$((try + 1))
		$3 || echo "stall $1: status $?"
		sleep 0.5
	done
	section tries $1
	echo $try
	# both of one moment: what reads them may have stalls of its own
	irqoff save --force /tmp/now.irqoff
	section list $1
	packed irqoff list -i /tmp/now.irqoff --json --min $4ms
	section report $1
	packed irqoff report -i /tmp/now.irqoff --json --class $2 --min $4ms
}
modprobe dummy
ip link set dummy0 up
echo 200000 > /proc/sys/net/ipv6/route/max_size
for i in 1 2 3; do echo 100000 > /proc/sys/net/ipv4/neigh/default/gc_thresh$i; done
echo 20000 > /proc/sys/kernel/threads-max
insmod trace_irqoff.ko enable=1 threshold_us=2000 period_us=200
# a CPU that is awake samples the other one
taskset 2 spin &
taskset -p 1 $$ > /dev/null
SH

# The CPU that is awake samples each stall of two thresholds. But a sample may be taken between two calls of the culprit, and
# without --icount the host may take that CPU, or lengthen a stall: then that has its end alone. Three tries were too few once, for the
# timers, whose removal from their queue takes as long as what they call.
use constant TRIES => 8;

# what sysrq-l prints
my @log = ('--allow-log', 'Call Trace:');

# real_run(WHICH, OPTION...): makes each stall that WHICH (a function) wants in one guest. Returns (the guest's trouble or '',
# stalls): of each what is above, with tries (how often it was made) and records (those to judge).
sub real_run {
	my ($which, @options) = @_;
	my $kernel = $ENV{TRACE_IRQOFF_KERNEL} // (map { (split)[0] } qx(scripts/kernels))[0];
	my @stalls = grep { $which->($_) && $kernel =~ ($_->{kernels} // qr/^/) } @RealNet::stalls, @RealCore::stalls,
		@RealTests::stalls;
	my $cheap = !grep { !$_->{cheap} } @stalls;
	my $script = 'tries=' . TRIES . "\n$begin";
	for my $i (0 .. $#stalls) {
		my ($once, $after) = map { $_ // '' } @{ $stalls[$i] }{qw(once after)};
		$script .= "once_$i() { :; $once\n}\nonce_$i || echo 'what comes before stall $i failed'\nstall_$i() { $stalls[$i]{script}\n}\nmake $i $stalls[$i]{class} stall_$i " .
			($stalls[$i]{least} // 4) . "\n$after\n";
	}
	my @with = $cheap ? ('--timeout', 600) : (@log, qw(--timeout 1800 --mem 1536M --with real));
	my ($status, $output, $marks) = guest($script, @with, @options);
	my @sections = sections($output, $marks);
	my @made;
	for my $i (0 .. $#stalls) {
		my ($count) = map { $_->[1] + 0 } grep { $_->[0] eq "tries $i" } @sections;
		next unless $count;
		# the budget of NMIs leaves some without a sample, and an end alone proves nothing here
		my @records = to_judge($stalls[$i], map { as_suspected($_) } records("list $i", @sections));
		my ($report) = map { decode_json($_->[1]) } grep { $_->[0] eq "report $i" } @sections;
		push @made, { %{ $stalls[$i] }, tries => $count + 0, records => \@records,
			caused => @records ? real_cause($report, $records[0]) : undef };
	}
	my @said = grep { !m{^[A-Za-z0-9+/=]{60,}$} } split(/\n/, $output);
	return ($status ? join("\n", "exit status $status", @said) : '', @made);
}

# shows(RECORD, PATTERN): does a stack of that record have such a function?
sub shows {
	my ($record, $pattern) = @_;
	return grep { $_ =~ $pattern } map { @{ $_->{frames} } } @{ $record->{samples} }, $record->{end} // ();
}

# to_judge(STALL, RECORDS...): those of its class that were sampled, or the longest of these; where there is none, the longest of
# all. Of a stall that comes with others, only those that show what it is about.
sub to_judge {
	my ($stall, @records) = @_;
	@records = sort { $b->{min_ns} <=> $a->{min_ns} } @records;
	my ($kind) = $stall->{class} =~ /^(hard|soft)irq/;
	return grep { $_->{kind} eq $kind } @records if $stall->{every};
	@records = grep { shows($_, $stall->{about}) } @records if $stall->{about};
	my @sampled = grep { $_->{class} eq $stall->{class} && $_->{evidence} eq 'sample' } @records;
	my ($sure) = grep { ($_->{culprit_evidence} // '') =~ /^(?:end|dispatch)$/ } @sampled;
	return grep { defined } $sure // $sampled[0] // $records[0];
}

# real_cause(REPORT, RECORD): the id of the cause that the report has for the record's group, '' where it has none
sub real_cause {
	my ($report, $record) = @_;
	my ($group) = grep { ($_->{culprit} // '') eq ($record->{culprit} // '') && $_->{class} eq $record->{class} } @{ $report->{groups} };
	return $group && $group->{cause} ? $group->{cause}{id} : '';
}

# real_busy(STALL, RECORD): the function that shows what it was busy in, on the way from the culprit to what all samples were in;
# few samples are all in some helper of it
sub real_busy {
	my ($stall, $record) = @_;
	return (grep { $_ =~ $stall->{busy} } @{ $record->{path} })[0] // '';
}

# Who is only suspected has no cause, and is said to be busy in nothing.
# real_right(STALL): is it found, is its class right, is it named, is its cause known, and what it was busy in? Returns (right, the
# record that shows it).
sub real_right {
	my ($stall) = @_;
	my @records = @{ $stall->{records} };
	my ($wrong) = grep {
		my $owner = $_->{evidence} eq 'end' && $stall->{closes} || $stall->{culprit};
		$_->{class} ne $stall->{class} || ($_->{culprit} // '') !~ $owner ||
			($stall->{busy} && !$_->{suspected} && real_busy($stall, $_) eq '')
	} @records;
	return (0, $wrong) if $wrong;
	return (0, $records[0]) if @records && !$records[0]{suspected} && defined($stall->{cause}) && $stall->{caused} ne $stall->{cause};
	return (@records >= ($stall->{number} // 1) ? 1 : 0, $records[0]);
}

1;
