#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A virtual CPU that writes records without end is stopped a hundred times at random, in the midst of a record too. Readers on
# another CPU do not wait for it: they give up the record, say that it is busy, and read it when it is written.
#
# Environment: STOPS (100).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use List::Util qw(max min);
use Records;
use Test::More;
use Thief;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
use VM;

plan(skip_all => 'a debug kernel takes longer to read than a stop lasts') if on_debug_kernel();

my $stops = $ENV{STOPS} // 100;
my $seconds = 15 + int($stops * 0.4);
my $script = "seconds=$seconds\n" . <<'SH';
mkdir /proc.kept /lists
insmod stall.ko
insmod trace_irqoff.ko enable=1 cpus=1 ring_records=8 threshold_us=200 period_us=100
# Short stalls on CPU 1, one after another: it writes records for much of its time. Readers on CPU 0.
taskset 2 sh -c 'while :; do echo irqoff 300; echo bhoff 300; done > /sys/module/stall/parameters/here' &
flood=$!
taskset -p 1 $$ > /dev/null
sleep 1
section reads
chrt --fifo 1 readings /proc/trace_irqoff $seconds /proc.kept &
readings=$!
lists=0 busy=0 longest=0
while kill -0 $readings 2> /dev/null; do
	read -r from rest < /proc/uptime
	irqoff list --json > /list
	read -r to rest < /proc/uptime
	took=$((${to%.*}${to#*.} - ${from%.*}${from#*.}))
	[ $took -le $longest ] || longest=$took
	lists=$((lists + 1))
	if grep -q '"busy": *[1-9]' /list; then
		busy=$((busy + 1))
		[ $busy -gt 10 ] || cp /list /lists/busy.$busy
	elif [ $((lists % 20)) = 1 ]; then
		cp /list /lists/any.$lists
	fi
done
wait $readings
section lists
echo $lists $busy $longest
kill $flood
sleep 0.5
irqoff stop
section status
irqoff status --json
section after
packed irqoff list --json
section proc after
packed cat /proc/trace_irqoff
for file in /lists/*; do
	section list
	packed cat $file
done
for file in /proc.kept/*; do
	section proc
	packed cat $file
done
SH

# The guest's clock is behind the machine's by what both say of a line, or less, because the line takes time to arrive.
my $behind_ns;
my $hear = sub {
	return unless $_[0] =~ /^at (\d+)$/;
	my $ns = clock_gettime(CLOCK_MONOTONIC) * 1e9 - $1;
	$behind_ns = $ns if !defined $behind_ns || $ns < $behind_ns;
};
my ($trouble, $sections, $thefts) = robbed($script, qr/^at /, $stops, '30-100', '50-200', $hear, '--timeout', 300 + $seconds);
is($trouble, '', 'a virtual CPU was stopped, and the kernel logged nothing');
if ($trouble) {
	done_testing;
	exit;
}
is(scalar @$thefts, $stops, "... $stops times");
my %got = map { ($_->[0] => $_->[1]) } @$sections;
my ($readings, $busy, $longest_ns) = $got{reads} =~ /^readings (\d+) (\d+) (\d+)$/m;
my ($lists, $busy_lists, $longest_list) = split(' ', $got{lists});
note(sprintf('/proc: read %d times, %d times with a busy record; the longest read(2): %.1f ms', $readings, $busy, $longest_ns / 1e6));
note(sprintf('irqoff list: %d times, %d times with a busy record; the longest: %.2f s', $lists, $busy_lists, $longest_list / 100));

# A reader that spins uses CPU 0 until the stop is over. What the machine took from CPU 0 in the meantime is not its fault.
my $patience_us = 20_000;
my ($long, $worst_us, $hit) = (0, 0, 0);
my @long = map { [ map { ($_ + $behind_ns) / 1000 } split(' ', $_) ] } $got{reads} =~ /^long (\d+ \d+)$/mg;
my @busy = map { [ map { ($_ + $behind_ns) / 1000 } split(' ', $_) ] } $got{reads} =~ /^busy (\d+ \d+)$/mg;
for my $theft (@$thefts) {
	my (undef, $ran_us, $from_us, $to_us) = @$theft;
	for my $read (@long) {
		my $own_us = min($read->[1], $to_us) - max($read->[0], $from_us) - ($to_us - $from_us - $ran_us);
		$worst_us = $own_us if $own_us > $worst_us;
		$long++ if $own_us > $patience_us;
	}
	$hit++ if grep { $_->[0] < $to_us && $_->[1] > $from_us } @busy;
}
note(sprintf('busy: %.3f to %.3f s', map { $_ / 1e6 } @$_)) for @busy;
note(sprintf('long: %.3f to %.3f s', map { $_ / 1e6 } @$_)) for @long;
is($long, 0, sprintf('no read(2) waits for the CPU that is stopped: %.1f ms at most', $worst_us / 1000));
cmp_ok($busy, '>', 0, "a reader gives up what is being written: in $hit of $stops stops");
my $lasted_ms = max(0, map { ($_->[1] - $_->[0]) / 1000 } @busy);
cmp_ok($lasted_ms, '<', 1000, sprintf('no record is busy for long: %.0f ms at most', $lasted_ms));

for my $section (grep { $_->[0] eq 'list' } @$sections) {
	whole('list', @{ JSON::PP::decode_json($section->[1])->{records} });
}
whole_text('/proc', $_->[1]) for grep { $_->[0] eq 'proc' } @$sections;
is(JSON::PP::decode_json($got{after})->{busy}, 0, 'in the end no record is busy');
unlike($got{'proc after'}, qr/busy/, '... by /proc neither');
adds_up('in the end', @{ JSON::PP::decode_json($got{status})->{cpus} });
accounted('in the end', $got{status}, $got{after});

done_testing;
