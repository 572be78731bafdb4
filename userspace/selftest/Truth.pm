# SPDX-License-Identifier: GPL-2.0-only
# Makes stalls of every kind in several lengths on a CPU that another CPU samples, and judges their records. What runs them is not
# its business: tests in a guest, or userspace/selftest/irqoff-selftest on the machine itself.
package Truth;
use strict;
use warnings;
use Exporter 'import';
use Kinds;
use Stalls;

our @EXPORT = qw(truth_script truth_stalls truth_cells truth_right truth_share truth_wrong truth_disturbed truth_why truth_counts
	truth_explain truth_shortfalls TRUTH_COLUMNS TRUTH_TRIES);

use constant TRUTH_COLUMNS => qw(found class culprit busy_in bounds);
# A kind of which no stall counts is made again, so often in all.
use constant TRUTH_TRIES => 3;
use constant THRESHOLD_US => 10_000;

# truth_script(REPEATS, TIMES, KINDS...): a guest script that makes these kinds of stall REPEATS times at each length, given in thresholds
sub truth_script {
	my ($repeats, $times, @kinds) = @_;
	return 'insmod stall.ko
observe 1
insmod trace_irqoff.ko enable=1 threshold_us=' . THRESHOLD_US . " ring_records=4096 nmi_cpu_rate=1000 nmi_rate=1000
taskset 1 sh -c 'while :; do :; done' &
" . truth_stalls(1, $repeats, $times, @kinds) . "kill \$!\nsection records\nirqoff list --json\n";
}

# truth_stalls(CPU, REPEATS, TIMES, KINDS...): the part of such a script that makes the stalls
sub truth_stalls {
	my ($cpu, $repeats, $times, @kinds) = @_;
	my @script;
	for my $kind (@kinds) {
		push @script, ("stall $kind->{name} $cpu " . $_ * THRESHOLD_US, 'sleep 0.05') x $repeats for @$times;
	}
	return join("\n", @script, '');
}

