#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# ClickHouse's engine takes the JSON lines of made-up nodes by the table of scripts/fleet/clickhouse, and its questions have the
# right answers, which are computed here from the lines. Lines come twice, and some are missing.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use List::Util qw(max min sum0 uniq);
use Test::More;
use lib "$FindBin::Bin/lib";
use MadeUp;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";
my $dir = tempdir(CLEANUP => 1);
my $sql = 'scripts/fleet/clickhouse';
my $json = JSON::PP->new->canonical->allow_nonref;
my $booted = 1795392000;    # 2026-11-23 00:00 UTC
my $days = 4;
my $since = $booted + 3 * 86400;
my $db = "$dir/db";
my $novelty = 'timerfd_tmrproc';
my $new_kernel = '6.1.0-32-amd64';

# clickhouse(ARGUMENT...): the lines that it prints
sub clickhouse {
	my (@arguments) = @_;
	open(my $out, '-|', 'tests/python', '--modules', 'tests/consumers/python.txt', 'tests/consumers/clickhouse', $db, @arguments)
		or die "tests/python: $!";
	my @lines = <$out>;
	ok(close($out), 'ClickHouse took ' . join(' ', map { s{.*/}{}r } @arguments));
	chomp(@lines);
	return @lines;
}

# write_lines(FILE, LINE...)
sub write_lines {
	my ($file, @lines) = @_;
	open(my $out, '>', "$dir/$file") or die "$dir/$file: $!";
	print $out map { "$_\n" } @lines;
	close($out) or die "$dir/$file: $!";
	return "$dir/$file";
}

my ($version) = qx(tests/python --modules tests/consumers/python.txt tests/consumers/clickhouse $db version) =~ /^(\d\S+)$/ or die "no ClickHouse\n";
note("CONSUMER ClickHouse $version");

