# SPDX-License-Identifier: GPL-2.0-only
# The cases whose slow replies are made by the stall maker, and the controls.
package Cases;
use strict;
use warnings;
use Case;
use Exporter 'import';
use JSON::PP;
use Logs;
use POSIX qw(strftime);
use Thief;

our @EXPORT = qw(cases);

# the CPUs of Case.pm
use constant { SERVER => 1, CLIENT => 2, ELSEWHERE => 3 };

# Both ends have one clock, which no NTP keeps right. "No stall" is not said without knowing that.
my @same_clock = ('--offset', 0);

# stalls_on(CPU, COUNT, US, PAUSE_MS, KINDS...): a script of stalls of such lengths and with such pauses, both [FROM, TO]
sub stalls_on {
	my ($cpu, $count, $us, $pause_ms, @kinds) = @_;
	return join('', map { sprintf("stall %s %d %d\nsleep %.3f\n", $kinds[ rand @kinds ], $cpu, spread(@$us), spread(@$pause_ms) / 1000) } 1 .. $count);
}

# of_stalls(CPU): what is right where the stall maker's stalls of that CPU make replies slow. A reply that comes when such a stall
# ends is slow by it; one that met no stall is not. A program's own first steps are not judged.
sub of_stalls {
	my (@cpus) = @_;
	my %asked = map { ($_ => 1) } @cpus;
	return sub {
		my ($reply, $material) = @_;
		return if $reply->{sent_ns} < $material->{stalls}[0]{from_ns} - MS * 100;
		my @met = grep { $_->{from_ns} <= $reply->{arrived_ns} && $_->{to_ns} >= $reply->{sent_ns} } @{ $material->{stalls} };
		my @asked = grep { $asked{ $_->{cpu} } } @met;
		return { verdicts => ['no-stall'] } if !@asked;
		my ($stall) = @asked;
		return unless @asked == 1 && @met == 1 && abs($reply->{arrived_ns} - $stall->{to_ns}) < 8 * MS;
		return { verdicts => ['stall'], cpu => $stall->{cpu} + 0, culprit => "$stall->{function} [stall]" };
	};
}


# never(REPLY, MATERIAL): what is right where no stall makes a reply slow. One that comes when a stall ends may owe it its last
# milliseconds.
sub never {
	my @verdicts = @_;
	return sub {
		my ($reply, $material) = @_;
		return if grep { $_->{cpu} != ELSEWHERE && $_->{from_ns} <= $reply->{arrived_ns} && abs($reply->{arrived_ns} - $_->{to_ns}) < 3 * MS } @{ $material->{stalls} };
		return { verdicts => \@verdicts };
	};
}

# of_drops(CPU): what is right where packets are dropped in stalls of that CPU; connect(2) sends again after 1 s
sub of_drops {
	my ($cpu) = @_;
	my $late = of_stalls($cpu);
	return sub {
		my ($reply, $material) = @_;
		return $late->($reply, $material) unless $reply->{lost} || $reply->{latency_ns} > 900 * MS;
		# -O tells the time of sending a bit late
		my $slack_ns = $reply->{lost} ? 8 * MS : 0;
		my @in = grep { $_->{from_ns} <= $reply->{sent_ns} - $slack_ns && $_->{to_ns} >= $reply->{sent_ns} + $slack_ns } @{ $material->{stalls} };
		return unless @in == 1;
		return { verdicts => ['dropped-in-stall'], cpu => $in[0]{cpu} + 0, culprit => "$in[0]{function} [stall]" };
	};
}

# of_hping3(TRUTH): the same, of hping3. Where a second begins between sending and arrival its rtt is a second too long.
sub of_hping3 {
	my ($truth) = @_;
	return sub {
		my ($reply, $material) = @_;
		return $reply->{latency_ns} < 900 * MS ? $truth->($reply, $material) : undef;
	};
}

