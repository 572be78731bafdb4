#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Records are overwritten, cleared and read while more arrive. None is torn or listed twice, and every loss is counted.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use Records;
use VM;

# the counters of each CPU
sub counters {
	my ($name, @sections) = @_;
	my ($section) = grep { $_->[0] eq $name } @sections;
	return @{ JSON::PP::decode_json($section->[1])->{cpus} };
}

my @two = (in_turn(), '--smp', 2);
my $flood = <<'SH';
flood() { # flood COUNT LENGTH_US: that many stalls on each of two CPUs
	i=0
	while [ $i -lt $1 ]; do
		echo "irqoff 0 $2" > /proc/stall
		echo "bhoff 1 $2" > /proc/stall
		i=$((i + 1))
	done
}
SH

# With a beat every 50 us, a debug kernel on a busy host would take minutes for this.
my $settings = on_debug_kernel() ? 'threshold=500 period=200 length=1000' : 'threshold=200 period=50 length=400';
# Its checks look at each record, not at how many there are.
my ($small, $flood_count) = on_debug_kernel() ? (100, 200) : (500, 600);
my @sections = guest_ok('a small ring', "$settings count=$small\n" . $flood . <<'SH', @two);
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=2 threshold_us=$threshold period_us=$period
flood $count $length
echo 0 > /sys/module/trace_irqoff/parameters/enable
section overwritten
irqoff status --json
section list
irqoff list --json
section 'hist loaded'
irqoff hist --json
irqoff clear
section cleared
irqoff status --json
section 'hist cleared'
irqoff hist --json
insist enable
flood 5 $length
echo 0 > /sys/module/trace_irqoff/parameters/enable
section 'hist recent'
irqoff hist --json
section proc
cat /proc/trace_irqoff
echo clear > /proc/trace_irqoff
section again
irqoff status --json
section 'hist again'
irqoff hist --json
section dumps
dumps
dumps clear
SH
for my $name (qw(overwritten cleared again)) {
	adds_up($name, counters($name, @sections));
}
for my $cpu (counters('overwritten', @sections)) {
	cmp_ok($cpu->{produced}, '>=', $small, "CPU $cpu->{cpu}: a record for each stall");
	is($cpu->{kept}, 2, "CPU $cpu->{cpu}: a ring of two keeps two");
	is($cpu->{cleared}, 0, "CPU $cpu->{cpu}: nothing cleared");
	my @list = grep { $_->{cpu} == $cpu->{cpu} } records('list', @sections);
	is(join(' ', map { $_->{seq} } @list), join(' ', $cpu->{produced} - 2, $cpu->{produced} - 1),
		"CPU $cpu->{cpu}: the newest two");
}
is($_->{kept}, 0, "CPU $_->{cpu}: cleared") for counters('cleared', @sections);
my @before = counters('cleared', @sections);
for my $cpu (counters('again', @sections)) {
	my ($old) = grep { $_->{cpu} == $cpu->{cpu} } @before;
	cmp_ok($cpu->{produced}, '>=', $old->{produced} + 5, "CPU $cpu->{cpu}: numbers go on after a clear");
}

# since when the histograms count, and how many stalls
my %hist = map { ($_->[0] => JSON::PP::decode_json($_->[1])) } grep { $_->[0] =~ /^hist / } @sections;
my %counted = map { ($_ => $hist{$_}{hard}{count} + $hist{$_}{soft}{count}) } keys %hist;
is(join(' ', map { $hist{"hist $_"}{since} } qw(loaded cleared recent again)), 'load clear clear clear',
	'histograms count since the module was loaded, then since the last clear');
cmp_ok($counted{'hist loaded'}, '>=', 2 * $small, '... all stalls');
is($counted{'hist cleared'}, 0, '... none after a clear');
cmp_ok($counted{'hist recent'}, '>=', 10, '... then those that came');
cmp_ok($counted{'hist recent'}, '<', $counted{'hist loaded'}, '... alone');
is($counted{'hist again'}, 0, '... and none after a clear by /proc');
# each reading pairs the two clocks anew, so one time may have two microseconds
cmp_ok(abs(apart(map { $hist{"hist $_"}{since_time} } qw(cleared recent))), '<', 0.01, '... which has its time');
cmp_ok(apart(map { $hist{"hist $_"}{since_time} } qw(recent again)), '>', 0.01, '... that of the last one');
my ($proc, $dumps) = map { my $name = $_; map { $_->[1] } grep { $_->[0] eq $name } @sections } qw(proc dumps);
like($dumps, qr/^2 0\n/, 'a dump of all CPUs');
like($dumps, qr/^2 [12]$/m, '... says that it was interrupted where records are cleared meanwhile');
my $all = 0;
$all += $1 + $2 while $proc =~ /^ +\d+ \.\. +\d+ +(\d+) +(\d+)$/mg;
is($all, $counted{'hist loaded'} + $counted{'hist recent'}, 'the histogram since the module was loaded goes on');