# What the nodes say: all but what the agent lost (node 3), what was lost on the way (node 5: a line of 40), and what is new
# since yesterday, which nobody had before. Nodes 7 and 8 booted another kernel then, and it is on these and on node 4, which does
# not know its kernel's release. A line with a key that is not of the table's is taken without it.
my (@rows, @lines);
for my $number (1 .. 8) {
	my @features = (module => 1, loses => $number == 3, rate => [ 3, 6, 20, 50, 60, 2, 10, 30 ]->[ $number - 1 ]);
	push @features, kernel => undef if $number == 4;
	my $end = $booted + $days * 86400;
	my $count = 0;
	for my $boot ($number >= 7 ? ([ $booted, $since ], [ $since, $end, kernel => $new_kernel ]) : [ $booted, $end ]) {
		my ($from, $to, @kernel) = @$boot;
		my $node = made_up_node($number, $from, @features, @kernel);
		for my $stall (made_up_advance($node, $to)) {
			next if ($stall->{source}[2] // '') eq $novelty && ($stall->{at} < $since || ($node->{kernel} // $new_kernel) ne $new_kernel);
			next if $number == 5 && ++$count % 40 == 0;
			my $line = made_up_line($node, $stall);
			push @rows, { %{ $json->decode($line) }, at => $stall->{at} };
			push @lines, $line;
		}
	}
}
cmp_ok(scalar @lines, '>', 5000, 'there are lines: ' . @lines);
is(scalar(qx(tests/schema flat @{[ write_lines('some', @lines[ 0 .. 199 ]) ]} 2>&1)), '', 'made-up lines follow userspace/schema/irqoff.schema.json');
$lines[7] =~ s/\}$/,"a_later_key":[1]}/;
# Every third line comes again, as after the agent was killed, a microsecond later by its clock.
my @again = map { $lines[ $_ * 3 ] =~ s/("time":"[^"]*)(\d)\+/$1 . ($2 + 1) % 10 . '+'/er } 0 .. $#lines / 3;
cmp_ok((grep { $lines[ $_ * 3 ] eq $again[$_] } 0 .. $#again), '==', 0, 'no line comes again as it was');
clickhouse( "$sql/stalls.sql", write_lines('lines', @lines), write_lines('again', @again));

# answers(QUESTION, COLUMN...): its rows, each as a text of these columns; an array's elements have spaces between them
sub answers {
	my ($question, @columns) = @_;
	my @of = clickhouse("since=" . POSIX::strftime('%Y-%m-%d %H:%M:%S', gmtime($since)), "$sql/$question.sql");
	return map { my $row = $json->decode($_); join("\t", map { ref ? "@$_" : $_ // '-' } @$row{@columns}) } @of;
}

# The lines of the reader's unit tests keep all that they say, in a table of their own. An open stall is none of the agent's; of two
# lines with one name the later one counts.
my $golden = 'tests/host/unit/golden/flat.jsonl';
open(my $in, '<', $golden) or die "$golden: $!";
chomp(my @golden = grep { !/"open":true/ } <$in>);
my @keys = map { [ /"(\w+)":/g ] } @golden, $lines[0];
is_deeply($_, \@MADE_UP_KEYS, 'a line has the keys of a made-up one') for @keys;
$db = "$dir/golden-db";
my @kept = clickhouse("$sql/stalls.sql", write_lines('golden', @golden), write_lines('golden.sql', 'SELECT *, record FROM irqoff_stalls FINAL ORDER BY boot_id, cpu, seq'
	. ' SETTINGS output_format_json_quote_64bit_integers = 0'));
$db = "$dir/db";
my %kept = map { ("$_->{boot_id} $_->{instance} $_->{cpu}:$_->{seq}" => $_) } map { $json->decode($_) } @kept;
my %said = map { ("$_->{boot_id} $_->{instance} $_->{record}" => $_) } map { $json->decode($_) } @golden;
is(scalar keys %kept, scalar keys %said, 'lines of the unit tests are kept: ' . keys %said);
for my $name (sort keys %said) {
	my $line = $said{$name};
	my $row = $kept{$name};
	my @wrong = grep { $_ ne 'time' && $_ ne 'open' && $json->encode($row->{$_} // 'none') ne $json->encode($line->{$_} // 'none') } @MADE_UP_KEYS;
	is("@wrong", '', "$name is kept as it is");
}

# groups(KEY => CODE, ROW...): the rows by the key
sub groups {
	my ($key, @of) = @_;
	my %groups;
	push @{ $groups{ $key->($_) } }, $_ for @of;
	return \%groups;
}

sub hosts { my %hosts = map { $_->{host} => 1 } @_; return scalar keys %hosts; }
sub seconds { return sprintf('%.3f', sum0(map { $_->{min_ns} - $_->{nested_ns} } @_) / 1e9) + 0; }
sub longest { return sprintf('%.3f', max(map { $_->{min_ns} } @_) / 1e6) + 0; }
sub on { my ($row, @keys) = @_; return join("\t", map { $_ // '-' } @$row{@keys}); }

my @late = grep { $_->{at} >= $since } @rows;
my @table = clickhouse(write_lines('count.sql', 'SELECT count() AS all, uniqExact(boot_id, instance, cpu, seq) AS keys FROM irqoff_stalls FINAL'));
is_deeply($json->decode($table[0]), { all => scalar @rows, keys => scalar @rows }, 'each line counts once');

my $by = groups(sub { on($_[0], qw(culprit class)) }, @late);
is_deeply([ sort(answers('culprits', qw(culprit class cause hosts stalls seconds longest_ms))) ],
	[ sort(map { my @of = @{ $by->{$_} }; join("\t", $_, $of[0]{cause} // '-', hosts(@of), scalar @of, seconds(@of), longest(@of)) } keys %$by) ],
	'culprits of the fleet');

$by = groups(sub { on($_[0], qw(comm pod culprit)) }, grep { $_->{class} =~ /^(?:hard|soft)irq-off$/ } @late);
my @of = answers('callers', qw(comm pod culprit hosts stalls seconds));
my @wanted = sort(map { my @of = @{ $by->{$_} }; join("\t", $_, hosts(@of), scalar @of, seconds(@of)) } keys %$by);
cmp_ok(scalar @of, '==', 100, 'the 100 tasks and pods');
my %wanted = map { $_ => 1 } @wanted;
is_deeply([ grep { !$wanted{$_} } @of ], [], 'are right');
my $least = (split(/\t/, $of[-1]))[-1];
is(scalar(grep { (split(/\t/))[-1] > $least } @wanted), scalar(grep { (split(/\t/))[-1] > $least } @of), 'and are those with most time');

# gaps in the numbers of a CPU's records
my %lost;
$by = groups(sub { on($_[0], qw(host boot_id instance cpu)) }, @rows);
for my $of (values %$by) {
	my $next = 0;
	for my $row (sort { $a->{seq} <=> $b->{seq} } @$of) {
		my $gap = $row->{seq} - $next;
		my $lost = $lost{"$row->{host}\t$row->{boot_id}"} //= [ 0, 0, 0 ];
		if ($gap && $next == 0) {
			$lost->[2] += $gap;
		} elsif ($gap) {
			$lost->[0] += $gap;
			$lost->[1]++;
		}
		$next = $row->{seq} + 1;
	}
}
delete @lost{ grep { !$lost{$_}[0] && !$lost{$_}[2] } keys %lost };
cmp_ok(scalar keys %lost, '>=', 2, 'nodes lack records');
my @found = answers('lost', qw(host boot_id missing gaps missing_at_start));
is_deeply([ sort @found ], [ sort(map { join("\t", $_, @{ $lost{$_} }) } keys %lost) ], 'records that are missing');

$by = groups(sub { on($_[0], qw(culprit class)) }, grep { defined $_->{culprit} } @rows);
my @new = grep { min(map { $_->{at} } @{ $by->{$_} }) >= $since } keys %$by;
is("@new", "$novelty\thardirq-long", 'a culprit is new');
is_deeply([ sort(answers('new-culprits', qw(culprit class kernels hosts stalls))) ],
	[ sort(map { my @of = @{ $by->{$_} }; join("\t", $_, join(' ', sort(uniq(grep { defined } map { $_->{kernel} } @of))), hosts(@of), scalar @of) } @new) ],
	'culprits that are new, and on which kernels');
cmp_ok(scalar(uniq(map { $_->{kernel} // '' } @rows)), '>=', 4, 'there are other kernels');

$by = groups(sub { POSIX::strftime('%Y-%m-%d %H:00:00', gmtime($_[0]{at})) . "\t$_[0]{class}" }, grep { $_->{min_ns} >= 100_000_000 } @late);
is_deeply([ sort(answers('long-stalls', qw(hour class stalls hosts longest_ms))) ],
	[ sort(map { my @of = @{ $by->{$_} }; join("\t", $_, scalar @of, hosts(@of), longest(@of)) } keys %$by) ], 'stalls of 100 ms and more');
done_testing;
