#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Everything at once: stalls of every kind, CPUs going offline and online, settings changed, records cleared and read, watching
# stopped and started, other modules loaded and unloaded. The module itself is reloaded every few seconds. The log holds no
# complaint (scripts/vm/log-gate), nothing is left behind, no record is torn, every loss is counted, and no NMI is unknown.
#
# Environment: STRESS_SECONDS (60) and STRESS_CPUS (8, on a debug kernel 4).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Records;
use VM;

my $seconds = $ENV{STRESS_SECONDS} // 60;
my $cpus = $ENV{STRESS_CPUS} // (on_debug_kernel() ? 4 : 8);

# on a busy host a beat takes 50 us and more here: one every 50 us would leave no time for anything else
my $slow = has_kmemleak() ? 10 : 1;

# at least so many loads and kinds of stall, however long that takes
my $often = 1 + int($seconds / (on_debug_kernel() ? 150 : 45));
my $various = $seconds < 300 ? 10 : 19;

my @options = ('--smp', $cpus, '--mem', '2G', '--timeout', $seconds * 2 + 400, with_leaks('unknown_nmi_panic=1'));
my @sections = guest_ok("$seconds s on $cpus CPUs", <<SH . <<'SH', @options);
cpus=$cpus seconds=$seconds slow=$slow often=$often various=$various
SH
knobs=/sys/module/trace_irqoff/parameters
set +e
# again NAME COMMAND...: runs COMMAND until the end, and keeps the number of successes
again() {
	name=$1 n=0
	shift
	seed=$(od -An -N4 -tu4 /dev/urandom)
	while [ ! -e /stop ]; do
		"$@" > /dev/null 2>&1 && n=$((n + 1))
	done
	echo "$name $n" > /count.$name
}
# draw NAME BELOW: sets the variable to a random number (dash has no RANDOM; this is ANSI C's generator)
draw() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	eval "$1=$(((seed >> 8) % $2))"
}
# one_of NAME WORD...: sets the variable to one of the words
one_of() {
	one=$1
	shift
	draw which $#
	shift $which
	eval "$one=$1"
}
kind() {
	one_of kind irqoff irqlock irqipi irqwork hrtimer bhoff tasklet timer idletimer idlehrtimer idlewake idlepoll hog \
		nested storm netrx preempt convoy ipiwait
	draw cpu $cpus
	draw length 20000
	sleep 0.05
	echo "$kind $cpu $((length + 200))" > /proc/stall && echo "$kind" >> /kinds
}
here() {
	one_of kind irqoff bhoff
	draw length 8000
	sleep 0.05
	echo "$kind $length" > /sys/module/stall/parameters/here
}
hotplug() {
	draw cpu $((cpus - 1))
	cpu=$((cpu + 1))
	echo 0 > /sys/devices/system/cpu/cpu$cpu/online && echo $cpu >> /gone
	sleep 0.1
	echo 1 > /sys/devices/system/cpu/cpu$cpu/online
}
settings() {
	draw threshold $((10000 / slow))
	draw period 150
	one_of these all default 1 0-2
	sleep 0.2
	irqoff set threshold=$(((threshold + 400) * slow))us period=$(((period + 50) * slow))us cpus=$these
}
parameters() {
	draw threshold 10000
	sleep 0.3
	echo $((threshold + 1000)) > $knobs/threshold_us && echo 500 > $knobs/period_us
}
enabling() {
	sleep 0.5
	irqoff stop && insist irqoff start
}
clearing() {
	sleep 4
	irqoff clear && echo clear > /proc/trace_irqoff
}
modules() {
	insmod foreign_nmi.ko && rmmod foreign_nmi || return
	# our own kernels do not have this module
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
# the load leaves ordinary tasks too little CPU time for this to finish
chrt --fifo --pid 50 $$
loads=0
end=$(($(date +%s) + seconds))
while insmod trace_irqoff.ko enable=1 ring_records=16 || exit 1; do
	loads=$((loads + 1))
	sleep 4
	section status
	irqoff status --json
	section list
	packed irqoff list --json
	[ "$(date +%s)" -lt $end ] || [ $loads -lt $often ] || [ $(sort -u /kinds | wc -l) -lt $various ] || break
	unload
done
touch /stop
wait
insist irqoff start threshold=1ms period=500us cpus=all
i=0
while [ $i -lt $((20 * cpus)) ]; do
	echo "irqoff $((i % cpus)) 3000" > /proc/stall
	i=$((i + 1))
done
irqoff stop
section counted
irqoff status --json
section kept
packed irqoff list --json
unload
section counts
cat /count.*
echo "load $loads"
section kinds
sort /kinds | uniq -c
section gone
sort -u /gone
# Rings of this size come from vmalloc, so a leaked one stays mapped.
insmod trace_irqoff.ko enable=1 ring_records=2048
section at the end
irqoff status --json
unload
rmmod stall || exit 1
leaks leaks
mapped mapped
insmod harness_warn.ko fault=leak && rmmod harness_warn
mapped control
SH

my %got = map { ($_->[0] => $_->[1]) } @sections;
my $n = 0;
my ($produced, %records) = (0);
for my $section (@sections) {
	if ($section->[0] eq 'status') {
		my @cpus = @{ JSON::PP::decode_json($section->[1])->{cpus} };
		adds_up('load ' . ++$n, @cpus);
		$produced += $_->{produced} for @cpus;
	} elsif ($section->[0] eq 'list') {
		my @records = @{ JSON::PP::decode_json($section->[1])->{records} };
		whole("load $n", @records);
		$records{ $_->{kind} }++ for @records;
	}
}
accounted('in the end', $got{counted}, $got{kept});
cmp_ok($produced, '>', $seconds, "records were produced: $produced");
cmp_ok($records{$_} // 0, '>', 0, "$_ records were kept: " . ($records{$_} // 0)) for qw(hard soft);
my %counts = ($got{counts} // '') =~ /^(\w+) (\d+)$/mg;
for my $what (qw(kind here here2 hotplug settings parameters enabling clearing modules proc bytes list report load)) {
	cmp_ok($counts{$what} // 0, '>', 0, "$what: " . ($counts{$what} // 0) . ' times');
}
cmp_ok($counts{load} // 0, '>=', $often, "loaded and unloaded $often times at least");
my %kinds = reverse(($got{kinds} // '') =~ /^ *(\d+) (\w+)$/mg);
cmp_ok(scalar(keys %kinds), '>=', $various, 'kinds of stall: ' . join(', ', map { "$_ $kinds{$_}" } sort keys %kinds));
cmp_ok(scalar(() = ($got{gone} // '') =~ /^\d+$/mg), '>=', 2, 'several CPUs went and came back');
my $status = JSON::PP::decode_json($got{'at the end'} // '{}');
is($status->{watched} // '', '0-' . ($cpus - 1), 'at the end all CPUs are watched');
is($got{leaks}, '', 'nothing is leaked') if has_kmemleak();
is($got{mapped}, '', 'nothing of the module is mapped');
like($got{control}, qr/^0x/, 'a deliberate leak is found');

done_testing;
