#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The limits of tests/truth.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../guest/lib";
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
is(short(), 'there are no stalls', 'there are none');
is(short(cells(72, { %right, found => 0 })), '', 'one of 360');
is(short(cells(72, { %right, bounds => 0 }, { %right, class => 0 })), 'irqoff 12 ms: 2 of 5 are wrong', 'two of one kind');
is(short(cells(72, map { { %right, class => 0, culprit => 0, stolen => 1 } } 1 .. 3)), '', 'three that the host stole');
is(short(cells(72, map { { %right, class => 0, culprit => 0, stolen => 1 } } 1 .. 5)),
	'class 98.6 %, and 99.0 % are asked for; culprit 98.6 %, and 99.0 % are asked for', 'more than those');
is(short(cells(20, { %right, bounds => 0 })), 'bounds 99.0 %, and 99.5 % are asked for', 'one of a hundred');
is(short(cells(288, {}, {})), 'irqoff 12 ms: 2 of 5 are wrong', 'what README.md shows, but of one kind');

done_testing;
