#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# `irqoff report --sort cost` adds up what a culprit took from all CPUs. Three CPUs queue for a lock that a fourth one holds, and
# one CPU waits for an IPI's answer. The true time, by the stall module's own clock readings, lies inside of the summed bounds.
# The CPUs run in turn on an icount clock, so nothing depends on the host.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use List::Util qw(sum0);
use Test::More;
use VM;

plan(skip_all => "on a debug kernel, whose checks come between a lock's release and the end of the section, other CPUs may have their turn there")
	if on_debug_kernel();
my $rounds = 5;
my @sections = guest_ok('convoy', <<"SH", '--icount', '--smp', 4, '--timeout', 600);
insmod stall.ko other=0
insmod trace_irqoff.ko enable=1 cpus=all ring_records=1024
i=0
while [ \$i -lt $rounds ]; do
	stall queue 1 \$((40000 + i * 7300))
	sleep 0.1
	stall ipiwait 1 \$((40000 + i * 7300))
	sleep 0.1
	i=\$((i + 1))
done
section records
irqoff list --json
section report
irqoff report --sort cost --json
section folded
irqoff export --format folded --by culprit
section fleet
irqoff save /tmp/capture
irqoff report -i /tmp/capture /tmp/capture --sort cost --json
section screen
irqoff report --sort cost
section verbose
packed irqoff list -v
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @stalls = stalls(@sections);
my @groups = @{ decode_json($got{report})->{groups} };

# of(KIND, FIELD): the sum of that field of these stalls
sub of {
	my ($kind, $field) = @_;
	return sum0(map { $_->{$field} } grep { $_->{kind} eq $kind } @stalls);
}

# holds(NAME, BOUNDS, INNER, OUTER): does the truth lie inside of these bounds, and do they say something?
sub holds {
	my ($name, $bounds, $inner, $outer) = @_;
	cmp_ok($bounds->{min_ns}, '<=', $outer, "$name: no more than the truth");
	cmp_ok($bounds->{max_ns}, '>=', $inner, "$name: no less than the truth");
	cmp_ok($bounds->{max_ns} - $bounds->{min_ns}, '<', $inner / 20, "$name: bounds that say something");
	note("$name: $bounds->{min_ns} to $bounds->{max_ns} ns, made: $inner to $outer ns");
	return;
}

my %group = map { ($_->{culprit} // '' => $_) } @groups;
my $nothing = { min_ns => 0, max_ns => 0 };
my $queue = $group{'stall_queue_holder [stall]'};
is($queue->{count}, $rounds, 'queue: stalls of the culprit');
is($queue->{victims}, 3 * $rounds, 'queue: three victims each');
holds('queue, own', $queue->{cost}{own}, of('queue', 'inner_ns'), of('queue', 'outer_ns'));
holds('queue, probable', $queue->{cost}{probable}, of('queue', 'waits_inner_ns'), of('queue', 'waits_outer_ns'));
is_deeply($queue->{cost}{proved}, $nothing, 'queue: nothing is proved, a lock might be another one');
holds('queue, all', $queue->{cost}, map { of('queue', $_) + of('queue', "waits_$_") } 'inner_ns', 'outer_ns');
my $ipi = $group{'stall_holder [stall]'};
is($ipi->{victims}, $rounds, "ipiwait: a victim each");
holds('ipiwait, proved', $ipi->{cost}{proved}, of('ipiwait', 'inner_ns'), of('ipiwait', 'outer_ns'));
is_deeply($ipi->{cost}{probable}, $nothing, 'ipiwait: nothing is left open');
is($groups[0]{culprit}, 'stall_queue_holder [stall]', 'what cost most is first');
like($got{screen}, qr/^CULPRIT .* OWN ms +PROVED +PROBABLE +COST ms +AT MOST\nstall_queue_holder/m, 'as a table');
like($got{folded}, qr/^stall_queue_holder \[stall\];.*stall_queue_holder/m, 'export tells the same of the culprit');
is(sum0($got{folded} =~ /^stall_queue_holder \[stall\];.* (\d+)$/mg), $queue->{cost}{min_ns}, 'and counts each nanosecond once');
is_deeply([ map { $_->{cost} } grep { ($_->{culprit} // '') eq 'stall_queue_holder [stall]' } @{ decode_json($got{fleet})->{groups} } ],
	[ $queue->{cost} ], 'so does a capture that is read twice');
diag($got{screen}, $got{verbose}) unless Test::More->builder->is_passing;
done_testing;
