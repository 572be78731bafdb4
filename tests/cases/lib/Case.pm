# SPDX-License-Identifier: GPL-2.0-only
# Runs a case in a guest: what makes replies slow, what measures them, and what irqoff records meanwhile. A case (Cases.pm) has
#
#   name, what   its name, and what it is
#   script       the guest's script: text, or a function that makes it. Each "log NAME" brings a log back, "capture" the capture
#   options      for scripts/vm/run, besides those below
#   asks         what irqoff correlate is asked: for each a log, args (or a function of the log's text), over_ms (what is slow), times (the
#                log that tells the times, if it is another one), live (the log of what it said in the guest meanwhile), control (nothing may be blamed more
#                often than by chance), and truth, a function of (reply, material) that says what is right
#
# material is a hash of all that the guest told: stalls (what stall.ko reported, in the time of the log's clock), windows (of the
# guest's "window NAME" and "over"), records, and sections.
package Case;
use strict;
use warnings;
use Exporter 'import';
use File::Path qw(make_path);
use FindBin;
use JSON::PP;
use Logs;
use VM;

our @EXPORT = qw(case_make spread MS S);

use constant { MS => 1_000_000, S => 1_000_000_000 };

# CPUs in turn on an icount clock, by default three. CPU 0 runs all programs, CPU 1 takes the server's packets, CPU 2 the client's.
# The kernel checks no slabs, which takes more time than the packets.
my @options = qw(--icount --nics --with net --timeout 900 --append slub_debug=-);

my $prelude = <<'SH';
# serve CPU DEVICE: that CPU takes the interrupts of the virtio device of that number
serve() {
	for irq in $(awk -v device="virtio$2-" 'index($0, device) { sub(":", "", $1); print $1 }' /proc/interrupts); do
		echo $((1 << $1)) > /proc/irq/$irq/smp_affinity
	done
}
# ends: two network namespaces with a device each. No packet is sent besides those that are measured.
ends() {
	modprobe virtio_pci
	modprobe virtio_net
	for end in client server; do
		ip netns add $end
		ip netns exec $end sh -c 'echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6'
	done
	ip link set eth0 netns client
	ip link set eth1 netns server
	ip -n client addr add 10.9.0.1/24 dev eth0
	ip -n server addr add 10.9.0.2/24 dev eth1
	for end in client server; do ip -n $end link set lo up; done
	ip -n client link set eth0 up
	ip -n server link set eth1 up
	ip -n client neigh replace 10.9.0.2 lladdr 52:54:00:00:00:01 dev eth0 nud permanent
	ip -n server neigh replace 10.9.0.1 lladdr 52:54:00:00:00:00 dev eth1 nud permanent
	[ "$(grep -c ^processor /proc/cpuinfo)" = 2 ] && serve 0 0 || serve 2 0
	serve 1 1
}
client() { ip netns exec client "$@"; }
server() { ip netns exec server "$@"; }
# What measures the server's replies, until quiet. The shell replaces itself by the program, so that its process is known.
loggers=
pings() { # pings SECONDS [OPTION]...
	ip netns exec client ping -n -D -i "$@" 10.9.0.2 > /tmp/ping.log &
	loggers="$loggers $!"
}
fpings() { # fpings MS
	ip netns exec client stdbuf -oL fping -D -l -t 2000 -p $1 10.9.0.2 > /tmp/fping.log 2> /tmp/fping.said &
	loggers="$loggers $!"
}
hpings() { # hpings US. It has no times itself
	ts '%.s' < /tmp/hping3.pipe > /tmp/hping3-timed.log &
	ip netns exec client stdbuf -oL hping3 -n -S -p 9 -i u$1 10.9.0.2 > /tmp/hping3.pipe 2> /tmp/hping3.said &
	loggers="$loggers $!"
}
mkfifo /tmp/hping3.pipe
accept() { # has the server accept connections at port 7
	ip netns exec server connects 7 &
	accepting=$!
	server sh -c 'until grep -q ":0007 " /proc/net/tcp; do usleep 10000; done'
}
quiet() {
	sleep 0.5
	for logger in $loggers; do
		kill -INT $logger || { echo "a logger has ended: $(cat /tmp/*.said)"; exit 1; }
		wait $logger || :
	done
	loggers=
}
log() { section "log $1"; packed cat "/tmp/$1.log"; }
capture() { section capture; packed irqoff save -; }
# record [OPTION]..., recorded: the same from what is recorded meanwhile
record() {
	irqoff record "$@" /tmp/capture > /dev/null 2> /tmp/said &
	recorder=$!
	sleep 1
}
recorded() {
	kill $recorder
	wait $recorder || cat /tmp/said
	section capture
	packed cat /tmp/capture
}
window() { section "window $*"; cut -d ' ' -f 1 /proc/uptime; }
over() { section over; cut -d ' ' -f 1 /proc/uptime; }
watch() { insmod trace_irqoff.ko enable=1 cpus=all threshold_us=5000 period_us=1000 ring_records=4096 nmi_cpu_rate=1000 nmi_rate=1000 "$@"; }
taskset -p 1 $$ > /dev/null
ends
SH

sub prelude { return $prelude }

# spread(FROM, TO): a number between them
sub spread {
	my ($from, $to) = @_;
	return int($from + rand($to - $from + 1));
}

