#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Ten minutes with one busy CPU of 2, 4 and 16, at the default settings: the others sleep. guard.t counts for less long.
#
# Environment: GUARD_SECONDS (600), GUARD_CPUS ("2 4 16").
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Sleepers;
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own') if on_debug_kernel();

for my $cpus (split(' ', $ENV{GUARD_CPUS} // '2 4 16')) {
	sleep_on($cpus, $ENV{GUARD_SECONDS} // 600);
}

done_testing;
