#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A record says what happened to packets for its CPU during the stall: whether some waited, and how many were dropped according
# to /proc/net/softnet_stat. CPU 0 sends to CPU 1 by receive packet steering on the loopback device. It sends only while CPU 1
# is stalled, because so short a backlog drops packets without a stall as well. Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

detectors_count();
my @sections = guest_ok('packets for a stalled CPU', <<'SH', '--icount', '--smp', 2);
ip link set lo up
echo 2 > /sys/class/net/lo/queues/rx-0/rps_cpus
echo 10 > /proc/sys/net/core/netdev_max_backlog
# CPU 1's counters of processed and dropped packets: the first two columns of its line
softnet() { section "$1"; sed -n '2s/ /\n/gp' /proc/net/softnet_stat | head -n 2 | while read -r n; do echo $((0x$n)); done; }
stalled() { # is CPU 1? Uses only the shell, since a debug kernel waits for all CPUs when a program ends
	cpu=
	while IFS= read -r line; do
		case $line in
		' cpu: '*) cpu=${line#*: } ;;
		*' open: '*) [ "$cpu" != 1 ] || return 0 ;;
		esac
	done < /proc/trace_irqoff
	return 1
}
taskset -p 1 $$ > /dev/null
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=20000
packets 5
for kind in bhoff irqoff bhoff irqoff; do
	sleep 1
	softnet before
	echo "$kind 1 600000" > /proc/stall &
	until stalled; do :; done
	packets 100
	in_time=no
	! stalled || in_time=yes
	wait $!
	section stall
	cat /proc/stall
	softnet after
	section in time
	echo $in_time
done
sleep 1
stall bhoff 1 50000
section records
irqoff list --json
section list
irqoff list -v
section report
irqoff report -v
section proc
cat /proc/trace_irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @stalls = stalls(@sections);
my $quiet = pop(@stalls);
my ($before, $after, $in_time) = map { my $name = $_; [ map { $_->[1] } grep { $_->[0] eq $name } @sections ] } 'before', 'after', 'in time';
my %late = (bhoff => 0, irqoff => 0);
for my $i (0 .. $#stalls) {
	my $stall = $stalls[$i];
	my $kind = $stall->{kind};
	if ($in_time->[$i] ne "yes\n") {
		$late{$kind}++;
		next;
	}
	my $next = $stalls[ $i + 1 ] // $quiet;
	my ($record) = grep { $_->{min_ns} > 400_000_000 } overlapping($stall, records('records', @sections));
	# stalls by so many packets have counts of their own
	my @records = grep { $_->{cpu} == 1 && $_->{end_ns} > $stall->{from_ns} && $_->{end_ns} < $next->{from_ns} }
		records('records', @sections);
	my $told = 0;
	$told += $_->{net}{dropped} for @records;
	my $dropped = (split(/\n/, $after->[$i]))[1] - (split(/\n/, $before->[$i]))[1];
	cmp_ok($dropped, '>=', 50, "$kind: packets were dropped");
	is($told, $dropped, "$kind: the records count as many") or diag($got{list});
	# a CPU that takes no interrupts cannot be told of packets
	ok($record->{net}{waited} // '', "$kind: other packets waited") if $kind eq 'bhoff';
}
# the kernel itself waits for all CPUs now and then (stuck.t)
cmp_ok($late{$_}, '<=', 1, "$_: the packets came during a stall") for sort keys %late;
my ($record) = grep { $_->{min_ns} > 40_000_000 } overlapping($quiet, records('records', @sections));
is($record->{net}{dropped}, 0, 'no packet was dropped in a stall without packets') or diag($got{list});
ok(!$record->{net}{waited}, 'no packet waited in that stall');
like($got{report}, qr/packets waited/, 'the report counts packets that waited') or diag($got{report});
done_testing;
