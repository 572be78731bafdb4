#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# While a CPU takes no interrupts, nothing on another CPU waits for it: neither readers, nor a change of settings, nor the stop.
# Each command is timed in three stalls, and the shortest time counts: the kernel itself waits for all CPUs now and then, as a worker
# does that flushes translations of freed memory, and keeps CPU 0 until a stall is over. What begins after that is not timed. Code of
# ours that waits does so in all three.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Errno qw(EAGAIN);
use JSON::PP;
use List::Util qw(min);
use Test::More;
use VM;

plan skip_all => 'a debug kernel waits for all CPUs when a program ends' if on_debug_kernel();

# Each command is timed by the guest's clock, which counts hundredths of a second, first while no CPU is stuck.
my @sections = guest_ok('stuck', <<'SH', '--icount', '--smp', 2, '--timeout', 560);
taskset -p 1 $$ > /dev/null
parameters=/sys/module/trace_irqoff/parameters
write() { echo "$2" > $parameters/$1; }
read_proc() { while IFS= read -r line; do :; done < /proc/trace_irqoff; }
# still NAME COMMAND...: runs and times it if CPU 1 is still stuck, or busy
still() { ! grep -q '^State:.[^Z]' /proc/$stuck/status 2> /dev/null || timed "$@"; }
read_all() {
	still status irqoff status
	still list irqoff list
	still report irqoff report
	still proc read_proc
	still set irqoff set threshold=$1
	still write write threshold_us $2
	still parameter cat $parameters/threshold_us
	still json irqoff status --json
}
stuck() { # stuck US: CPU 1 takes no interrupts from now on
	echo "irqoff 1 $1" > /proc/stall &
	stuck=$!
	sleep 1
}
nmis() { awk '/^ *NMI:/ { print $3 }' /proc/interrupts; }
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=20000 guard=always
# a record, so that names are read each time
echo "irqoff 1 50000" > /proc/stall
sleep 1
# The first program that needs random numbers waits until other CPUs' timers have made some.
irqoff list --json > /dev/null
# a stuck CPU takes as many turns as a busy one
taskset 2 spin &
stuck=$!
section before
read_all 21ms 22000
timed stop irqoff stop
irqoff start
kill $stuck
for i in 1 2 3; do
	stuck 4000000
	section beside
	read_all 30ms 40000
	section behind
	irqoff status --json
	section beside
	still stop irqoff stop
	irqoff stop # in any case
	section stopping
	irqoff status --json
	wait
	sleep 1
	section after
	irqoff status --json
	irqoff start
done
section records
irqoff list --json
# Samples are due 0.35, 0.53, 1.05 and 2.1 s after the stall has begun. The CPU that looks is awake: one that wakes for less than
# half a threshold need not look (docs/design/sampling.md). Few other stalls are so long.
irqoff set threshold=350ms
for state in watched stopped; do
	stuck 3500000
	[ $state = watched ] || irqoff stop
	before=$(nmis)
	taskset 1 timeout 2 spin || true
	section nmis $state
	echo $(($(nmis) - before))
	wait
	section newest
	irqoff list -n 1 -v
done
section attached
sleep 12
irqoff status --json
stuck 3000000
for i in 1 2 3; do
	section start
	timed start irqoff start
	cat /tmp/out
done
# the outcome of the last one is told no more
section asked
sleep 0.2
starts
section written
sleep 0.2
dmesg -c > /dev/null
timed write write enable 1
dmesg
section refused
irqoff status --json
wait
irqoff stop --free
section started
# its memory is allocated, too
until ! irqoff status | grep -q freeing; do usleep 10000; done
starts
irqoff stop
sleep 12
section starts
timed start irqoff start
irqoff stop
sleep 12
section attaches
timed write write enable 1
irqoff stop
section cancelled
timed start irqoff start
irqoff status --json > /tmp/status
cat /tmp/status
irqoff stop
sleep 12
# CPU 0 keeps the kernel's time: it is busy while CPU 1 sleeps, which hands that over. Then CPU 1 is busy: an idle CPU counts jiffies as
# it wakes.
taskset -p 2 $$ > /dev/null
taskset 1 sh -c 'timeout 0.2 spin; echo "irqoff 0 3000000" > /proc/stall' &
sleep 1
taskset 2 spin &
busy=$!
section keeper
timed start irqoff start
kill $busy
cat /tmp/out
wait
taskset -p 1 $$ > /dev/null
irqoff start
stuck 4000000
section unload
timed rmmod rmmod trace_irqoff
wait
SH
my %said = map { ($_->[0] => $_->[1]) } @sections;

# took(NAME): by command, [hundredths of a second, exit status] of each time in the sections of that name
sub took {
	my ($name) = @_;
	my %took;
	for (map { split(/\n/, $_->[1]) } grep { $_->[0] eq $name } @sections) {
		push @{ $took{$1} }, [ $2, $3 ] if /^(\w+) (\d+) (\d+)$/;
	}
	return %took;
}

sub shortest { return min(map { $_->[0] } @_) }

