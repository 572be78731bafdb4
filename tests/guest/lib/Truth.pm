# SPDX-License-Identifier: GPL-2.0-only
# Makes stalls of every kind in several lengths on a CPU that another CPU samples, and judges their records.
package Truth;
use strict;
use warnings;
use Exporter 'import';
use Kinds;
use VM;

our @EXPORT = qw(truth_run truth_script truth_cells truth_right truth_explain truth_shortfalls TRUTH_COLUMNS);

use constant TRUTH_COLUMNS => qw(found class culprit bounds);
use constant THRESHOLD_US => 10_000;

# Culprits other than the stall's own function. "nested" turns interrupts off within a section that has softirqs off, so a
# sample may show either. In "bhheld" no running task is to blame.
my %culprits = (
	nested => [ 'stall_nested [stall]', 'stall_nested_irqoff [stall]' ],
	convoy => ['stall_holder [stall]'],
	ipiwait => ['stall_holder [stall]'],
	bhheld => [''],
);

# truth_script(REPEATS, TIMES...): a guest script that makes each stall REPEATS times at each length, given in thresholds
sub truth_script {
	my ($repeats, @times) = @_;
	my @lengths = map { $_ * THRESHOLD_US } @times;
	my @script = (
		'insmod stall.ko',
		'insmod trace_irqoff.ko enable=1 threshold_us=' . THRESHOLD_US . ' ring_records=4096 nmi_cpu_rate=1000 nmi_rate=1000',
		"taskset 1 sh -c 'while :; do :; done' &",
	);
	for my $kind (map { $_->{name} } kinds()) {
		for my $length (@lengths) {
			push @script, ("stall $kind 1 $length", 'sleep 0.05') x $repeats;
		}
	}
	return join("\n", @script, 'kill $!', 'section records', 'irqoff list --json', '');
}

