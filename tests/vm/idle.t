#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A CPU with nothing to do has no stalls: 60 s of guest time each at the default and at the finest settings. On one
# icount CPU, where the host cannot make any.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

for my $settings ('', 'threshold_us=100 period_us=50') {
	my $name = $settings || 'default settings';
	my @sections = guest_ok($name, <<SH, '--icount', '--timeout', '900');
insmod trace_irqoff.ko $settings
sleep 2
echo 1 > /sys/module/trace_irqoff/parameters/enable
sleep 60
echo 0 > /sys/module/trace_irqoff/parameters/enable
section records
irqoff list --json
section list
irqoff list -v
section status
irqoff status --json
SH
	my ($list) = grep { $_->[0] eq 'list' } @sections;
	is(scalar(records('records', @sections)), 0, "$name: nothing in 60 s idle") or diag($list->[1]);
	my ($status) = grep { $_->[0] eq 'status' } @sections;
	my $beats = JSON::PP::decode_json($status->[1])->{cpus}[0]{beats};
	my $period_us = $settings =~ /period_us=(\d+)/ ? $1 : 1000;
	cmp_ok($beats, '>', 0.98 * 60e6 / $period_us, "$name: it did watch ($beats beats)");
}

done_testing;
