#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A machine of 64 CPUs: load, enable, a stall on the last one, read, unload; and what that takes in time and memory a CPU.
# (Its CPUs share the host's two or so: a stall lasts long here, and long is all that is asked of its record.)
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
echo 1 > /sys/module/trace_irqoff/parameters/enable
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
mapped mapped
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my ($free, $start, $loaded, $enabled, $left) = split(' ', $got{times} // '');
my ($unload, $unloaded, $back) = split(' ', $got{unload} // '');
is(JSON::PP::decode_json($got{status} // '{}')->{watched}, '0-' . ($cpus - 1), 'all are watched');
my ($stall) = stalls(@sections);
my @found = grep { $_->{kind} eq 'hard' && $_->{min_ns} > 1_000_000_000 } overlapping($stall, records('records', @sections));
is(scalar @found, 1, 'the stall of the last CPU is found') or diag($got{records});
like($got{proc} // '', qr/^ cpu: 63$/m, '/proc tells of it too');
is($got{mapped}, '', 'nothing of the module is mapped');
cmp_ok($free - $back, '<', ($free - $left) / 4, 'memory is given back: of ' . ($free - $left) . ' kB all but ' . ($free - $back));
my $each = ($free - $left) / $cpus;
cmp_ok($each, '<', 400, sprintf('memory a CPU: %.0f kB', $each));
diag(sprintf('%d CPUs: load %.2f s, enable %.2f s, unload %.2f s, %.0f kB a CPU', $cpus, $loaded - $start,
	$enabled - $loaded, $unloaded - $unload, $each));

done_testing;
