#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Where a CPU enters and leaves the kernel all the time, beats interrupt its first and last instructions, where there is no frame yet or
# none any more. The kernel's unwinder has nothing to complain of there, whichever one it is, and stacks are found. memcpy() is
# written in assembly and never has a frame; its caller is in the stack all the same, and is to blame. This runs on one icount CPU,
# where an interrupt comes at any instruction, not only where QEMU's blocks of code begin.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

plan(skip_all => 'a debug kernel cannot beat that fast') if on_debug_kernel();

# Each beat takes so long that the next one comes late, and ends a stall where it interrupts dd.
my @sections = guest_ok('frames', <<'SH', '--icount');
insmod stall.ko
insmod trace_irqoff.ko threshold_us=400 period_us=200
dd if=/dev/zero of=/dev/null bs=1 2> /dev/null &
enable
echo 1000 > /sys/module/stall/parameters/beat_us
sleep 2
echo 0 > /sys/module/trace_irqoff/parameters/enable
kill $!
section status
irqoff status --json
section records
irqoff list --json
SH
my ($status) = map { JSON::PP::decode_json($_->[1]) } grep { $_->[0] eq 'status' } @sections;
cmp_ok($status->{cpus}[0]{produced}, '>=', 1000, 'stacks were taken');
my @ends = grep { $_ && @$_ } map { $_->{end}{frames} } grep { $_->{end}{comm} eq 'dd' } records('records', @sections);
cmp_ok(scalar(grep { join(' ', @$_) =~ /do_syscall_64|el0_svc/ } @ends), '>=', 20, 'they lead to system calls');

@sections = guest_ok('copying', <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=1000 period_us=100
i=0
while [ $i -lt 10 ]; do echo "copying 0 $((9000 + i))" > /proc/stall; i=$((i + 1)); done
section records
irqoff list --json
SH
my @copying = grep { $_->{min_ns} > 8_000_000 } records('records', @sections);
is(join(' ', map { $_->{culprit} // 'nobody' } @copying), join(' ', ('stall_copying [stall]') x @copying), 'the culprit');
my @samples = map { $_->{frames} } map { @{ $_->{samples} } } @copying;
my @inside = grep { $_->[0] =~ /^_*mem/ } @samples;
cmp_ok(scalar @inside, '>=', 20, 'samples are taken in what copies');
is(join(', ', map { "$_->[0] < $_->[1]" } grep { $_->[1] !~ /^stall_copying\+/ } @inside), '', '... and have its caller');
done_testing;
