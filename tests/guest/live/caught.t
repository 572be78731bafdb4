#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Another CPU samples hard stalls by NMI while they last. The samples name the culprit even where the end of the stall shows
# nothing. A stall that the host spoilt may be classed as stolen. Every other one is named, also by a CPU that sleeps and is
# made a guard. No stall is ever blamed on the wrong function, and no NMI of others is lost.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Kinds;
use Test::More;
use VM;

my %expected = map { ($_->{name} => $_) } kinds();

# Every kind on CPU 1 while CPU 0 is busy; then while CPU 0 is idle and has to be made a guard. That is to happen before the first
# stall already, which guard=auto does not promise (guard.t).
my @sections = guest_ok('caught', <<'SH', '--timeout', '300');
stalls() { # stalls NUMBER US: each on a CPU that has just been busy
	i=0
	while [ $i -lt $1 ]; do
		section stall
		taskset 2 sh -c 'n=0; while [ $n -lt 30000 ]; do n=$((n + 1)); done; echo irqwork 1 '$2' > /proc/stall; cat /proc/stall'
		i=$((i + 1))
	done
}
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024 guard=always
taskset 1 sh -c 'while :; do :; done' &
i=0
while [ $i -lt 4 ]; do
	for kind in irqoff irqlock irqdeep irqipi irqwork hrtimer idlehrtimer; do
		stall $kind 1 100000
		sleep 0.1
	done
	i=$((i + 1))