# Long stalls, then many short ones: by default the long ones are still there, and reports do not take them for frequent.
@sections = guest_ok('what matters', "$settings\n" . $flood . <<'SH', @two);
insmod stall.ko
insmod trace_irqoff.ko enable=1 threshold_us=$threshold period_us=$period
stall irqoff 0 150000
stall bhoff 1 150000
flood 100 $length
irqoff stop
section status
irqoff status --json
section all
irqoff list --json
section report
irqoff report
SH
adds_up('what matters', counters('status', @sections));
for my $cpu (counters('status', @sections)) {
	is($cpu->{kept}, 64, "CPU $cpu->{cpu}: a full ring");
	my $kind = $cpu->{cpu} ? 'soft' : 'hard';
	my @long = grep { $_->{cpu} == $cpu->{cpu} && $_->{kind} eq $kind && $_->{min_ns} >= 140e6 } records('all', @sections);
	ok(scalar(grep { $_->{early} } @long), "CPU $cpu->{cpu}: the long stall is still there") or diag(explain(\@long));
	my @late = grep { $_->{cpu} == $cpu->{cpu} && !$_->{early} } records('all', @sections);
	cmp_ok(scalar @late, '>=', 16, "CPU $cpu->{cpu}: of the newest records none is missing");
	is($late[-1]{seq} - $late[0]{seq}, $#late, '... their numbers have no gap');
	is($late[-1]{seq}, $cpu->{produced} - 1, '... up to the newest');
}
my ($report) = map { $_->[1] } grep { $_->[0] eq 'report' } @sections;
like($report, qr/stalls? (?:is|are) older, kept as the longest or for the cause/, 'the report tells of them');

# A ring of hundreds of records, read by several readers while the stalls go on. At the finest settings a slow kernel would
# make stalls of its own, which overwrite records before they are read. It also needs five seconds to read a thousand of them.
my $many = 150;
my $ring = on_debug_kernel() ? 160 : 512;
@sections = guest_ok('a flood', "count=$flood_count ring=$ring\n" . $flood . <<'SH', @two, '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=$ring threshold_us=1000 period_us=500
flood $count 1500
flood $count 1500 &
flood=$!
n=0
while kill -0 $flood 2> /dev/null; do
	n=$((n + 1))
	cat /proc/trace_irqoff > /proc.$n &
	irqoff list --json > /list.$n
	dd if=/proc/trace_irqoff bs=137 of=/small.$n 2> /dev/null
	wait %cat 2> /dev/null || true
	[ $n -lt 2 ] || break
done
wait
section status
irqoff status --json
irqoff stop
section counted
irqoff status --json
section kept
packed irqoff list --json
for file in /list.*; do
	section list
	packed cat $file
done
for file in /proc.* /small.*; do
	section proc
	packed cat $file
done
SH
adds_up('flood', counters('status', @sections));
my %got = map { ($_->[0] => $_->[1]) } @sections;
accounted('flood', $got{counted}, $got{kept});
my @lists = grep { $_->[0] eq 'list' } @sections;
my @procs = grep { $_->[0] eq 'proc' } @sections;
cmp_ok(scalar @lists, '>=', 1, 'there were netlink readers');
cmp_ok(scalar @procs, '>=', 2, 'there were /proc readers');
for my $list (@lists) {
	my @records = @{ JSON::PP::decode_json($list->[1])->{records} };
	cmp_ok(scalar @records, '>', $many, 'netlink: records: ' . @records);
	whole('netlink', @records);
}
for my $proc (@procs) {
	my $records = whole_text('/proc', $proc->[1]);
	cmp_ok($records, '>', $many, "/proc: records: $records");
}

done_testing;