sub failed { return scalar grep { $_->[1] } @_ }

sub statuses {
	my ($name) = @_;
	return map { decode_json($_->[1]) } grep { $_->[0] eq $name } @sections;
}

my %before = took('before');
my %beside = took('beside');
is(join(' ', sort keys %beside), join(' ', sort keys %before), 'each command ran');
for my $command (sort keys %before) {
	my ($alone, $late) = map { shortest(@{ $_->{$command} // [] }) // 1e9 } \%before, \%beside;
	is(failed(@{ $beside{$command} }), 0, "$command: done");
	cmp_ok($late, '<=', $alone + 10, "$command: a CPU that is stuck costs it 100 ms at most")
		or diag(explain({ before => $before{$command}, beside => $beside{$command} }));
}

my ($behind, $stopping, $after) = map { [ statuses($_) ] } qw(behind stopping after);
my @in_time = grep { $stopping->[$_]{behind} ne '' } 0 .. $#$stopping;
cmp_ok(scalar @in_time, '>=', 1, 'CPU 1 is stuck while all this runs')
	or diag(explain({ before => \%before, beside => \%beside }));
is(join(' ', map { $behind->[$_]{behind} } @in_time), join(' ', ('1') x @in_time), 'status names the CPU that is behind');
is(join(' ', map { $stopping->[$_]{behind} } @in_time), join(' ', ('1') x @in_time), '... after the stop, too');
is(scalar(grep { !$_->{enabled} && $_->{detaching} } @$stopping), 3, 'the probes are about to be detached');
is(join('', map { $_->{behind} } @$after), '', 'no CPU is behind when the stall is over');
is(join('', map { $_->{watched} } @$after), '', 'the CPU that was stuck is not watched when it comes back');
my @long = grep { $_->{cpu} == 1 && $_->{min_ns} > 3e9 } records('records', @sections);
is(scalar @long, 3, 'its stall is one record');
is(scalar(grep { $_->{end_by} eq 'stop' } @long), scalar @in_time, '... which the stop ended') or diag(explain(\%beside));
cmp_ok($said{'nmis watched'} // 0, '>=', 1, 'a CPU that is stuck is sampled by NMI while it is watched')
	or diag(map { $_->[1] } grep { $_->[0] eq 'newest' } @sections);
is(($said{'nmis stopped'} // -1) + 0, 0, 'no NMI is sent after the stop');

my %status = map { ($_ => (statuses($_))[0] // {}) } qw(attached refused);
ok(!$status{attached}{attached}, 'the probes are detached 10 s after the stop');
my @start = @{ { took('start') }->{start} // [] };
is(join(' ', map { $_->[1] } @start), '1 1 1', 'starting from detached fails while a CPU is stuck');
cmp_ok(shortest(@start) // 1e9, '<=', 15, '... at once') or diag(explain(\@start));
like($said{start}, qr/^irqoff: .*CPU 1 does not answer/m, '... and names the CPU');
ok(!$status{refused}{enabled} && !$status{refused}{attached}, '... and changes nothing');
# While a request of generic netlink is answered, nobody can register a family, and behind him no other request is.
my ($answer_us, $all_us, $error) = split(' ', $said{asked} // '');
cmp_ok($answer_us // 1e9, '<=', 5_000, 'no answer waits for the CPU') or diag($said{asked});
cmp_ok($all_us // 0, '>=', 50_000, '... which has its time');
is($error, EAGAIN + 0, '... and then is the reason');
($answer_us, $all_us, $error) = split(' ', $said{started} // '');
is($error, 0, 'a start that succeeds');
cmp_ok($answer_us // 1e9, '<=', 5_000, '... keeps no request waiting, either') or diag($said{started});
my ($write) = @{ { took('written') }->{write} // [] };
is($write->[1], 1, 'so does a write to the parameter');
cmp_ok($write->[0], '<=', 15, '... at once');
like($said{written}, qr/trace_irqoff: CPU 1 does not answer/, '... and it logs the CPU');
is({ took('starts') }->{start}[0][1], 0, 'it starts when the stall is over');
is({ took('attaches') }->{write}[0][1], 0, '... by a write, too');
is({ took('cancelled') }->{start}[0][1], 0, 'a start soon after a stop');
my ($json) = $said{cancelled} =~ /^(\{.*)/ms;
ok(!decode_json($json)->{detaching}, '... cancels detaching');
my ($keeper) = @{ { took('keeper') }->{start} // [] };
is($keeper->[1], 1, 'a start beside the CPU that keeps the time fails as well');
cmp_ok($keeper->[0], '<=', 15, '... within 150 ms');
like($said{keeper}, qr/^irqoff: .*CPU 0 does not answer/m, '... and names the CPU');
my ($unload) = @{ { took('unload') }->{rmmod} // [] };
is($unload->[1], 0, 'rmmod waits for a CPU that is stuck');
cmp_ok($unload->[0], '>=', 200, '... which it was');
cmp_ok($unload->[0], '<=', 700, '... and not for the 10 s');

done_testing;
