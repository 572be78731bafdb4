#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# An NMI that no handler knows stays unknown although CPUs are sampled by NMI. The module may claim one such NMI for each
# sample, because its own may still be on the way: within a second, or within 10 ms once the CPU has handled an interrupt
# (module/record/nmi_sample.c). Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

detectors_count();
my @two = ('--icount', '--smp', 2);
my $dir = tempdir(CLEANUP => 1);
my $start = <<'SH';
insmod stall.ko
insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1
taskset 1 sh -c 'while :; do :; done' &
SH
my @panics = (    # when, script; ours may be claimed once for each sample
	[ 'long after a sample', <<'SH' ],
stall irqoff 1 100000
sleep 1
section sent
sleep 1
echo "1 1 1000 unknown" > /sys/module/foreign_nmi/parameters/send
SH
	[ 'while samples are taken', <<'SH' ],
# the console's interrupt may be one of the CPU that is stuck
section sent
sleep 1
echo "irqoff 1 3000000" > /proc/stall &
sleep 2
echo "1 6 1000 unknown" > /sys/module/foreign_nmi/parameters/send
SH
);
for (@panics) {
	my ($when, $script) = @$_;
	my ($status, $output) = guest("$start$script\nsleep 5\nsection survived\n", '--timeout', '200', @two,
		'--append', 'unknown_nmi_panic=1', '--log', "$dir/log");
	is($status, 124, "$when: the guest panics");
	like($output, qr/^@@ sent$/m, '... after an unknown NMI was sent');
	unlike($output, qr/^@@ survived$/m, '... and nothing runs after it');
	like(eval { read_file("$dir/log") } // '', qr/Kernel panic - not syncing: NMI: Not continuing/, '... because of that NMI');
}

# Without the panic the kernel logs unknown NMIs, at most ten in 5 s. Both CPUs are busy: one requests samples, and the other
# one's beats show when it has handled an interrupt. A threshold of a minute stops the sampling.
my ($during, $looks, $burst) = (6, 4, 6);
my @sections = guest_ok('soon after a sample', "during=$during burst=$burst\n" . <<'SH', @two, '--allow-log', 'Uhhuh|Dazed and confused');
insmod stall.ko
insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1
knobs=/sys/module/trace_irqoff/parameters
send=/sys/module/foreign_nmi/parameters/send
unknown() { section unknown; dmesg | grep -c 'NMI received for unknown reason' || true; }
taskset -p 1 $$ > /dev/null
taskset 1 sh -c 'while :; do :; done' &
taskset 2 sh -c 'while :; do :; done' &
sleep 0.2
unknown
echo "irqoff 1 2000000" > /proc/stall &
stall=$!
sleep 0.5
echo "1 $during 20000 unknown" > $send
wait $stall
unknown
stall irqoff 1 100000
echo 60000000 > $knobs/threshold_us
sleep 0.2
echo "1 1 1000 unknown" > $send
unknown
# the kernel logs again
sleep 5
unknown
echo 10000 > $knobs/threshold_us
echo "irqoff 1 100000" > /proc/stall
echo "1 $burst 500 unknown" > $send
unknown
section status
irqoff status --json
SH
my ($before, $within, $after, $later, $at_once) = map { $_->[1] } grep { $_->[0] eq 'unknown' } @sections;
my ($samples) = map { $_->{samples} } grep { $_->{cpu} == 1 }
	map { @{ JSON::PP::decode_json($_->[1])->{cpus} } } grep { $_->[0] eq 'status' } @sections;
cmp_ok($samples // 0, '>=', 2, 'samples were taken');
cmp_ok(($within // 0) - ($before // 0), '>=', $during - $looks,
	"while a stall goes on: of $during NMIs at most one for each of $looks samples is claimed");
is(($after // 0) - ($within // 0), 1, 'when a stall is over: it stays unknown');
cmp_ok(($at_once // 0) - ($later // 0), '>=', $burst - 1, "as a stall ends: of $burst NMIs at most one is claimed");

done_testing;
