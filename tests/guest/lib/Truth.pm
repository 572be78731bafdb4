# SPDX-License-Identifier: GPL-2.0-only
# Stalls of every kind in several lengths on a CPU that another one looks at, and what the records of them got right.
package Truth;
use strict;
use warnings;
use Exporter 'import';
use Kinds;
use VM;

our @EXPORT = qw(truth_run truth_script truth_cells truth_right truth_explain truth_shortfalls TRUTH_COLUMNS);

use constant TRUTH_COLUMNS => qw(found class culprit bounds);
use constant THRESHOLD_US => 10_000;

# Culprits other than the stall's function. A nested section that turns interrupts off runs in one that has softirqs off,
# so at the moment of a sample either may be what does; of bhheld nobody who runs is to blame.
my %culprits = (
	nested => [ 'stall_nested [stall]', 'stall_nested_irqoff [stall]' ],
	convoy => ['stall_holder [stall]'],
	ipiwait => ['stall_holder [stall]'],
	bhheld => [''],
);

# truth_script(REPEATS, TIMES...): makes each stall so often, in lengths of so many times the threshold
sub truth_script {
	my ($repeats, @times) = @_;
	my @lengths = map { $_ * THRESHOLD_US } @times;
	my @script = (
		'insmod stall.ko',
		'insmod trace_irqoff.ko enable=1 threshold_us=' . THRESHOLD_US . ' ring_records=4096',
		"taskset 1 sh -c 'while :; do :; done' &",
	);
	for my $kind (map { $_->{name} } kinds()) {
		for my $length (@lengths) {
			push @script, ("stall $kind 1 $length", 'sleep 0.05') x $repeats;
		}
	}
	return join("\n", @script, 'kill $!', 'section records', 'irqoff list --json', '');
}

# blames_other(RECORD, KIND, CULPRITS): is somebody blamed for a stall of this kind who is none of these?
sub blames_other {
	my ($record, $kind, $culprits) = @_;
	my $culprit = ($record->{waits_for} // $record)->{culprit} // return 0;
	return $record->{kind} eq $kind->{record} && $culprit !~ /^\(/ && !grep { $_ eq $culprit } @$culprits;
}

# A stall that waits is linked to one that ended when the wait did, give or take this (docs/design.md): a period and 200 us.
use constant LINK_NS => 1_200_000;

# apart(RECORD, RECORDS): is it linked to none, and did none on another CPU end when it did? By what the stall module makes both
# end within microseconds, so that it was the host who held one of them back.
sub apart {
	my ($record, @records) = @_;
	return !$record->{waits_for} && !grep { $_->{cpu} != $record->{cpu} && abs($_->{end_ns} - $record->{end_ns}) <= LINK_NS } @records;
}

# judge(STALL, KIND, RECORDS): which columns are right; one record of its CPU must tell of the whole stall
sub judge {
	my ($stall, $kind, @records) = @_;
	my @near = overlapping($stall, @records);
	my @whole = grep { $_->{cpu} == $stall->{cpu} && $_->{kind} eq $kind->{record} && $_->{max_ns} >= $stall->{inner_ns} } @near;
	my ($record) = @whole;
	my @culprits = @{ $culprits{ $kind->{name} } // ["$stall->{function} [stall]"] };
	# of a storm, and of a handler where no NMI can be sent
	my $interrupt = $kind->{interrupt} && (on_arm64() || $kind->{name} eq 'storm');
	# who waited is another one's victim
	my $culprit = ($record->{waits_for} // $record)->{culprit} // '';
	# a function that is no culprit of it, blamed by a sample: of whatever the host has made of the stall
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

# truth_run(KERNEL, REPEATS, TIMES...): for each kind and length (so many times the threshold) a hash of kind, length_us
# and judged, the repeats' judgements; without these where the kernel has no such stall
sub truth_run {
	my ($kernel, $repeats, @times) = @_;
	local $ENV{TRACE_IRQOFF_KERNEL} = $kernel;
	my ($status, $output, $marks) = guest(truth_script($repeats, @times), '--timeout', '900');
	die "kernel $kernel: the guest ended with status $status\n" if $status;
	return truth_cells($repeats, \@times, sections($output, $marks));
}

# truth_cells(REPEATS, TIMES, SECTIONS...): the same of what truth_script() printed
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

# truth_right(COLUMN, JUDGED...): how many have it right
sub truth_right {
	my ($column, @judged) = @_;
	return scalar grep { $_->{$column} } @judged;
}

# truth_explain(JUDGED): what there is to say of a stall that was not got right, else nothing
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

# What tests/truth asks for, in percent of all stalls. The emulator and the host make one of 1440 otherwise than it was asked
# for, in each column (README.md).
my %least = (found => 99.5, class => 99, culprit => 99, bounds => 99.5);

# truth_shortfalls(CELL...): what is missing of that, a sentence each. A CELL is a hash of name, and judged as above. What is
# wrong by our doing comes again and again: of no cell may more than a fifth be wrong, but for what the host stole.
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
