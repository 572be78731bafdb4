#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Two CPUs that run at once sample each other by NMI: while the kernel crashes, and while CPUs come and go, watching starts and stops,
# and the module is unloaded. (guest/sampled.t proves what the samples say.)
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'only x86 lets a module send NMIs') if on_arm64();

# A crash while CPUs are being sampled is still a crash. It ends the guest long before its time is up, on a slow machine too.
my $told;
my ($status, $output) = guest_heard(sub { $told = time if $_[0] =~ /^@@ crash$/ }, <<'SH', '--timeout', '300');
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=1000 period_us=100
taskset 1 sh -c 'while :; do echo irqoff 1 30000 > /proc/stall; done' &
sleep 1
section crash
sleep 1
echo c > /proc/sysrq-trigger
sleep 1000
section survived
SH
cmp_ok(time - ($told // 0), '<', 250, 'a crash: the guest ends by itself') or diag($output);
like($output, qr/^@@ crash$/m, '... after the script asked for it');
unlike($output, qr/^@@ survived$/m, '... and nothing runs after it');

# CPUs go offline and online, watching starts and stops, and the module is unloaded, all while CPUs are being sampled.
my @sections = guest_ok('comings and goings', <<'SH', '--timeout', '300');
echo 1 > /proc/sys/kernel/unknown_nmi_panic
insmod stall.ko
insmod trace_irqoff.ko
(while :; do echo irqoff 1 5000 > /proc/stall || true; done) 2> /dev/null &
stalls=$!
taskset 1 sh -c 'while :; do :; done' &
busy=$!
end=$(($(date +%s) + 40))
rounds=0
samples=0
# a debug kernel needs ten seconds for a round
while [ $samples -lt 20 ] || [ $rounds -lt 15 ] && [ "$(date +%s)" -lt $end ]; do
	rounds=$((rounds + 1))
	insist irqoff start threshold=500us period=100us cpus=all
	sleep 0.3
	echo 0 > /sys/devices/system/cpu/cpu1/online
	sleep 0.1
	echo 1 > /sys/devices/system/cpu/cpu1/online
	sleep 0.3
	irqoff stop
	insist irqoff start
	sleep 0.2
	samples=$((samples + $(irqoff status --json | awk '/"samples"/ { sum += $2 } END { print sum + 0 }')))
	rmmod trace_irqoff
	insmod trace_irqoff.ko
done
kill $stalls $busy
section samples
echo $samples
SH
my ($count) = map { $_->[1] } grep { $_->[0] eq 'samples' } @sections;
cmp_ok($count // 0, '>=', 20, 'samples were taken meanwhile');

done_testing;
