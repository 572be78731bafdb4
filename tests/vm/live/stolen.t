#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A virtual CPU that its host stops for a while is called stolen, whatever it was in the midst of, also in short sections
# with interrupts off; nobody is blamed for it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Thief;

my $count = 20;
my ($trouble, $fair, $list, @long) = stolen_run($count, 60);
is($trouble, '', 'a virtual CPU was stopped');
my %classes;
$classes{ $_->{class} }++ for @long;
note("$_: $classes{$_}") for sort keys %classes;
cmp_ok($fair, '>=', $count / 2, "the host spoilt half of them at most ($fair of $count are left)");
cmp_ok($classes{stolen} // 0, '>=', 0.8 * $fair, 'nearly all are called stolen');
# Stopped while it holds the lock of all devices, a thread of QEMU takes the other CPU along, and nobody can look.
is(scalar(grep { $_->{culprit} && $_->{evidence} eq 'sample' } @long), 0, 'nobody is blamed by a sample') or diag($list);
my $blamed = grep { $_->{culprit} } @long;
cmp_ok($blamed, '<=', 0.1 * $count, "and hardly ever by a stall's end ($blamed)") or diag($list);

done_testing;
