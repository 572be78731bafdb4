# SPDX-License-Identifier: GPL-2.0-only
# What came of a self-test: a row of facts, the verdict on it, and how both are printed.
package Outcome;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use List::Util qw(max);
use Row;
use Stalls;
use Truth;

our @EXPORT = qw(RIGHT WRONG USAGE REFUSED UNKNOWN outcome_judge outcome_verdict outcome_text outcome_json);

# exit statuses
use constant { RIGHT => 0, WRONG => 1, USAGE => 2, REFUSED => 3, UNKNOWN => 4 };

sub boolean { return $_[0] ? JSON::PP::true : JSON::PP::false }

# outcome_judge(OUTPUT, REPEATS, TIME): what the row says of the stalls of a script, and a text on each that is wrong. TIME is their
# length in thresholds. A stall that came out wrong because the CPU was taken does not count.
sub outcome_judge {
	my ($output, $repeats, $time) = @_;
	my @sections = split_sections($output);
	my %there = map { ($_->[0] => 1) } @sections;
	my %row = map { ($_ => boolean($there{$_})) } qw(loaded unloaded);
	return \%row unless $there{unloading};
	my @cells = truth_cells($repeats, [$time], @sections);
	my @judged = map { @{ $_->{judged} // [] } } @cells;
	my @left = grep { !truth_wrong($_) || !truth_why($_) } @judged;
	my @wrong = grep { truth_wrong($_) } @left;
	return ({
		%row,
		kinds => scalar(grep { $_->{judged} } @cells),
		absent => [ map { $_->{kind} } grep { !$_->{judged} } @cells ],
		made => scalar @judged,
		disturbed => @judged - @left,
		judged => { map { my $column = $_; ($column => scalar grep { exists $_->{$column} } @left) } TRUTH_COLUMNS },
		right => { map { ($_ => truth_right($_, @left)) } TRUTH_COLUMNS },
		wrong => [ map { +{ stall => $_->{stall}{kind}, columns => [ truth_wrong($_) ] } } @wrong ],
	}, map { truth_explain($_) } @wrong);
}

# outcome_verdict(ROW): the exit status, the verdict in a word or two, and a sentence
sub outcome_verdict {
	my ($row) = @_;
	my ($made, $disturbed, $wrong) = ($row->{made} // 0, $row->{disturbed} // 0, scalar @{ $row->{wrong} // [] });
	my $why = !$row->{built} ? 'The modules do not build.' :
		!$row->{loaded} ? 'The modules do not load.' :
		!$row->{unloaded} ? 'The modules were not unloaded, or the stalls were not made.' :
		@{ $row->{log} } ? 'The kernel complains; the lines are above.' :
		!$made ? 'No stall was made.' :
		$wrong ? sprintf('%d of %d stalls have a wrong record, or none.', $wrong, $made - $disturbed) : '';
	return (WRONG, 'wrong', $why) if $why;
	return (UNKNOWN, 'cannot tell', "A hypervisor or firmware took the CPU during $disturbed of $made stalls.")
		if 2 * $disturbed > $made;
	return (RIGHT, 'right', "trace_irqoff works here: each of $row->{kinds} kinds of stall was found and named right" .
		($disturbed ? " ($disturbed of $made stalls do not count: a hypervisor or firmware took the CPU)." : '.'));
}

# outcome_text(ROW): the row as `make matrix` prints it, with its head
sub outcome_text {
	my ($row) = @_;
	my $width = max(length('KERNEL'), length($row->{kernel}));
	my ($built, $loaded, $unloaded) = map { $row->{$_} ? 'yes' : 'no' } qw(built loaded unloaded);
	return row_head($width) . row_line($width, $row->{kernel}, $row->{preempt}, $built, $loaded,
		map({ $row->{judged} ? "$row->{right}{$_}/$row->{judged}{$_}" : '-' } ROW_JUDGED), $unloaded, @{ $row->{log} } ? 'dirty' : 'clean');
}

sub outcome_json { return JSON::PP->new->canonical->pretty->encode($_[0]) }

1;
