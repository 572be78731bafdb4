#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Bad requests and writes are refused and change nothing. Unprivileged users get nothing, and who may not see addresses gets
# none. On the debug kernel nothing is leaked by them. The input is the same each time: the seeds are below. No time is judged, so
# CPUs run at once: on an icount clock this takes three times as long.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

# random requests besides some 7000 with each attribute in each shape (a quarter of them where all are refused), and random writes besides the usual wrong ones
my ($requests, $writes) = on_debug_kernel() ? (500, 150) : (5000, 1000);

my @sections = guest_ok('fuzz', "requests=$requests writes=$writes\n" . <<'SH', '--timeout', '600', with_leaks());
user='setpriv --reuid 1000 --regid 1000 --clear-groups'
container='unshare --user --map-root-user'
insmod stall.ko
# each of thousands of dumps has all records
insmod trace_irqoff.ko ring_records=16
insist irqoff start
stall irqoff 0 40000
stall bhoff 1 60000
irqoff stop
settings() {
	section settings
	grep . /sys/module/trace_irqoff/parameters/*
}
settings
section before
irqoff list --json
dmesg -c > /dev/null
section user requests
fails $user fuzz_netlink 1 $requests 1 | tee /tmp/user
family=$(sed -n 's/^family \([0-9]*\),.*/\1/p' /tmp/user)
section container requests
fails $container fuzz_netlink 2 $requests 1
# the family is in the initial network namespace only: ENOENT
section container elsewhere requests
fails $container --net fuzz_netlink 3 $requests 2 $family
section root elsewhere requests
fails unshare --net fuzz_netlink 4 $requests 2 $family
section user container requests
[ ! -e /proc/sys/kernel/unprivileged_userns_clone ] || echo 1 > /proc/sys/kernel/unprivileged_userns_clone
fails $user $container fuzz_netlink 9 $requests 1
section user writes
fails $user fuzz_files 5 $writes nobody
section container writes
fails $container fuzz_files 6 $writes nobody
section user container writes
fails $user $container fuzz_files 10 $writes nobody
for who in "$user" "$container"; do
	for what in report list 'list -v' 'list --json' hist status clear 'set enable=1'; do
		section tool
		fails $who irqoff $what
	done
	section tool
	fails $who sh -c 'cat /proc/trace_irqoff /sys/module/trace_irqoff/sections/.text'
done
section log
dmesg | grep trace_irqoff: || true
section denied
irqoff list --json
settings
section root writes
fails fuzz_files 7 $writes
irqoff stop
irqoff set threshold=10ms period=1ms cpus=default nmi=auto nmi_cpu_rate=8 nmi_rate=64 guard=auto max_cost_ppm=0
settings
# requests are answered while records arrive and are read
insist irqoff start
stall irqoff 0 40000
while :; do echo "irqoff 1 12000" > /proc/stall; sleep 0.2; done &
stalls=$!
section root requests
fails fuzz_netlink 8 $requests
section blind requests
fails setpriv --bounding-set -syslog fuzz_netlink 11 $requests
kill $stalls
wait
insist irqoff start threshold=10ms period=1ms cpus=all
irqoff clear
stall irqoff 0 40000
section works
irqoff list --json
rmmod trace_irqoff
# the kernel drops a module whose parameter is refused without calling it again
! insmod trace_irqoff.ko threshold_us=20000 ring_records=1 2> /dev/null
leaks leaks
insmod harness_warn.ko fault=leak
leaks control
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @settings = map { $_->[1] } grep { $_->[0] eq 'settings' } @sections;

for (grep { /requests$/ } sort keys %got) {
	my $addresses = $_ eq 'root requests' ? qr/[1-9]\d*/ : 0;
	like($got{$_}, qr/^family \d+, seed \d+: \d+ requests, [1-9]\d* of them wrong, [1-9]\d* refused, $addresses addresses, 0 faults\nstatus: 0\n\z/,
		"$_: each was answered as it should be");
	diag("$_: $got{$_}" =~ s/\nstatus.*//sr);
}
for (grep { /writes$/ } sort keys %got) {
	like($got{$_}, qr/^seed \d+: \d+ writes, [1-9]\d* refused, (?:[1-9]\d*) reads in pieces, 0 faults\nstatus: 0\n\z/,
		"$_: each was accepted or refused as it should be");
	diag("$_: $got{$_}" =~ s/\nstatus.*//sr);
}
my @tools = map { $_->[1] } grep { $_->[0] eq 'tool' } @sections;
is(scalar @tools, 18, 'unprivileged users tried the reader and the files');
like($_, qr/status: [1-9]\d*\n\z/, 'an unprivileged attempt fails') for @tools;
unlike($_->[1], qr/ffff[0-9a-f]{12}/, "$_->[0]: no address") for grep { $_->[0] =~ /^(?:user|container|tool|root elsewhere)/ } @sections;
is($got{log}, '', 'unprivileged users cannot write to the log');

# the wall clock moves
s/"(?:time|end_realtime_ns)": .*//g for @got{qw(before denied)};
cmp_ok(scalar(records('before', @sections)), '>=', 2, 'there were records');
ok($got{denied} eq $got{before}, 'the records are unchanged');
is_deeply([ @settings[ 1, 2 ] ], [ @settings[ 0, 0 ] ], 'the settings are unchanged');
my ($last) = reverse(stalls(@sections));
cmp_ok(scalar(grep { $_->{cpu} == 0 && $_->{kind} eq 'hard' && $_->{max_ns} >= $last->{inner_ns} }
	overlapping($last, records('works', @sections))), '>=', 1, 'the module still finds a stall');

if (has_kmemleak()) {
	is($got{leaks}, '', 'kmemleak finds nothing');
	like($got{control}, qr/comm "insmod".*do_one_initcall/s, 'kmemleak finds a deliberate leak');
}

done_testing;
