#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Settings: the same rules apply to insmod, /sys and netlink. A refused setting changes nothing; an accepted one takes effect at
# once.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

my @refused = (    # knob=value, the rule
	[ 'threshold_us=99', 'threshold_us takes 100 to 60000000 microseconds' ],
	[ 'threshold_us=60000001', 'threshold_us takes 100 to 60000000 microseconds' ],
	[ 'threshold_us=-1', 'threshold_us takes 100 to 60000000 microseconds' ],
	[ 'threshold_us=99999999999', 'threshold_us takes 100 to 60000000 microseconds' ],
	[ 'threshold_us=10ms', 'threshold_us takes 100 to 60000000 microseconds' ],
	[ 'threshold_us=1999', 'threshold_us must be at least two times period_us' ],
	[ 'period_us=0', 'period_us takes 50 to 1000000 microseconds' ],
	[ 'period_us=49', 'period_us takes 50 to 1000000 microseconds' ],
	[ 'period_us=5001', 'threshold_us must be at least two times period_us' ],
	[ 'enable=2', 'enable takes 0 or 1' ],
	[ 'cpus=99', 'cpus takes "default", "all" or a list of possible CPUs' ],
	[ 'cpus=0-7', 'cpus takes "default", "all" or a list of possible CPUs' ],
	[ 'cpus=some', 'cpus takes "default", "all" or a list of possible CPUs' ],
	[ 'cpus=', 'cpus takes "default", "all" or a list of possible CPUs' ],
);
my @load_refused = (
	@refused,
	[ 'ring_records=1', 'ring_records takes 2 to 4096 records' ],
	[ 'ring_records=4097', 'ring_records takes 2 to 4096 records' ],
);

