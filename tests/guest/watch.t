#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff watch: a line for each stall as it ends, by a follower that runs only when there is something. The host cannot spoil a
# stall under -icount; follow.t has what needs a second CPU.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Follow;
use JSON::PP;
use Test::More;
use VM;

my $load = <<'SH';
insmod stall.ko
insmod trace_irqoff.ko enable=1
SH

# what the reader alone does
my $reader = <<'SH';
section first
follow -n 2 --min 25ms
make_stall irqoff 0 40000
cat /tmp/lines
kill -0 $pid
section number
make_stall irqoff 0 15000
make_stall bhoff 0 40000
ended

section lines
follow --json=lines -n 1 --min 25ms --cpu 0
make_stall irqoff 0 40000
ended
section list
irqoff list --json -n 1 --min 25ms --cpu 0
section verbose
follow -v -n 2 --min 25ms
make_stall irqoff 0 40000
make_stall irqoff 0 40000
ended
section since
fails irqoff watch --since 1h --for 1s --min 25ms

section for
timed for irqoff watch --for 2s
section above
follow --fail-above 30ms --min 20ms
make_stall irqoff 0 25000
make_stall irqoff 0 50000
ended
section below
fails irqoff watch --for 1s --fail-above 20s

section signals
follow
kill -TERM $pid
ended
follow
kill -INT $pid
ended
section pipe
mkfifo /tmp/fifo
{ irqoff watch --min 25ms > /tmp/fifo; echo "status: $?" > /tmp/status; } &
head -n 2 /tmp/fifo > /tmp/lines &
sleep 1
make_stall irqoff 0 40000
sleep 1
cat /tmp/status /tmp/lines
rm /tmp/fifo

section exec
rm -f /tmp/ran
follow --min 25ms --exec 'cat >> /tmp/ran; echo "held $IRQOFF_HELD_BACK" >> /tmp/ran; exit 7' --exec-every 10s
make_stall irqoff 0 40000
make_stall irqoff 0 40000
make_stall bhoff 0 40000
sleep 10
make_stall irqoff 0 50000
make_stall irqoff 0 40000
kill $pid
ended
section ran
cat /tmp/ran
section slow exec
rm -f /tmp/ran
follow --min 25ms --exec 'echo begins >> /tmp/ran; sleep 1000' --exec-every 1ms
make_stall irqoff 0 40000
make_stall irqoff 0 40000
kill $pid
ended
cat /tmp/ran
kill $(pidof sleep) || :

section names
follow --min 25ms
make_stall irqoff 0 40000
make_stall irqoff 0 40000
make_stall irqoff 0 40000
make_stall irqoff 0 40000
# the debug kernel does not count what a task reads
[ ! -e /proc/$pid/io ] || cat /proc/$pid/io
echo "kallsyms: $(wc -c < /proc/kallsyms)"
section idle
irqoff stop
sleep 1
for i in 1 2; do
	grep ctxt_switches /proc/$pid/status
	sleep 10
done
kill $pid
ended
insist irqoff start
SH

# where the module has a part
my $module = <<'SH';
section reload
follow --min 25ms
unload
sleep 0.5
insmod trace_irqoff.ko enable=1
sleep 1
make_stall irqoff 0 40000
irqoff stop
sleep 1
insist irqoff start threshold=12ms
sleep 1
make_stall irqoff 0 40000
kill $pid
ended
section unsure
follow --fail-above 1s --min 25ms
unload
sleep 0.5
insmod trace_irqoff.ko enable=1
sleep 1
kill $pid
ended
section denied
fails only ,+cap_38 irqoff list -n 1 > /dev/null
fails only ,+cap_38 irqoff watch --for 1s
fails setpriv --reuid 1000 --clear-groups irqoff watch --for 1s

section flood
before=$(produced)
follow --json=lines
insist irqoff start threshold=$threshold period=$period
i=0
while [ $i -lt 600 ]; do
	echo "irqoff 0 $length" > /proc/stall
	i=$((i + 1))
done
irqoff stop
sleep 0.5
kill $pid
status=0
wait $pid || status=$?
after=$(produced)
echo "produced $((after - before))"
echo "seen $(grep -c '^{' /tmp/lines)"
cat /tmp/said
echo "status: $status"

section unload in a flood
follow
pid2=$pid
mv /tmp/said /tmp/said2
follow --json=lines
insist irqoff start threshold=$threshold period=$period
(i=0; while [ $i -lt 400 ]; do echo "irqoff 0 $length" > /proc/stall; i=$((i + 1)); done) &
flooding=$!
sleep 0.2
# while a dump is read it is in use
timed rmmod insist rmmod trace_irqoff
wait $flooding
sleep 0.3
kill $pid $pid2 || cat /tmp/said /tmp/said2
status=0
wait $pid || status=$?
echo "status: $status"
wait $pid2 || status=$?
echo "status: $status"
SH

my $reader_too = !on_debug_kernel();
# A debug kernel has thousands of stalls of its own that last 200 us, and its beat takes as long.
my $flood = on_debug_kernel() ? 'threshold=1ms period=250us length=1300' : 'threshold=200us period=50us length=300';
my @sections = guest_ok('watch', "$flood\n" . FOLLOW . $load . ($reader_too ? $reader : '') . $module, '--icount', '--timeout', 400);
my %got = map { ($_->[0] => $_->[1]) } @sections;
my $line = qr/\d\d:\d\d:\d\d\.\d{3} +\d:\d+ \S+/;

