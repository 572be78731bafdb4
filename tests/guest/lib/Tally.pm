# SPDX-License-Identifier: GPL-2.0-only
# The agent's counters over kills in a flood: all that the module recorded is counted once, or counted as lost or cleared.
package Tally;
use strict;
use warnings;
use Exporter 'import';
use Follow;
use JSON::PP;
use List::Util qw(sum0);
use Test::More;

our @EXPORT = qw(KILLS json_of sums survives_kills);

# killed N: an agent is killed N times in a flood, later after its start each time, from while it begins to while it writes
use constant KILLS => FOLLOW . <<'SH';
# other tests may have run agents in this guest
rm -rf /run/trace-irqoff /tmp/node /tmp/other /tmp/pipe /tmp/full.prom
state() { cat /run/trace-irqoff/state.json; }
lines=/tmp/lines
agent() {
	irqoff agent "$@" > "$lines" 2> /tmp/said &
	pid=$!
}
# flood: stalls of 2 ms, until /tmp/flood is removed
flood() {
	touch /tmp/flood
	while [ -e /tmp/flood ]; do
		echo irqoff 0 2500 > /proc/stall
		usleep 3000
	done &
	flooding=$!
}
killed() {
	insmod trace_irqoff.ko ring_records=64 enable=1 threshold_us=1000 period_us=500
	section kills
	# the first agent begins before the first stall
	agent /tmp/node
	sleep 1
	asleep
	kill -9 $pid
	wait $pid || :
	flood
	i=0
	while [ $i -lt $1 ]; do
		agent --counters 1s /tmp/node
		usleep $((700000 + i * 1000000 / $1))
		kill -9 $pid
		wait $pid || :
		state || :
		i=$((i + 1))
		[ $i != $(($1 / 2)) ] || irqoff clear
	done 2> /dev/null
	rm /tmp/flood
	wait $flooding
	agent /tmp/node
	sleep 1
	asleep
	# what was cleared of a CPU is known by a record behind it
	irqoff clear
	for cpu in /sys/devices/system/cpu/cpu[0-9]; do
		make_stall irqoff ${cpu##*cpu} 40000
	done
	section 'end of kills'
	cut -d ' ' -f 1 /proc/uptime
	kill $pid
	ended
	section 'after kills'
	state
	section 'module after kills'
	irqoff status --json
	section 'records after kills'
	irqoff list --json
}
SH

# what counters say: stalls, lost, cleared, and how many records there were
sub sums {
	my ($state) = @_;
	my $next = $state->{next};
	return (sum0(map { $_->{stalls} } values %{ $state->{classes} }), $state->{lost}, $state->{cleared},
		sum0(map { $next->[2 * $_ + 1] } 0 .. @$next / 2 - 1));
}

sub json_of { return decode_json($_[0] =~ /^(\{.*\})$/ms ? $1 : '{}') }

# survives_kills(GOT, KILLS): judges these sections, and returns the counters at their end
sub survives_kills {
	my ($got, $kills) = @_;
	my @states = map { decode_json($_) } grep { /^\{/ } split(/\n/, $got->{kills});
	cmp_ok(scalar @states, '>=', $kills * 0.8, "most of $kills agents had begun to count before they were killed");
	my ($fell, $wrong) = (0, 0);
	my @before = (0, 0, 0, 0);
	for my $state (@states) {
		my @now = sums($state);
		$fell += grep { $now[$_] < $before[$_] } 0 .. 3;
		$wrong += $now[0] + $now[1] + $now[2] != $now[3];
		$wrong += $now[0] != sum0(values %{ $state->{causes} }) + $state->{other_causes};
		@before = @now;
	}
	is($fell, 0, "over $kills kills in a flood no counter falls");
	is($wrong, 0, '... and at each kill stalls + lost + cleared are the records that there were, by class and by cause');
	my @end = sums(json_of($got->{'after kills'}));
	my $module = json_of($got->{'module after kills'});
	is(json_of($got->{'after kills'})->{uncounted}, 0, '... none is left out');
	# What the kernel itself did since the agent was told to end, with interrupts off, is not the agent's to count. The records are read
	# behind the module's counters, and may be more than these.
	my $end_ns = 1e9 * ($got->{'end of kills'} =~ /^([\d.]+)$/m)[0];
	my %next = @{ json_of($got->{'after kills'})->{next} };
	my %made = map { $_->{cpu} => $_->{produced} } @{ $module->{cpus} };
	my @later = grep {
		my ($cpu, $number) = split(/:/, $_->{record});
		$_->{end_ns} >= $end_ns && $number >= ($next{$cpu} // 0) && $number < $made{$cpu}
	} grep { !$_->{open} } @{ json_of($got->{'records after kills'})->{records} };
	is($end[0] + $end[1] + $end[2], $module->{produced} - @later, '... and all that the module made until the agent was to end')
		or diag($got->{'after kills'}, $got->{'records after kills'});
	cmp_ok($end[0], '>', 8 * $kills, "... of a real flood: $end[0] stalls");
	cmp_ok($end[1], '>', 0, "... with a ring that was too small: $end[1] lost");
	cmp_ok($end[2], '>', 0, "... and cleared in the midst: $end[2] cleared");
	return ($module->{produced}, @end);
}

1;
