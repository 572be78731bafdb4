#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Where the kernel's clock is slow to read, short periods are refused, and watching stops by itself when the clock becomes slow.
# docs/design/cost.md says why: such a clock is one device that all CPUs share. Here it is one that takes as long (tests/modules/clock),
# and two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

plan(skip_all => 'its clock is never slow') if on_arm64();
plan(skip_all => "a debug kernel's checks take longer than reading the clock's hardware") if on_debug_kernel();

my $rule = qr/reading the kernel's clock takes \d+ ns \(see current_clocksource\), so period_us must be at least (\d+)$/m;

my $late = <<'SH';
clocksource=/sys/devices/system/clocksource/clocksource0/current_clocksource
insmod harness_clock.ko
section before
cat $clocksource
SH

# The kernel distrusts the TSC from the start.
my @sections = guest_ok('distrusted', $late . <<'SH', '--icount', '--smp', 2, '--append', 'tsc=unstable clocksource=hpet');
refused() { # refused COMMAND...: its output, status, and what it added to the log
	section refused
	dmesg -c > /dev/null
	fails "$@"
	dmesg -c | grep 'trace_irqoff:' || true
}
insmod stall.ko
echo late > $clocksource
section clocksource
cat $clocksource
refused insmod trace_irqoff.ko enable=1 period_us=100
rmmod trace_irqoff 2> /dev/null || true
insmod trace_irqoff.ko threshold_us=200000 period_us=100
refused irqoff start
refused sh -c 'echo 1 > /sys/module/trace_irqoff/parameters/enable'
section status
irqoff status --json
section start
irqoff start period=50ms
section allowed
sleep 3
irqoff status --json
refused irqoff set period=100us
stall irqoff 1 500000
section records
irqoff list --json
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
is("$got{before}$got{clocksource}", "hpet\nlate\n", 'the clock is slow');
my @refused = map { $_->[1] } grep { $_->[0] eq 'refused' } @sections;
is(scalar @refused, 4, 'short periods were tried');
for my $i (0 .. $#refused) {
	like($refused[$i], qr/^status: [1-9]/m, "short period $i: refused");
	like($refused[$i], $rule, "short period $i: by a sentence, which says what is allowed");
	my ($least) = $refused[$i] =~ $rule;
	note("the shortest period is ${\ ($least // '?')} us");
}
ok(!JSON::PP::decode_json($got{status})->{enabled}, 'a refused start changes nothing');
ok(JSON::PP::decode_json($got{allowed})->{enabled}, 'a long period is allowed, and goes on');
my ($stall) = stalls(@sections);
is(scalar(grep { $_->{kind} eq 'hard' && $_->{cpu} == 1 && $_->{min_ns} > 300_000_000 }
	overlapping($stall, records('records', @sections))), 1, '... and finds a stall');

# The kernel comes to distrust it.
@sections = guest_ok('demoted', $late . <<'SH', '--icount', '--smp', 2, '--append', 'tsc=reliable');
insmod trace_irqoff.ko enable=1 threshold_us=200000 period_us=100
spin &
busy=$!
# the clock is measured 16 times a second
sleep 3
section fast
irqoff status --json
dmesg -c | grep 'trace_irqoff: watching' || true
echo late > $clocksource
sleep 3
section slow
irqoff status --json
section log
dmesg -c | grep 'trace_irqoff: ' || true
section again
fails irqoff start
echo tsc > $clocksource
section back
fails irqoff start
sleep 3
irqoff status --json
kill $busy
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
like($got{before}, qr{^tsc(?:-early)?$}, 'the clock is fast');
my $fast = JSON::PP::decode_json($got{fast});
ok($fast->{enabled}, 'it watches while the clock is fast');
my $slow = JSON::PP::decode_json($got{slow});
ok(!$slow->{enabled}, 'it stops by itself when the clock becomes slow');
my @lines = split(/\n/, $got{log});
is(scalar @lines, 1, '... says so once') or diag($got{log});
like($lines[0] // '', qr/trace_irqoff: watching has stopped: reading the kernel's clock takes \d+ ns now \(see current_clocksource\); this needs a period_us of \d+ at least, and it is 100$/, '... and why');
is("$slow->{stopped_by} $slow->{self_stops}", 'clock 1', '... and the status tells it');
is("$slow->{period_us} $slow->{threshold_us}", '100 200000', '... and leaves the settings alone');
like($got{again}, $rule, 'it does not start again');
like($got{back}, qr/^status: 0\n.*"enabled": *true/ms, '... until the clock is fast again');
unlike($got{back}, $rule, '... and then at once');

# Where a hypervisor intercepts RDTSC, each interrupt would pay. Here an instruction takes 128 ns.
@sections = guest_ok('intercepted', <<'SH', '--icount', '--shift', 7);
insmod trace_irqoff.ko
section refused
fails irqoff start period=100ms threshold=1s
section status
irqoff status --json
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
like($got{refused}, qr/^irqoff: reading the cycle counter takes \d+ ns, and each interrupt reads it twice;.*\nstatus: 1$/m,
	'a cycle counter that is slow to read is refused');
like($got{status}, qr/"enabled": false/, '... and nothing is watched');

done_testing;
