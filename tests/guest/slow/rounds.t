#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Load, enable and unload, ten thousand times: nothing in the log, nothing left behind, no memory lost. --in-turn, because each
# round patches some dozen tracepoints, and QEMU's parallel CPUs sometimes miss a patch.
#
# Environment: ROUNDS (10000).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

my $rounds = $ENV{ROUNDS} // 10_000;
my @sections = guest_ok("$rounds rounds", <<SH . <<'SH', '--in-turn', '--timeout', 600 + $rounds);
rounds=$rounds
SH
memory() {
	echo 3 > /proc/sys/vm/drop_caches
	section $1
	awk '/^(MemFree|Slab):/ { print $1, $2 }' /proc/meminfo
}
i=0
while [ $i -lt $rounds ]; do
	[ $i != $((rounds / 10)) ] || memory before
	insmod trace_irqoff.ko
	insist enable
	rmmod trace_irqoff
	i=$((i + 1))
done
memory after
# A ring of this size comes from vmalloc, so a leaked one stays mapped.
insmod trace_irqoff.ko enable=1 ring_records=2048
rmmod trace_irqoff
mapped mapped
insmod harness_warn.ko fault=leak
rmmod harness_warn
mapped control
section rounds
echo $i
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
is($got{rounds}, "$rounds\n", 'all rounds were made');
my %before = ($got{before} // '') =~ /^(\w+): (\d+)$/mg;
my %after = ($got{after} // '') =~ /^(\w+): (\d+)$/mg;
# a page a round would be 36 MB
my $gone = ($before{MemFree} // 0) - ($after{MemFree} // -1e9);
cmp_ok($gone, '<', 8000, "no memory is lost: $gone kB less is free than after a tenth of the rounds");
cmp_ok(($after{Slab} // 1e9) - ($before{Slab} // 0), '<', 4000, 'no memory is lost in slabs');
is($got{mapped}, '', 'nothing of the module is mapped');
like($got{control}, qr/^0x/, 'a deliberate leak is found');

done_testing;
