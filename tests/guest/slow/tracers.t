#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# perf, trace-cmd and bpftrace, as the distribution has them, show a stall beside what else they trace.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'the tracers are those of a stock kernel for this machine') if on_arm64() || on_debug_kernel();

my @sections = guest_ok('tracers', <<'SH', '--with', 'tracers', '--mem', '2G', '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1
section perf
perf record -q -a -e trace_irqoff:stall -e sched:sched_switch -o /tmp/perf -- sh -c 'echo bhoff 1 50000 > /proc/stall'
perf script -i /tmp/perf
section trace-cmd
trace-cmd record -q -e trace_irqoff -e irq -o /tmp/trace.dat sh -c 'echo bhoff 1 50000 > /proc/stall' > /tmp/log 2>&1 || cat /tmp/log
trace-cmd report -i /tmp/trace.dat
section snapshot
irqoff set threshold=50ms
trace-cmd set -p function_graph -g busy_work --max-graph-depth 1 -b 16384 -e trace_irqoff > /tmp/log 2>&1
trace-cmd snapshot -s
echo snapshot:1 > /sys/kernel/tracing/events/trace_irqoff/stall_open/trigger
echo traceoff:1 > /sys/kernel/tracing/events/trace_irqoff/stall/trigger
echo bhoff 1 200000 > /proc/stall
trace-cmd snapshot
section traced
trace-cmd show
echo '!snapshot:1' > /sys/kernel/tracing/events/trace_irqoff/stall_open/trigger
echo '!traceoff:1' > /sys/kernel/tracing/events/trace_irqoff/stall/trigger
trace-cmd reset
irqoff set threshold=10ms
section bpftrace
bpftrace -q -e 'BEGIN { printf("ready\n"); }
tracepoint:trace_irqoff:stall / args->class == 2 / {
	printf("%d %lu %lu %d %s %s\n", args->cpu, args->min_ns, args->max_ns, args->nframes, ksym(args->frames[0]), ksym(args->frames[1]));
	exit();
}' > /tmp/bpftrace 2>&1 &
until grep -q ready /tmp/bpftrace; do sleep 0.2; done
echo bhoff 1 50000 > /proc/stall
wait
cat /tmp/bpftrace
section unloaded
rmmod trace_irqoff
ls /sys/kernel/tracing/events | grep trace_irqoff || echo gone
SH
my %text = map { ($_->[0] => $_->[1]) } @sections;
like($text{perf}, qr/trace_irqoff:stall: cpu=1 .*class=softirq-off min_ns=(?:4[89]|5\d)\d{6} /, 'perf has the stall, with its class and bounds');
like($text{perf}, qr/sched:sched_switch/, '... beside other events');
like($text{'trace-cmd'}, qr/stall_open: +cpu=1 kind=soft.*stall: +cpu=1 .*class=softirq-off /s, 'trace-cmd has its sample and its end');
like($text{'trace-cmd'}, qr/softirq_entry/, '... beside other events');
like($text{snapshot}, qr/busy_work.* \{$/m, 'a snapshot has the function that took the time');
unlike($text{snapshot}, qr/^[^#].*\}/m, '... which had not returned');
like($text{traced}, qr/us +\| +(?:busy_work.*\(\);|\})/, 'the trace has its end');
my ($cpu, $min, $max, $n, @frames) = split(' ', $text{bpftrace} =~ s/^ready\n//r);
is("$cpu @frames", '1 busy_work stall_bhoff', 'bpftrace has its stack');
ok($min > 45_000_000 && $max < 80_000_000 && $n > 2, '... and its bounds') or diag($text{bpftrace});
is($text{unloaded}, "gone\n", 'the events go with the module');
done_testing;
