#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff watch with two CPUs: stalls that go on are shown in their midst, and a CPU that went and came is followed. The CPUs run in
# turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Follow;
use Test::More;
use VM;

plan(skip_all => 'no CPU of arm64 can sample another one') if on_arm64();

my @sections = guest_ok('two CPUs', FOLLOW . <<'SH', '--icount', '--smp', 2, '--timeout', 400);
# What runs here stays on CPU 0, as in open.t. A CPU that sleeps looks after nobody.
taskset -p 1 $$ > /dev/null
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=40000
workers=/sys/devices/virtual/workqueue/cpumask
for kind in bhoff irqoff; do
	section "open $kind"
	follow --open --cpu 1 --min 40ms
	# it reads the kernel's names for this one
	make_stall irqoff 1 60000
	asleep
	# The scheduler may put the worker for any CPU on the one that stalls. It has to, where that CPU has interrupts off. In a soft
	# stall that CPU is the one that tells, so there is a worker elsewhere.
	[ $kind != irqoff ] || echo 2 > $workers
	echo "$kind 1 5000000" > /proc/stall &
	stalled=$!
	sleep 0.5
	timeout 3 spin || :
	echo 'in its midst:'
	cat /tmp/lines
	wait $stalled
	echo 3 > $workers
	sleep 0.5
	echo 'at its end:'
	kill $pid
	ended
done

section hotplug
follow --min 200ms --cpu 1 -n 1
echo 0 > /sys/devices/system/cpu/cpu1/online
make_stall irqoff 0 40000
echo 1 > /sys/devices/system/cpu/cpu1/online
sleep 0.5
make_stall irqoff 1 300000
ended
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my $line = qr/\d\d:\d\d:\d\d\.\d{3} +\d:\d+ \S+/;

for my $kind (qw(bhoff irqoff)) {
	my ($midst, $end) = split(/^at its end:\n/m, $got{"open $kind"});
	like($midst, qr/^\S+ +1:open /m, "--open: $kind: shown in its midst");
	unlike($midst, qr/^$line +[45]\d{3}\.\d+ /m, '... before it has ended');
	like($end, qr/^$line +[45]\d{3}\.\d+ .*^status: 0\n\z/ms, '... and at its end');
}
like($got{hotplug}, qr/\AENDED.*\n\S+ +1:\d+ .*\nstatus: 0\n\z/, 'a CPU that went and came is followed');

done_testing;
