#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Who held interrupts off? The kernel's own irqsoff tracer (debug kernel) and the reader are asked about real code, in many sections
# of two live CPUs, which sample each other. What the host takes makes sections longer for both alike.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Test::More;
use Tracer;
use VM;

$ENV{TRACE_IRQOFF_KERNEL} //= DEBUG_KERNEL;

my @sections = guest_ok('real code', "insmod trace_irqoff.ko enable=1 ring_records=4096 threshold_us=2000 period_us=500 nmi_cpu_rate=100\n" .
	tracer_script(60, 1, 3000), '--timeout', 300);
tracer_judge(100, @sections);

done_testing;
