#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Watching stops by itself when it takes more of a CPU's time than max_cost_ppm for 10 s. Under emulation a timer interrupt takes
# many microseconds, so that 1000 ppm at a period of 1 ms are too few for any machine.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

detectors_count();

my @sections = guest_ok('limit', <<'SH', '--icount', '--smp', 2, '--timeout', 400);
spin &
one=$!
spin &
two=$!
watched() { # watched NAME SECONDS: the status after that long, or once it has stopped, and what the log says
	i=0
	while [ $i -lt $2 ] && grep -q 1 /sys/module/trace_irqoff/parameters/enable; do sleep 1; i=$((i + 1)); done
	sleep 1
	section $1
	irqoff status --json
	section log $1
	dmesg -c | grep 'trace_irqoff: ' || true
}
insmod trace_irqoff.ko enable=1 max_cost_ppm=1000
dmesg -c > /dev/null
watched early 1
watched stopped 30
insist irqoff start
watched again 40
echo 0 > /sys/module/trace_irqoff/parameters/max_cost_ppm
insist irqoff start
watched unlimited 20
kill $one $two
SH
my %got = map { ($_->[0] => $_->[0] =~ /^log|release/ ? $_->[1] : JSON::PP::decode_json($_->[1])) } @sections;
ok($got{early}{enabled}, 'it watches at first');
is($got{'log early'}, '', '... and says nothing');
for my $case ([ 'stopped', 1 ], [ 'again', 2 ]) {
	my ($name, $stops) = @$case;
	my $status = $got{$name};
	ok(!$status->{enabled}, "$name: it stops by itself");
	my @lines = split(/\n/, $got{"log $name"});
	is(scalar @lines, 1, "$name: it says so once") or diag($got{"log $name"});
	my ($ppm) = ($lines[0] // '') =~
		/trace_irqoff: watching has stopped: it took (\d+) ppm of CPU [01]'s time, more than max_cost_ppm=1000 for 10 s; start with a longer period_us or a higher max_cost_ppm$/;
	cmp_ok($ppm // 0, '>', 1000, "$name: ... and by how much");
	is("$status->{stopped_by} $status->{self_stops}", "cost $stops", "$name: the status tells it");
	is("$status->{period_us} $status->{threshold_us}", '1000 10000', "$name: the settings are as they were");
}
ok($got{unlimited}{enabled}, 'without a limit it goes on');
is($got{'log unlimited'}, '', '... and says nothing');

done_testing;
