# SPDX-License-Identifier: GPL-2.0-only
# Nodes that do not exist. A node's number decides all that happens to it, so its metrics and its JSON lines tell of the same
# stalls, and each run gives the same.
package MadeUp;
use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use Exporter qw(import);
use FindBin;
use JSON::PP;
use POSIX qw(strftime);

our @EXPORT = qw(@MADE_UP_CLASSES @MADE_UP_KEYS made_up_node made_up_advance made_up_metrics made_up_line);

our @MADE_UP_CLASSES = qw(unknown hardirq-off softirq-off softirq-long ksoftirqd-wait hardirq-long stolen);
our @MADE_UP_KEYS = qw(schema_version host boot_id instance record cpu seq open time kind class culprit culprit_evidence busy_in
	evidence min_ns max_ns wide early nested_ns end_ns end_realtime_ns end_by threshold_ns period_ns handler_ns handlers
	untraced_irqs steal_ns comm pid tgid cgroup_id cgroup cgroup_gone pod container waits_for_record kernel cause stack);

use constant { HOUR => 3600, THRESHOLD => 0.010, PERIOD => 0.001, LONG => 0.1 };
my @bounds = map { 2**$_ / 1e6 } 10 .. 20;
my @cpus = (8, 16, 32, 64, 128);
my @kernels = qw(5.10.0-33-amd64 6.1.0-31-amd64 6.12.12-amd64);

# class, cause, culprit, task, and how many of a hundred stalls are such
my @sources = (
	[ 'hardirq-off', 'memcg-stat-flush', '__mem_cgroup_flush_stats', 'kubelet', 18 ],
	[ 'hardirq-off', 'cgroup-rstat-flush', 'cgroup_rstat_flush_locked', 'cadvisor', 12 ],
	[ 'hardirq-off', 'blkcg-rstat-flush', 'blkcg_rstat_flush', 'kubelet', 4 ],
	[ 'hardirq-off', 'printk-serial', 'console_emit_next_record', 'kworker/u16:2', 4 ],
	[ 'hardirq-off', 'slab-listing', 'validate_slab_cache', 'node_exporter', 2 ],
	[ 'hardirq-off', 'stop-machine', 'multi_cpu_stop', 'migration/3', 1 ],
	[ 'hardirq-off', undef, 'do_exit', 'java', 8 ],
	[ 'softirq-off', 'ipv6-table-walk', '__fib6_clean_all', 'ip', 3 ],
	[ 'softirq-off', 'neighbour-table-flush', '__neigh_ifdown', 'ip', 2 ],
	[ 'softirq-off', 'conntrack-walk', 'get_next_corpse', 'conntrack', 3 ],
	[ 'softirq-off', 'conntrack-resize', 'nf_conntrack_hash_resize', 'sysctl', 1 ],
	[ 'softirq-off', 'ipset-replacement', 'ip_set_flush_set', 'calico-node', 4 ],
	[ 'softirq-off', 'iptables-counters', 'do_add_counters', 'iptables-restor', 5 ],
	[ 'softirq-off', 'nftables-set-replacement', 'nft_rbtree_walk', 'nft', 1 ],
	[ 'softirq-long', 'ip_vs-estimation', 'estimation_timer', 'swapper/0', 12 ],
	[ 'softirq-long', 'long-rule-chain', 'nft_do_chain_ipv4', 'nginx', 3 ],
	[ 'ksoftirqd-wait', 'ksoftirqd-behind-task', undef, 'ffmpeg', 4 ],
	[ 'hardirq-long', undef, 'timerfd_tmrproc', 'postgres', 2 ],
	[ 'stolen', 'stolen-vcpu', undef, 'java', 9 ],
	[ 'unknown', undef, undef, 'swapper/1', 2 ],
);
my @lots = map { ($_) x $_->[4] } @sources;

# causes(): the ids that have a signature, and other
my $causes;
sub causes {
	$causes //= do {
		open(my $in, '<', "$FindBin::Bin/../../userspace/causes.json") or die "userspace/causes.json: $!";
		local $/;
		[ (map { $_->{id} } grep { $_->{match} } @{ decode_json(scalar <$in>)->{causes} }), 'other' ];
	};
	return @$causes;
}

