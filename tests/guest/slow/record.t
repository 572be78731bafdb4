#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff record, killed a hundred times in a flood.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Follow;
use Recorder;
use Test::More;
use VM;

my @sections = guest_ok('killed', FOLLOW . RECORDER . <<'SH', '--icount', '--timeout', 1800);
insmod stall.ko
insmod trace_irqoff.ko ring_records=1024
killed_often 100
section killed size
wc -c < /tmp/killed.irqoff
SH
killed_right(@sections);
my ($size) = map { $_->[1] =~ /(\d+)/ } grep { $_->[0] eq 'killed size' } @sections;
note("the capture has $size bytes");
done_testing();
