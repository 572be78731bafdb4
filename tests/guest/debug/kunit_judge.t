#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# How KUnit results are judged: every format that kernels write from 5.10 on, and every way to fail.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use KUnit;
use VM;

$ENV{TRACE_IRQOFF_KERNEL} //= DEBUG_KERNEL;

# judge(TEXT, LOAD): the verdicts on suite "s" with these results, one a line
sub judge {
	my ($text, $load) = @_;
	return join('', map { ($_->[0] ? 'ok' : 'not ok') . " $_->[1]\n" }
		kunit_verdicts(['s'], [ 'load s', $load // "status: 0\n" ], [ 'results s', $text ], [ 'unload s', "status: 0\n" ]));
}

my $good = "ok s: one\nok s: two\nok s: the whole suite\n";
my $tap = <<'TAP';
    # Subtest: s
    1..2
    ok 1 - one
    ok 2 - two
ok 1 - s
TAP
my $ktap = <<'TAP';
KTAP version 1
1..1
    KTAP version 1
    # Subtest: s
    # module: m
    1..2
    ok 1 one
    # two.speed: slow
    # two: some news
    ok 2 two
# s: pass:2 fail:0 skip:0 total:2
# Totals: pass:2 fail:0 skip:0 total:2
ok 1 s
TAP
(my $log = $tap) =~ s/^/[   12.345678] /mg;
(my $caller = $tap) =~ s/^/[   12.345678][  T123] /mg;
is(judge($tap), $good, 'as 5.10 writes it');
is(judge($ktap), $good, 'as newer kernels do');
is(judge("[    1.0] trace: loading\n$log\[   13.0] random: crng init done\n"), $good, 'the kernel log');
is(judge($caller), $good, 'the kernel log with callers');

sub changed {
	my ($name, $text, $from, $to, $want) = @_;
	my $changed = $text =~ s/$from/$to/r;
	isnt($changed, $text, "$name: a change");
	is(judge($changed), $want, $name);
}
my $one_failed = "ok s: one\nnot ok s: two\n";
for ([ $tap, 'TAP' ], [ $ktap, 'KTAP' ]) {
	my ($text, $form) = @$_;
	changed("$form: a failed case", $text, qr/^    ok 2/m, '    not ok 2', "${one_failed}ok s: the whole suite\n");
	changed("$form: a skipped case", $text, qr/^(    ok 2.*)$/m, "    ok 2 two # SKIP", "${one_failed}ok s: the whole suite\n");
	changed("$form: a failed suite", $text, qr/^ok 1/m, 'not ok 1', "ok s: one\nok s: two\nnot ok s: the whole suite, not ok\n");
	changed("$form: a lost case", $text, qr/^    ok 1.*\n/m, '', "ok s: two\nnot ok s: the whole suite, cases are missing\n");
	changed("$form: cut short", $text, qr/^ok 1.*\n/m, '', "ok s: one\nok s: two\nnot ok s: the whole suite, no end\n");
	changed("$form: another suite", $text, qr/Subtest: s/, 'Subtest: s2', "not ok s: the whole suite, no results\n");
	changed("$form: no plan", $text, qr/^    1\.\.2\n/m, '',
		"ok s: one\nok s: two\nnot ok s: the whole suite, no cases, cases are missing\n");
}
is(judge("    # Subtest: s\n    1..0\nok 1 - s\n"), "not ok s: the whole suite, no cases\n", 'an empty suite');
is(judge(''), "not ok s: the whole suite, no results\n", 'nothing at all');
is(judge($tap, "insmod: can't insert\nstatus: 1\n"), "ok s: one\nok s: two\nnot ok s: the whole suite, could not load\n",
	'a module that was not loaded');

# Real suites, all in one guest.
my @suites = qw(harness_fails harness_empty harness_missing);
my @sections = guest_ok('bad suites', kunit_script(map { (s/_/_kunit_/r => $_) } @suites));
my %verdicts = map { ($_->[1] => $_->[0] ? 1 : 0) } kunit_verdicts(\@suites, @sections);
is_deeply(\%verdicts, {
	'harness_fails: before' => 1,
	'harness_fails: failing' => 0,
	'harness_fails: asserting' => 0,
	'harness_fails: after' => 1,
	'harness_fails: the whole suite, not ok' => 0,
	'harness_empty: the whole suite, no cases, not ok' => 0,
	'harness_missing: the whole suite, could not load, could not unload, no results' => 0,
}, 'the verdicts on bad suites') or diag(explain(\@sections));

done_testing;