# material(SECTIONS...): what the guest told
sub material {
	my @sections = @_;
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	my @records = records('records', @sections);
	# any record tells how far the two clocks are apart, since nobody sets one meanwhile
	my $wall_ns = @records ? $records[0]{end_realtime_ns} - $records[0]{end_ns} : 0;
	my @stalls = stalls(@sections);
	for my $stall (@stalls) {
		$stall->{$_} += $wall_ns for qw(from_ns to_ns);
	}
	my @windows;
	for my $section (@sections) {
		if ($section->[0] =~ /^window (.*)/) {
			push @windows, { name => $1, from_ns => $section->[1] * S + $wall_ns };
		} elsif ($section->[0] eq 'over') {
			$windows[-1]{to_ns} = $section->[1] * S + $wall_ns + S / 100;
		}
	}
	return { sections => \%got, records => \@records, wall_ns => $wall_ns, stalls => \@stalls, windows => \@windows };
}

sub put {
	my ($path, $bytes) = @_;
	open(my $file, '>:raw', $path) or die "$path: $!\n";
	print {$file} $bytes;
	close($file) or die "$path: $!\n";
	return;
}

# truth(ASK, MATERIAL, TEXT): the ask, with each slow reply and what is right of it
sub truth {
	my ($ask, $material, $text) = @_;
	my %truth = map { ($_ => $ask->{$_}) } grep { defined $ask->{$_} } qw(log live args over_ms control at_most);
	$truth{args} = ref $ask->{args} eq 'CODE' ? $ask->{args}->($text) : $ask->{args} // [];
	my @slow = grep { $_->{lost} || $_->{latency_ns} >= $ask->{over_ms} * MS } replies($text);
	$truth{slow} = [];
	for my $reply (@slow) {
		# ping -O says so when it sends the next one
		$reply->{sent_ns} //= $reply->{arrived_ns} - $ask->{interval_ms} * MS;
		my $right = $ask->{truth}->($reply, $material);
		my %that = map { ($_ => $reply->{$_}) } grep { exists $reply->{$_} } qw(line sent_ns arrived_ns latency_ns), $reply->{lost} ? qw(lost seq) : ();
		push @{ $truth{slow} }, { %that, $right ? %$right : (unjudged => JSON::PP::true) };
	}
	return \%truth;
}

# made(CASE): runs it; returns (what went wrong or '', the sections of what the guest told)
sub made {
	my ($case) = @_;
	my $script = $prelude . (ref $case->{script} ? $case->{script}->() : $case->{script});
	return $case->{guest}->($script) if $case->{guest};
	my ($status, $output, $marks) = guest($script, @options, @{ $case->{options} // [ '--smp', 3 ] });
	return $status ? "the guest ended with status $status:\n$output" : ('', sections($output, $marks));
}

sub put_truth {
	my ($case, $dir, @asks) = @_;
	put("$dir/truth.json", JSON::PP->new->canonical->pretty->encode({ case => $case->{name}, what => $case->{what}, asks => \@asks }));
	return '';
}

# shifted(CASE, DIR, FROM): makes it of another case, which is in FROM, by shifting the times in its logs
sub shifted {
	my ($case, $dir, $from) = @_;
	put("$dir/capture", read_file("$from/capture"));
	my $truth = decode_json(read_file("$from/truth.json"));
	my @asks;
	for my $ask (@{ $case->{asks} }) {
		my $text = read_file("$from/$ask->{log}.log");
		my ($first) = $text =~ /^\[(\d+\.\d+)\]/m or die "no times in $ask->{log}.log\n";
		$text =~ s/^\[(\d+\.\d+)\]/sprintf('[%.6f]', $1 + $case->{ahead_s} + ($1 - $first) * $case->{gains})/gme;
		put("$dir/$ask->{log}.log", $text);
		my ($of) = grep { $_->{log} eq $ask->{log} } @{ $truth->{asks} };
		my %replies = map { my $reply = $_; ($_->{line} => { map { ($_ => $reply->{$_}) } qw(sent_ns arrived_ns) }) } grep { !$_->{lost} } replies($text);
		push @asks, { %$ask, slow => [ map { { %$_, %{ $replies{ $_->{line} } } } } grep { !$_->{lost} } @{ $of->{slow} } ] };
	}
	return put_truth($case, $dir, @asks);
}

# case_make(CASE, DIR): runs it, and leaves in DIR/NAME the capture, the logs and truth.json. Returns what went wrong, or ''.
sub case_make {
	my ($case, $in) = @_;
	my $dir = "$in/$case->{name}";
	make_path($dir);
	return shifted($case, $dir, "$in/$case->{from}") if $case->{from};
	srand($ENV{SEED} // 1);
	my ($trouble, @sections) = made($case);
	return $trouble if $trouble;
	my $material = material(@sections);
	put("$dir/output", join('', map { "@@ $_->[0]\n$_->[1]\n" } grep { $_->[0] !~ /^(?:log |capture|records)/ } @sections));
	my $said = $material->{sections};
	put("$dir/capture", $said->{capture});
	put("$dir/$_.log", $said->{"log $_"}) for map { /^log (.*)/ } keys %$said;
	# as hping3 writes it
	put("$dir/hping3.log", $said->{'log hping3-timed'} =~ s/^[\d.]+ //mgr) if $said->{'log hping3-timed'};
	return put_truth($case, $dir, map { truth($_, $material, $said->{ 'log ' . ($_->{times} // $_->{log}) } // die("no log $_->{log}\n")) } @{ $case->{asks} });
}

1;
