#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A sample of tests/truth: each kind of stall, short and long, is found with the right class and culprit, and with what the culprit
# was busy in. A stall that is wrong does not count where it is known how the host or the emulator made it so; a kind that has one of
# those is made again. Bounds may be wrong for one stall, because the emulator brings a beat late in one of 1440 (kinds.t, where it
# cannot, allows none). No sample blames an innocent function, in any stall that ended with the one that it waited for.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../../userspace/selftest";
use Kinds;
use Test::More;
use Truth;
use TruthGuest;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own, as long as these') if on_debug_kernel();

# counts(JUDGED): a stall that the other CPU came too late to sample has no more than its end, which says who closed it, and the class
sub counts {
	my ($judged) = @_;
	my @wrong = truth_wrong($judged);
	return truth_counts($judged) && !($judged->{alone} && @wrong && !grep { !/^(?:culprit|busy_in)$/ } @wrong);
}

my (%judged, @names);
my @kinds = kinds();
for (1 .. TRUTH_TRIES) {
	my %again;
	for my $cell (truth_run($ENV{TRACE_IRQOFF_KERNEL} // '', 1, [ 2, 10 ], @kinds)) {
		my $name = sprintf('%s, %d ms', $cell->{kind}, $cell->{length_us} / 1000);
		push @names, $name if $cell->{judged} && !$judged{$name};
		push @{ $judged{$name} }, @{ $cell->{judged} // [] };
		$again{ $cell->{kind} } = 1 if $cell->{judged} && !grep { counts($_) } @{ $judged{$name} };
	}
	@kinds = grep { $again{ $_->{name} } } @kinds or last;
}
cmp_ok(scalar(@names), '>=', 28, 'stalls were made');
my @all = map { @{ $judged{$_} } } @names;
cmp_ok(2 * grep({ counts($_) } @all), '>=', scalar @all, 'the host and the emulator disturbed half of them at most');
for my $name (@names) {
	my @these = @{ $judged{$name} };
	my @counts = grep { counts($_) } @these;
	ok(@counts, "$name: one counts") or diag(map { truth_explain($_) } @these);
	for my $judged (@counts) {
		is(join(' ', grep { $_ ne 'bounds' } truth_wrong($judged)), '', "$name: right") or diag(truth_explain($judged));
	}
	is(scalar grep({ $_->{innocent} && !$_->{apart} } @these), 0, "$name: nobody innocent is blamed by a sample");
}
cmp_ok(scalar(grep { exists $_->{bounds} && !$_->{bounds} && !truth_disturbed($_) } @all), '<=', 1, 'at most one has wrong bounds')
	or diag(map { truth_explain($_) } @all);
cmp_ok(scalar(grep { $_->{apart} } @all), '<=', 2, 'the host held back at most two of the paired stalls');
note(@all - grep({ counts($_) } @all), ' of ', scalar(@all), " do not count:\n", map { truth_explain($_) } grep { !counts($_) } @all);
done_testing;