# hping3_args(TEXT): what hping3 does not tell. It sends its first packet right after its first line, and sets its timer anew for each,
# so that it is slower than it was told by what sending takes: here 1.7 per mille.
sub hping3_args {
	my ($text) = @_;
	my ($second, $part) = $text =~ /^(\d+)\.(\d+) HPING/ or die "hping3 did not start\n";
	my @sent = grep { $_->{latency_ns} < 900 * MS } replies($text);
	my $pace_ns = ($sent[-1]{sent_ns} - $sent[0]{sent_ns}) / ($sent[-1]{seq} - $sent[0]{seq});
	return [ '--cpu', SERVER, '--start', strftime('%Y-%m-%dT%H:%M:%S', gmtime($second)) . ".${part}Z", '--interval', int($pace_ns / 1000) . 'us' ];
}

# always(RIGHT): the same is right of each
sub always {
	my ($right) = @_;
	return sub { return $right };
}

# of_windows(CPU, CULPRITS...): what is right where the guest made real stalls in its windows
sub of_windows {
	my ($cpu, @culprits) = @_;
	return sub {
		my ($reply, $material) = @_;
		my ($window) = grep { $_->{from_ns} <= $reply->{arrived_ns} && $_->{to_ns} >= $reply->{sent_ns} } @{ $material->{windows} };
		return unless $window;
		return { verdicts => ['stall'], cpu => $cpu, culprits => \@culprits };
	};
}

my $records = <<'SH';
section records
packed irqoff list --json
SH