# chance(NODE, WHAT): a number of 0 to 1 that is the node's for ever
sub chance {
	my ($number, $what) = @_;
	return hex(substr(md5_hex("$number $what"), 0, 8)) / 2**32;
}

# made_up_node(NUMBER, BOOTED [, FEATURE => VALUE...]): a node that booted at that time and has recorded nothing yet. Features that
# are not named come by the number: rate (stalls an hour: 2 to 200, on half of the nodes less than 6), module and enabled
# (nearly always), loses (records, on one node of 50), cpus, kernel (its release); ids are those of the causes that it knows, by default all.
sub made_up_node {
	my ($number, $booted, %features) = @_;
	# Box and Muller: normal, and so the rates are log-normal
	my $normal = sqrt(-2 * log(chance($number, 'rate') || 1e-9)) * cos(6.2831853 * chance($number, 'angle'));
	my $rate = 6 * exp(1.2 * $normal);
	$rate = $rate < 2 ? 2 : $rate > 200 ? 200 : $rate;
	my $node = {
		number => $number,
		booted => $booted,
		host => sprintf('node%05d', $number),
		boot_id => join('-', md5_hex("boot $number $booted") =~ /^(.{8})(.{4})(.{4})(.{4})(.{12})$/),
		instance => substr(md5_hex("load $number $booted"), 0, 16),
		rate => $rate,
		cpus => $cpus[ chance($number, 'cpus') * @cpus ],
		module => chance($number, 'module') < 0.99,
		loses => chance($number, 'loses') < 0.02,
		kernel => $kernels[ chance($number, 'kernel') * @kernels ],
		%features,
		at => $booted,
		hour => -1,
		coming => [],
		seqs => [],
		lost => 0,
		newest => {},
		stalls => { map { $_ => 0 } @MADE_UP_CLASSES },
		seconds => { map { $_ => 0 } @MADE_UP_CLASSES },
		longs => 0,
		causes => { map { $_ => 0 } causes() },
		steps => { map { $_ => [ (0) x (@bounds + 1) ] } qw(hard soft) },
		sums => { hard => 0, soft => 0 },
	};
	$node->{enabled} //= $node->{module};
	return $node;
}

# the stalls of the node's next hour
sub next_hour {
	my ($node) = @_;
	my $hour = ++$node->{hour};
	srand(hex(substr(md5_hex("$node->{number} hour $hour"), 0, 8)));
	my @stalls;
	my $at = 0;
	while (($at += -log(1 - rand()) * HOUR / $node->{rate}) < HOUR) {
		my $source = $lots[ rand(@lots) ];
		my $seconds = THRESHOLD * (1 - rand())**(-1 / 1.8);
		push @stalls, {
			at => $node->{booted} + $hour * HOUR + $at,
			cpu => int(rand($node->{cpus})),
			seconds => $seconds > 3 ? 3 : $seconds,
			source => $source,
			pod => rand() < 0.6 ? int(rand(40)) : undef,
			sampled => rand() < 0.8,
			# a burst that was overwritten: the first ten minutes of each fifth hour
			lost => $node->{loses} && $hour % 5 == 0 && $at < 600,
		};
	}
	$node->{coming} = \@stalls;
}

