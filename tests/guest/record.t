#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff record: each stall is in the capture once, also where the recorder was killed or the module was loaded again, and the
# capture says what it lacks.
use strict;
use warnings;
use File::Temp;
use FindBin;
use lib "$FindBin::Bin/lib";
use Follow;
use JSON::PP;
use Recorder;
use Test::More;
use VM;

plan(skip_all => 'watch.t follows the module on a debug kernel') if on_debug_kernel();
my @sections = guest_ok('record', FOLLOW . RECORDER . <<'SH', '--icount', '--timeout', 400);
insmod stall.ko
insmod trace_irqoff.ko enable=1
make_stall irqoff 0 40000
section first
record /tmp/a.irqoff
make_stall irqoff 0 40000
make_stall bhoff 0 50000
section meanwhile
fails irqoff list -i /tmp/a.irqoff --min 25ms
fails irqoff record /tmp/a.irqoff
section written
kill $pid
ended
stat -c 'mode %a' /tmp/a.irqoff
fails irqoff status --json -i /tmp/a.irqoff
section from capture
irqoff list --json -i /tmp/a.irqoff --min 25ms
section from module
irqoff list --json --min 25ms

section resumed
# nobody records this one
make_stall irqoff 0 45000
fails irqoff record --for 1s /tmp/a.irqoff
fails irqoff list -i /tmp/a.irqoff --min 25ms

section stream
irqoff record --for 3s - 2> /tmp/said | cat > /tmp/stream &
pid=$!
sleep 1
make_stall irqoff 0 40000
sleep 2
cat /tmp/said
fails irqoff list -i - --min 25ms < /tmp/stream
irqoff record - 2> /tmp/said | head -c 100 > /tmp/stream &
pid=$!
sleep 1
make_stall irqoff 0 40000
make_stall irqoff 0 40000
pidof irqoff || echo ended with its reader
cat /tmp/said

section clock
record /tmp/clock.irqoff
make_stall irqoff 0 40000
sleep 2
wc -c < /tmp/clock.irqoff
sleep 3
wc -c < /tmp/clock.irqoff
date -s '@1900000000' > /dev/null
sleep 1
wc -c < /tmp/clock.irqoff
kill $pid
ended
irqoff list -i /tmp/clock.irqoff --min 25ms

unload
insmod trace_irqoff.ko ring_records=1024
killed_often 8

unload
insmod trace_irqoff.ko
section rotated
record --rotate 64K:1000 --counters 1s /tmp/row
insist irqoff start threshold=200us period=50us
# how many records of a flood a recorder gets, and how well they compress, depends on the kernel; counters come each second
round=0
while [ "$(ls /tmp/row-* | wc -l)" -lt 4 ] && [ $round -lt 30 ]; do
	flood 300
	sleep 10
	round=$((round + 1))
done
irqoff stop
sleep 1
kill $pid
ended
section row
ls -l /tmp/row-*
section row report
irqoff report --json -i /tmp/row-*
section row left
record --rotate 64K:2 /tmp/row
kill $pid
ended
echo "left: $(ls /tmp/row-* | wc -l)"

section removed
insist irqoff start threshold=10ms period=1ms
record /tmp/removed.irqoff
make_stall irqoff 0 40000
rm /tmp/removed.irqoff
make_stall bhoff 0 40000
make_stall bhoff 0 40000
kill $pid
ended
fails irqoff list -i /tmp/removed-*.irqoff --min 25ms

section hangup
record /tmp/hangup.irqoff
kill -HUP $pid
ended
# as nohup does
(trap '' HUP; exec irqoff record /tmp/nohup.irqoff > /tmp/lines 2> /tmp/said) &
pid=$!
sleep 1
asleep
kill -HUP $pid
sleep 1
kill -TERM $pid
ended

section reload
record /tmp/b.irqoff
make_stall irqoff 0 40000
unload
sleep 0.5
insmod trace_irqoff.ko enable=1
sleep 1
make_stall bhoff 0 40000
kill $pid
ended
for file in /tmp/b*.irqoff; do
	irqoff list -i $file --min 25ms
done
fails irqoff record /tmp/b.irqoff

section netns
mkdir -p /run/netns
touch /run/netns/pod1 /run/netns/none
unshare --net=/run/netns/pod1 true
fails irqoff record --netns nowhere /tmp/n.irqoff
fails irqoff record --netns none /tmp/n.irqoff
fails only ,+cap_38 irqoff save --netns all /tmp/n.irqoff
[ ! -e /tmp/n.irqoff ]
section named
record --netns pod1 --netns $$ --counters 1s /tmp/named.irqoff
sleep 2
umount /run/netns/pod1
rm /run/netns/pod1
sleep 3
kill $pid
ended
section named capture
packed cat /tmp/named.irqoff
touch /run/netns/pod2
unshare --net=/run/netns/pod2 true
irqoff save --netns all /tmp/all.irqoff
irqoff save --netns all --strip /tmp/strip.irqoff
section all capture
packed cat /tmp/all.irqoff
section strip capture
packed cat /tmp/strip.irqoff
umount /run/netns/pod2
rm -r /run/netns

section refused
echo 'this is no capture' > /tmp/words
fails irqoff record /tmp/words
cat /tmp/words
fails irqoff record /dev/null
fails irqoff record /nowhere/a
fails only ,+cap_38 irqoff record /tmp/none
unload
fails irqoff record /tmp/none
[ ! -e /tmp/none ]
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my $line = qr/\d\d:\d\d:\d\d\.\d{3} +\d:\d+ /;

# the culprits of a list's lines
sub culprits { return join(' ', $_[0] =~ /^$line.* (\w+)(?: \[stall\])?$/mg) }

