#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# promtool's opinion of the metrics, and whether those of a real node are the same as the made-up ones: TRACE_IRQOFF_TEXT="FILE..."
# (environment) names what it wrote into a textfile or answered to /metrics.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use Test::More;
use lib "$FindBin::Bin/lib";
use Exposition;
use Files;
use MadeUp;
use Prometheus;

my $dir = tempdir(CLEANUP => 1);
my ($version) = (in_root($dir, 'promtool', '--version'))[0] =~ /^promtool, version (\S+)/;
note("CONSUMER promtool $version");

# checks(NAME, FILE): promtool has no objection
sub checks {
	my ($name, $file) = @_;
	system('cp', $file, "$dir/checked") if $file ne "$dir/checked";
	my ($said, $status) = in_root($dir, 'sh', '-c', 'promtool check metrics < checked');
	is("$status: $said", '0: ', "$name: promtool check metrics");
}

sub made_up {
	my ($openmetrics, %features) = @_;
	my $node = made_up_node(4, 1795392000, rate => 100, %features);
	made_up_advance($node, 1795392000 + 4 * 3600);
	return made_up_metrics($node, $openmetrics);
}

my $text = made_up(0, module => 1);
checks('a made-up node', write_file("$dir/made-up", $text));
checks('one without a module', write_file("$dir/without", made_up(0, module => 0)));
cmp_ok(scalar(grep { !/^#/ } split(/\n/, $text)), '<=', 120, '120 series at most');
my (undef, $status) = in_root($dir, 'sh', '-c', 'sed "s/irqoff_stalls_total/irqoff_stalls/" made-up | promtool check metrics');
isnt($status, 0, 'promtool objects to a counter without _total');

# the comparison finds what differs
for my $same ([ 'a module', 0, module => 1 ], [ 'no module', 0, module => 0 ], [ 'OpenMetrics', 1, module => 1 ], [ 'OpenMetrics, no module', 1, module => 0 ]) {
	my ($name, @of) = @$same;
	is_deeply([ contract_differences(write_file("$dir/same", made_up(@of))) ], [], "the same: $name");
}
for my $case (
	[ 's/^irqoff_watched_cpus .*\n//m', 'irqoff_watched_cpus{} is missing' ],
	[ 's/^.*irqoff_cost_ratio.*\n//mg', 'irqoff_cost_ratio is missing' ],
	[ 's/^.*irqoff_long_stalls.*\n//mg', 'irqoff_long_stalls_total is missing' ],
	[ 's/class="stolen"/class="taken"/g', 'irqoff_stalls_total{class=stolen} is missing' ],
	[ 's/cause="other"/cause="else"/', 'irqoff_cause_stalls_total{cause=else} is new' ],
	[ 's/le="0.131072"/le="0.1"/', 'irqoff_stall_duration_seconds_bucket{kind=hard,le=0.131072} is missing' ],
	[ 's/irqoff_stalls_total counter/irqoff_stalls_total gauge/', 'irqoff_stalls_total is a gauge, not a counter' ],
	[ 's/irqoff_up 1/irqoff_up{cpu="1"} 1/', 'irqoff_up{cpu} is new' ],
	[ 's/^# HELP irqoff_up .*\n//m', 'irqoff_up has no HELP' ],
	[ 's/module_version="[^"]*"/module="1"/', 'irqoff_build_info{module_version,version} is missing' ],
) {
	my ($change, $said) = @$case;
	local $_ = $text;
	eval "$change; 1" or die $@;
	ok((grep { $_ eq $said } contract_differences(write_file("$dir/changed", $_))), "it finds: $said");
}

# what the reader's unit tests have it write, with causes of their own
my $golden = "$FindBin::Bin/../host/unit/golden";
for my $name (qw(metrics.prom metrics-gone.prom metrics.openmetrics)) {
	is(join("\n", contract_differences("$golden/$name", qw(one two))), '', "$name of the unit tests: families, types and labels are the same");
}
checks("$_ of the unit tests", "$golden/$_") for qw(metrics.prom metrics-gone.prom);

# what the agent itself writes: here without a module, which these machines do not have
SKIP: {
	skip('the module is loaded here: the agent would change its settings', 2) if -e '/sys/module/trace_irqoff';
	system("make -s -C $FindBin::Bin/../.. tools > $dir/make.log 2>&1") == 0 or die "make tools: " . qx(tail -n 5 $dir/make.log);
	write_file("$dir/conf", "state=$dir/state.json\ntextfile=$dir/agent.prom\n");
	system("timeout 30 $FindBin::Bin/../../userspace/irqoff agent --config $dir/conf $dir/captures > $dir/agent.log 2>&1 & echo \$! > $dir/pid");
	for (1 .. 100) {
		last if -s "$dir/agent.prom";
		select(undef, undef, undef, 0.2);
	}
	chomp(my $pid = qx(cat $dir/pid));
	kill('TERM', $pid);
	is(join("\n", contract_differences("$dir/agent.prom")), '', "the agent's textfile: families, types and labels are the same");
	checks("the agent's textfile", "$dir/agent.prom");
}

for my $file (split(' ', $ENV{TRACE_IRQOFF_TEXT} // '')) {
	is(join("\n", contract_differences($file)), '', "$file: families, types and labels are as documented");
	open(my $in, '<', $file) or die "$file: $!";
	checks($file, $file) unless grep { /^# EOF$/ } <$in>;
}
done_testing;
