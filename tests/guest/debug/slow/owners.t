#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Who held interrupts off? The kernel's own irqsoff tracer (debug kernel) and the reader are asked about real code, in very many
# sections. This runs on one icount CPU, where the host cannot lengthen sections that are short.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Test::More;
use Tracer;
use VM;

$ENV{TRACE_IRQOFF_KERNEL} //= DEBUG_KERNEL;

my @sections = guest_ok('real code', "insmod trace_irqoff.ko enable=1 ring_records=4096 threshold_us=800 period_us=200\n" .
	tracer_script(6, 1000), '--icount', '--timeout', 900);
tracer_judge(90, @sections);

done_testing;
