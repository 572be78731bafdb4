#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A module that was built for another kernel refuses to be loaded, unless told otherwise. The test's module says of itself that
# it is another kernel's; the check of the kernel itself (vermagic) still passes, as it does for weak modules.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

my @sections = guest_ok('release', <<'SH', '--icount', '--smp', 2);
insmod stall.ko
cp trace_irqoff.ko /tmp/other.ko
# Debian has the release in a note of each module as well (CONFIG_BUILD_SALT); it does not matter.
for at in $(strings -t d trace_irqoff.ko | awk -v release="$(uname -r)" '{ at = $1; sub(/^ *[0-9]+ /, "") } $0 == release { print at }'); do
	printf X | dd of=/tmp/other.ko bs=1 seek="$at" conv=notrunc 2> /dev/null
done
dmesg -c > /dev/null
section refused
fails insmod /tmp/other.ko enable=1
section refused log
dmesg -c | grep trace_irqoff: || true
section nothing left
ls -d /proc/trace_irqoff /sys/module/trace_irqoff 2> /dev/null || true
section allowed
fails insmod /tmp/other.ko enable=1 allow_other_release=1
section allowed log
dmesg -c | grep trace_irqoff: || true
section parameter
cat /sys/module/trace_irqoff/parameters/allow_other_release
stall irqoff 0 40000
section records
irqoff list --json
rmmod trace_irqoff
dmesg -c > /dev/null
section own
fails insmod trace_irqoff.ko enable=1
section own log
dmesg | grep trace_irqoff: || true
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my ($release) = $got{release} =~ /^(\S+)/;
my $other = 'X' . substr($release, 1);
like($got{refused}, qr/status: [1-9]\d*\n\z/, 'a module for another release is refused');
# busybox's insmod tries twice
like($got{'refused log'}, qr/\A(?:[^\n]*trace_irqoff: built for kernel \Q$other\E and not loaded into \Q$release\E: [^\n]*allow_other_release=1[^\n]*\n){1,2}\z/,
	'the log says why, and what to do, in one sentence');
is($got{'nothing left'}, '', 'nothing of it is left');
like($got{allowed}, qr/\Astatus: 0\n\z/, 'it is loaded with allow_other_release=1');
like($got{'allowed log'}, qr/built for kernel \Q$other\E and loaded into \Q$release\E/, 'the log says that');
is($got{parameter}, "Y\n", 'and so does the parameter');
my ($stall) = stalls(@sections);
cmp_ok(scalar(overlapping($stall, records('records', @sections))), '>=', 1, 'it works');
like($got{own}, qr/\Astatus: 0\n\z/, 'a module for this release is loaded');
like($got{'own log'}, qr/\A[^\n]*trace_irqoff: loaded, version [^\n]+\n\z/, 'and the log says no more than that');

done_testing;
