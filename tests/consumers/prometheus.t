#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A real Prometheus scrapes a real node_exporter with the textfile, the real irqoff serve with a made-up agent's counters, and an
# endpoint that answers as that does for made-up nodes. Then each query of the dashboard and each recording rule has data. An hour
# of these nodes is a second here, so that each class and cause comes. TRACE_IRQOFF_TEXT=FILE (environment) adds what a real node
# wrote, and TRACE_IRQOFF_ENDPOINT=HOST:PORT is another irqoff serve.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use List::Util qw(uniq);
use Test::More;
use Time::HiRes qw(sleep time clock_gettime CLOCK_MONOTONIC);
use lib "$FindBin::Bin/lib";
use Files;
use Http;
use MadeUp;
use Prometheus;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";
my $dir = tempdir(CLEANUP => 1);
chmod(0755, $dir);
my $began = time;
my $booted = 1795392000;

# what stands out is on a node: 1 has no module, 2 is not enabled, 3 loses records, 4 has many stalls, 5 is dear
my @features = ({}, { module => 0 }, { module => 1, enabled => 0 }, { module => 1, loses => 1, rate => 200 }, { module => 1, rate => 200 }, { module => 1, cost => 0.03 });
sub node_now {
	my ($number, $nodes) = @_;
	my $node = $nodes->{$number} //= made_up_node($number, $booted, module => 1, loses => 0, %{ $features[$number] // {} });
	made_up_advance($node, $booted + (time - $began) * 3600);
	return $node;
}

# --- the nodes
my %served;
my ($serve, $server) = http_serve(sub {
	my ($path, $accept) = @_;
	my ($number) = $path =~ m{^/node(\d+)/metrics$} or return;
	my $openmetrics = $accept =~ m{application/openmetrics-text};
	return ($openmetrics ? 'application/openmetrics-text; version=1.0.0; charset=utf-8' : 'text/plain; version=0.0.4; charset=utf-8',
		made_up_metrics(node_now($number, \%served), $openmetrics));
});