done
kill $!
section busy
irqoff list --json --min 50ms
irqoff clear
stalls 20 100000
section guarded
irqoff list --json --min 50ms
irqoff clear
# asleep nearly all of the time, but awake more often than a guard walks
irqoff set threshold=20ms
taskset 1 nap 1000000 8000000 > /dev/null &
stalls 10 150000
kill $!
section napping
irqoff list --json --min 50ms
section list
irqoff list -v --min 50ms
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @busy = records('busy', @sections);
my @guarded = records('guarded', @sections);
my @napping = records('napping', @sections);
my @stalls = stalls(@sections);
my @parts = (    # name, records, stalls
	[ '', \@busy, [ splice(@stalls, 0, 28) ] ],
	[ 'guarded ', \@guarded, [ splice(@stalls, 0, 20) ] ],
	[ 'guarded by naps ', \@napping, \@stalls ],
);
for (@parts) {
	my ($part, $records, $made) = @$_;
	my %fair = map { ($_ => 1) } fair($part || 'busy', @$made);
	my (%missed, %wrong);
	my $part_missed = 0;
	for my $stall (@$made) {
		my $name = $part . $stall->{kind};
		my $kind = $expected{ $stall->{kind} };
		my ($class, $handler) = @$kind{qw(class interrupt)};
		my @found = grep { $_->{kind} eq 'hard' && $_->{min_ns} > 50_000_000 } overlapping($stall, @$records);
		my $named = 0;
		$missed{$name} += 0;
		for my $record (@found) {
			next if $record->{class} eq 'stolen' || $record->{class} eq 'unknown';
			my $culprit = $record->{culprit} // 'nobody';
			my @right = ("$stall->{function} [stall]");
			push @right, "(interrupt $handler)" if $handler && $record->{evidence} eq 'end';
			# the host may keep the end of a section from being seen
			push @right, 'busy_work [stall]' if !$fair{$stall} && ($record->{culprit_evidence} // '') =~ /^(?:shared|leaf)$/;
			push @{ $wrong{$name} }, "$record->{class} $culprit"
				if $record->{class} ne $class || !grep { $_ eq $culprit } @right;
			next if $record->{evidence} ne 'sample';
			my $busy = $record->{busy_in} // 'nothing';
			push @{ $wrong{$name} }, "busy in $busy" if $fair{$stall} && !grep { $_ eq $busy } kind_busy($kind, $stall, $record);
			$named++ if grep { !$handler || ($_->{irq_name} // '') eq $handler } @{ $record->{samples} };
		}
		next if !$fair{$stall} || ($named == 1 && @found == 1);
		$part_missed++;
		# a gap of a period shifts beats and samples, and may be classed as stolen
		$missed{$name}++ if $stall->{gap_ns} < 1_000_000;
		diag(explain($stall, \@found));
	}
	for my $name (sort keys %missed) {
		is($missed{$name}, 0, "$name: sampled while it lasted, classed and named");
		is(join(', ', @{ $wrong{$name} // [] }), '', "$name: never named wrongly");
	}
	cmp_ok(10 * $part_missed, '<=', scalar(keys %fair), ($part || 'busy') . ': nearly all, those that the host disturbed too');
	diag($got{list}) if %wrong || grep { $_ } values %missed;
}

# An idle CPU also handles interrupts that concern no task there, such as the IPIs that synchronize patched code. (This test
# patches no code: QEMU's CPUs may keep a translation from just before the store, and take the old int3 forever.)
@sections = guest_ok('IPIs to an idle CPU', <<'SH');
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
ipis() { awk '/CAL:/ { print $3 }' /proc/interrupts; }
taskset 1 sh -c 'while :; do echo 1 > /sys/module/stall/parameters/ipi; done' &
section before
ipis
for i in 1 2 3 4 5; do
	stall idlehrtimer 1 100000
done
section after
ipis
kill $!
section records
irqoff list --json --min 20ms
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
cmp_ok($got{after} - $got{before}, '>=', 20, 'many IPIs were handled') or diag($got{after});
my @long = grep { $_->{kind} eq 'hard' && $_->{max_ns} > 50_000_000 } records('records', @sections);
my @there = grep { $_->{cpu} == 1 } @long;
my @handlers = fair('IPIs to an idle CPU', stalls(@sections));
is(scalar(grep { !overlapping($_, @there) } @handlers), 0, 'every long handler there was found') or diag(explain(\@long));
my @more = grep { $_->{handler_ns} > $_->{max_ns} } @long;
is(scalar(@more), 0, 'no handler is credited with more time than its stall has') or diag(explain(\@more));

# NMIs of others rain on the sampled CPU. At a threshold of 1 ms a slow kernel would make thousands of stalls of its own.
my ($rain, $least) = on_debug_kernel() ? ('threshold=4000 period=1000', 1) : ('threshold=1000 period=200', 2);
@sections = guest_ok('rain', "$rain\n" . <<'SH', '--timeout', '300');
echo 1 > /proc/sys/kernel/unknown_nmi_panic
insmod stall.ko
insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1 threshold_us=$threshold period_us=$period ring_records=1024 nmi_cpu_rate=1000 nmi_rate=1000
i=0
while [ $i -lt 40 ]; do
	taskset 1 sh -c 'echo "1 300 100 known" > /sys/module/foreign_nmi/parameters/send' &
	stall irqoff 1 50000
	wait $!
	i=$((i + 1))
done
section records
irqoff list --json --cpu 1 --min 10ms
rmmod trace_irqoff
SH
my @rained = fair('rain', stalls(@sections));
my @records = records('records', @sections);
my @dry = grep { my $n = 0; $n += @{ $_->{samples} } for grep { $_->{kind} eq 'hard' } overlapping($_, @records); $n < $least } @rained;
is(scalar @dry, 0, "unknown_nmi_panic=1: $least samples of each were taken among other NMIs") or diag(explain(\@dry));

# A crash while CPUs are being sampled is still a crash. It ends the guest long before the guest would end by itself.
my $told;
my ($status, $output) = guest_heard(sub { $told = time if $_[0] =~ /^@@ crash$/ }, <<'SH', '--timeout', '90');
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=1000 period_us=100
taskset 1 sh -c 'while :; do echo irqoff 1 30000 > /proc/stall; done' &
sleep 1
section crash
sleep 1
echo c > /proc/sysrq-trigger
sleep 60
section survived
SH
cmp_ok(time - ($told // 0), '<', 45, 'a crash: the guest ends by itself') or diag($output);
like($output, qr/^@@ crash$/m, '... after the script asked for it');
unlike($output, qr/^@@ survived$/m, '... and nothing runs after it');

# CPUs go offline and online, watching starts and stops, and the module is unloaded, all while CPUs are being sampled.
@sections = guest_ok('comings and goings', <<'SH', '--timeout', '300');
echo 1 > /proc/sys/kernel/unknown_nmi_panic
insmod stall.ko
insmod trace_irqoff.ko
(while :; do echo irqoff 1 5000 > /proc/stall || true; done) 2> /dev/null &
stalls=$!
taskset 1 sh -c 'while :; do :; done' &
busy=$!
end=$(($(date +%s) + 40))
rounds=0
samples=0
# a debug kernel needs ten seconds for a round
while [ $samples -lt 20 ] || [ $rounds -lt 15 ] && [ "$(date +%s)" -lt $end ]; do
	rounds=$((rounds + 1))
	insist irqoff start threshold=500us period=100us cpus=all
	sleep 0.3
	echo 0 > /sys/devices/system/cpu/cpu1/online
	sleep 0.1
	echo 1 > /sys/devices/system/cpu/cpu1/online
	sleep 0.3
	irqoff stop
	insist irqoff start
	sleep 0.2
	samples=$((samples + $(irqoff status --json | awk '/"samples"/ { sum += $2 } END { print sum + 0 }')))
	rmmod trace_irqoff
	insmod trace_irqoff.ko
done
kill $stalls $busy
section samples
echo $samples
SH
my ($count) = map { $_->[1] } grep { $_->[0] eq 'samples' } @sections;
cmp_ok($count // 0, '>=', 20, 'samples were taken meanwhile');

done_testing;
