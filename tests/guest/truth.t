#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Each kind of stall, short and long, is found on a CPU that another CPU samples, with the right class and culprit, and with what
# the culprit was busy in. Two CPUs run in turn on an icount clock, so there is no excuse. `make truth` counts the same on CPUs that
# run at once.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../../userspace/selftest";
use Kinds;
use Test::More;
use Truth;
use TruthGuest;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own, as long as these') if on_debug_kernel();
my @cells = truth_run($ENV{TRACE_IRQOFF_KERNEL} // '', 1, [ 2, 10 ], kinds(), '--icount', '--smp', 2);
my @made = grep { $_->{judged} } @cells;
cmp_ok(scalar(@made), '>=', 56, 'stalls were made');
for my $cell (@made) {
	my $name = sprintf('%s, %d ms', $cell->{kind}, $cell->{length_us} / 1000);
	for my $judged (@{ $cell->{judged} }) {
		is(join(' ', truth_wrong($judged)), '', "$name: right") or diag(truth_explain($judged));
		is($judged->{innocent}, 0, "$name: nobody innocent is blamed by a sample");
		ok(!$judged->{untold}, "$name: the lock is told") if $cell->{kind} =~ /^lock/;
	}
}
done_testing;
