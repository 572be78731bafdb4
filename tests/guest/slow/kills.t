#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The agent's counters over 100 kills in a flood.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Tally;
use Test::More;
use VM;

plan(skip_all => 'watch.t follows the module on a debug kernel') if on_debug_kernel();
my @sections = guest_ok('kills', KILLS . <<'SH', '--icount', '--timeout', 1200);
insmod stall.ko
killed 100
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my ($produced, $stalls, $lost, $cleared) = survives_kills(\%got, 100);
diag("$stalls counted + $lost lost + $cleared cleared = $produced made");
done_testing();
