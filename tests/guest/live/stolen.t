#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A stall of a virtual CPU that its host stopped for a while is classed as stolen, whatever the CPU was doing, even in short
# sections with interrupts off. Nobody is blamed for it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Thief;
use VM;

my $count = 20;
my ($trouble, $fair, $list, @long) = stolen_run($count, 60);
is($trouble, '', 'a virtual CPU was stopped');
my %classes;
$classes{ $_->{class} }++ for @long;
note("$_: $classes{$_}") for sort keys %classes;
my @unseen = grep { $_->{unseen} } @long;
note('no other CPU ran either: ' . @unseen . " of $count");
$fair -= @unseen;
half_left("$fair of $count are left", $fair, $count);
cmp_ok($classes{stolen} // 0, '>=', 0.8 * $fair, 'nearly all are called stolen');
is(scalar(grep { $_->{culprit} && $_->{evidence} eq 'sample' } @long), 0, 'nobody is blamed by a sample') or diag($list);
is(scalar(grep { $_->{culprit} && !$_->{unseen} } @long), 0, 'nobody is blamed by the end of a stall that another CPU could sample')
	or diag($list);

done_testing;
