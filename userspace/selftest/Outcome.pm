# SPDX-License-Identifier: GPL-2.0-only
# What came of a self-test: a row of facts, the verdict on it, and how both are printed.
package Outcome;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use List::Util qw(max sum0);
use Row;
use Stalls;
use Truth;

our @EXPORT = qw(RIGHT WRONG USAGE REFUSED UNKNOWN outcome_cells outcome_row outcome_verdict outcome_text outcome_json);

# exit statuses
use constant { RIGHT => 0, WRONG => 1, USAGE => 2, REFUSED => 3, UNKNOWN => 4 };

# outcome_cells(OUTPUT, REPEATS, TIME): for each kind of stall that a script made a hash of kind, all (how many were made), counts (the
# judgements that count) and again (none does). TIME is the stalls' length in thresholds. A kind that the kernel does not have has no
# stalls.
sub outcome_cells {
	my ($output, $repeats, $time) = @_;
	my @cells;
	for my $cell (truth_cells($repeats, [$time], split_sections($output))) {
		my @judged = @{ $cell->{judged} // [] };
		my @counts = grep { truth_counts($_) } @judged;
		push @cells, { kind => $cell->{kind}, all => scalar @judged, counts => \@counts, again => @judged && !@counts };
	}
	return @cells;
}

# outcome_row(CELL...): what the row says of the stalls, and a text on each that is wrong
sub outcome_row {
	my (@cells) = @_;
	my @made = grep { $_->{all} } @cells;
	my @counts = map { @{ $_->{counts} } } @made;
	my @wrong = grep { truth_wrong($_) } @counts;
	my $made = sum0(map { $_->{all} } @made);
	return ({
		kinds => scalar @made,
		absent => [ map { $_->{kind} } grep { !$_->{all} } @cells ],
		made => $made,
		disturbed => $made - @counts,
		unknown => [ map { $_->{kind} } grep { $_->{again} } @made ],
		judged => { map { my $column = $_; ($column => scalar grep { exists $_->{$column} } @counts) } TRUTH_COLUMNS },
		right => { map { ($_ => truth_right($_, @counts)) } TRUTH_COLUMNS },
		wrong => [ map { +{ stall => $_->{stall}{kind}, columns => [ truth_wrong($_) ] } } @wrong ],
	}, map { truth_explain($_) } @wrong);
}

# outcome_verdict(ROW, LEFT): the exit status, the verdict in a word or two, and a sentence. LEFT is the name of a module that did not go.
sub outcome_verdict {
	my ($row, $left) = @_;
	my ($made, $disturbed, $wrong) = ($row->{made} // 0, $row->{disturbed} // 0, scalar @{ $row->{wrong} // [] });
	my $why = !$row->{built} ? 'The modules do not build.' :
		!$row->{loaded} ? 'The modules do not load.' :
		$left ? "The module $left could not be unloaded: `rmmod $left` once nothing uses it." :
		!$row->{unloaded} ? 'The script ended before its end; what it printed is above.' :
		@{ $row->{log} // [] } ? 'The kernel complained meanwhile; its lines are above.' :
		!$made ? 'No stall was made.' :
		$wrong ? sprintf('%d of %d stalls have a wrong record, or none (irqoff-selftest(8), WHEN IT IS WRONG).', $wrong, $made - $disturbed) : '';
	return (WRONG, 'wrong', $why) if $why;
	my $manual = '(irqoff-selftest(8), What does not count).';
	return (UNKNOWN, 'cannot tell', "No stall of these kinds counts, because something held a CPU up each time: @{ $row->{unknown} } $manual")
		if @{ $row->{unknown} // [] };
	return (UNKNOWN, 'cannot tell', 'All stalls were found and named right, but not all of the kernel\'s log could be read.') unless $row->{log};
	return (RIGHT, 'right', "trace_irqoff works here: each of $row->{kinds} kinds of stall was found and named right" .
		($disturbed ? "; $disturbed of $made stalls do not count $manual" : '.'));
}

# outcome_text(ROW): the row as `make matrix` prints it, with its head
sub outcome_text {
	my ($row) = @_;
	my $width = max(length('KERNEL'), length($row->{kernel}));
	my ($built, $loaded, $unloaded) = map { $row->{$_} ? 'yes' : 'no' } qw(built loaded unloaded);
	return row_head($width) . row_line($width, $row->{kernel}, $row->{preempt}, $built, $loaded,
		map({ $row->{judged} ? "$row->{right}{$_}/$row->{judged}{$_}" : '-' } ROW_JUDGED), $unloaded, !$row->{log} ? 'unread' : @{ $row->{log} } ? 'dirty' : 'clean');
}

sub outcome_json { return JSON::PP->new->canonical->pretty->encode($_[0]) }

1;
