#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Where CPUs enter and leave the kernel all the time, beats interrupt its first and last instructions, where there is no frame yet or
# none any more. The kernel's unwinder has nothing to complain of there, whichever one it is, and stacks are found.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

plan(skip_all => 'a debug kernel cannot beat that fast') if on_debug_kernel();

my @sections = guest_ok('frames', <<'SH');
insmod trace_irqoff.ko enable=1 threshold_us=100 period_us=50 max_cost_ppm=0
for mask in 1 2; do
	timeout 10 taskset $mask dd if=/dev/zero of=/dev/null bs=1 2> /dev/null &
done
wait
section records
irqoff list --json
SH
my @ends = grep { $_ } map { $_->{end}{frames} } records('records', @sections);
cmp_ok(scalar(grep { join(' ', @$_) =~ /do_syscall_64|el0_svc/ } @ends), '>', 0, 'stacks lead to system calls');
done_testing;
