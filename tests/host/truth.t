#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The limits of tests/truth.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../userspace/selftest";
use Test::More;
use Truth;

my %right = map { ($_ => 1) } TRUTH_COLUMNS;

# cells(NUMBER, JUDGED...): NUMBER cells of five stalls each; the first cell has these, the rest are right
sub cells {
	my ($number, @judged) = @_;
	my @right = map { {%right} } 1 .. 5;
	return ({ name => 'irqoff 12 ms', judged => [ @judged, @right[ @judged .. 4 ] ] },
		map { { name => "other $_", judged => [@right] } } 2 .. $number);
}
sub short { return join('; ', truth_shortfalls(@_)) }

is(short(cells(72)), '', 'all are right');
is(short(cells(72, { %right, busy_in => 0 })), '', 'one of 360, in what it was busy in');
is(short(cells(18, { %right, busy_in => 0 })), 'busy_in 98.9 %, and 99.0 % are asked for', 'one of 90');
is(short(cells(72, { found => 1 }, { found => 1 })), '', 'a column that is not judged is not wrong');
is(short({ name => 'irqloop 12 ms', judged => [ map { { found => $_ } } 1, 1, 1, 0, 0 ] }, cells(100)),
	'irqloop 12 ms: 2 of 5 are wrong', 'two of one kind that is no stall');
my $disturbed = { map({ ($_ => 0) } TRUTH_COLUMNS), records => [], stall => { kind => 'irqoff', taken => 0, gap_ns => 2_000_000 } };
is(short(cells(2, ($disturbed) x 4)), '', 'those that the host disturbed are not judged');
is(short(cells(1, ($disturbed) x 4)), 'only 1 of 5 stalls were left alone by the host and the emulator', 'unless they are most');
is(short(cells(72, { %$disturbed, innocent => 1 })), 'a sample of irqoff blames another function', 'but none may blame another one');
is(truth_why({ %right, bounds => 0, records => [ { end_ns => 20, min_ns => 12, period_ns => 5, samples => [] } ], stall => { gap_ns => 0, from_ns => 9 } }),
	'a beat was due 0.000 ms before it began, and came late', 'wrong bounds by a late beat are explained');
is(truth_why({ %right, bounds => 0, records => [ { end_ns => 20, min_ns => 17, period_ns => 5, samples => [] } ], stall => { gap_ns => 0, from_ns => 9 } }), '',
	'... but not by more than a period');
is(truth_why({ %right, culprit => 0, records => [ { end_ns => 20, min_ns => 12, samples => [] } ], stall => { gap_ns => 0, from_ns => 9 } }), '',
	'... and a wrong culprit is not');
is(short(), 'there are no stalls', 'there are none');
is(short(cells(72, { %right, found => 0 })), '', 'one of 360');
is(short(cells(72, { %right, bounds => 0 }, { %right, class => 0 })), 'irqoff 12 ms: 2 of 5 are wrong', 'two of one kind');
is(short(cells(72, map { { %right, class => 0, culprit => 0, stolen => 1 } } 1 .. 3)), '', 'three that the host stole');
is(short(cells(72, map { { %right, class => 0, culprit => 0, stolen => 1 } } 1 .. 5)),
	'class 98.6 %, and 99.0 % are asked for; culprit 98.6 %, and 99.0 % are asked for', 'more than those');
is(short(cells(20, { %right, bounds => 0 })), 'bounds 99.0 %, and 99.5 % are asked for', 'one of a hundred');
my $wrong = { map { ($_ => 0) } TRUTH_COLUMNS };
is(short(cells(288, $wrong, $wrong)), 'irqoff 12 ms: 2 of 5 are wrong', 'nothing is right of two of one kind');

done_testing;