# blames_other(RECORD, KIND, CULPRITS): does the record, of a stall of this kind, blame anybody but these?
sub blames_other {
	my ($record, $kind, $culprits) = @_;
	my $culprit = ($record->{waits_for} // $record)->{culprit} // return 0;
	return $record->{kind} eq $kind->{record} && $culprit !~ /^\(/ && !grep { $_ eq $culprit } @$culprits;
}

# apart(RECORD, RECORDS): true if the record is linked to none, and no record of another CPU ended at the same time. The stall
# module makes both stalls end within microseconds, so the host must have held one of them back.
sub apart {
	my ($record, @records) = @_;
	return !$record->{waits_for} && !grep { $_->{cpu} != $record->{cpu} && ended_together($_, $record) } @records;
}

# judge(STALL, KIND, RECORDS): which columns are right. Exactly one record of its CPU must cover the whole stall.
sub judge {
	my ($stall, $kind, @records) = @_;
	my @near = overlapping($stall, @records);
	my @whole = grep { $_->{cpu} == $stall->{cpu} && $_->{kind} eq $kind->{record} && $_->{max_ns} >= $stall->{inner_ns} } @near;
	my ($record) = @whole;
	my @culprits = @{ $culprits{ $kind->{name} } // ["$stall->{function} [stall]"] };
	# storms, and handlers where no NMI can be sent, are blamed on an interrupt
	my $interrupt = $kind->{interrupt} && (on_arm64() || $kind->{name} eq 'storm');
	# the culprit of a victim is that of the stall it waited for
	my $culprit = ($record->{waits_for} // $record)->{culprit} // '';
	# a sample blames a function that is no culprit of it: never right, whatever the host made of the stall
	my $innocent = grep { $_->{evidence} eq 'sample' && blames_other($_, $kind, \@culprits) } @near;
	return { stall => $stall, records => \@near, innocent => $innocent } unless @whole == 1;
	return {
		stall => $stall,
		records => \@whole,
		innocent => $innocent,
		apart => $kind->{name} =~ /^(?:convoy|ipiwait)$/ && apart($record, @near),
		found => 1,
		class => $record->{class} eq $kind->{class},
		culprit => scalar($interrupt ? $culprit =~ kind_interrupt($kind) : grep { $_ eq $culprit } @culprits),
		bounds => $record->{min_ns} <= $stall->{outer_ns},
		stolen => $record->{class} eq 'stolen',
	};
}

# truth_run(KERNEL, REPEATS, TIMES...): for each kind and length (in thresholds) a hash of kind, length_us, and judged, the
# judgements of its repeats. There is no judged if the kernel has no such stall.
sub truth_run {
	my ($kernel, $repeats, @times) = @_;
	local $ENV{TRACE_IRQOFF_KERNEL} = $kernel;
	my ($status, $output, $marks) = guest(truth_script($repeats, @times), '--timeout', '900');
	die "kernel $kernel: the guest ended with status $status\n" if $status;
	return truth_cells($repeats, \@times, sections($output, $marks));
}

# truth_cells(REPEATS, TIMES, SECTIONS...): the same, from the output of truth_script()
sub truth_cells {
	my ($repeats, $times, @sections) = @_;
	my @lengths = map { $_ * THRESHOLD_US } @$times;
	my @records = records('records', @sections);
	my @stalls = stalls(@sections);
	my @cells;
	for my $kind (kinds()) {
		for my $length (@lengths) {
			my @these = splice(@stalls, 0, $repeats);
			my %cell = (kind => $kind->{name}, length_us => $length);
			@these = () unless kind_exists($kind, @sections);
			@these = grep { $_->{inner_ns} > 1200 * THRESHOLD_US } @these
				if others_run_softirqs(@sections) && $kind->{record} eq 'soft';
			$cell{judged} = [ map { judge($_, $kind, @records) } @these ] if @these;
			push @cells, \%cell;
		}
	}
	return @cells;
}

# truth_right(COLUMN, JUDGED...): how many are right in that column
sub truth_right {
	my ($column, @judged) = @_;
	return scalar grep { $_->{$column} } @judged;
}

# truth_explain(JUDGED): describes a stall that was judged wrong; '' if all is right
sub truth_explain {
	my ($judged) = @_;
	my @wrong = grep { !$judged->{$_} } TRUTH_COLUMNS;
	return '' unless @wrong;
	my $stall = $judged->{stall};
	my $text = sprintf("%s of %.3f to %.3f ms, wrong: @wrong; %d records\n", $stall->{kind},
		map({ $_ / 1e6 } @$stall{qw(inner_ns outer_ns)}), scalar(@{ $judged->{records} }));
	for my $record (@{ $judged->{records} }) {
		$text .= sprintf("  CPU %u, %s, %s, by %s, %.3f to %.3f ms, from %.3f ms after it began\n", $record->{cpu}, $record->{class},
			($record->{waits_for} // $record)->{culprit} // 'nobody', $record->{evidence}, map({ $_ / 1e6 } @$record{qw(min_ns max_ns)},
			$record->{end_ns} - $record->{min_ns} - $stall->{from_ns}));
	}
	return $text;
}

# The limits of tests/truth, in percent of all stalls. In each column the emulator and the host make one of 1440 stalls
# otherwise than requested (README.md).
my %least = (found => 99.5, class => 99, culprit => 99, bounds => 99.5);

# truth_shortfalls(CELL...): the limits that are missed, a sentence each. A CELL is a hash of name and judged (above). Our own
# errors repeat, so at most a fifth of a cell may be wrong, not counting what the host stole.
sub truth_shortfalls {
	my (@cells) = @_;
	my @all = map { @{ $_->{judged} } } @cells;
	return 'there are no stalls' unless @all;
	my @short;
	for my $column (TRUTH_COLUMNS) {
		my $share = 100 * truth_right($column, @all) / @all;
		push @short, sprintf('%s %.1f %%, and %.1f %% are asked for', $column, $share, $least{$column})
			if $share < $least{$column};
	}
	for my $cell (@cells) {
		my @judged = @{ $cell->{judged} };
		my $wrong = grep { !($_->{found} && $_->{bounds} && ($_->{stolen} || $_->{class} && $_->{culprit})) } @judged;
		push @short, "$cell->{name}: $wrong of " . @judged . ' are wrong' if $wrong * 5 > @judged;
	}
	return @short;
}

1;
