#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Which NMIs are sent: none with nmi=off or while the kernel reports an oops, and no more than the budget grants. What becomes
# of one that does not arrive. And which part NMI handlers of others have in a stall: foreign_nmi.ko sends such NMIs, and counts
# those that arrive, from whomever.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use VM;

plan(skip_all => 'only x86 lets a module send NMIs') if on_arm64();

# One CPU samples the other. Where only NMIs of one stall may come, the threshold is one that the host hardly ever exceeds.
my $prelude = <<'SH';
insmod stall.ko
insmod foreign_nmi.ko
knobs=/sys/module/trace_irqoff/parameters
foreign=/sys/module/foreign_nmi/parameters
hold() { # hold CPU COUNT LENGTH_US [oops]: a section with the NMIs that came to it, and the last handler's times
	echo "$*" > $foreign/hold
	section held
	cat $foreign/hold
}
counted() { # counted NAME: the NMIs that have come to CPU 1 so far, and the time
	section "$1"
	cut -d ' ' -f 2 $foreign/seen
	cut -d ' ' -f 1 /proc/uptime
}
start() { # start KNOB=VALUE...: with CPU 0 busy
	insmod trace_irqoff.ko enable=1 ring_records=1024 "$@"
	taskset 1 sh -c 'while :; do :; done' &
	busy=$!
	sleep 0.2
}
end() {
	kill $busy
	rmmod trace_irqoff
}
SH

