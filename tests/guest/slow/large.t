#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A machine of 64 CPUs: load, enable, a stall on the last one, read and unload, with the time and the memory a CPU that these
# take. (All CPUs share about two of the host, so a stall lasts long; the test only asks for a long record.)
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

my $cpus = 64;
my @sections = guest_ok("$cpus CPUs", <<'SH', '--smp', $cpus, '--mem', '4G', '--timeout', '900');
now() { read -r up idle < /proc/uptime; echo $up; }
free() { awk '/^MemFree:/ { print $2 }' /proc/meminfo; }
insmod stall.ko
section times
free
now
insmod trace_irqoff.ko threshold_us=500000
now
insist enable
now
free
section status
irqoff status --json
stall irqoff 63 2000000
section records
irqoff list --cpu 63 --json
section proc
cat /proc/trace_irqoff
section unload
now
rmmod trace_irqoff
now
free
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my ($free, $start, $loaded, $enabled, $left) = split(' ', $got{times} // '');
my ($unload, $unloaded, $back) = split(' ', $got{unload} // '');
is(JSON::PP::decode_json($got{status} // '{}')->{watched}, '0-' . ($cpus - 1), 'all are watched');
my ($stall) = stalls(@sections);
my @found = grep { $_->{kind} eq 'hard' && $_->{min_ns} > 1_000_000_000 } overlapping($stall, records('records', @sections));
is(scalar @found, 1, 'the stall of the last CPU is found') or diag($got{records});
like($got{proc} // '', qr/^ cpu: 63$/m, '/proc shows it too');
cmp_ok($free - $back, '<', ($free - $left) / 4, 'memory is given back: of ' . ($free - $left) . ' kB all but ' . ($free - $back));
# A ring of 64 records is 205 KiB, which takes 256 of the page allocator's; measured in all: 266.
my $each = ($free - $left) / $cpus;
cmp_ok($each, '<', 400, sprintf('memory a CPU: %.0f kB', $each));
# Measured with 64 CPUs on two: 0.05, 0.3 and 0.4 s. The limits leave room for a busy host. They are far below what a wait of
# 0.1 s for each CPU in turn, or work for each pair of CPUs, would take.
my $slow = on_debug_kernel() ? 4 : 1;
for (['load', $loaded - $start, 1], ['enable', $enabled - $loaded, 4], ['unload', $unloaded - $unload, 5]) {
	my ($what, $took, $limit) = @$_;
	cmp_ok($took, '<', $limit * $slow, sprintf('%s: %.2f s', $what, $took));
}

done_testing;
