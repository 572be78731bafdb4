#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Runs the KUnit suites in the debug kernel. Every *_test.c of tests/kunit is a suite and must be there.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use KUnit;
use VM;

$ENV{TRACE_IRQOFF_KERNEL} //= DEBUG_KERNEL;

my @names = sort map { m{([^/]+)_test\.c$} } glob("$FindBin::Bin/../../kunit/*_test.c");
my @suites = map { "trace_irqoff_$_" } @names;
cmp_ok(scalar @suites, '>=', 6, 'there are suites');

my @sections = guest_ok('suites', kunit_script(map { ("trace_irqoff_${_}_test" => "trace_irqoff_$_") } @names),
	'--timeout', '900');
my $failed = 0;
for my $verdict (kunit_verdicts(\@suites, @sections)) {
	$failed++ unless ok($verdict->[0], $verdict->[1]);
}
if ($failed) {
	diag("$_->[0]:\n$_->[1]") for grep { $_->[0] =~ /^(?:load|results|unload) / } @sections;
}

done_testing;
