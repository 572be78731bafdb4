# SPDX-License-Identifier: GPL-2.0-only
# The kernel's own irqsoff tracer beside the module, on real kernel code: who held interrupts off? The tracer keeps the longest
# section since its maximum was reset. So it is reset time after time while the kernel is kept busy, and each of its sections is
# compared with the record of that time.
package Tracer;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use Test::More;
use VM;

our @EXPORT = qw(tracer_script tracer_compare tracer_judge);

# What is passed over on the way to the owner: what locks, unlocks, and enables or disables interrupts for its caller. This is no
# list of the reader's.
my $lock = qr/^(?:trace_|tracer_|lockdep_|_raw_|__raw_|do_raw_|raw_spin_rq_|__?local_|task_rq_lock|rcu_read_|rwsem_)/;

my $script = <<'SH';
t=/sys/kernel/tracing
echo 0 > $t/tracing_on
echo mono > $t/trace_clock
echo verbose > $t/trace_options
echo irqsoff > $t/current_tracer
echo 1 > $t/tracing_on
# compared WHAT...: does it, and writes down the tracer's longest section meanwhile
compared() {
	echo $floor_us > $t/tracing_max_latency
	"$@" > /tmp/said 2>&1 || echo "@@ failed $*: $(cat /tmp/said)"
	# what ended has written its record by now
	sleep 0.1
	echo "did $*" >> /tmp/traces
	cat $t/trace >> /tmp/traces
}
kept() { # what the records are by now, before others take their places
	echo 0 > $t/tracing_on
	section list
	packed irqoff list --json --min ${floor_us}us
	irqoff clear
	echo 1 > $t/tracing_on
}
tell() { echo "$1" >&3; read -r answer <&4; }
move() { echo $crowd > /sys/fs/cgroup$1/cgroup.procs; }
end() { # the crowd exits; the shell is told of it
	kill -9 $crowd
	wait $crowd
	return 0
}
mkfifo /tmp/to /tmp/from
mkdir -p /sys/fs/cgroup/crowd
pass=0
while [ $pass -lt $passes ]; do
	pass=$((pass + 1))
	many=$((120 + 20 * pass))
	compared herd children $many
	compared herd watchers $((many * 5))
	compared cat /proc/pagetypeinfo
	kept
	herd crowd $many < /tmp/to > /tmp/from &
	crowd=$!
	exec 3> /tmp/to 4< /tmp/from
	read -r answer <&4
	for again in 1 2 3 4; do
		compared move /crowd
		compared move ''
		compared tell ignore
		compared kill -STOP $crowd
		compared kill -CONT $crowd
	done
	compared tell rusage
	compared cat /proc/$crowd/stat
	compared end
	exec 3>&- 4<&-
	kept
done
echo nop > $t/current_tracer
echo local > $t/trace_clock
echo noverbose > $t/trace_options
section traces
packed cat /tmp/traces
rmdir /sys/fs/cgroup/crowd
SH

# tracer_script(PASSES, FLOOR_US): a script for a guest in which the module watches: in each pass it does all that it can, and the
# tracer keeps the longest section of at least FLOOR_US of each
sub tracer_script {
	my ($passes, $floor_us) = @_;
	return "passes=$passes floor_us=$floor_us\n$script";
}

# section_of(TRACE): of the tracer's report of a section, its start and length, where it was started, and the functions that it was
# ended in, innermost first
sub section_of {
	my ($trace) = @_;
	my ($us) = $trace =~ /^# latency: (\d+) us/m or return;
	my ($start) = $trace =~ /\[([0-9a-f]{8,})\] \d+\.\d+ms/ or return;
	my ($cpu) = $trace =~ /\bCPU#(\d+)/;
	my ($started) = $trace =~ /started at:\s+(\w+)/;
	my ($end) = $trace =~ /<stack trace>\n(.*)/s;
	return { cpu => $cpu // 0, from_ns => hex($start) * 1000, ns => $us * 1000, started => $started // '', end => [ ($end // '') =~ /^ => (\w+)/mg ] };
}

# agree(RECORD, OWNER): is it the record's culprit? The tracer does not see a function that left by a jump, but its caller.
sub agree {
	my ($record, $owner) = @_;
	my $culprit = $record->{culprit} // return 0;
	my $end = $record->{end};
	return $culprit eq $owner ||
		grep { $_->{function} eq $culprit && $end->{frames}[ $_->{called_by_frame} ] =~ /^\Q$owner\E\+/ } @{ $end->{left_by_jump} };
}

# tracer_compare(SECTIONS...): of each section of the tracer that has a record: owner (by the tracer), record, agree
sub tracer_compare {
	my @sections = @_;
	my @records = grep { $_->{kind} eq 'hard' } map { @{ decode_json($_->[1])->{records} } } grep { $_->[0] eq 'list' } @sections;
	my ($traces) = map { $_->[1] } grep { $_->[0] eq 'traces' } @sections;
	my (@compared, %seen);
	for my $trace (split(/^did .*\n/m, $traces // '')) {
		my $section = section_of($trace) or next;
		next if $seen{ $section->{from_ns} }++;
		my $middle = $section->{from_ns} + $section->{ns} / 2;
		# most of the stall: what took the rest of it may be the handler that came when interrupts were on again
		my ($record) = grep {
			$_->{cpu} == $section->{cpu} && $middle > $_->{end_ns} - $_->{max_ns} && $middle < $_->{end_ns} &&
				$section->{ns} > $_->{max_ns} / 2
		} @records;
		my ($owner) = grep { !/$lock/ } $section->{started}, @{ $section->{end} };
		push @compared, {
			%$section,
			owner => $owner // '',
			record => $record,
			agree => $record && $owner && agree($record, $owner) ? 1 : 0,
		};
	}
	return @compared;
}

# tracer_judge(LEAST, SECTIONS...): tests that at least so many sections of the tracer are there, that each has a record, and that
# 99 % agree
sub tracer_judge {
	my ($least, @sections) = @_;
	is(join('', map { "$_->[0]\n" } grep { $_->[0] =~ /^failed / } @sections), '', 'all that keeps the kernel busy was done');
	my @compared = tracer_compare(@sections);
	my @missing = grep { !$_->{record} } @compared;
	my @both = grep { $_->{record} && $_->{record}{class} eq 'hardirq-off' } @compared;
	my $agree = grep { $_->{agree} } @both;
	for my $section (@compared) {
		my $record = $section->{record} // {};
		my $line = sprintf("%6.2f ms, tracer %s, reader %s (%s, %s)", $section->{ns} / 1e6, $section->{owner},
			$record->{culprit} // 'nobody', $record->{class} // 'no record', $record->{evidence} // '-');
		if ($section->{agree}) {
			note($line);
		} else {
			diag("$line; started at $section->{started}, ended in @{ $section->{end} }");
		}
	}
	my %owners = map { $_->{owner} => 1 } @both;
	diag(sprintf('%d sections of %d functions were seen by both, and %d agree on who held interrupts off', scalar @both,
		scalar keys %owners, $agree));
	cmp_ok(scalar @both, '>=', $least, 'sections of real code were seen by both');
	is(scalar @missing, 0, 'none was seen by the tracer alone');
	cmp_ok($agree, '>=', 0.99 * @both, 'both say who held interrupts off');
	return;
}

1;
