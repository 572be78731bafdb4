# SPDX-License-Identifier: GPL-2.0-only
# Invariants of records and counters.
package Records;
use strict;
use warnings;
use Exporter 'import';
use List::Util qw(max);
use Test::More;
use Time::Piece;
use VM;

our @EXPORT = qw(accounted adds_up apart whole whole_text);

# adds_up(NAME, CPU...): the counters of `irqoff status --json` add up
sub adds_up {
	my ($name, @cpus) = @_;
	my @wrong = grep { $_->{produced} != $_->{kept} + $_->{lost} + $_->{cleared} } @cpus;
	cmp_ok(scalar @cpus, '>', 0, "$name: there are counters");
	is(join(' ', map { $_->{cpu} } @wrong), '', "$name: produced = kept + lost + cleared on every CPU")
		or diag(explain(\@wrong));
}

# accounted(NAME, STATUS, LIST): `irqoff list --json` has exactly the records that `irqoff status --json` counts as kept. Both
# are taken while no CPU is watched. The newest one is among them.
sub accounted {
	my ($name, $status, $list) = @_;
	my (%kept, %listed);
	for my $cpu (@{ JSON::PP::decode_json($status)->{cpus} }) {
		$kept{ $cpu->{cpu} } = "$cpu->{kept} up to " . ($cpu->{produced} - 1) if $cpu->{kept};
	}
	$listed{ $_->{cpu} }{ $_->{seq} } = 1 for @{ JSON::PP::decode_json($list)->{records} };
	cmp_ok(scalar keys %kept, '>', 0, "$name: records are kept");
	is_deeply({ map { $_ => keys(%{ $listed{$_} }) . ' up to ' . max(keys %{ $listed{$_} }) } keys %listed }, \%kept,
		"$name: the list has exactly the kept records");
}

# apart(FIRST, LAST): how many seconds there are between two times of the reader's JSON
sub apart {
	my @s = map { /^(.{19})(\.\d+)/ ? Time::Piece->strptime($1, '%Y-%m-%dT%H:%M:%S')->epoch + $2 : die "$_ is no time\n" } @_;
	return $s[1] - $s[0];
}

# a kernel address
my $kernel = on_arm64() ? qr/^0xffff[0-9a-f]{12}$/ : qr/^0xffffffff[0-9a-f]{8}$/;

# the faults of one record of `irqoff list --json`
sub faults {
	my ($record) = @_;
	return grep { $_ } (
		$record->{min_ns} > $record->{max_ns} && 'bounds',
		$record->{min_ns} < $record->{threshold_ns} && 'shorter than the threshold',
		(grep { $_->{at_ns} < $record->{end_ns} - $record->{max_ns} || $_->{at_ns} > $record->{end_ns} }
			@{ $record->{samples} }) && 'a sample from outside of the stall',
		(grep { $_->{nmi} != ($record->{kind} eq 'hard') } @{ $record->{samples} }) && 'the nmi flag',
		$record->{end}{comm} !~ m{^[\w/:.+-]+$} && 'comm',
		$record->{end}{at_ns} != $record->{end_ns} && 'time of the end',
		(grep { !/$kernel/ } @{ $record->{end}{addresses} }) && 'addresses',
	);
}

# whole(NAME, RECORD...): no record of a list is torn, and none is in it twice
sub whole {
	my ($name, @records) = @_;
	my ($twice, $torn) = (0, 0);
	my %seen;
	for my $record (@records) {
		next if $record->{open};
		$twice++ if $seen{"$record->{cpu}:$record->{seq}"}++;
		my @wrong = faults($record);
		diag("$name: $record->{cpu}:$record->{seq}: @wrong") if @wrong && $torn++ < 5;
	}
	is($twice, 0, "$name: no record twice");
	is($torn, 0, "$name: no record torn");
}

# whole_text(NAME, TEXT): the same for what /proc/trace_irqoff printed; returns the number of records
sub whole_text {
	my ($name, $text) = @_;
	my %seen;
	my @records = $text =~ /^     record: (\S+) /mg;
	my @broken = grep { /^     record: /m && !m{^.* PID: \d+ LATENCY: \d+\.\d{3}ms\.\.\d+\.\d{3}ms.*\n     record: \d+:\d+ ended: .* class: [a-z-]+ evidence: .*\n(?:     .*\n)+\n} }
		split(/^     COMMAND: /m, $text);
	diag("not whole:\n$_") for @broken;
	is(scalar @broken, 0, "$name: no record torn");
	is(scalar(grep { $seen{$_}++ } @records), 0, "$name: no record twice");
	return scalar @records;
}

1;
