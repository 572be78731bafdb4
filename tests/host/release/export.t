#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff export: go tool pprof sums up what irqoff report says, folded stacks add up to the same, and Perfetto's own schema decodes
# a trace whose spans lie within their records' bounds. The captures are made up (tests/host/unit/many.c).
use strict;
use warnings;
use FindBin;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

chdir "$FindBin::Bin/../../.." or die;
my $tmp = tempdir(CLEANUP => 1);
my $irqoff = 'userspace/irqoff';

# output(COMMAND): what it prints, both ways, and its status
sub output {
	my ($command) = @_;
	my $out = `($command) 2>&1`;
	return ($out, $? >> 8);
}

sub runs {
	my ($name, $command) = @_;
	my ($out, $status) = output($command);
	is($status, 0, $name) or diag($out);
	return $out;
}

# in a directory without a go.mod; -top prints what a number is rounded to unless it has a unit
sub pprof {
	my ($options) = @_;
	return `cd $tmp && PPROF_TMPDIR=$tmp go tool pprof -nodefraction=0 -nodecount=0 $options 2>&1`;
}

# top(FILE, INDEX, TAG, UNIT): what pprof has for each value of a label
sub top {
	my ($file, $index, $tag, $unit) = @_;
	my %flat;
	for (split /\n/, pprof("-top -tagleaf=$tag $unit -sample_index=$index $file")) {
		$flat{$2} = $1 if /^\s*(\d+)(?:ns)?\s+\S+%\s+\S+%\s+\S+\s+\S+%\s+(.*?)\s*$/ && $1;
	}
	return \%flat;
}

# the report's groups as names stand for nobody in an export
sub groups {
	my ($arguments) = @_;
	my $groups = decode_json(scalar `$irqoff report --json $arguments`)->{groups};
	for my $group (@$groups) {
		$group->{culprit} //= $group->{class} eq 'stolen' ? '(stolen)' : '(unknown)';
		$group->{ns} = $group->{total_ns} + $group->{victims_ns};
		$group->{stalls} = $group->{count} + $group->{victims};
	}
	return $groups;
}

sub sums {
	my ($groups, $what, @keys) = @_;
	my %sum;
	for my $group (@$groups) {
		my $name = join(';', map { $group->{$_} } @keys);
		$sum{$name} += $group->{$what} if $group->{$what};
	}
	return \%sum;
}

sub total {
	my ($sums) = @_;
	my $total = 0;
	$total += $_ for values %$sums;
	return $total;
}

# folded(TEXT, FRAMES): sums by so many frames; undef where a line is none
sub folded {
	my ($text, $frames) = @_;
	my %sum;
	for (split /\n/, $text) {
		return undef unless /^((?:[^;]+;)*[^;]+) (\d+)$/;
		my ($stack, $ns) = ($1, $2);
		my @all = split /;/, $stack;
		$sum{join(';', @all[0 .. $frames - 1])} += $ns;
	}
	return \%sum;
}

runs('the reader builds', 'make tools WERROR=1');
runs('the program builds that makes captures', 'make -C tests/host/unit many');
runs('a capture', "tests/host/unit/many 700 1 > $tmp/one");
runs('one of another node', "tests/host/unit/many 700 2 node-8 > $tmp/two");

my $records = decode_json(scalar `$irqoff list --json -i $tmp/one`)->{records};
my %classes = map { $_->{class} => 1 } @$records;
my $victims = grep { $_->{waits_for} } @$records;
cmp_ok(scalar @$records, '>', 1000, 'it has many records');
cmp_ok($victims, '>', 300, 'and victims');
ok($classes{$_}, "and stalls of class $_") for qw(stolen unknown hardirq-off softirq-off softirq-long hardirq-long);
ok((grep { $_->{nested_ns} } @$records), 'and nested ones');