my $script = <<'SH';
refused() { # refused COMMAND...: its output, status, and what it added to the log
	dmesg -c > /dev/null
	section refused
	fails "$@"
	dmesg -c | grep -v 'loading out-of-tree\|module verification' || true
	section settings
	if [ -d parameters ]; then grep . parameters/*; else echo not loaded; fi
}
write() { echo "$2" | dd of=parameters/$1; }	# dd prints the errno of its write
SH
$script .= "mkdir -p /empty; cd /empty\n";
$script .= "refused insmod /lib/trace_irqoff/trace_irqoff.ko '$_->[0]'\n" for @load_refused;
$script .= "insmod /lib/trace_irqoff/trace_irqoff.ko enable=1 cpus=0-1\ncd /sys/module/trace_irqoff\n";
$script .= "section before\ngrep . parameters/*\n";
for my $case (@refused) {
	my ($knob, $value) = split(/=/, $case->[0]);
	$script .= "refused write $knob '$value'\n";
}
my @sections = guest_ok('refusals', $script, '--icount', '--smp', 2);
my ($before) = map { $_->[1] } grep { $_->[0] eq 'before' } @sections;
like($before, qr/cpus:0-1.*enable:1.*period_us:1000.*ring_records:64.*threshold_us:10000/s, 'the parameters as they are');
my @answers = grep { $_->[0] eq 'refused' } @sections;
my @settings = grep { $_->[0] eq 'settings' } @sections;
for my $case (@load_refused, @refused) {
	my $by = @answers > @refused ? 'insmod' : '/sys';
	my ($answer, $after) = ((shift @answers)->[1], (shift @settings)->[1]);
	like($answer, qr/^status: [1-9]/m, "$by: $case->[0] is refused");
	like($answer, qr/Invalid (?:argument|parameters)/i, "$by: $case->[0]: EINVAL");
	my @lines = $answer =~ /\] trace_irqoff: (.*)/g;
	@lines = grep { !/invalid for parameter/ } @lines;    # the module loader's own
	pop @lines if $by eq 'insmod' && @lines == 2 && $lines[0] eq $lines[1];    # busybox's insmod tries two system calls
	is_deeply(\@lines, [ $case->[1] ], "$by: $case->[0]: the log says the rule once");
	is($after, $by eq 'insmod' ? "not loaded\n" : $before, "$by: $case->[0]: nothing changes");
}

@sections = guest_ok('netlink and effect', <<'SH', '--icount', '--smp', '2', '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko
for knobs in 'threshold=50us' 'threshold_us=99' 'period=2s' 'cpus=5' 'ring_records=128' 'threshold=1s period=600ms' \
	'period=8ms enable=1' 'threshold=1.5ms'; do
	section refused
	fails irqoff set $knobs
	irqoff status --json
done
section transaction
irqoff set threshold=80ms period=40ms cpus=all
irqoff status --json
irqoff start threshold=10ms period=1ms
section started
irqoff status --json
irqoff set threshold=10ms cpus=all
irqoff start
echo 1000 > /sys/module/trace_irqoff/parameters/period_us
section again
irqoff status --json
echo "irqoff 1 300000" > /proc/stall &
sleep 0.05
irqoff set period=500us threshold=30ms
wait
section moved
cat /proc/stall
irqoff list --json
irqoff clear
irqoff set threshold=500ms
echo "irqoff 1 100000" > /proc/stall
section raised
irqoff list --json
irqoff set threshold=50ms
echo "irqoff 1 100000" > /proc/stall
section lowered
irqoff list --json
irqoff stop
section stopped
irqoff status --json
SH
my @said = (    # by the reader, in the words and units that were typed
	'threshold=50us is out of range: threshold takes 100us to 60s',
	'threshold_us=99: threshold_us takes 100 to 60000000 microseconds',
	'period=2s is out of range: period takes 50us to 1s',
	'cpus=5: cpus takes default, all or a list of CPUs out of 0-1',
	'ring_records is fixed while the module is loaded; this loads it again and drops all records: '
		. 'rmmod trace_irqoff && modprobe trace_irqoff ring_records=128',
	'threshold=1s is less than two times period=600ms',
	'period=8ms is more than half of the threshold of 10ms; type threshold=16ms period=8ms to change both',
	'threshold=1.5ms is less than two periods of 1ms; type threshold=1.5ms period=750us to change both',
);
for (grep { $_->[0] eq 'refused' } @sections) {
	my $rule = shift @said;
	is(($_->[1] =~ /^(.*\n.*\n)/)[0], "irqoff: $rule\nstatus: 2\n", "netlink: refused: $rule");
	my $status = JSON::PP::decode_json($_->[1] =~ s/^.*?(?=^\{)//msr);
	is("@$status{qw(threshold_us period_us cpus_setting)}", '10000 1000 default', 'netlink: nothing changes');
	ok(!$status->{enabled}, 'netlink: all or nothing');
}
my %status = map { ($_->[0] => JSON::PP::decode_json($_->[1])) }
	grep { $_->[0] =~ /^(transaction|started|again|stopped)$/ } @sections;
is("@{$status{transaction}}{qw(threshold_us period_us cpus_setting)}", '80000 40000 all',
	'a threshold and a period that each would be refused alone are set together');
ok($status{started}{enabled} && !$status{stopped}{enabled}, 'start and stop');
cmp_ok($status{started}{generation}, '>', $status{transaction}{generation}, 'a change has a number');
is($status{again}{generation}, $status{started}{generation}, 'what is in force already is no change');
like($status{stopped}{boot_id} // '', qr/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'the status names the boot');
my ($moved) = grep { $_->[0] eq 'moved' } @sections;
my ($line, $json) = split(/\n/, $moved->[1], 2);
my ($inner, $outer) = $line =~ /inner_ns=(\d+) outer_ns=(\d+)/;
my @moved = grep { $_->{kind} eq 'hard' && $_->{cpu} == 1 && $_->{max_ns} >= $inner } @{ JSON::PP::decode_json($json)->{records} };
is(scalar @moved, 1, 'a stall during which the period was changed has its record');
cmp_ok($moved[0]{min_ns}, '>=', $inner - 2_000_000, '... with its whole length') if @moved;
sub named { return grep { ($_->{culprit} // '') eq 'stall_irqoff [stall]' } @_ }
is(scalar named(records('raised', @sections)), 0, 'a raised threshold counts at once');
is(scalar named(records('lowered', @sections)), 1, 'a lowered threshold counts at once');

# CPU 2 is isolated from the scheduler's domains, CPU 3 from the tick where the kernel is built for it.
@sections = guest_ok('isolated CPUs', <<'SH', '--smp', '4', '--icount', '--append', 'isolcpus=2 nohz_full=3');
insmod trace_irqoff.ko enable=1
section default
irqoff status --json
irqoff set cpus=all
section all
irqoff status --json
irqoff set cpus=2-3
section list
irqoff status --json
# Timer interrupts of CPUs 2 and 3, busy in user mode: with nothing watched, with the others watched, and with both watched.
count() { echo "$1 $2 $(awk '{ print $1; exit }' /proc/uptime) $(awk '/LOC:|arch_timer/ { print $4, $5 }' /proc/interrupts)" >> /ticks; }
section starts
for mask in 4 8; do
	taskset $mask sh -c 'while :; do :; done' &
	busy="$busy $!"
done
sleep 1
for cpus in none default 2-3; do
	[ $cpus = none ] && irqoff stop || irqoff start cpus=$cpus
	sleep 0.5
	count before $cpus
	sleep 2
	count after $cpus
done
kill $busy
section ticks
cat /ticks
section isolated
cat /sys/devices/system/cpu/isolated
section nohz_full
cat /sys/devices/system/cpu/nohz_full 2> /dev/null || true
SH
%status = map { ($_->[0] => JSON::PP::decode_json($_->[1])) } grep { $_->[0] =~ /^(?:default|all|list)$/ } @sections;
my %text = map { @$_[ 0, 1 ] } @sections;
is($text{isolated}, "2\n", 'the kernel isolates CPU 2');
my $tickless = $text{nohz_full} =~ /^3$/m;
is($status{default}{watched}, $tickless ? '0-1' : '0-1,3', 'default leaves isolated CPUs alone');
is($status{all}{watched}, '0-3', 'all watches them');
is($status{list}{watched}, '2-3', 'a list that names them watches them');

my (%count, %took);
while ($text{ticks} =~ /^(before|after) (\S+) (\S+) (\d+) (\d+)$/mg) {
	my $sign = $1 eq 'after' ? 1 : -1;
	$took{$2} += $sign * $3;
	$count{2}{$2} += $sign * $4;
	$count{3}{$2} += $sign * $5;
}
is(join(' ', sort keys %took), '2-3 default none', 'timer interrupts were counted');
for my $cpu (2, $tickless ? 3 : ()) {
	my $ticks = $count{$cpu};
	note("timer interrupts of CPU $cpu: ", join(', ', map { sprintf('%s %u in %.2f s', $_, $ticks->{$_}, $took{$_}) } sort keys %took));
	# Rates use the guest's clock, because a sleep may take long on a busy host. Ticks (250 Hz) may come late there too, or
	# not at all, and the guest's own timers add some ten a second. A beat would add a thousand.
	my $unwatched = $ticks->{none} / $took{none};
	$unwatched = 250 if $cpu == 2 && $unwatched < 250;
	cmp_ok($ticks->{default}, '<=', ($unwatched * 1.1 + 100) * $took{default}, "CPU $cpu: no more ticks while others are watched");
	cmp_ok($ticks->{'2-3'}, '<=', (($unwatched + 1000) * 1.1 + 100) * $took{'2-3'}, "CPU $cpu: beats but no more ticks while it is watched");
}

my ($rc, $output) = guest(<<'SH', '--icount', '--append', 'highres=off');
set +e
insmod trace_irqoff.ko enable=1 2>&1
echo "insmod: $?"
insmod trace_irqoff.ko
echo 1 > /sys/module/trace_irqoff/parameters/enable
irqoff start
echo "start: $?"
dmesg | grep trace_irqoff:
exit 0
SH
is($rc, 0, 'without high-resolution timers: guest ended well') or diag($output);
like($output, qr/^insmod: [1-9]/m, 'loading with enable=1 is refused');
like($output, qr/^irqoff: .*high-resolution timers.*\nstart: 1$/m, 'enabling is refused and says why');
like($output, qr/trace_irqoff: enabling needs high-resolution timers/, 'the log says why as well');

done_testing;
