#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff correlate tells of replies that came late for known reasons what held them up: the shortest cases of tests/cases. make cases
# runs all. CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/../cases/lib";
use Case;
use Cases;
use File::Temp qw(tempdir);
use Judge;
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own') if on_debug_kernel();
my $dir = tempdir(CLEANUP => 1);
is(system("make -s -C $FindBin::Bin/../../userspace >&2"), 0, 'the reader builds');
for my $case (cases(qw(stall offset))) {
	my $trouble = case_make($case, $dir);
	is($trouble, '', "$case->{name}: $case->{what}: guest ended well") or next;
	for my $judged (judge_case("$dir/$case->{name}")) {
		my $name = join(' ', $case->{name}, $judged->{log}, $judged->{args});
		note("$name: $judged->{judged} slow, $judged->{right} right, $judged->{cannot} cannot tell, $judged->{blamed} blamed");
		is(judge_short($judged), '', "$name: " . ($judged->{control} ? 'no more are blamed than by chance' : 'nearly all are right')) or
			diag(map { "$_\n" } @{ $judged->{wrong} });
	}
}
done_testing;