# one whose file is written all the time, and one whose agent has died
mkdir("$dir/$_") for qw(textfile old real);
my ($writer) = fork() // die "fork: $!";
if (!$writer) {
	my %nodes;
	my $parent = getppid();
	while (getppid() == $parent) {
		write_file("$dir/textfile/irqoff.prom", made_up_metrics(node_now(7, \%nodes), 0));
		sleep(0.5);
	}
	require POSIX;
	POSIX::_exit(0);
}
my $old = made_up_node(8, $booted, module => 1);
write_file("$dir/old/irqoff.prom", made_up_metrics($old, 0));
utime(time - 3600, time - 3600, "$dir/old/irqoff.prom");
my @exporters = qw(textfile old);
if (my ($real) = split(' ', $ENV{TRACE_IRQOFF_TEXT} // '')) {
	system('cp', $real, "$dir/real/irqoff.prom") == 0 or die "cannot copy $real\n";
	push @exporters, 'real';
}
my %port;
for my $exporter (@exporters) {
	$port{$exporter} = http_port();
	start_in_root($dir, "$exporter.log", 'prometheus-node-exporter', '--collector.disable-defaults', '--collector.textfile',
		"--collector.textfile.directory=/mnt/$exporter", "--web.listen-address=127.0.0.1:$port{$exporter}");
}
my ($exporter_version) = (in_root($dir, 'prometheus-node-exporter', '--version'))[0] =~ /version (\S+)/;
note("CONSUMER node_exporter $exporter_version");
for my $exporter (@exporters) {
	ok(http_wait("http://127.0.0.1:$port{$exporter}/metrics", 30), "node_exporter serves the directory '$exporter'");
}
my ($status, $text) = http_get("http://127.0.0.1:$port{textfile}/metrics");
like($text, qr/^irqoff_stalls_total\{class="hardirq-off"\} \d+$/m, 'with the metrics of the textfile');
like($text, qr/^node_textfile_scrape_error 0$/m, 'without an error');
like($text, qr{^node_textfile_mtime_seconds\{file="\S*/irqoff.prom"\} }m, 'and says when it was written');

# --- irqoff serve
my $endpoint = $ENV{TRACE_IRQOFF_ENDPOINT};
my $real_server;
if (!$endpoint) {
	my $port = http_port();
	system('make -s -C userspace && make -s -C tests/host/unit made_state') == 0 or die "irqoff does not build\n";
	open(my $in, '<', '/proc/sys/kernel/random/boot_id') or die "boot_id: $!";
	chomp(my $boot = <$in>);
	write_file("$dir/state.json", `tests/host/unit/made_state $boot @{[ int((clock_gettime(CLOCK_MONOTONIC) + 3600) * 1e9) ]}`);
	$real_server = fork() // die "fork: $!";
	exec('userspace/irqoff', 'serve', '--listen', "127.0.0.1:$port", '--state', "$dir/state.json", "$dir/real") or die "irqoff: $!" if !$real_server;
	$endpoint = "127.0.0.1:$port";
}
ok(http_wait("http://$endpoint/metrics", 30), "irqoff serve answers at $endpoint");

# --- Prometheus
my @targets = map { "  - targets: ['127.0.0.1:$port{$_}']\n    labels: {cluster: text, instance: '$_'}\n" } @exporters;
my @served = map { "  - targets: ['127.0.0.1:$serve']\n    labels: {cluster: served, instance: 'node$_', __metrics_path__: '/node$_/metrics'}\n" } 0 .. 6;
push @served, "  - targets: ['$endpoint']\n    labels: {cluster: real, instance: serve}\n";
write_file("$dir/prometheus.yml", join('', map { s/^\t*//gmr } <<"	END"));
	global: {scrape_interval: 1s, evaluation_interval: 1s}
	rule_files: [alerts.yml, recording.yml]
	scrape_configs:
	- job_name: node
	  static_configs:
	@{[ join("\t", map { s/^/\t/gmr } @targets) ]}
	- job_name: irqoff
	  static_configs:
	@{[ join("\t", map { s/^/\t/gmr } @served) ]}
	END
for my $rules (qw(alerts.yml recording.yml)) {
	system("sed 's/interval: 1m/interval: 1s/' scripts/fleet/prometheus/$rules > $dir/$rules") == 0 or die "sed failed\n";
}
my ($url) = prometheus($dir, '--enable-feature=exemplar-storage');
my ($info) = http_json("$url/api/v1/status/buildinfo");
note("CONSUMER Prometheus $info->{data}{version}");

# until all have been scraped, and rules computed from rates of them
my $until = time + 90;
my $range;
do {
	sleep(1);
	($range) = query($url, 'count(count_over_time(irqoff_up[1m]) > 20)');
} until ($range->[0] && $range->[0]{value}[1] >= 8 + @exporters || time > $until);
cmp_ok($range->[0]{value}[1] // 0, '>=', 8 + @exporters, 'all nodes are scraped');
my ($down) = query($url, 'up == 0');
is_deeply([ map { $_->{metric}{instance} } @$down ], [], 'none fails');

# the same from both
for my $name ('__name__', 'class', 'cause', 'le', 'kind') {
	my %of;
	for my $job (qw(node irqoff)) {
		my ($series) = query($url, "count by ($name) ({__name__=~\"irqoff_.+\", job=\"$job\"})");
		$of{$job} = [ sort(uniq(map { $_->{metric}{$name} // '' } @$series)) ];
	}
	cmp_ok(scalar @{ $of{node} }, '>', 1, "$name: there are some");
	is_deeply($of{irqoff}, $of{node}, "$name: the same of textfile and endpoint");
}
my ($real) = query($url, 'irqoff_stalls_total{instance="serve"}');
is(scalar @$real, 7, 'irqoff serve is scraped, with all classes');
my ($up) = query($url, 'irqoff_up{instance="serve"}');
is($up->[0]{value}[1], 1, '... of an agent that counts');

# each rule, as it is recorded
my $rules = rules_of($url);
cmp_ok(scalar keys %$rules, '>', 10, 'rules run');
for my $name (sort keys %$rules) {
	is($rules->{$name}{lastError} // '', '', "$name has no error");
	my ($series) = query($url, $name);
	ok(has_data($series), "$name has data") or diag($rules->{$name}{query});
}

# each panel, as Grafana asks for it
my $to = time;
my @queries = dashboard_queries(cluster => '.*', node => 'node4', __range => '1h');
cmp_ok(scalar @queries, '>', 20, 'the dashboard has queries');
for my $asked (@queries) {
	my ($series) = $asked->{instant} ? query($url, $asked->{expr}) : query_range($url, $asked->{expr}, $to - 60, $to, 5);
	ok(has_data($series), "'$asked->{panel}' has data") or diag($asked->{expr});
}

# Those nodes for which they are meant.
my %who = (
	'irqoff_up == 0' => 'node1 node2',
	'time() - node_textfile_mtime_seconds{file=~"(.*/)?irqoff[.]prom"} > 300' => 'old',
	'increase(irqoff_records_lost_total[15m]) > 0' => 'node3',
	'irqoff_cost_ratio > 0.01' => 'node5',
);
for my $expr (sort keys %who) {
	my ($series) = query($url, "($expr) and on (instance) irqoff_up{cluster!=\"real\", instance!=\"real\"}");
	is(join(' ', sort(map { $_->{metric}{instance} } @$series)), $who{$expr}, "$expr: $who{$expr}");
}
my ($firing) = query($url, 'ALERTS{alertname="IrqoffLongStall", alertstate="firing", instance="node4"}');
is(scalar @$firing, 1, 'IrqoffLongStall fires');

# a class's newest record
my ($exemplars) = http_json("$url/api/v1/query_exemplars", query => 'irqoff_stalls_total', start => $booted - 86400 * 30, end => $booted + 86400 * 365);
my @records = map { $_->{labels}{record} } map { @{ $_->{exemplars} } } @{ $exemplars->{data} };
like($records[0] // '', qr/^\d+:\d+$/, 'the endpoint has exemplars: a record each');
my ($own) = grep { ($_->{seriesLabels}{instance} // '') eq 'serve' } @{ $exemplars->{data} };
like($own->{exemplars}[0]{labels}{record} // '', qr/^\d+:\d+$/, 'so has irqoff serve');
if ($real_server) {
	kill('TERM', $real_server);
	waitpid($real_server, 0);
	is($?, 0, '... which ends when it is told');
}
kill('TERM', $server, $writer);
waitpid($_, 0) for $server, $writer;
done_testing;
