#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Rings that would take too much memory are refused before anything is allocated: nothing changes, and the kernel kills nobody.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

plan(skip_all => 'a debug kernel needs more memory to boot') if on_debug_kernel();

# A ring of 4096 records takes 13 MB, so those of 8 CPUs take half of the guest's memory.
my @options = ('--icount', '--smp', '8', '--mem', '192M', '--timeout', '600');
my $prelude = <<'SH';
log() { dmesg -c | grep 'trace_irqoff:\|Out of memory:\|oom-kill:\|Killed process' || true; }
tried() { # tried NAME COMMAND...: its output, status, what it added to the log, and what there is afterwards
	section $1
	shift
	dmesg -c > /dev/null
	fails "$@"
	log
	loaded
}
loaded() {
	grep '^trace_irqoff ' /proc/modules | cut -d ' ' -f 1
	cat /sys/module/trace_irqoff/parameters/enable 2> /dev/null || true
}
available() { section $1; awk '/MemAvailable/ { print $2 }' /proc/meminfo; }
# it would be the first to be killed
sleep 1000 &
echo 1000 > /proc/$!/oom_score_adj
bystander=$!
SH
my $rule = qr{the records would take over 1/4 of the available memory; name fewer cpus, or load with fewer ring_records$}m;
my $numbers = qr/^.*\] trace_irqoff: refused: 4096 records for each of [78] more CPUs take \d+ KiB; records have \d+ KiB already, and \d+ KiB are available$/m;
my $killed = qr/Out of memory:|oom-kill:|Killed process/;

my @sections = guest_ok('pressure', $prelude . <<'SH', @options);
available before
tried insmod insmod trace_irqoff.ko enable=1 cpus=all ring_records=4096
insmod trace_irqoff.ko cpus=all ring_records=4096
tried parameter sh -c 'echo 1 > /sys/module/trace_irqoff/parameters/enable'
tried netlink irqoff start
available after
tried fewer irqoff start cpus=0
tried more irqoff set cpus=all
section status
irqoff status --json
section bystander
kill -0 $bystander && echo lives
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
for my $way ('insmod', 'parameter', 'netlink', 'more') {
	like($got{$way}, qr/^status: [1-9]/m, "$way: refused");
	like($got{$way}, $numbers, "$way: the log has the numbers");
	unlike($got{$way}, $killed, "$way: the kernel kills nobody");
}
like($got{$_}, qr/Cannot allocate memory|Out of memory/i, "$_: ENOMEM") for 'insmod';
like($got{$_}, $rule, "$_: the log has the rule") for 'insmod', 'parameter';
like($got{$_}, $rule, "$_: the reader says the rule") for 'netlink', 'more';
unlike($got{insmod}, qr/^trace_irqoff$/m, 'insmod: it is not loaded');
like($got{$_}, qr/^trace_irqoff\n0$/m, "$_: it is not enabled") for 'parameter', 'netlink';
# the rings of 8 CPUs take 100 MB, one of them 13 MB
cmp_ok($got{before} - $got{after}, '<', 10_000, 'refusals leave the memory as it was');
like($got{fewer}, qr/^status: 0/m, 'fewer CPUs are allowed');
unlike($got{fewer}, $rule, '... at once');
my $status = JSON::PP::decode_json($got{status});
is("$status->{cpus_setting} $status->{watched}", '0 0', 'a refused change leaves the settings as they were');
is($got{bystander}, "lives\n", 'another process lives');

@sections = guest_ok('hotplug', $prelude . <<'SH', @options);
online() { for cpu in 1 2 3 4 5 6 7; do echo $1 > /sys/devices/system/cpu/cpu$cpu/online; done; }
online 0
insmod trace_irqoff.ko enable=1 cpus=all ring_records=4096
dmesg -c > /dev/null
online 1
section log
log
section online
cat /sys/devices/system/cpu/online
section status
irqoff status --json
section other
fails irqoff set threshold=20ms
section bystander
kill -0 $bystander && echo lives
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
is($got{online}, "0-7\n", 'hotplug: all CPUs come online');
my @refused = $got{log} =~ m{CPU (\d) is online and not watched: the records would take over 1/4}g;
cmp_ok(scalar @refused, '>=', 3, 'hotplug: most of them are refused a ring');
unlike($got{log}, $killed, 'hotplug: the kernel kills nobody');
my %refused = map { $_ => 1 } @refused;
my ($first, $last) = JSON::PP::decode_json($got{status})->{watched} =~ /^(\d)(?:-(\d))?$/;
is_deeply([ grep { !$refused{$_} } 0 .. 7 ], [ ($first // -1) .. ($last // $first // -1) ], 'hotplug: the others are watched');
is($got{other}, "status: 0\n", 'hotplug: what takes no memory can be set all the same');
is($got{bystander}, "lives\n", 'hotplug: another process lives');

done_testing;
