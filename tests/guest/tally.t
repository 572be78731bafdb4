#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The agent's counters over kills and loads of the module (slow/kills.t has 100 kills), what node_exporter and logs are told of
# them, and what irqoff check says of a node.
use strict;
use warnings;
use File::Temp;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use Tally;
use Test::More;
use VM;

plan(skip_all => 'watch.t follows the module on a debug kernel') if on_debug_kernel();
my @sections = guest_ok('counters', KILLS . <<'SH', '--icount', '--smp', 2, '--timeout', 600);
check() {
	status=0
	irqoff check "$@" || status=$?
	echo "status: $status"
}
insmod stall.ko
killed 6

section reload
unload
insmod trace_irqoff.ko enable=1
agent --textfile /tmp/irqoff.prom --lines --counters 1s /tmp/node
sleep 1
asleep
make_stall irqoff 0 40000
make_stall bhoff 0 150000
sleep 1.5
section state
state
section metrics
cat /tmp/irqoff.prom
section lines
cat /tmp/lines
section kernel
uname -r
section list
irqoff list --json
section check
check
check --since 1s
check --class hardirq-off --since 2s
check --nagios
check --nagios --max
check --max 5ms --since 1s
setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all irqoff check || echo "as nobody: $?"
section second
# another one counts in the same file, or in its own
status=0
irqoff agent /tmp/other || echo "status: $?"
irqoff stop
sleep 1
check --since 1s
irqoff start
unload
sleep 1
check --since 1s
kill $pid
ended > /dev/null
check --since 1s
grep '^irqoff_up' /tmp/irqoff.prom
section open
insmod trace_irqoff.ko enable=1
taskset -p 1 $$ > /dev/null
agent --state /tmp/own.json /tmp/node
sleep 1
asleep
echo bhoff 1 3000000 > /proc/stall &
sleep 2
check --state /tmp/own.json --max 1.5s
wait $!
sleep 1
check --state /tmp/own.json --max 4s --since 1s
kill $pid
ended > /dev/null
section garbled
echo '{"format":0}' > /run/trace-irqoff/state.json
check
agent /tmp/node
sleep 1
asleep
make_stall irqoff 0 40000
kill $pid
ended
grep -o '"lost":[0-9]*' /run/trace-irqoff/state.json
check --since 1s
status=0
irqoff check --nag --max 1s > /dev/full || status=$?
echo "status: $status"
section unread
# a pipe that is full, with lines that do not fit into what is free
mkfifo /tmp/pipe
sleep 1000 < /tmp/pipe &
reader=$!
lines=/tmp/pipe
agent --lines /tmp/node
sleep 1
asleep
i=0
while [ $i -lt 80 ]; do
	echo irqoff 0 12000 > /proc/stall
	i=$((i + 1))
done
sleep 3
kill $pid
ended
kill $reader
lines=/tmp/lines
section unwritable
agent --state /nowhere/at/all.json /tmp/node
ended
mkdir /tmp/full.prom
lines=/dev/full
: > /tmp/lines
agent --textfile /tmp/full.prom --lines /tmp/node
sleep 1
asleep
make_stall irqoff 0 40000
kill $pid
ended
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;

my ($produced, $stalls) = survives_kills(\%got, 6);

my @all = sums(json_of($got{state}));
is($all[0], $stalls + 2, 'another load of the module adds to the counters of the boot') or diag($got{state});
is($all[3], 2, '... and begins with its first record');
my ($other) = $got{metrics} =~ /^irqoff_stalls_total\{class="softirq-off"\} (\d+)$/m;
is($other, json_of($got{state})->{classes}{'softirq-off'}{stalls}, 'node_exporter is told the same');
like($got{metrics}, qr/^irqoff_up 1$/m, '... and that all is watched');
my $lasted = 0;
$lasted += $_ for $got{metrics} =~ /^irqoff_stall_duration_seconds_count\{kind="(?:hard|soft)"\} (\d+)$/mg;
cmp_ok($lasted, '>=', $produced, "... and by the histogram what earlier loads had: $lasted of $produced");

