#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# promtool takes the rules, and each alert fires and stays silent as its test says. The rules and the dashboard ask for metrics,
# labels and rules that exist, and alerts name documents and commands that exist.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP;
use Test::More;
use lib "$FindBin::Bin/lib";
use Exposition;
use Files;
use MadeUp;
use Prometheus;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";
my $rules = 'scripts/fleet/prometheus';

my $dir = tempdir(CLEANUP => 1);
system("cp $rules/*.yml $dir") == 0 or die "cp failed\n";
my ($version) = (in_root($dir, 'promtool', '--version'))[0] =~ /^promtool, version (\S+)/;
note("CONSUMER promtool $version");
my ($said, $status) = in_root($dir, 'promtool', 'check', 'rules', 'alerts.yml', 'recording.yml');
is($status, 0, 'promtool check rules') or diag($said);
for my $test (qw(alerts_test.yml recording_test.yml)) {
	($said, $status) = in_root($dir, 'promtool', 'test', 'rules', $test);
	is($status, 0, "promtool test rules $test") or diag($said);
}
# the tests can fail: another limit, another rule
for my $change ([ 'alerts.yml', 's/> 0.01$/> 0.5/' ], [ 'alerts.yml', 's/up == 1$/up >= 0/' ], [ 'alerts.yml', 's/_long_stalls_total/_stalls_total/' ],
	[ 'recording.yml', 's/ and on (cluster, job, instance) instance:.*/ > 0.1/' ], [ 'recording.yml', 's/sum by (cluster) (irqoff_up)/count by (cluster) (irqoff_up)/' ]) {
	my ($file, $sed) = @$change;
	system('cp', "$rules/$file", $dir);
	system('sed', '-i', $sed, "$dir/$file");
	(undef, $status) = in_root($dir, 'promtool', 'test', 'rules', $file =~ s/\.yml/_test.yml/r);
	isnt($status, 0, "$file with $sed fails its test");
	system('cp', "$rules/$file", $dir);
}

my $alerts = text("$rules/alerts.yml");
my $tests = text("$rules/alerts_test.yml");
my @blocks = split(/^ +- alert: /m, $alerts);
shift @blocks;
cmp_ok(scalar @blocks, '>=', 5, 'there are alerts');
my $main = text('userspace/cli/main.c');
for my $block (@blocks) {
	my ($name) = $block =~ /^(\w+)/;
	like($tests, qr/alertname: $name\n +exp_alerts:\n/, "$name fires in its test");
	like($tests, qr/alertname: $name\n +exp_alerts: \[\]\n/, "$name is silent in its test");
	for my $part (qw(severity summary description runbook)) {
		like($block, qr/^ +$part: \S/m, "$name has a $part");
	}
	my ($document, $anchor) = $block =~ /runbook: (\S+)#(\S+)/;
	my @anchors = map { lc($_) =~ s/[^\w\- ]//gr =~ s/ /-/gr } text($document) =~ /^#+ (.*)$/mg;
	ok((grep { $_ eq $anchor } @anchors), "$name: $document has a heading $anchor");
	my @commands = $block =~ /\birqoff ([a-z]+) (?:-|RECORD|names|enables|ends|whether|has)/g;
	my @unknown = grep { $main !~ /^\t\{ "$_",/m } @commands;
	is("@unknown", '', "$name: irqoff has its commands");
	like($block, qr/On the node: /, "$name says what to type on the node");
}

# what is asked for is there
my $recording = text("$rules/recording.yml");
my @recorded = $recording =~ /- record: (\S+)/g;
my $tested = text("$rules/recording_test.yml");
my $families = exposition(made_up_metrics(made_up_node(0, 0, module => 1)));
my %known = map { $_ => 1 } @recorded, map { s/\{.*//r } map { keys %{ $_->{series} } } values %$families;
for my $rule (@recorded) {
	like($tested, qr/\Q$rule\E\b/, "$rule is tested");
}
my @queries = dashboard_queries(cluster => '.*', node => '.*', __range => '1h');
cmp_ok(scalar @queries, '>', 20, 'the dashboard has queries');
for my $text ([ 'alerts.yml', $alerts =~ s/^ *#.*$//mgr ], [ 'recording.yml', $recording =~ s/^ *#.*$//mgr ], [ 'dashboard', join("\n", map { $_->{expr} } @queries) ]) {
	my @unknown = grep { !$known{$_} } $text->[1] =~ /\b((?:[a-z_]+:)?irqoff_\w+(?::\w+)?)\b/g;
	is("@unknown", '', "$text->[0] asks for what there is");
}
for my $rule (@recorded) {
	ok((grep { $_->{expr} =~ /\Q$rule\E\b/ } @queries) || $recording =~ /expr: .*\Q$rule\E\b/, "$rule is used");
}

# No Grafana runs here: its queries are Prometheus's in prometheus.t, and this is their form.
my $dashboard = decode_json(text('scripts/fleet/grafana/dashboard.json'));
note("CONSUMER dashboard schema-$dashboard->{schemaVersion}");
my (%ids, %cells, @overlaps);
for my $panel (@{ $dashboard->{panels} }) {
	push @overlaps, "id $panel->{id}" if $ids{ $panel->{id} }++;
	my $at = $panel->{gridPos};
	for my $x ($at->{x} .. $at->{x} + $at->{w} - 1) {
		push @overlaps, "$panel->{title}: $x" if $x > 23;
		for my $y ($at->{y} .. $at->{y} + $at->{h} - 1) {
			push @overlaps, "$panel->{title}: $x,$y" if $cells{"$x,$y"}++;
		}
	}
	like($panel->{type}, qr/^(?:row|stat|table|timeseries|heatmap)$/, "$panel->{title}: a panel of Grafana 9 and 10");
	is_deeply([ grep { $_->{datasource}{uid} ne '${datasource}' } @{ $panel->{targets} // [] } ], [], "$panel->{title}: the data source is a variable");
}
is("@overlaps", '', 'panels do not overlap');
done_testing;