# made_up_advance(NODE, UNTIL): lets the time go on; returns the stalls that the agent has read meanwhile
sub made_up_advance {
	my ($node, $until) = @_;
	my @read;
	return () unless $node->{module} && $node->{enabled};
	while (1) {
		my $stall = shift @{ $node->{coming} };
		if (!$stall) {
			last if $node->{booted} + ($node->{hour} + 1) * HOUR > $until;
			next_hour($node);
			next;
		}
		if ($stall->{at} > $until) {
			unshift @{ $node->{coming} }, $stall;
			last;
		}
		my ($class, $cause) = @{ $stall->{source} };
		my $kind = $class =~ /^(?:hardirq|stolen|unknown)/ ? 'hard' : 'soft';
		$stall->{kind} = $kind;
		$stall->{seq} = $node->{seqs}[ $stall->{cpu} ]++ // 0;
		my $step = 0;
		$step++ while $step < @bounds && $stall->{seconds} > $bounds[$step];
		$node->{steps}{$kind}[$step]++;
		$node->{sums}{$kind} += $stall->{seconds};
		if ($stall->{lost}) {
			$node->{lost}++;
			next;
		}
		$node->{stalls}{$class}++;
		$node->{seconds}{$class} += $stall->{seconds};
		$node->{longs}++ if $stall->{seconds} >= LONG;
		$node->{causes}{ $cause // 'other' }++;
		$node->{newest}{$class} = $stall;
		push @read, $stall;
	}
	$node->{at} = $until;
	return @read;
}

# The module's histogram also counts stalls below the threshold: from two periods up, some five for each that has a record.
sub short_stalls {
	my ($node, $step) = @_;
	my %share = (1 => 0.7, 2 => 0.2, 3 => 0.1);
	return 0 unless $node->{module} && $node->{enabled};
	return int(2.5 * $node->{rate} * ($share{$step} // 0) * ($node->{at} - $node->{booted}) / HOUR);
}

# made_up_metrics(NODE, OPENMETRICS): what its /metrics would answer now
sub made_up_metrics {
	my ($node, $openmetrics) = @_;
	my $text = '';
	my $there = $node->{module};
	my $family = sub {
		my ($name, $type, $help) = @_;
		$name =~ s/_total$// if $openmetrics;
		$text .= "# HELP $name $help\n# TYPE $name $type\n";
	};
	my $gauge = sub {
		my ($name, $value, $help) = @_;
		$family->($name, 'gauge', $help);
		$text .= "$name $value\n";
	};
	my $watched = $there && $node->{enabled} ? $node->{cpus} : 0;
	$gauge->('irqoff_up', $watched ? 1 : 0, 'Whether stalls are recorded.');
	$family->('irqoff_build_info', 'gauge', 'Versions.');
	$text .= sprintf("irqoff_build_info{version=\"%s\",module_version=\"%s\"} 1\n", '1.2.3', $there ? '1.2.3' : '');
	$gauge->('irqoff_watched_cpus', $watched, 'CPUs that are watched.');
	$gauge->('irqoff_online_cpus', $node->{cpus}, 'CPUs that are online.');
	if ($there) {
		$gauge->('irqoff_threshold_seconds', THRESHOLD, 'Shortest stall that is recorded.');
		my $cost = $node->{cost} // 0.001 + 0.002 * chance($node->{number}, 'cost');
		$gauge->('irqoff_cost_ratio', sprintf('%.6f', $cost), 'Largest share of any CPU that watching takes.');
	}
	$family->('irqoff_records_lost_total', 'counter', 'Records that were overwritten before they were read.');
	$text .= "irqoff_records_lost_total $node->{lost}\n";
	$family->('irqoff_records_cleared_total', 'counter', 'Records that were dropped before they were read.');
	$text .= "irqoff_records_cleared_total 0\n";
	$family->('irqoff_stalls_total', 'counter', 'Recorded stalls.');
	for my $class (@MADE_UP_CLASSES) {
		my $newest = $node->{newest}{$class};
		$text .= "irqoff_stalls_total{class=\"$class\"} $node->{stalls}{$class}";
		$text .= sprintf(' # {record="%d:%d"} %.6f %.3f', @$newest{qw(cpu seq seconds at)}) if $openmetrics && $newest;
		$text .= "\n";
	}
	$family->('irqoff_stalled_seconds_total', 'counter', 'Time of recorded stalls.');
	$text .= sprintf("irqoff_stalled_seconds_total{class=\"%s\"} %.6f\n", $_, $node->{seconds}{$_}) for @MADE_UP_CLASSES;
	$family->('irqoff_long_stalls_total', 'counter', 'Recorded stalls of 100 ms and more.');
	$text .= "irqoff_long_stalls_total $node->{longs}\n";
	$family->('irqoff_cause_stalls_total', 'counter', 'Recorded stalls by known cause.');
	$text .= "irqoff_cause_stalls_total{cause=\"$_\"} " . ($node->{causes}{$_} // 0) . "\n" for $node->{ids} ? @{ $node->{ids} } : causes();
	$family->('irqoff_stall_duration_seconds', 'histogram', 'Lengths of all stalls, those below the threshold too.');
	for my $kind (qw(hard soft)) {
		my ($count, $sum) = (0, $node->{sums}{$kind});
		for my $step (0 .. $#bounds) {
			my $short = short_stalls($node, $step);
			$count += $node->{steps}{$kind}[$step] + $short;
			$sum += $short * $bounds[$step] * 0.75;
			$text .= "irqoff_stall_duration_seconds_bucket{kind=\"$kind\",le=\"$bounds[$step]\"} $count\n";
		}
		$count += $node->{steps}{$kind}[-1];
		$text .= "irqoff_stall_duration_seconds_bucket{kind=\"$kind\",le=\"+Inf\"} $count\n";
		$text .= sprintf("irqoff_stall_duration_seconds_sum{kind=\"%s\"} %.6f\n", $kind, $sum);
		$text .= "irqoff_stall_duration_seconds_count{kind=\"$kind\"} $count\n";
	}
	return $text . ($openmetrics ? "# EOF\n" : '');
}

my $json = JSON::PP->new->allow_nonref;

# made_up_line(NODE, STALL): the stall as the flat JSON line
sub made_up_line {
	my ($node, $stall) = @_;
	my ($class, $cause, $culprit, $comm) = @{ $stall->{source} };
	my $min = int($stall->{seconds} * 1e9);
	my $pod = defined $stall->{pod} ? join('-', md5_hex("pod $node->{number} $stall->{pod}") =~ /^(.{8})(.{4})(.{4})(.{4})(.{12})$/) : undef;
	my $container = $pod && md5_hex("a $pod") . md5_hex("b $pod");
	my $pid = 2000 + ($stall->{pod} // 0) * 10;
	my $whole = int($stall->{at});
	my $micro = int(($stall->{at} - $whole) * 1e6);
	my %line = (
		schema_version => 1, open => \0, wide => \0, early => \0, cgroup_gone => \0, nested_ns => 0, late_ns => 0, handlers => 12,
		threshold_ns => 10_000_000, period_ns => 1_000_000, handler_ns => 51234, untraced_irqs => 0, end_by => 'beat',
		host => $node->{host}, boot_id => $node->{boot_id}, instance => $node->{instance},
		record => "$stall->{cpu}:$stall->{seq}", cpu => $stall->{cpu} + 0, seq => $stall->{seq} + 0,
		time => strftime('%Y-%m-%dT%H:%M:%S', gmtime($whole)) . sprintf('.%06d+00:00', $micro),
		kind => $stall->{kind}, class => $class, culprit => $culprit,
		culprit_evidence => $culprit && ($stall->{sampled} ? 'dispatch' : 'end'),
		evidence => $stall->{sampled} ? 'sample' : 'end',
		min_ns => $min, max_ns => $min + 1_000_000,
		end_ns => int(($stall->{at} - $node->{booted}) * 1e9),
		end_realtime_ns => $whole * 1_000_000_000 + $micro * 1000,
		steal_ns => $class eq 'stolen' ? $min : 0,
		comm => $comm, pid => $pid, tgid => $pid,
		cgroup_id => $pod ? 4000 + $stall->{pod} : 1,
		cgroup => $pod ? "/kubepods/burstable/pod$pod/$container" : '/',
		pod => $pod, container => $container, kernel => $node->{kernel}, cause => $cause,
		stack => $stall->{sampled} && $culprit ? "entry_SYSCALL_64_after_hwframe;do_syscall_64;$culprit" : undef,
	);
	# a key is never left out, and they come in the order of the agent's
	return '{' . join(',', map { "\"$_\":" . $json->encode($line{$_}) } @MADE_UP_KEYS) . '}';
}

1;