like($got{metrics}, qr/^irqoff_long_stalls_total 1$/m, '... and of one stall of 100 ms or more');
my $text = File::Temp->new;
print $text $got{metrics};
close($text) or die "$text: $!";
my $differences = qx($FindBin::Bin/../consumers/same-families $text);
is("$?: $differences", '0: ', '... and in the families, types and labels that tests/consumers gives to Prometheus') or diag($got{metrics});

my @lines = map { decode_json($_) } grep { /^\{/ } split(/\n/, $got{lines});
my $listed = json_of($got{list});
is_deeply([ map { "$_->{instance} $_->{record} $_->{class}" } @lines ], [ map { "$listed->{instance} $_->{record} $_->{class}" } @{ $listed->{records} } ],
	'a line of JSON a stall, as they are listed') or diag($got{lines});
is(scalar(grep { ref } map { values %$_ } @lines), scalar(grep { JSON::PP::is_bool($_) } map { values %$_ } @lines), '... without nesting');
is_deeply([ grep { !exists $lines[0]{$_} } grep { !/^(?:waits_for|net)$/ && !ref $listed->{records}[0]{$_} } keys %{ $listed->{records}[0] } ], [], '... with all plain keys of list');
like($lines[1]{stack} // '', qr/;stall_bhoff\b/, '... and the stack');
is($lines[1]{boot_id}, json_of($got{state})->{boot_id}, '... and the boot that the counters are of');
is($lines[1]{kernel}, $got{kernel} =~ s/\n//r, "... and the kernel's release");

my $stall = qr/stall of 1\d\d(?:\.\d+)? ms, softirq-off, (?:\d min )?\d+ s ago, record 0:1/;
like($got{check}, qr/\A$stall\nstatus: 1
no stall over 100 ms in 1 s on 2 CPUs\nstatus: 0
no stall over 100 ms in 2 s on 2 CPUs\nstatus: 0
$stall\nstatus: 2
irqoff: --max needs a value [^\n]*\nstatus: 3
the threshold 10 ms is above the length 5 ms\nstatus: 2
$stall\nas nobody: 1\n\z/, 'irqoff check tells what an agent has seen, to anybody') or diag($got{check});
like($got{second}, qr/\Airqoff: another irqoff agent counts in \/run\/trace-irqoff\/state\.json; end it, or name another file\nstatus: 1
the module trace_irqoff is not enabled\nstatus: 2
the module trace_irqoff is not loaded\nstatus: 2
irqoff agent has ended\nstatus: 2
irqoff_up 0\n\z/, '... and why it cannot tell') or diag($got{second});
like($got{open}, qr/\Astall of [12](?:\.\d+)? s goes on, softirq-off, record 1:open\nstatus: 1\nno stall over 4 s in 1 s on 2 CPUs\nstatus: 0\n\z/, '... and of a stall that goes on')
	or diag($got{open});
like($got{garbled}, qr/\Airqoff: the file is no state of an agent of this version\nstatus: 2
irqoff: \/run\/trace-irqoff\/state\.json: no state of an agent of this version; counters begin at 0\n.*^status: 0\n"lost":0\nirqoff agent has ended\nstatus: 2\nirqoff: could not write the output: No space left on device\nstatus: 3\n\z/ms, 'a file that is none is told of, and replaced')
	or diag($got{garbled});
is(() = $got{unread} =~ /could not write lines to standard output/g, 1, 'who does not read the lines is told of once, and holds nothing up')
	or diag($got{unread});
like($got{unread}, qr/^irqoff: recorded 80 stalls, lost 0\nstatus: 0\n\z/m, '... not even the end');
like($got{unwritable}, qr/\Airqoff: could not open \/nowhere\/at\/all\.json\.lock: No such file or directory\nstatus: 1
/, 'an agent that could not keep counters does not begin') or diag($got{unwritable});
like($got{unwritable}, qr/could not write \/tmp\/full\.prom: Is a directory; it is written once it can be\n.*could not write lines to standard output: No space left on device; [^\n]*\n.*recorded [1-9]\d* stalls?, lost 0\nstatus: 0\n\z/s,
	'... and each sink goes on where another one fails');
done_testing();
