#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Stalls of kernel code that nobody here wrote: who holds interrupts or softirqs off is named, not what it calls. The demo has two
# more, of ip_vs and of memory cgroups; tests/real prints all of this as a table.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Real;
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has no IPv6') if on_debug_kernel();

my ($trouble, @stalls) = real_run(sub { $_[0]{cheap} }, '--icount', '--smp', '2');
is($trouble, '', 'guest ended well');
for my $stall (@stalls) {
	my $name = $stall->{name};
	my ($right, $record) = real_right($stall);
	ok($record && $record->{min_ns} > 4_000_000, "$name: a stall was found") or next;
	note(sprintf('%s: try %d, %.1f ms, %s, busy in %s', $name, $stall->{tries}, $record->{min_ns} / 1e6, $record->{culprit} // 'nobody', $record->{busy_in} // 'nothing'));
	is($record->{class}, $stall->{class}, "$name: its class");
	ok(!$record->{suspected}, "$name: proved, as nobody takes the CPUs of an icount guest");
	like($record->{culprit} // '', $stall->{culprit}, "$name: who holds them off is named") or diag(explain($record));
	is($stall->{caused}, $stall->{cause}, "$name: its known cause");
	like(real_busy($stall, $record), $stall->{busy}, "$name: ... and what it was busy in") if $stall->{busy};
}

done_testing;