for my $filter ('', '--cpu 0', '--cpu 1-3', '--class hardirq-off,stolen', '--since 30s', '--min 40ms', '-n 200', 'two') {
	my $arguments = $filter eq 'two' ? "-i $tmp/one $tmp/two" : "-i $tmp/one $filter";
	my $name = $filter eq 'two' ? 'two nodes' : $filter || 'all';
	my $groups = groups($arguments);
	ok(@$groups > 1, "$name: a report");
	runs("$name: a profile", "$irqoff export $arguments --format pprof --force -o $tmp/profile");
	is_deeply(top('profile', 'delay', 'culprit', '-unit=ns'), sums($groups, 'ns', 'culprit'),
		"$name: pprof has TOTAL and VICTIMS by culprit");
	is_deeply(top('profile', 'delay', 'class', '-unit=ns'), sums($groups, 'ns', 'class'), "$name: and by class");
	is_deeply(top('profile', 'contentions', 'culprit', ''), sums($groups, 'stalls', 'culprit'), "$name: and how many stalls");
	my $text = runs("$name: folded stacks", "$irqoff export $arguments --format folded --by class,culprit");
	is_deeply(folded($text, 2), sums($groups, 'ns', 'class', 'culprit'), "$name: they add up to the same");
	next if $filter eq 'two';
	runs("$name: a trace", "$irqoff export $arguments --format perfetto --force -o $tmp/trace");
	runs("$name: its records", "$irqoff list --json=lines $arguments > $tmp/lines");
	like(runs("$name: the trace says what the records say", "tests/python tests/perfetto $tmp/trace $tmp/lines"),
		qr/^[1-9]\d* spans, \d+ flows, \d+ samples$/m, "$name: it has spans");
}

# a record that two captures of a boot have is one span
runs('a trace of two captures', "$irqoff export -i $tmp/one $tmp/one --format perfetto --force -o $tmp/trace");
runs('its records', "$irqoff list --json=lines -i $tmp/one > $tmp/lines");
runs('each is there once', "tests/python tests/perfetto $tmp/trace $tmp/lines");

# what pprof does by itself
runs('a whole profile', "$irqoff export -i $tmp/one --format pprof > $tmp/profile");
my $raw = pprof('-raw profile');
like($raw, qr{^contentions/count delay/nanoseconds\[dflt\]$}m, 'delay is the default');
like($raw, qr/^PeriodType: contentions count$/m, 'the period is as in profiles of mutexes');
my @samples = $raw =~ /^ +1 +\d+: \d+/mg;
is(@samples, @$records, 'a sample a record');
my $tags = pprof('-tags profile');
for my $tag (qw(class culprit busy_in cpu evidence role node)) {
	like($tags, qr/^ $tag: Total/m, "label $tag");
}
is_deeply(top('profile', 'contentions', 'role', ''), { culprit => @$records - $victims, victim => $victims }, 'roles');
like(runs('it is a gzip file', "gzip --test --verbose < $tmp/profile"), qr/OK/, 'and whole');

# where it is written to, and where not
my ($out, $status) = output("$irqoff export -i $tmp/one --format folded");
is(runs('a capture from standard input', "$irqoff export -i - --format folded < $tmp/one"), $out, 'is the same');
is(total(folded($out, 1)), total(sums(groups("-i $tmp/one"), 'ns', 'class')), 'folded by default');
like($out, qr/^a:b c;/m, 'a name with a semicolon is one frame');
for my $format ('pprof', 'perfetto') {
	($out, $status) = output("script --quiet --return --command '$irqoff export -i $tmp/one --format $format' /dev/null");
	is($status, 1, "$format is not for a terminal");
	like($out, qr/^irqoff: $format is not for a terminal; name a file with -o, or use a pipe\r?\n\z/, 'it says so, and no more');
}
($out, $status) = output("script --quiet --return --command '$irqoff export -i $tmp/one --format folded' /dev/null");
is($status, 0, 'folded is');
is(((stat "$tmp/trace")[2] & 0777), 0600, 'a file is its owner\'s');
system("cp $tmp/one $tmp/damaged && printf x | dd of=$tmp/damaged bs=1 seek=60 conv=notrunc status=none");
for my $bad ("$tmp/damaged", '/dev/null', "$tmp/profile", '/nowhere') {
	for my $format ('folded', 'pprof', 'perfetto') {
		($out, $status) = output("$irqoff export -i $tmp/one $bad --format $format -o $tmp/none");
		is($status, 1, "$format of $bad fails");
		is(($out =~ tr/\n//), 1, 'with one sentence');
		ok(!-e "$tmp/none", 'and writes nothing');
	}
}

# a machine without protobuf-c
system("mkdir $tmp/tree && cp -r userspace module $tmp/tree && make -C $tmp/tree/userspace clean > $tmp/log 2>&1");
runs('it builds without protobuf-c', "make -C $tmp/tree/userspace -j2 PROTOBUF=0 CFLAGS=-O0 WERROR=1");
for my $format ('pprof', 'perfetto') {
	($out, $status) = output("$tmp/tree/userspace/irqoff export -i $tmp/one --format $format");
	is("$status:$out", "1:irqoff: this irqoff has no --format $format; it was built without protobuf-c or zlib\n", "no $format then");
}
is(runs('but folded', "$tmp/tree/userspace/irqoff export -i $tmp/one --format folded"),
	runs('with it', "$irqoff export -i $tmp/one --format folded"), 'which is the same');

done_testing();
