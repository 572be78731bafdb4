# SPDX-License-Identifier: GPL-2.0-only
# Programs of the root that tests/consumers/root makes: Prometheus, promtool and node_exporter, with a directory that is theirs at
# /mnt. What is started ends with the test.
package Prometheus;
use strict;
use warnings;
use Exporter qw(import);
use FindBin;
use Http;
use JSON::PP;
use Time::HiRes qw(time);

our @EXPORT = qw(in_root start_in_root end_all prometheus query query_range has_data dashboard_queries rules_of alerts_of without_rules);

my $tree = "$FindBin::Bin/../..";
my $root;
my %running;

sub command {
	my ($dir, @command) = @_;
	if (!$root) {
		chomp($root = qx("$tree/tests/consumers/root"));
		die "there is no root\n" unless -d $root;
	}
	return ("$tree/scripts/vm/inroot", $root, $dir, @command);
}

# in_root(DIR, COMMAND...): its output with its errors, and its exit status
sub in_root {
	my ($dir, @command) = @_;
	my @all = command($dir, @command);
	my $pid = open(my $out, '-|') // die "fork: $!";
	if (!$pid) {
		open(STDERR, '>&', \*STDOUT);
		exec(@all) or die "$all[0]: $!";
	}
	local $/;
	my $said = <$out> // '';
	close($out);
	return ($said, $? >> 8);
}

# start_in_root(DIR, LOG, COMMAND...): starts it; LOG is in DIR
sub start_in_root {
	my ($dir, $log, @command) = @_;
	my @all = command($dir, @command);
	my $pid = fork() // die "fork: $!";
	if (!$pid) {
		open(STDOUT, '>', "$dir/$log") or die "$dir/$log: $!";
		open(STDERR, '>&', \*STDOUT);
		exec(@all) or die "$all[0]: $!";
	}
	$running{$pid} = $$;
	return $pid;
}

# end_all([PID...]): ends these, or all that this process has started; what runs in a root ends with its shell
sub end_all {
	my (@pids) = @_;
	@pids = keys %running unless @pids;
	for my $pid (grep { ($running{$_} // 0) == $$ } @pids) {
		kill('TERM', $pid);
		waitpid($pid, 0);
		delete $running{$pid};
	}
}

END {
	my $status = $?;
	end_all();
	$? = $status;
}

# prometheus(DIR, OPTION...): starts one with DIR/prometheus.yml; returns its URL and process
sub prometheus {
	my ($dir, @options) = @_;
	my $port = http_port();
	my $pid = start_in_root($dir, 'prometheus.log', 'prometheus', '--config.file=/mnt/prometheus.yml', '--storage.tsdb.path=/mnt/data',
		"--web.listen-address=127.0.0.1:$port", @options);
	my $url = "http://127.0.0.1:$port";
	if (!http_wait("$url/-/ready", 120)) {
		system('tail', '-n', 20, "$dir/prometheus.log");
		die "Prometheus did not become ready\n";
	}
	return ($url, $pid);
}

# query(URL, EXPR [, TIME]): its series, and how many seconds it took
sub query {
	my ($url, $expr, $at) = @_;
	my $begin = time;
	my ($answer) = http_json("$url/api/v1/query", query => $expr, timeout => '5m', $at ? (time => $at) : ());
	return ($answer->{data}{result}, time - $begin);
}

# query_range(URL, EXPR, FROM, TO, STEP)
sub query_range {
	my ($url, $expr, $from, $to, $step) = @_;
	my $begin = time;
	my ($answer) = http_json("$url/api/v1/query_range", query => $expr, start => $from, end => $to, step => $step, timeout => '5m');
	return ($answer->{data}{result}, time - $begin);
}

# has_data(SERIES): is there one with a value that is a number?
sub has_data {
	my ($series) = @_;
	return scalar grep {
		grep { $_->[1] =~ /^-?\d/ } $_->{value} ? $_->{value} : @{ $_->{values} // [] }
	} @$series;
}

# dashboard_queries(NAME => VALUE...): the queries of the dashboard's panels, with these values of its variables, each as
# { panel, expr, instant }
sub dashboard_queries {
	my (%variables) = @_;
	open(my $in, '<', "$tree/scripts/fleet/grafana/dashboard.json") or die "dashboard.json: $!";
	local $/;
	my @queries;
	for my $panel (@{ decode_json(scalar <$in>)->{panels} }) {
		for my $target (@{ $panel->{targets} // [] }) {
			my $expr = $target->{expr};
			$expr =~ s/\$(\w+)/$variables{$1} \/\/ die "\$$1 of panel '$panel->{title}' has no value\n"/ge;
			push @queries, { panel => $panel->{title}, expr => $expr, instant => $target->{instant} ? 1 : 0 };
		}
	}
	return @queries;
}

sub all_rules {
	my ($url) = @_;
	my ($answer) = http_json("$url/api/v1/rules");
	return map { @{ $_->{rules} } } @{ $answer->{data}{groups} };
}

# rules_of(URL): the recording rules that it runs, by name
sub rules_of {
	my ($url) = @_;
	return { map { $_->{name} => $_ } grep { $_->{type} eq 'recording' } all_rules($url) };
}

# alerts_of(URL): the alerts that it evaluates
sub alerts_of {
	my ($url) = @_;
	return grep { $_->{type} eq 'alerting' } all_rules($url);
}

# without_rules(EXPR, RULES): the same question, asked of the nodes' own series; a rule's selector with other matchers than
# cluster=~".*" cannot be
sub without_rules {
	my ($expr, $rules) = @_;
	1 while $expr =~ s{\b([a-z_]+:\w+:\w+)(\{cluster=~"\.\*"\})?(\[\w+\])?}{
		my $rule = $rules->{$1} or die "no rule records $1\n";
		$3 ? '(' . $rule->{query} . ')' . ($3 =~ s/\]$/:1m]/r) : "($rule->{query})"
	}ge;
	return $expr;
}

1;