# between(NAME, FROM, TO, SECTIONS): the NMIs and the seconds between two sections of counted()
sub between {
	my ($name, $from, $to, @sections) = @_;
	my %at = map { ($_->[0] => [ split(' ', $_->[1]) ]) } grep { $_->[0] eq $from || $_->[0] eq $to } @sections;
	return ok(0, "$name: NMIs were counted") unless @{ $at{$from} // [] } == 2 && @{ $at{$to} // [] } == 2;
	return map { $at{$to}[$_] - $at{$from}[$_] } 0, 1;
}

# held(SECTIONS): what each hold() told, with the names of the stall module's times
sub held {
	my @holds;
	for (grep { $_->[0] eq 'held' } @_) {
		my ($nmis, $from, $to) = split(' ', $_->[1]);
		push @holds, { nmis => $nmis, from_ns => $from, to_ns => $to };
	}
	return @holds;
}

sub counters {
	my ($name, @sections) = @_;
	my ($status) = map { $_->[1] } grep { $_->[0] eq $name } @sections;
	my ($cpu) = grep { $_->{cpu} == 1 } @{ JSON::PP::decode_json($status // '{"cpus":[]}')->{cpus} };
	return $cpu // {};
}

# where steal is not counted an end proves nothing
sub hard { return map { as_suspected($_) } grep { $_->{kind} eq 'hard' && $_->{cpu} == 1 } records(@_) }

# nmi=off, and back
my @sections = guest_ok('off', $prelude . <<'SH');
start nmi=off threshold_us=50000
counted from
i=0
while [ $i -lt 3 ]; do stall irqoff 1 300000; i=$((i + 1)); done
counted to
section off
irqoff list --json --min 200ms
irqoff clear
echo auto > $knobs/nmi
sleep 1
i=0
while [ $i -lt 3 ]; do stall irqoff 1 300000; i=$((i + 1)); done
section auto
irqoff list --json --min 200ms
echo off > $knobs/nmi
counted again
stall irqoff 1 300000
counted end
end
SH
my ($nmis) = between('off', 'from', 'to', @sections);
is($nmis, 0, 'nmi=off: no NMI is sent');
my @off = hard('off', @sections);
cmp_ok(scalar @off, '>=', 3, '... the stalls are recorded');
is(scalar(grep { @{ $_->{samples} } } @off), 0, '... without samples');
my @auto = grep { @{ $_->{samples} } } hard('auto', @sections);
timed(intervals('stall', @sections), sub { cmp_ok(scalar @auto, '>=', 2, 'nmi=auto at run time: they are sampled') });
($nmis) = between('off again', 'again', 'end', @sections);
is($nmis, 0, 'nmi=off at run time: no NMI is sent');

# The budget of one CPU, and that of all. A stall of 100 ms wants four samples.
for my $knobs ('nmi_cpu_rate=2', 'nmi_cpu_rate=1000 nmi_rate=2') {
	@sections = guest_ok($knobs, "knobs_given='$knobs'\n$prelude" . <<'SH');
start $knobs_given
counted from
i=0
while [ $i -lt 12 ]; do stall irqoff 1 100000; i=$((i + 1)); done
counted to
section status
irqoff status --json
section records
irqoff list --json --min 50ms
end
SH
	($nmis, my $seconds) = between($knobs, 'from', 'to', @sections);
	cmp_ok($nmis, '<=', 2 * ($seconds + 1), "$knobs: no more are sent in $seconds s");
	my $during = intervals('stall', @sections);
	timed($during, sub { cmp_ok($nmis, '>=', 1, '... but some') });
	my $refused = counters('status', @sections)->{nmi_refused} // 0;
	timed($during, sub { cmp_ok($refused, '>=', 12, '... and those refused are counted') });
	my @records = hard('records', @sections);
	cmp_ok(scalar @records, '>=', 12, '... of stalls that are recorded all the same');
}

# A crash that begins in an NMI. While it is reported nothing is sent to the CPU, where it would be latched.
@sections = guest_ok('oops in progress', $prelude . <<'SH');
start
for i in 1 2 3; do
	hold 1 10 60000 oops
	hold 1 10 60000
done
end
SH
# The host may spoil a hold: a CPU that it keeps from running takes one NMI for two. Code that sends does so in each of three.
my @nmis = map { $_->{nmis} } held(@sections);
my @oops = sort { $a <=> $b } @nmis[ grep { $_ % 2 == 0 } 0 .. $#nmis ];
my @none = sort { $a <=> $b } @nmis[ grep { $_ % 2 } 0 .. $#nmis ];
is(scalar @nmis, 6, 'NMI handlers held a CPU');
my $during = intervals('held', @sections);
timed($during, sub { ok(@oops && $oops[0] > 0 && $oops[0] <= 10, 'with oops_in_progress set, no NMI is sent to it') }) or diag("@oops");
timed($during, sub { cmp_ok($none[-1] // 0, '>=', 15, '... without it some are') }) or diag("@none");

# NMI handlers of others. Many short ones between beats have no part in the stall that follows.
@sections = guest_ok('slow handlers', $prelude . <<'SH', '--timeout', '300');
start
i=0
while [ $i -lt 8 ]; do hold 1 1 30000; sleep 0.05; i=$((i + 1)); done
section slow
irqoff list --json --min 20ms
section text
cat /proc/trace_irqoff
irqoff clear
i=0
while [ $i -lt 6 ]; do
	hold 1 40 700
	stall irqoff 1 40000
	i=$((i + 1))
done
section short
irqoff list --json --min 20ms
irqoff clear
for i in 1 2 3; do hold 1 1 30000; sleep 0.05; done
rmmod foreign_nmi
section unloaded
irqoff list --json --min 20ms
section unloaded text
cat /proc/trace_irqoff
end
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my $handler = 'foreign_hold [foreign_nmi]';
my @slow = hard('slow', @sections);
my ($named, @wrong) = (0);
for my $hold (grep { $_->{to_ns} - $_->{from_ns} < 200_000_000 } (held(@sections))[ 0 .. 7 ]) {
	for my $record (overlapping($hold, @slow)) {
		my $right = $record->{class} eq 'hardirq-long' && $record->{evidence} eq 'end' && ($record->{culprit} // '') eq $handler;
		$named += $right;
		# the host may have taken the CPU right before or after
		push @wrong, $record if !$right && $record->{min_ns} < 1.6 * ($hold->{to_ns} - $hold->{from_ns});
	}
}
$during = intervals('held', @sections);
timed($during, sub { cmp_ok($named, '>=', 4, 'a slow NMI handler: it is hardirq-long, and that handler is to blame') }) or diag(explain(\@slow));
is(scalar @wrong, 0, '... and not stolen') or diag(explain(\@wrong));
timed($during, sub {
	like($got{text}, qr/in NMI handlers: 3\d\.\d{3}ms, longest: foreign_hold\+0x0\/0x[0-9a-f]+ \[foreign_nmi\]$/m, '... also in /proc');
});
my @records = hard('short', @sections);
my @blamed = grep { my $stall = $_; grep { ($_->{culprit} // '') eq $handler } overlapping($stall, @records) } stalls(@sections);
is(scalar @blamed, 0, 'short ones before a stall are not to blame for it') or diag(explain(\@records));
like($got{unloaded}, qr/"(?:culprit|suspect)":\s*"foreign_hold \[foreign_nmi\]"/, 'a handler of a module that is gone: it is named');
like($got{'unloaded text'}, qr/longest: foreign_hold\+0x0\/0x[0-9a-f]+ \[foreign_nmi\] \(unloaded\)$/m, '... also in /proc');

# An NMI that does not arrive for more than a second is given up. It comes when the handler returns, and nobody calls it
# unknown then; one that comes later is. Sampling goes on.
@sections = guest_ok('lost', $prelude . <<'SH', '--allow-log', 'Uhhuh|Dazed and confused', '--timeout', '300');
unknown() { section "$1"; dmesg | grep -c 'NMI received for unknown reason' || true; }
# A CPU that sends itself NMIs is always at the same instruction then, and the kernel may swallow one that follows two in one.
taskset -p 1 $$ > /dev/null
start
taskset 2 sh -c 'while :; do :; done' &
other=$!
i=0
while [ $i -lt 3 ]; do
	unknown before
	hold 1 1 2500000
	sleep 0.3
	unknown owed
	# after a sample an unknown NMI is taken for ours, for a second at most
	echo off > $knobs/nmi
	sleep 1.2
	echo "1 1 1000 unknown" > $foreign/send
	unknown foreign
	echo auto > $knobs/nmi
	i=$((i + 1))
done
section status
irqoff status --json
sleep 1
section blamed
irqoff list --json --min 1s
irqoff clear
i=0
while [ $i -lt 3 ]; do stall irqoff 1 200000; sleep 0.3; i=$((i + 1)); done
section records
irqoff list --json --min 100ms
kill $other
end
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
# The CPU that asks has 1.5 s to find that out. A host that keeps it from running hides one.
$during = [ map { @{ intervals($_, @sections) } } qw(before held) ];
timed($during, sub {
	cmp_ok(counters('status', @sections)->{nmi_lost} // 0, '>=', 2, 'an NMI that does not arrive for a second is given up and counted');
}) or diag(explain(\@sections));
my %unknown;
push @{ $unknown{$_->[0]} }, $_->[1] + 0 for grep { $_->[0] =~ /^(before|owed|foreign)$/ } @sections;
is_deeply($unknown{owed}, $unknown{before}, '... it is not unknown when it comes');
# The kernel swallows one that comes at the same instruction as the last NMI, if two handlers knew that one (default_do_nmi()).
my $reported = grep { $unknown{foreign}[$_] == $unknown{owed}[$_] + 1 } 0 .. 2;
timed(intervals('owed', @sections), sub { cmp_ok($reported, '>=', 2, '... and an unknown one later on is') }) or diag(explain(\%unknown));
my @held = grep { ($_->{culprit} // '') eq $handler } hard('blamed', @sections);
timed($during, sub { cmp_ok(scalar @held, '>=', 2, '... the handler that held the CPU is to blame') }) or diag($got{blamed});
my @sampled = grep { @{ $_->{samples} } } hard('records', @sections);
timed(intervals('stall', @sections), sub { cmp_ok(scalar @sampled, '>=', 2, '... and sampling goes on') });

# x2APIC mode, where the kernel sends IPIs in another way
SKIP: {
	skip('a debug kernel is built without x2APIC', 3) if on_debug_kernel();
	@sections = guest_ok('x2apic', $prelude . <<'SH', '--x2apic', '--timeout', '300');
section log
dmesg | grep -i x2apic
start nmi_cpu_rate=1000
i=0
while [ $i -lt 5 ]; do stall irqoff 1 100000; sleep 0.1; i=$((i + 1)); done
section records
irqoff list --json --min 50ms
end
SH
	%got = map { ($_->[0] => $_->[1]) } @sections;
	like($got{log} // '', qr/x2apic: enabled by BIOS|Enabled x2apic|x2apic enabled|in x2apic mode/, 'the kernel uses x2APIC mode');
	my @x2apic = grep { @{ $_->{samples} } && ($_->{culprit} // '') =~ /\[stall\]$/ } hard('records', @sections);
	timed(intervals('stall', @sections), sub { cmp_ok(scalar @x2apic, '>=', 3, '... and stalls are sampled there') }) or diag($got{records});
}

done_testing;
