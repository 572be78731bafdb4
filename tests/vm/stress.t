#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# All at once: stalls of every kind, CPUs off and on, settings changed, records cleared and read, watching stopped and
# started, other modules loading and unloading; and every 15 s or so the module goes and comes back. Nothing in the log
# (scripts/vm/log-gate), nothing left behind, no record torn, every loss counted.
#
# Environment: STRESS_SECONDS (60) and STRESS_CPUS (8, on a debug kernel 4).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use Records;
use VM;

my $seconds = $ENV{STRESS_SECONDS} // 60;
my $cpus = $ENV{STRESS_CPUS} // (on_debug_kernel() ? 4 : 8);
my $leaks = ($ENV{TRACE_IRQOFF_KERNEL} // '') eq DEBUG_KERNEL ? <<'SH' : '';
sleep 6		# younger objects are not looked at
echo scan > /sys/kernel/debug/kmemleak
echo scan > /sys/kernel/debug/kmemleak
section leaks
cat /sys/kernel/debug/kmemleak
SH

my @sections = guest_ok("$seconds s on $cpus CPUs", <<SH . <<'SH' . $leaks, '--smp', $cpus, '--mem', '2G', '--timeout', $seconds * 2 + 400);
cpus=$cpus seconds=$seconds
SH
knobs=/sys/module/trace_irqoff/parameters
set +e
# again NAME COMMAND...: until all is over; how often it went well is kept
again() {
	name=$1 n=0
	shift
	while [ ! -e /stop ]; do
		"$@" > /dev/null 2>&1 && n=$((n + 1))
	done
	echo "$name $n" > /count.$name
}
one_of() {
	shift $((RANDOM % $#))
	echo "$1"
}
kind() {
	sleep 0.05
	echo "$(one_of irqoff irqlock irqipi irqwork hrtimer bhoff tasklet timer idletimer idlehrtimer idlewake idlepoll hog \
		nested storm netrx preempt convoy ipiwait) $((RANDOM % cpus)) $((RANDOM % 20000 + 200))" > /proc/stall
}
here() {
	sleep 0.05
	echo "$(one_of irqoff bhoff) $((RANDOM % 8000))" > /sys/module/stall/parameters/here
}
hotplug() {
	cpu=/sys/devices/system/cpu/cpu$((RANDOM % (cpus - 1) + 1))/online
	echo 0 > $cpu
	sleep 0.1
	echo 1 > $cpu
}
settings() {
	sleep 0.2
	irqoff set threshold=$((RANDOM % 10000 + 400))us period=$((RANDOM % 150 + 50))us cpus=$(one_of all default 1 0-2)
}
parameters() {
	sleep 0.3
	echo $((RANDOM % 10000 + 1000)) > $knobs/threshold_us && echo 500 > $knobs/period_us
}
enabling() {
	sleep 0.5
	irqoff stop && irqoff start
}
clearing() {
	sleep 1
	irqoff clear && echo clear > /proc/trace_irqoff
}
modules() {
	insmod foreign_nmi.ko && rmmod foreign_nmi || return
	# which a kernel of our own has not
	modprobe ip_vs && rmmod ip_vs
	return 0
}
unload() {
	tries=0
	until rmmod trace_irqoff 2> /dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { echo "cannot be unloaded"; exit 1; }
		sleep 0.1
	done
	! grep trace_irqoff /proc/vmallocinfo || exit 1
}
insmod stall.ko
again kind kind &
again here here &
again here2 here &
again hotplug hotplug &
again settings settings &
again parameters parameters &
again enabling enabling &
again clearing clearing &
again modules modules &
again proc cat /proc/trace_irqoff &
again bytes dd if=/proc/trace_irqoff bs=131 of=/dev/null &
again list irqoff list --json &
again report irqoff report &
loads=0
end=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt $end ]; do
	insmod trace_irqoff.ko enable=1 ring_records=16 || exit 1
	loads=$((loads + 1))
	sleep 15
	section status
	irqoff status --json
	section list
	irqoff list --json
	unload
done
touch /stop
wait
section counts
cat /count.*
echo "load $loads"
insmod trace_irqoff.ko enable=1
section at the end
irqoff status --json
unload
rmmod stall || exit 1
SH

my %got = map { ($_->[0] => $_->[1]) } @sections;
my $n = 0;
my $records = 0;
for my $section (@sections) {
	if ($section->[0] eq 'status') {
		adds_up('load ' . ++$n, @{ JSON::PP::decode_json($section->[1])->{cpus} });
	} elsif ($section->[0] eq 'list') {
		my @records = @{ JSON::PP::decode_json($section->[1])->{records} };
		whole("load $n", @records);
		$records += @records;
	}
}
cmp_ok($records, '>', 0, "records were kept: $records");
my %counts = ($got{counts} // '') =~ /^(\w+) (\d+)$/mg;
for my $what (qw(kind here here2 hotplug settings parameters enabling clearing modules proc bytes list report load)) {
	cmp_ok($counts{$what} // 0, '>', 0, "$what: " . ($counts{$what} // 0) . ' times');
}
my $status = JSON::PP::decode_json($got{'at the end'} // '{}');
is($status->{watched} // '', '0-' . ($cpus - 1), 'at the end all CPUs are watched');
is($got{leaks} // '', '', 'nothing is leaked');

done_testing;