# of_zstd(CAPTURE, STRING): an x for each time that a capture has the string as an attribute
sub of_zstd {
	my ($capture, $string) = @_;
	my $file = File::Temp->new;
	print {$file} $got{"$capture capture"};
	close($file);
	open(my $pipe, '-|', 'zstd', '-dqc', "$file") or die "zstd: $!";
	local $/;
	return 'x' x (() = readline($pipe) =~ /\Q$string\E\0/g);
}

is(culprits($got{meanwhile}), 'stall_irqoff stall_bhoff', 'stalls are in the file as they end, and can be read');
like($got{meanwhile}, qr/^irqoff: .* is still written; what is there is shown\n.*^status: 0\nirqoff: another irqoff records to \/tmp\/a\.irqoff; end it, or name another file\nstatus: 1\n\z/ms,
	'... of a file that is not whole yet; nobody else records to it');
like($got{written}, qr/^irqoff: recorded \d+ stalls, lost 0\nstatus: 0\nmode 600\n/m, 'it ends well, and says what it has');
my ($status) = $got{written} =~ /^(\{.*^\})$/ms;
$status = decode_json($status // '{}');
is($status->{lost}, 0, '... of which nothing is missing');
my @there = records('from capture', @sections);
my @module = records('from module', @sections);
shift @module;
is(scalar @there, 2, 'the capture has the records of its time');
# the wall clock is read twice
delete $_->{end_realtime_ns} foreach @there, @module;
is_deeply(\@there, \@module, '... as the module has them');

is(culprits($got{resumed}), 'stall_irqoff stall_bhoff stall_irqoff', 'a recorder goes on where one ended');
like($got{resumed}, qr/^irqoff: recorded [1-9]\d* stalls?, lost 0$/m, '... and says so');
is(culprits($got{stream}), 'stall_irqoff', 'to standard output');
like($got{stream}, qr/^irqoff: recording to standard output\nirqoff: recorded .*^status: 0$/ms, '... well');
like($got{stream}, qr/^ended with its reader\n/m, '... until its reader has gone');
my @sizes = $got{clock} =~ /^(\d+)$/mg;
is($sizes[1], $sizes[0], 'nothing is written while nothing happens');
cmp_ok($sizes[2], '>', $sizes[1], '... but that the clock was set');

killed_right(@sections);

my ($seen, $lost) = $got{rotated} =~ /^irqoff: recorded (\d+) stalls, lost (\d+)$/m;
my @files = $got{row} =~ /(row-\d{8}T\d{6}Z\.irqoff)$/mg;
cmp_ok(scalar @files, '>=', 3, 'a row of files (' . scalar(@files) . ')') or diag($got{rotated});
my $report = decode_json($got{'row report'} =~ s/\A[^{]*//r);
is($report->{records}, $seen, "... which have all $seen records");
is($report->{lost}, $lost, "... and know of the $lost that were lost") or diag($got{rotated});
like($got{'row left'}, qr/^left: 2$/m, '... of which as many are kept as are wanted');

is(culprits($got{removed}), 'stall_bhoff stall_bhoff', 'what comes after the file was removed is in another one') or diag($got{removed});
like($got{hangup}, qr/(?:^irqoff: recorded .*\nstatus: 0\n){1}.*^irqoff: recorded .*\nstatus: 0\n\z/ms, 'a hangup ends it well, but not under nohup')
	or diag($got{hangup});

like($got{reload}, qr/^irqoff: the module trace_irqoff was unloaded\nirqoff: the module trace_irqoff was loaded again \(new instance\)\nirqoff: recording to \/tmp\/b-\d{8}T\d{6}Z\.irqoff$/m,
	'another load of the module has another file');
is(culprits($got{reload}), 'stall_bhoff stall_irqoff', '... with its records');
like($got{reload}, qr/^irqoff: \/tmp\/b\.irqoff is of another boot, or another load of the module; [^\n]*\nstatus: 1\n\z/m,
	'... and the first one is not gone on with');
is($got{netns}, <<'END', 'a network namespace that is none is refused, and nothing is written');
irqoff: --netns nowhere: there is no /run/netns/nowhere; ip netns lists the names
status: 1
irqoff: --netns none: /run/netns/none is no network namespace
status: 1
irqoff: --netns all: entering a network namespace takes CAP_SYS_ADMIN
status: 1
END
my $snmp = length(of_zstd('named', '/proc/net/snmp'));
my $pod1 = length(of_zstd('named', 'pod1'));
cmp_ok($pod1, '>=', 2 * 2, 'the counters of a network namespace are written ...');
cmp_ok($pod1 / 2, '<', $snmp / 3, '... until it ends') or diag("pod1: $pod1, snmp: $snmp");
is(join(' ', map { of_zstd('all', $_) } 'pod1', 'pod2', 'none'), ' xx ', 'all: those that are there, of two files');
is(of_zstd('strip', 'pod2'), '', '... whose names a stripped capture leaves out');
cmp_ok(length(of_zstd('strip', '/proc/net/snmp')), '==', 2, '... but not their counters');
is($got{refused}, <<'END', 'what cannot be recorded to is refused, and left alone');
irqoff: /tmp/words is there and is no capture of irqoff; it is left alone
status: 1
this is no capture
irqoff: /dev/null is no regular file; '-' writes to standard output
status: 1
irqoff: could not open /nowhere/a: No such file or directory
status: 1
irqoff: following stalls takes CAP_SYS_ADMIN of the host itself; run irqoff as root of the host
status: 1
irqoff: the module trace_irqoff is not loaded; load it with modprobe trace_irqoff, or insmod module/trace_irqoff.ko
status: 1
END
done_testing();