# blames_other(RECORD, KIND, CULPRIT): does the record, of a stall of this kind, blame anybody but this one? What all kinds are
# busy in is named where the host kept the end of a section from being seen.
sub blames_other {
	my ($record, $kind, $culprit) = @_;
	my $blamed = ($record->{waits_for} // $record)->{culprit} // return 0;
	return $record->{kind} eq $kind->{record} && $blamed !~ $culprit && $blamed !~ /^\((?!task )|^busy_(?:work|parts) \[stall\]$/;
}

# apart(RECORD, RECORDS): true if the record is linked to none, and no record of another CPU ended at the same time. The stall
# module makes both stalls end within microseconds, so the host must have held one of them back.
sub apart {
	my ($record, @records) = @_;
	return !$record->{waits_for} && !grep { $_->{cpu} != $record->{cpu} && ended_together($_, $record) } @records;
}

# judge_none(STALL, KIND, RECORDS): the same for short sections in a row, which are no stall: no record blames one of them
sub judge_none {
	my ($stall, $kind, @records) = @_;
	my @wrong = grep { $_->{cpu} == $stall->{cpu} && ($_->{culprit} // '') =~ /\[stall\]$/ } overlapping($stall, @records);
	return { stall => $stall, records => \@wrong, found => !@wrong, innocent => scalar grep { $_->{evidence} eq 'sample' } @wrong };
}

# judge(STALL, KIND, RECORDS, SECTIONS...): which columns are right; a column that is not judged is not there. Exactly one record
# of its CPU must cover the whole stall.
sub judge {
	my ($stall, $kind, $records, @sections) = @_;
	my @records = @$records;
	return judge_none($stall, $kind, @records) unless $kind->{class};
	my @near = overlapping($stall, @records);
	my @whole = grep { $_->{cpu} == $stall->{cpu} && $_->{kind} eq $kind->{record} && $_->{max_ns} >= $stall->{inner_ns} } @near;
	my ($record) = @whole;
	my $right = kind_culprit($kind, $stall->{function}, $kind->{record} eq 'hard' && !can_sample(@sections), @sections);
	# a sample blames a function or a task that is no culprit of it: never right, whatever the host made of the stall
	my $innocent = grep { $_->{evidence} eq 'sample' && blames_other($_, $kind, $right) } @near;
	my %wrong = map { ($_ => 0) } TRUTH_COLUMNS;
	return { %wrong, stall => $stall, records => \@near, innocent => $innocent } unless @whole == 1;
	# the culprit of a victim is that of the stall it waited for
	my $named = $record->{waits_for} ? (grep { $_->{record} eq $record->{waits_for}{record} } @records)[0] : $record;
	my $busy = $named->{busy_in} // '';
	my $alone = $named->{evidence} eq 'end';
	my $unsampled = $named->{kind} eq 'hard' && !can_sample(@sections);
	my %judged = (
		stall => $stall,
		records => [ $record, $named == $record ? () : $named ],
		innocent => $innocent,
		apart => $kind->{name} =~ /^(?:convoy|ipiwait)$/ && apart($record, @near),
		found => 1,
		class => $record->{class} eq $kind->{class},
		culprit => scalar(record_blames($named) =~ $right),
		busy_in => (!$alone || $unsampled || $kind->{name} eq 'storm') && grep({ $_ eq $busy } kind_busy($kind, $stall, $named)) > 0,
		alone => $alone,
		bounds => $record->{min_ns} <= $stall->{outer_ns},
		stolen => $record->{class} eq 'stolen' || $named->{class} eq 'stolen',
		suspected => $named->{suspected},
		untold => $kind->{lock} && record_blames($named) eq 'waits for a lock',
	);
	# who is only suspected is not said to be busy in anything; and what the holder of a lock is busy in is not the kind's
	delete $judged{busy_in} if $named->{suspected} || ($kind->{lock} && $named != $record);
	return \%judged;
}

# truth_cells(REPEATS, TIMES, SECTIONS...): from the output of such a script, for each kind and length (in thresholds) a hash of
# kind, length_us, and judged, the judgements of its repeats. There is no judged if the machine has no such stall. Kinds that the
# script did not make are left out.
sub truth_cells {
	my ($repeats, $times, @sections) = @_;
	my @lengths = map { $_ * THRESHOLD_US } @$times;
	my @records = map { as_suspected($_) } records('records', @sections);
	my @stalls = stalls(@sections);
	my %made = map { $_->{kind} => 1 } @stalls;
	my @cells;
	for my $kind (grep { $made{ $_->{name} } } kinds()) {
		for my $length (@lengths) {
			my @these = splice(@stalls, 0, $repeats);
			my %cell = (kind => $kind->{name}, length_us => $length);
			# a stall of two CPUs is not made where there is one
			@these = () unless kind_exists($kind, @sections) && grep { $_->{outer_ns} } @these;
			@these = grep { $_->{inner_ns} > 1200 * THRESHOLD_US } @these
				if others_run_softirqs(@sections) && $kind->{record} eq 'soft';
			$cell{judged} = [ map { judge($_, $kind, \@records, @sections) } @these ] if @these;
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

# truth_share(COLUMN, JUDGED...): which share of those that are judged in that column is right
sub truth_share {
	my ($column, @judged) = @_;
	my @those = grep { exists $_->{$column} } @judged;
	return truth_right($column, @those) / (@those || 1);
}

# truth_wrong(JUDGED): the columns that are wrong
sub truth_wrong {
	my ($judged) = @_;
	return grep { exists $judged->{$_} && !$judged->{$_} } TRUTH_COLUMNS;
}

# The host may take half of a stall that is judged.
use constant TAKEN => 0.5;
# A gap of a period between two clock readings of a stall: the CPU did not run, and a beat, a sample or the end came late.
use constant GAP_NS => 1_000_000;
# A sample that came later than this after its request may be one of a CPU that did not run (docs/design/classes.md).
use constant LATE_NS => 100_000;

# truth_disturbed(JUDGED): what the host or the emulator did to the stall, whether it was judged right or wrong, going by the
# stall's own clock, the host's counters and the records' samples; '' if nothing is known
sub truth_disturbed {
	my ($judged) = @_;
	my $stall = $judged->{stall} // return '';
	return 'the host parted two stalls that end together' if $judged->{apart};
	return sprintf('the host took %.0f %% of the time, up to %.1f ms at once', 100 * ($stall->{taken} // 0), $stall->{gap_ns} / 1e6)
		if ($stall->{taken} // 0) > TAKEN || $stall->{gap_ns} >= GAP_NS;
	my ($late_ns) = sort { $b <=> $a } map { $_->{delay_ns} // 0 } map { @{ $_->{samples} } } @{ $judged->{records} };
	return ($late_ns // 0) > LATE_NS ? sprintf('an NMI came %.3f ms after it was sent', $late_ns / 1e6) : '';
}

# truth_why(JUDGED): what made it wrong; '' if it is not known. Nothing excuses a sample that blames another function.
sub truth_why {
	my ($judged) = @_;
	return '' if $judged->{innocent} && !$judged->{apart};
	my $why = truth_disturbed($judged);
	return $why if $why || join(' ', truth_wrong($judged)) ne 'bounds' || !@{ $judged->{records} // [] };
	my ($stall, $record) = ($judged->{stall}, $judged->{records}[0]);
	my $early_ns = $stall->{from_ns} - ($record->{end_ns} - $record->{min_ns});
	return $early_ns > 0 && $early_ns <= $record->{period_ns} ? sprintf('a beat was due %.3f ms before it began, and came late', $early_ns / 1e6) : '';
}

# truth_counts(JUDGED): does it count? Not where it is wrong, and it is known what made it so.
sub truth_counts {
	my ($judged) = @_;
	return !truth_wrong($judged) || !truth_why($judged);
}

# truth_explain(JUDGED): describes a stall that was judged wrong; '' if all is right
sub truth_explain {
	my ($judged) = @_;
	my @wrong = truth_wrong($judged) or return '';
	my $stall = $judged->{stall};
	my $text = sprintf("%s of %.3f to %.3f ms, wrong: @wrong; %d records; %s\n", $stall->{kind},
		map({ $_ / 1e6 } @$stall{qw(inner_ns outer_ns)}), scalar(@{ $judged->{records} }), truth_why($judged) || 'unexplained');
	for my $record (@{ $judged->{records} }) {
		$text .= sprintf("  gap of %.3f ms\n", $stall->{gap_ns} / 1e6) if $record == $judged->{records}[0];
		$text .= sprintf("  CPU %u, %s, %s (%s), busy in %s, by %s, %.3f to %.3f ms, from %.3f ms after it began; sampled at %s ms\n",
			$record->{cpu}, $record->{class}, record_blames($record), $record->{culprit_evidence} // '-',
			$record->{busy_in} // 'nothing', $record->{evidence}, map({ $_ / 1e6 } @$record{qw(min_ns max_ns)},
			$record->{end_ns} - $record->{min_ns} - $stall->{from_ns}),
			join(' ', map { sprintf('%.3f', ($_->{at_ns} - $stall->{from_ns}) / 1e6) } @{ $record->{samples} }) || '-');
		$text .= "    $_\n" for map({ join(' < ', $_->{nmi} ? 'nmi' : 'beat', @{ $_->{frames} }) } @{ $record->{samples} }),
			join(' < ', 'end', @{ $record->{end}{frames} // [] });
	}
	return $text;
}

# The limits of tests/truth, in percent of the stalls that nothing disturbed. The emulator makes some of a thousand otherwise than
# requested, and nobody tells.
my %least = (found => 99.5, class => 99, culprit => 99, busy_in => 99, bounds => 99.5);

# truth_shortfalls(CELL...): the limits that are missed, a sentence each. A CELL is a hash of name and judged (above). Our own
# errors repeat, so at most a fifth of a cell may be wrong, or one, not counting what the host stole. No sample may blame another
# function, whatever disturbed it.
sub truth_shortfalls {
	my (@cells) = @_;
	my @made = map { @{ $_->{judged} } } @cells;
	return 'there are no stalls' unless @made;
	my @all = grep { !truth_disturbed($_) } @made;
	my @short = map { "a sample of $_->{stall}{kind} blames another function" } grep { $_->{innocent} && !$_->{apart} } @made;
	push @short, 'only ' . @all . ' of ' . @made . ' stalls were left alone by the host and the emulator' if 2 * @all < @made;
	for my $column (TRUTH_COLUMNS) {
		my $share = 100 * truth_share($column, @all);
		push @short, sprintf('%s %.1f %%, and %.1f %% are asked for', $column, $share, $least{$column})
			if $share < $least{$column};
	}
	for my $cell (@cells) {
		my @judged = grep { !truth_disturbed($_) } @{ $cell->{judged} };
		my $wrong = grep { my $of = $_; grep { !$of->{stolen} || /^(?:found|bounds)$/ } truth_wrong($of) } @judged;
		push @short, "$cell->{name}: $wrong of " . @judged . ' are wrong' if $wrong > 1 && $wrong * 5 > @judged;
	}
	return @short;
}

1;
