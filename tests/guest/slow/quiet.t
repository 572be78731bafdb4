#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Ten idle minutes leave no record on a CPU that the host cannot disturb, at the default settings and at the finest. On ordinary
# virtual CPUs all records of 10 ms or longer are classed as stolen. Shorter ones appear there at the finest settings, because
# QEMU's translation of code takes longer than the threshold at any moment; they must be whole, and the test prints their classes.
#
# Environment: QUIET_SECONDS (600).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Records;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own') if on_debug_kernel();

my $seconds = $ENV{QUIET_SECONDS} // 600;
my $finest = 'threshold_us=100 period_us=50';
for my $settings ('', $finest) {
	for my $icount (1, 0) {
		my $name = ($icount ? 'icount' : 'TCG') . ', ' . ($settings || 'default settings');
		# starting a program turns interrupts off for more than 100 us
		my @sections = guest_ok($name, <<SH, $icount ? '--icount' : (), '--timeout', $seconds * 2 + 120);
insmod trace_irqoff.ko $settings
sleep 5
insist enable
sleep $seconds
echo 0 > /sys/module/trace_irqoff/parameters/enable
section records
irqoff list --json
section list
irqoff list
section status
irqoff status --json
SH
		my %got = map { ($_->[0] => $_->[1]) } @sections;
		my @records = records('records', @sections);
		my %classes;
		$classes{"$_->{class}, $_->{evidence}"}++ for @records;
		my $produced = 0;
		$produced += $_->{produced} for @{ JSON::PP::decode_json($got{status} // '{"cpus":[]}')->{cpus} };
		diag("$name: $produced records; of those kept: ", join('; ', map { "$classes{$_} $_" } sort keys %classes))
			if $produced;
		my @other = $icount ? @records : grep { $_->{class} ne 'stolen' && $_->{min_ns} >= 10_000_000 } @records;
		is(scalar @other, 0, "$name: no unexpected record in $seconds s") or diag($got{list});
		whole($name, @records);
		accounted($name, $got{status}, $got{records}) if @records;
	}
}

done_testing;
