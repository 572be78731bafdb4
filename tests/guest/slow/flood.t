#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff watch and irqoff record in a flood of a minute, with rings of 1,024 records: nothing is lost, and it is told what share
# of a CPU that took. The CPU runs one instruction in 2 ns. Beside a follower it makes more than 500 stalls a second.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Follow;
use JSON::PP;
use Recorder;
use Test::More;
use VM;

my @sections = guest_ok('flood', FOLLOW . RECORDER . <<'SH', '--icount', '--timeout', 1800);
# stalls HUNDREDTHS: stalls without a pause for that long
stalls() {
	hundredths
	from=$hundredths
	until=$((from + $1))
	while [ $hundredths -lt $until ]; do
		for n in 1 2 3 4 5 6 7 8 9 10; do
			echo "irqoff 0 300" > /proc/stall
		done
		hundredths
	done
}
# flooded: stalls for a minute, then the time that the follower ran, in hundredths of a second
flooded() {
	insist irqoff start threshold=200us period=50us
	sleep 1
	read x x x x x x x x x x x x x user system rest < /proc/$pid/stat
	ran=$((user + system))
	stalls 6000
	echo "took $((hundredths - from))"
	sleep 1
	read x x x x x x x x x x x x x user system rest < /proc/$pid/stat
	echo "ran $((user + system - ran))"
	irqoff stop
	sleep 1
}
insmod stall.ko
insmod trace_irqoff.ko ring_records=1024
section watch
before=$(produced)
follow --json=lines
flooded
after=$(produced)
echo "produced $((after - before))"
kill $pid
wait $pid
grep -c '^{' /tmp/lines
grep lost /tmp/said || :
section record
before=$(produced)
record /tmp/a.irqoff
flooded
after=$(produced)
echo "produced $((after - before))"
kill $pid
ended
# a follower that is stopped for 10 s does not take its wake-ups, and the kernel drops what has no room in its socket
section overflow
before=$(produced)
follow --json=lines
insist irqoff start threshold=200us period=50us
kill -STOP $pid
stalls 1000
awk '$2 == 16 { drops += $9 } END { print "drops", drops }' /proc/net/netlink
kill -CONT $pid
irqoff stop
sleep 2
after=$(produced)
echo "produced $((after - before))"
kill $pid
wait $pid
echo "seen $(grep -c '^{' /tmp/lines)"
grep lost /tmp/said || :
section status
irqoff status --json -i /tmp/a.irqoff
section size
wc -c < /tmp/a.irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;

for my $what (qw(watch record)) {
	my ($took, $ran, $produced) = map { $got{$what} =~ /^$_ (\d+)$/m } qw(took ran produced);
	my ($seen) = $what eq 'watch' ? $got{watch} =~ /^(\d+)$/m : $got{record} =~ /^irqoff: recorded (\d+) stalls/m;
	my $rate = 100 * $produced / $took;
	note(sprintf('%s: %d stalls, %.0f a second, %.1f %% of a CPU', $what, $produced, $rate, 100 * $ran / $took));
	cmp_ok($rate, '>', 500, "$what: a flood");
	is($seen, $produced, '... nothing is lost') or diag($got{$what} =~ s/^\{.*\n//mgr);
}
my ($drops, $produced, $seen) = map { $got{overflow} =~ /^$_ (\d+)$/m } qw(drops produced seen);
my $lost = 0;
$lost += $1 while $got{overflow} =~ /^irqoff: lost (\d+) on CPU \d$/mg;
cmp_ok($drops, '>', 0, 'a socket that overflows: wake-ups are dropped');
cmp_ok($produced, '>', 2000, '... in a flood');
is($seen + $lost, $produced, "... seen ($seen) and lost ($lost) are what was produced") or diag($got{overflow});
my $status = decode_json($got{status} // '{}');
is($status->{lost}, 0, 'the capture lacks nothing');
note(sprintf('%.0f bytes a record', $got{size} / ($status->{kept} || 1)));
done_testing();