my @cases = (
	{
		name => 'stall',
		what => 'soft and hard stalls on the CPU that serves the interface',
		script => sub {
			return <<'SH' . stalls_on(SERVER, 40, [ 30_000, 80_000 ], [ 150, 400 ], qw(bhoff irqoff)) . <<'SH2' . $records;
insmod stall.ko
watch
pings 0.02
fpings 20
hpings 20000
sleep 1
SH
quiet
capture
log ping
log fping
log hping3-timed
SH2
		},
		asks => [
			(map { { log => $_, args => [ '--cpu', SERVER ], over_ms => 10, truth => of_stalls(SERVER) } } qw(ping fping)),
			# it sees packets up to 8 ms late
			{ log => 'hping3', times => 'hping3-timed', args => \&hping3_args, over_ms => 20, truth => of_hping3(of_stalls(SERVER)) },
		],
	},
	{
		name => 'live',
		what => 'the stalls of "stall", told of while ping goes on',
		options => [ '--smp', 4 ],
		script => sub {
			return <<'SH' . stalls_on(SERVER, 40, [ 30_000, 80_000 ], [ 150, 400 ], qw(bhoff irqoff)) . <<'SH2' . $records;
insmod stall.ko
watch
mkfifo /tmp/ping.pipe /tmp/live.pipe
taskset 8 irqoff correlate --json --cpu 1 - < /tmp/live.pipe > /tmp/live.log 2> /tmp/live.said &
live=$!
tee /tmp/live.pipe < /tmp/ping.pipe > /tmp/ping.log &
ip netns exec client ping -n -D -i 0.02 10.9.0.2 > /tmp/ping.pipe &
loggers=$!
sleep 1
SH
quiet
wait $live || echo "irqoff: status $?"
capture
log ping
log live
SH2
		},
		asks => [ { log => 'ping', live => 'live', over_ms => 10, truth => of_stalls(SERVER) } ],
	},
	{
		name => 'delay',
		what => 'control: netem delays one reply of seven, among short stalls of the same CPU',
		script => sub {
			return <<'SH' . stalls_on(SERVER, 40, [ 6000, 9000 ], [ 150, 500 ], qw(bhoff irqoff)) . <<'SH2' . $records;
insmod stall.ko
watch
modprobe sch_netem
server tc qdisc add dev eth1 root netem delay 50ms 28ms reorder 85%
pings 0.02
fpings 20
sleep 1
SH
quiet
capture
log ping
log fping
SH2
		},
		asks => [ map { { log => $_, args => [ '--cpu', SERVER, @same_clock ], over_ms => 20, control => 1, truth => never('no-stall') } } qw(ping fping) ],
	},
	{
		name => 'elsewhere',
		what => 'stalls on a CPU that serves neither interface, while netem delays one reply of seven',
		options => [ '--smp', 4 ],
		script => sub {
			return <<'SH' . stalls_on(ELSEWHERE, 40, [ 40_000, 90_000 ], [ 100, 300 ], qw(bhoff irqoff)) . <<'SH2' . $records;
insmod stall.ko
watch
modprobe sch_netem
server tc qdisc add dev eth1 root netem delay 24ms 10ms reorder 85%
pings 0.02
sleep 1
SH
quiet
capture
log ping
SH2
		},
		asks => [
			{ log => 'ping', args => [ '--cpu', SERVER, @same_clock ], over_ms => 12, truth => never('no-stall') },
			{ log => 'ping', args => [ '--cpu', SERVER . ',' . CLIENT, @same_clock ], over_ms => 12, truth => never('no-stall') },
			# of all CPUs: no more often than by chance
			{ log => 'ping', args => [@same_clock], over_ms => 12, control => 1, truth => never('no-stall') },
		],
	},
	{
		name => 'other-end',
		what => 'stalls of the one end or the other, each asked about alone',
		script => sub {
			my @both = map { stalls_on($_, 1, [ 30_000, 80_000 ], [ 150, 400 ], qw(bhoff irqoff)) } map { rand() < 0.5 ? SERVER : CLIENT } 1 .. 60;
			return <<'SH' . join('', @both) . <<'SH2' . $records;
insmod stall.ko
watch
pings 0.02
sleep 1
SH
quiet
capture
log ping
SH2
		},
		asks => [ map { { log => 'ping', args => [ '--cpu', $_, @same_clock ], over_ms => 10, truth => of_stalls($_) } } SERVER, CLIENT ],
	},
	{
		name => 'ip_vs',
		what => 'ip_vs with 10,000 services: a timer adds up counters of all CPUs, here of 64 possible ones',
		options => [ '--smp', '3,maxcpus=64', '--mem', '2G' ],
		script => <<'SH' . $records,
awk 'BEGIN {
	for (i = 0; i < 10000; i++)
		printf "-A -t 10.%d.%d.1:80 -s rr\n", i / 250, i % 250
}' > /tmp/services
# the timer stays on the CPU that loads the module
echo 0 > /proc/sys/kernel/timer_migration
taskset 2 modprobe ip_vs
ipvsadm -R < /tmp/services
watch
record
pings 0.005
window ip_vs
sleep 24
over
quiet
recorded
log ping
SH
		asks => [ { log => 'ping', args => [ '--cpu', SERVER ], over_ms => 10, truth => of_windows(SERVER, 'estimation_timer [ip_vs]') } ],
	},
	{
		name => 'memcg',
		what => 'memory.stat is read on the CPU that serves the interface, over dying cgroups',
		script => sub {
			return <<'SH' . join('', map { sprintf("window memcg\ntaskset 2 memcg read /tmp/pages 1 > /dev/null\nover\nsleep %.3f\n", spread(200, 700) / 1000) } 1 .. 30) . <<'SH2' . $records;
memcg make /tmp/pages 6000 > /dev/null
watch
record
pings 0.005
sleep 1
SH
quiet
recorded
log ping
SH2
		},
		asks => [ { log => 'ping', args => [ '--cpu', SERVER ], over_ms => 5,
			truth => of_windows(SERVER, qw(__mem_cgroup_flush_stats mem_cgroup_flush_stats flush_memcg_stats_dwork)) } ],
	},
	{
		name => 'drops',
		what => 'packets are dropped while the CPU that takes them by RPS is stalled',
		options => [ '--smp', 4 ],
		script => sub {
			return <<'SH' . stalls_on(ELSEWHERE, 36, [ 60_000, 120_000 ], [ 200, 600 ], qw(bhoff irqoff)) . <<'SH2' . $records;
insmod stall.ko
watch
server sh -c 'echo 8 > /sys/class/net/eth1/queues/rx-0/rps_cpus'
echo 10 > /proc/sys/net/core/netdev_max_backlog
accept
# enough to fill the backlog in 20 ms
ip netns exec client hping3 -q -n -2 -p 9 -i u2000 10.9.0.2 > /dev/null 2>&1 &
loggers=" $!"
pings 0.02 -O
ip netns exec client connects 10.9.0.2 7 10000 60 7 > /tmp/connects.log &
connects=$!
sleep 1
SH
quiet
kill $connects $accepting
capture
log ping
log connects
SH2
		},
		asks => [ map { { log => $_, args => [ '--cpu', SERVER . ',' . ELSEWHERE ], over_ms => 10, interval_ms => 24, truth => of_drops(ELSEWHERE) } } qw(ping connects) ],
	},
	{
		name => 'loss',
		what => 'control: netem loses SYNs, so that connects take 1, 3 and 7 s, among short stalls',
		script => sub {
			return <<'SH' . stalls_on(SERVER, 60, [ 6000, 9000 ], [ 200, 600 ], qw(bhoff irqoff)) . <<'SH2' . $records;
insmod stall.ko
watch
modprobe sch_netem
client tc qdisc add dev eth0 root netem loss 30%
accept
record --counters 1s --netns client
ip netns exec client connects 10.9.0.2 7 60 5 3 > /tmp/connects.log &
connects=$!
SH
wait $connects
kill $accepting
recorded
log connects
SH2
		},
		asks => [ { log => 'connects', args => [ '--cpu', SERVER, @same_clock ], over_ms => 900, control => 1, truth => never(qw(lost-syn no-stall)) } ],
	},
	{
		name => 'ksoftirqd',
		what => 'ksoftirqd waits behind a busy task; then the advice of the report is carried out',
		script => sub {
			my @hogs = map { sprintf("hog %d\nsleep %.3f\n", spread(4000, 8000), spread(50, 250) / 1000) } 1 .. 10;
			return <<'SH' . join('', @hogs) . <<'SH2' . join('', @hogs[ 0 .. 4 ]) . <<'SH3' . $records;
# hog COUNT: a task that is busy, and dear, on the CPU that serves the interface
hog() { taskset 2 nice -n -20 sh -c "i=0; while [ \$i -lt $1 ]; do i=\$((i + 1)); done"; }
watch
record
# more packets than softirqs are given at once, so that ksoftirqd takes them
ip netns exec client ping -q -n -f -l 256 10.9.0.2 > /dev/null &
flood=$!
pings 0.02
sleep 1
SH
quiet
mv /tmp/ping.log /tmp/before.log
section report
irqoff report
advice=$(irqoff report | tr -s ' \n' ' ' | grep -o 'chrt -f -p 1 PID of ksoftirqd/N')
$(echo "$advice" | sed "s/PID of.*/$(grep -lx ksoftirqd/1 /proc/[0-9]*/comm | cut -d / -f 3)/")
pings 0.02
sleep 1
SH2
quiet
mv /tmp/ping.log /tmp/after.log
kill $flood
recorded
log before
log after
SH3
		},
		asks => [
			{ log => 'before', args => [ '--cpu', SERVER ], over_ms => 20, truth => always({ verdicts => ['stall'], cpu => SERVER, class => 'ksoftirqd-wait' }) },
			{ log => 'after', args => [ '--cpu', SERVER ], over_ms => 20, at_most => 3, truth => always({ unjudged => JSON::PP::true }) },
		],
	},
	{
		name => 'offset',
		what => "the log of 'stall', by a clock that is 0.84 s fast and gains 20 us a second",
		from => 'stall',
		asks => [ { log => 'ping', args => [ '--cpu', SERVER ], over_ms => 10 } ],
		ahead_s => 0.84,
		gains => 20e-6,
	},
	{
		name => 'steal',
		what => 'the host stops the CPU that serves the interface, which is busy',
		script => <<'SH' . $records,
insmod harness_steal.ko
watch
# no record tells of a CPU that is stopped while it is idle
taskset 2 nice -n 19 sh -c 'while :; do :; done' &
busy=$!
pings 0.02
section begins
sleep 24
quiet
kill $busy
capture
log ping
SH
		guest => sub {
			my ($script) = @_;
			my ($trouble, $sections) = robbed($script, qr/^@@ begins$/, 60, '30-80', '100-300', undef, qw(--counted --nics --with net --timeout 300));
			return ($trouble, $trouble ? () : @$sections);
		},
		asks => [ { log => 'ping', args => [ '--cpu', SERVER ], over_ms => 15, truth => always({ verdicts => ['stall'], cpu => SERVER, class => 'stolen' }) } ],
	},
);

# cases(NAME...): those, or all
sub cases {
	my @names = @_;
	my %by = map { ($_->{name} => $_) } @cases;
	for my $name (@names) {
		die "there is no case '$name'; there are: ", join(' ', map { $_->{name} } @cases), "\n" unless $by{$name};
	}
	return @names ? @by{@names} : @cases;
}

1;