SKIP: {
	skip('the reader does the same on a stock kernel', 24) unless $reader_too;
	like($got{first}, qr/\AENDED +RECORD CLASS +MIN ms +MAX ms CULPRIT[^\n]*\n$line +\d\d\.\d+ +\d\d\.\d+ stall_irqoff \[stall\]\n\z/,
		'a line as the stall ends, while the follower goes on');
	like($got{number}, qr/^$line +\d\d\.\d+ +\d\d\.\d+ stall_bhoff \[stall\]\nstatus: 0\n\z/m, '-n 2: it ends after the second');
	is(scalar(() = $got{number} =~ /^$line/mg), 2, '... of those that the filter let pass');

	my ($json, $rest) = $got{lines} =~ /\A(\{.*\})\n(.*)\z/s;
	my ($listed) = records('list', @sections);
	is($rest, "status: 0\n", 'JSON: a line, and nothing else');
	my $got = decode_json($json // '{}');
	is(join(' ', map { $got->{$_} // '' } qw(record class culprit min_ns max_ns evidence)),
		join(' ', map { $listed->{$_} // '' } qw(record class culprit min_ns max_ns evidence)), '... as list has it');
	is(scalar(() = $got{verbose} =~ /stall_irqoff\+0x\w+\/0x\w+ \[stall\]$/mg) >= 2, 1, '-v: with stacks');
	like($got{since}, qr/^$line.*^$line.*^$line.*^status: 0$/ms, '--since: with those that are kept');

	my ($hundredths, $status) = $got{for} =~ /^for (\d+) (\d+)$/m;
	cmp_ok($hundredths, '>=', 200, '--for: not before');
	cmp_ok($hundredths, '<', 300, '... and then');
	is($status, 0, '... well');
	like($got{above}, qr/^$line +2\d\.\d.*\n$line +\d\d\.\d.*\nirqoff: stall 0:\d+ exceeded --fail-above 30 ms: it lasted at least \d\d\.\d+ ms; type irqoff list -v 0:\d+\nstatus: 3\n\z/m,
		'--fail-above: status 3 at the first longer stall');
	like($got{below}, qr/^status: 0$/m, '... 0 without one');
	is($got{signals} =~ s/^ENDED.*\n//mgr, "status: 0\n" x 2, 'SIGTERM and SIGINT end it well');
	like($got{pipe}, qr/\Astatus: 0\nENDED.*\n$line.*\n\z/, 'a pipe whose reader goes ends it well, at once');

	my @ran = map { decode_json($_)->{record} } $got{ran} =~ /^(\{.*\})$/mg;
	my @all = $got{exec} =~ /^\S+ +(0:\d+) /mg;
	is(scalar @all, 5, '--exec: all stalls are shown');
	is("@ran", "@all[0,3]", '... the command got the first one, and the first after the time');
	like($got{ran}, qr/^held 0\n.*^held 2\n\z/ms, '... and how many it did not get');
	like($got{exec}, qr/^irqoff: 2 stalls were not passed to the --exec command; /m, '... which is told when it runs again');
	like($got{exec}, qr/^irqoff: 1 stall was not passed to the --exec command; /m, '... and at the end');
	like($got{exec}, qr/^irqoff: the --exec command exited with status 7$/m, '... as is how it ended');
	like($got{exec}, qr/^status: 0\n\z/m, '... which is not the follower\'s status');
	like($got{'slow exec'}, qr/^irqoff: 1 stall was not passed .*\nstatus: 0\nbegins\n\z/m, 'one at a time, and nobody waits for it');

	my ($read) = $got{names} =~ /^rchar: (\d+)$/m;
	my ($kallsyms) = $got{names} =~ /^kallsyms: (\d+)$/m;
	SKIP: {
		skip('this kernel does not count what a task reads', 1) unless defined $read;
		cmp_ok($read, '<', 1.7 * $kallsyms, 'names are read once for several stalls');
	}
	my @voluntary = $got{idle} =~ /^voluntary_ctxt_switches:\s+(\d+)$/mg;
	is($voluntary[1], $voluntary[0], 'it does not run while nothing happens');
}

like($got{reload}, qr/^the module trace_irqoff was unloaded\nthe module trace_irqoff was loaded again \(new instance\)\n$line[^\n]*stall_irqoff \[stall\]\nthe module trace_irqoff is not enabled, stopped [^\n]*\nthe settings are now threshold 12 ms, period 1 ms, CPUs default\n$line[^\n]*stall_irqoff \[stall\]\nstatus: 0\n\z/m,
	'it goes on over another load of the module, a stop and a start') or diag($got{reload});
like($got{unsure}, qr/^irqoff: no stall longer than 1 s was seen, but .*\nstatus: 4\n\z/m, '--fail-above cannot tell where the module was gone');
like($got{denied}, qr/\Airqoff: following stalls takes CAP_SYS_ADMIN [^\n]+\nstatus: 1\nirqoff: following stalls takes CAP_SYS_ADMIN [^\n]+\nstatus: 1\n\z/,
	'nobody joins without CAP_SYS_ADMIN');

my ($produced) = $got{flood} =~ /^produced (\d+)$/m;
my ($seen) = $got{flood} =~ /^seen (\d+)$/m;
my $lost = 0;
$lost += $1 while $got{flood} =~ /^irqoff: lost (\d+) on CPU \d$/mg;
cmp_ok($produced, '>', 300, 'a flood');
is($seen + $lost, $produced, "... seen ($seen) and lost ($lost) are what was produced");
like($got{flood}, qr/^status: 0\n\z/m, '... and it ends well');
like($got{'unload in a flood'}, qr/^rmmod \d+ 0\n(?:status: 0\n){2}\z/m, 'the module can be unloaded while it is followed in a flood');
done_testing();
