#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Each kernel detects the faults that its boot options or build are for, and scripts/vm/log-gate catches every report. A module
# makes the faults.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

# In this order: lockdep stops after its first report, and after one of KASAN.
my @reports = has_kmemleak() ? (
	[ inversion => qr/WARNING: possible circular locking dependency detected/ ],
	[ overrun => qr/BUG: KASAN: .*overrun.*\[harness_warn\]/ ],
	[ shift => qr/UBSAN: shift-out-of-bounds in .*harness_warn\.c/ ],
	[ sleep => qr/BUG: sleeping function called from invalid context at .*harness_warn\.c/ ],
) : on_debug_kernel() ? (
	[ race => qr/BUG: KCSAN: data-race in .*\[harness_warn\]/ ],
) : (
	# newer kernels say "Object corrupt"
	[ stale => qr/BUG kmalloc-64 .*(?:Poison overwritten|Object corrupt)/ ],
);
my @gate = map { qr/$_/ } grep { !/^#/ } split(/\n/, read_file("$FindBin::Bin/../../scripts/vm/log-gate"));
my $dir = tempdir(CLEANUP => 1);

my ($status) = guest(join('', map { "insmod harness_warn.ko fault=$_->[0] && rmmod harness_warn\n" } @reports), in_turn(), '--log', "$dir/log");
is($status, 125, 'the status reports a complaint');
my @log = split(/\n/, read_file("$dir/log"));
for (@reports) {
	my ($fault, $report) = @$_;
	my ($line) = grep { /$report/ } @log;
	like($line // '', $report, "$fault: the log holds that report");
	ok(scalar(grep { ($line // '') =~ $_ } @gate), "$fault: the gate matches that line");
}

done_testing;
