#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Access rights: root of a container has no rights of the node's root.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

my @sections = guest_ok('access', <<'SH');
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
stall irqoff 0 40000
section mode
stat -c '%a %u' /proc/trace_irqoff
section root
fails cat /proc/trace_irqoff
section container proc
fails unshare --user --map-root-user cat /proc/trace_irqoff
section container clear
fails unshare --user --map-root-user sh -c 'echo clear > /proc/trace_irqoff'
section container netlink
fails unshare --user --map-root-user irqoff list
section container set
fails unshare --user --map-root-user irqoff set threshold=1s
section container net
fails unshare --user --map-root-user --net irqoff status
section container knobs
dmesg -c > /dev/null
for value in 2 1; do
	fails unshare --user --map-root-user sh -c "echo $value | dd of=/sys/module/trace_irqoff/parameters/enable"
done
section container knobs log
dmesg | grep trace_irqoff: || true
section user proc
fails setpriv --reuid 1000 --clear-groups cat /proc/trace_irqoff
section user netlink
fails setpriv --reuid 1000 --clear-groups irqoff status
section nosyslog proc
fails setpriv --bounding-set -syslog cat /proc/trace_irqoff
section nosyslog list
fails setpriv --bounding-set -syslog irqoff list
section nosyslog status
fails setpriv --bounding-set -syslog irqoff status
section noadmin list
fails setpriv --bounding-set -net_admin irqoff list
section othernet
fails unshare --net irqoff status
section garbage
fails sh -c 'echo clean | dd of=/proc/trace_irqoff'
section long garbage
fails sh -c 'echo clearclearclearclear | dd of=/proc/trace_irqoff'
section after
irqoff list --json
rmmod trace_irqoff
section unloaded
fails irqoff status
section unloaded user
fails setpriv --reuid 1000 --clear-groups irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
is($got{mode}, "600 0\n", 'the file is root\'s alone');
like($got{root}, qr/COMMAND: .*status: 0/s, 'root reads it');
unlike($got{$_}, qr/COMMAND:|stall_irqoff|ffffffff/, "$_: no record and no address")
	for grep { /container|user|nosyslog|noadmin/ } keys %got;
like($got{$_}, qr/Operation not permitted\n(?:.*\n)?status: [1-9]/, "$_: EPERM")
	for 'container proc', 'container clear', 'nosyslog proc';
like($got{'user proc'}, qr/Permission denied\nstatus: 1/, 'user proc: EACCES');
like($got{'container knobs'}, qr/\A(?:dd: [^\n]*Operation not permitted\n[^:]*status: 1\n){2}\z/,
	'container knobs: EPERM, whether there is such a value or not');
is($got{'container knobs log'}, '', 'container knobs: nothing of that is in the log');
for ('container netlink', 'container set', 'user netlink', 'nosyslog list', 'noadmin list', 'othernet', 'container net',
	'unloaded', 'unloaded user') {
	like($got{$_}, qr/^irqoff: .+\nstatus: 1\n$/, "$_: one line, status 1");
}
like($got{'nosyslog list'}, qr/CAP_SYSLOG/, 'nosyslog: says which capability');
like($got{'noadmin list'}, qr/CAP_NET_ADMIN/, 'noadmin: says which capability');
like($got{'nosyslog status'}, qr/status: 0/, 'settings and counters do not need CAP_SYSLOG');
like($got{othernet}, qr/network namespace/, 'in another network namespace: says so');
like($got{unloaded}, qr/(?:modprobe|insmod)/, 'not loaded: says what to do');
like($got{$_}, qr/Invalid argument/, "$_: refused") for 'garbage', 'long garbage';
is(scalar(records('after', @sections)) > 0, 1, 'after all that the records are still there');

done_testing;
