#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Stalls of kernel code that nobody here wrote: who holds softirqs off is named, not what it calls. The demo has two more, of ip_vs
# and of memory cgroups.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use List::Util qw(max);
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has no IPv6') if on_debug_kernel();

# A device with very many IPv6 routes is taken down. __fib6_clean_all() (net/ipv6/ip6_fib.c) walks a table under its lock, with
# bottom halves off, and drops the routes one by one.
my @sections = guest_ok('routes', <<'SH', '--timeout', '400');
modprobe dummy
ip link set dummy0 up
echo 200000 > /proc/sys/net/ipv6/route/max_size
routes dummy0 30000
insmod trace_irqoff.ko enable=1 threshold_us=2000 period_us=200
sleep 1
irqoff clear
ip link set dummy0 down
sleep 1
section records
irqoff list --json --class softirq-off
section list
irqoff list -v --class softirq-off
SH
my @records = records('records', @sections);
my $longest = max(0, map { $_->{min_ns} } @records);
my ($record) = grep { $_->{min_ns} == $longest } @records;
cmp_ok($longest, '>', 20_000_000, 'routes: a stall was found');
is($record->{culprit}, '__fib6_clean_all', 'routes: the function that holds the lock is named')
	or diag((map { $_->[1] } grep { $_->[0] eq 'list' } @sections)[0]);
like($record->{busy_in} // '', qr/^fib6_(?:walk|clean|del)/, 'routes: ... and what it was busy in');

done_testing;
