# SPDX-License-Identifier: GPL-2.0-only
# Functions of guest scripts that run irqoff record, and what is right of a recorder that was killed. They need Follow.pm's.
package Recorder;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use Test::More;

our @EXPORT = qw(RECORDER killed_right);

use constant RECORDER => <<'SH';
# record OPTION...: begins to record in the background, with its messages in /tmp/said
record() {
	irqoff record "$@" > /tmp/lines 2> /tmp/said &
	pid=$!
	sleep 1
	asleep
}
# flood N: N short stalls
flood() {
	i=0
	while [ $i -lt $1 ]; do
		echo "irqoff 0 300" > /proc/stall
		i=$((i + 1))
	done
}
# killed_often N: kills a recorder N times in a flood, in sections that killed_right() reads
killed_often() {
	section killed
	rm -f /tmp/killed.irqoff
	insist irqoff start threshold=200us period=50us
	while :; do echo "irqoff 0 300" > /proc/stall; usleep 20000; done &
	flooding=$!
	k=0
	while [ $k -lt $1 ]; do
		irqoff record /tmp/killed.irqoff 2>> /tmp/killed.said &
		pid=$!
		# it reads names before its first record
		usleep $((1500000 + k * 137000 % 1000000))
		kill -9 $pid
		wait $pid || :
		k=$((k + 1))
	done
	kill $flooding
	irqoff stop
	grep -v recording /tmp/killed.said || :
	fails irqoff record --for 1s /tmp/killed.irqoff
	section 'killed numbers'
	irqoff status --json -i /tmp/killed.irqoff
	section 'killed list'
	packed irqoff list --json=lines -i /tmp/killed.irqoff
}
SH

# of the sections of killed_often(): each record is there once
sub killed_right {
	my %got = map { ($_->[0] => $_->[1]) } @_;
	my $status = decode_json($got{'killed numbers'} // '{}');
	my @numbers = map { /^0:(\d+)$/ } map { decode_json($_)->{record} } $got{'killed list'} =~ /^(\{.*\})$/mg;

	unlike($got{killed}, qr/irqoff: lost/, 'a recorder that begins again has lost nothing');
	like($got{killed}, qr/^irqoff: recorded .*, lost 0\nstatus: 0\n\z/m, 'after the last one was killed, all can be recorded');
	cmp_ok(scalar @numbers, '>', 50, 'recorders that are killed leave records (' . scalar(@numbers) . ')');
	is_deeply(\@numbers, [$numbers[0] .. $numbers[-1]], '... each once, and none is missing');
	is($status->{lost}, 0, '... which the capture knows');
	return;
}

1;
