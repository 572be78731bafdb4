#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Load and unload during stalls, during writes to every parameter, and while CPUs go offline and online. The kernel log decides
# (scripts/vm/log-gate). The CPUs run in turn on an icount clock, on the KCSAN kernel at once. live/stress.t loads and unloads on
# CPUs that run at once, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

# found(SECTION, SECTIONS): how many of the stalls that were made on CPU 1 have a record in it
sub found {
	my ($name, @sections) = @_;
	my @long = grep { $_->{cpu} == 1 && $_->{kind} eq 'hard' && $_->{min_ns} > 50_000_000 } records($name, @sections);
	return scalar grep { $_->{cpu} == 1 && overlapping($_, @long) } stalls(@sections);
}

# each takes ten times as long on the debug kernel
my ($rounds, $loads) = on_debug_kernel() ? (12, 12) : (50, 40);
my @sections = guest_ok("$rounds rounds", "rounds=$rounds\n" . <<'SH', in_turn(), '--smp', 2, '--timeout', '600');
insmod stall.ko
# a sleeping CPU's beat may be paused when the module is unloaded; this one stays awake
taskset 2 spin &
i=0
while [ $i -lt $rounds ]; do
	insmod trace_irqoff.ko threshold_us=2000
	insist enable
	echo "irqoff $((i % 2)) 5000" > /proc/stall
	# not the reader, which reads all of the kernel's names first
	n=$(grep -c ' LATENCY: ' /proc/trace_irqoff) || true
	[ "$n" -ge 1 ] || { echo "round $i: no record"; exit 1; }
	rmmod trace_irqoff
	[ ! -e /proc/trace_irqoff ] || exit 1
	i=$((i + 1))
done
section rounds
echo $i
SH
is((grep { $_->[0] eq 'rounds' } @sections)[0][1], "$rounds\n", 'each round of load, enable, stall, unload has its record');

@sections = guest_ok('writers during load and unload', "loads=$loads\n" . <<'SH', in_turn(), '--smp', 2, '--timeout', '600');
insmod stall.ko
cd /sys/module
hammer() { # hammer PARAMETER VALUE...
	knob=$1
	shift
	while [ ! -e /stop ]; do
		for value; do
			echo $value > trace_irqoff/parameters/$knob
		done
	done 2> /dev/null
}
hammer enable 1 0 & hammer enable 0 1 & hammer threshold_us 20000 5000 & hammer period_us 500 1000 & hammer cpus all 1 default &
while [ ! -e /stop ]; do
	echo clear > /proc/trace_irqoff
	irqoff start
	irqoff stop
done > /dev/null 2>&1 &
i=0
while [ $i -lt $loads ]; do
	insmod /lib/trace_irqoff/trace_irqoff.ko || exit 1
	[ $((i % 4)) != 0 ] || cat /proc/trace_irqoff > /dev/null
	rmmod trace_irqoff || exit 1
	i=$((i + 1))
done
touch /stop
wait
sleep 1
insmod /lib/trace_irqoff/trace_irqoff.ko enable=1
stall irqoff 1 60000
section after
irqoff list --json
rmmod trace_irqoff
SH
is(found('after', @sections), 1, 'afterwards the module finds a stall');

@sections = guest_ok('CPUs off and on', <<'SH', in_turn(), '--smp', 3, '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=20000
cpu() { echo $2 > /sys/devices/system/cpu/cpu$1/online; }
stall irqoff 1 60000
stall irqoff 2 60000
cpu 1 0
section off
irqoff status --json
section kept
irqoff list --json
cpu 1 1
section on
irqoff status --json
stall irqoff 1 60000
section again
irqoff list --json
i=0
while [ $i -lt 10 ]; do
	cpu 2 0
	echo "bhoff 1 5000" > /proc/stall
	cpu 2 1
	i=$((i + 1))
done
cpu 1 0
echo 0 > /sys/module/trace_irqoff/parameters/enable
rmmod trace_irqoff
cpu 1 1
insmod trace_irqoff.ko enable=1 cpus=2
cpu 2 0
section offline
cat /sys/module/trace_irqoff/parameters/cpus
irqoff status --json
cpu 2 1
section returned
irqoff status --json
rmmod trace_irqoff
SH
my %status = map { ($_->[0] => JSON::PP::decode_json($_->[1] =~ s/^[^{]*//r)) }
	grep { $_->[0] =~ /^(off|on|offline|returned)$/ } @sections;
is($status{off}{watched}, '0,2', 'a CPU that went offline is not watched');
is(found('kept', @sections), 1, 'but its records are kept');
is($status{on}{watched}, '0-2', 'it is watched again when it comes back');
is(found('again', @sections), 2, 'its new stalls are found, and the old ones are kept');
is($status{offline}{watched}, '', 'an offline CPU may be named in cpus');
is($status{returned}{watched}, '2', 'and is watched when it returns');

done_testing;
