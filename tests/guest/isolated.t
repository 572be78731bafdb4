#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# CPUs that a cpuset isolates while the machine runs are left alone from the next change of settings on, where the kernel tells.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use Test::More;
use VM;

my @sections = guest_ok('isolated', <<'SH', '--icount', '--smp', 4);
insmod trace_irqoff.ko enable=1
section cpusets count
grep -c ' housekeeping_update$' /proc/kallsyms || true
section before
irqoff status --json
cd /sys/fs/cgroup
grep -qw cpuset cgroup.controllers || exit 0
echo +cpuset > cgroup.subtree_control
mkdir alone
echo 3 > alone/cpuset.cpus
echo isolated > alone/cpuset.cpus.partition || true
section partition
cat alone/cpuset.cpus.partition
section at once
irqoff status --json
irqoff set threshold=20ms
section next
irqoff status --json
irqoff set cpus=0-3
section named
irqoff status --json
echo member > alone/cpuset.cpus.partition
irqoff set cpus=default
section given back
irqoff status --json
rmdir alone
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
sub watched { return JSON::PP::decode_json($got{ $_[0] })->{watched} }
my $told = $got{'cpusets count'} > 0;
my $isolates = ($got{partition} // '') =~ /^isolated$/m;
# a kernel that tells has another mask for what was isolated at boot
is($told ? 1 : 0, headers_have('HK_TYPE_DOMAIN_BOOT', 'include/linux/sched/isolation.h') ? 1 : 0, 'whether this kernel tells is known');
ok($isolates, 'one that tells makes isolated partitions') or diag($got{partition} // 'there is no cpuset') if $told;
SKIP: {
	skip('this kernel makes no isolated partitions', 5) unless $isolates;
	is(watched('before'), '0-3', 'all CPUs are watched');
	is(watched('at once'), '0-3', 'isolating one changes nothing by itself');
	is(watched('next'), $told ? '0-2' : '0-3', $told ? 'the next change leaves it alone' : 'this kernel tells no module');
	is(watched('named'), '0-3', 'a list that names it watches it');
	is(watched('given back'), '0-3', 'it is watched when the cpuset gives it back');
}

done_testing;
