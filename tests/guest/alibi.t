#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff alibi, asked about 1,300 random times and lengths of a capture. It never says that there was no stall where the stall
# module made one that long, also while a higher threshold hid it. Where none was made and all was watched it mostly says so.
# Stalls into idle, NMI handlers and timers that the kernel gives up on are among them. Two CPUs run in turn on an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use POSIX qw(strftime);
use Test::More;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own') if on_debug_kernel();
use constant { WINDOWS => 1300, MS => 1_000_000, SECOND => 1_000_000_000 };
my $seed = $ENV{SEED} // int(rand(100_000));
srand($seed);
note("SEED=$seed");

my @kinds = qw(irqoff bhoff irqwork tasklet nested idlebefore idlebehind idleloop idleirq irqhang idlehang);
push @kinds, 'nmi' unless on_arm64();
my $script = join('', map {
	my $kind = $kinds[rand @kinds];
	sprintf("%s %d %d\nsleep 0.%d\n", $kind eq 'nmi' ? $kind : "stall $kind", rand 2, 2000 + rand 50_000, 1 + rand 6);
} 1 .. 30);
my @sections = guest_ok('alibi', <<"SH", '--icount', '--smp', 2, '--timeout', 600);
# nmi CPU LENGTH_US: an NMI handler that takes so long
nmi() {
	section "held \$1"
	taskset -c "\$((1 - \$1))" sh -c "echo '\$1 1 \$2' > /sys/module/foreign_nmi/parameters/hold"
	cat /sys/module/foreign_nmi/parameters/hold
}
insmod stall.ko other=0
[ ! -e foreign_nmi.ko ] || insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1 cpus=all ring_records=1024 threshold_us=100000
sleep 1
stall irqoff 1 50000
sleep 0.5
stall bhoff 0 60000
sleep 0.5
irqoff set threshold=10ms
section settled
cut -d ' ' -f 1 /proc/uptime
sleep 0.5
$script
sleep 1
section records
packed irqoff list --json
section capture
packed irqoff save -
section live
fails irqoff alibi --from 1s --over 20ms
fails irqoff alibi --from 1s --over 20ms --json
fails irqoff alibi --from 1h
section device
fails irqoff alibi --from 1s --over 20ms --dev lo
fails irqoff alibi --from 1s --dev nowhere
fails irqoff alibi --from 1s --dev lo --cpu 1
section device of a capture
irqoff save /tmp/capture.irqoff
fails irqoff alibi -i /tmp/capture.irqoff --from 1s --over 20ms --dev lo
fails irqoff alibi -i /tmp/capture.irqoff --from 1s --over 20ms --dev nowhere
section later
fails irqoff alibi --from 1s --over 5ms
section fewer
irqoff set cpus=1
fails irqoff alibi --from 0s --over 20ms --json
fails irqoff alibi --from 0s --over 20ms --cpu 1 --json
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @stalls = stalls(@sections);
for my $section (grep { $_->[0] =~ /^held/ } @sections) {
	my (undef, $from, $to) = split(' ', $section->[1]);
	push @stalls, { kind => 'nmi', from_ns => $from, to_ns => $to, inner_ns => $to - $from, outer_ns => $to - $from };
}
my @records = records('records', @sections);
my $wall_ns = $records[0]{end_realtime_ns} - $records[0]{end_ns};
my $settled_ns = $got{settled} * SECOND;
my $end_ns = $records[-1]{end_ns} + SECOND;

my $dir = tempdir(CLEANUP => 1);
open(my $file, '>:raw', "$dir/capture") or die $!;
print {$file} $got{capture};
close($file) or die $!;
is(system("make -s -C $FindBin::Bin/../../userspace >&2"), 0, 'the reader builds');

sub moment {
	my ($ns) = @_;
	my $at = $ns + $wall_ns;
	return strftime('%Y-%m-%dT%H:%M:%S', gmtime(int($at / SECOND))) . sprintf('.%09dZ', $at % SECOND);
}

# asked(FROM, TO, OVER): the verdict, and what is wrong about the exit status
my %statuses = ('no-stall' => 0, 'stalled' => 3, 'cannot-tell' => 4);
sub asked {
	my ($from, $to, $over) = @_;
	my $command = sprintf('%s/../../userspace/irqoff alibi -i %s/capture --from %s --to %s --over %dns --json', $FindBin::Bin, $dir, moment($from),
		moment($to), $over);
	my $json = qx($command);
	my $status = $? >> 8;
	my $answer = eval { decode_json($json) } or die "$command: $json\n";
	return ($answer, $status == $statuses{ $answer->{verdict} } ? '' : "$answer->{verdict}: status $status; ");
}

# met(STALL, FROM, TO, MARGIN): does it overlap the time, by the stall module's clock, made larger by the margin?
sub met {
	my ($stall, $from, $to, $margin) = @_;
	return $stall->{from_ns} - $margin <= $to && $stall->{to_ns} + $margin >= $from;
}

# proves(STALL, FROM, TO, OVER): was there, for all that the stall module knows, one that long? An interrupt may give up its timer after
# two of three rounds (idling.t). Then timers are put off for as long as these two took, in which nothing is held off, and the third
# round is another stall.
sub proves {
	my ($stall, $from, $to, $over) = @_;
	return $stall->{inner_ns} * 2 / 5 >= $over && $from <= $stall->{from_ns} && $to >= $stall->{to_ns} if $stall->{kind} =~ /hang/;
	return $stall->{inner_ns} >= $over && met($stall, $from, $to, $stall->{inner_ns} - $stall->{outer_ns});
}

my (%verdicts, @false, @unfounded, $free, $told);
my $wrong = '';
for (1 .. WINDOWS) {
	# near a stall, however far they lie apart
	my $from = int($stalls[ rand @stalls ]{from_ns} + (rand(3) - 1.8) * SECOND);
	my $to = int($from + rand(2 * SECOND));
	my $over = (12 + int(rand 40)) * MS;
	my ($answer, $status) = asked($from, $to, $over);
	my $asked = sprintf('%.3f to %.3f s, %d ms', $from / SECOND, $to / SECOND, $over / MS);
	$wrong .= $status;
	$verdicts{ $answer->{verdict} }++;
	my @long = grep { proves($_, $from, $to, $over) } @stalls;
	push @false, $asked if $answer->{verdict} eq 'no-stall' && @long;
	push @unfounded, $asked
		if $answer->{verdict} eq 'stalled' && !grep { met($_, $from, $to, $_->{outer_ns}) } @stalls, map { +{ from_ns => $_->{end_ns} - $_->{max_ns}, to_ns => $_->{end_ns}, outer_ns => 0 } } @records;
	next if $from < $settled_ns || $to > $end_ns || grep { met($_, $from, $to, 0) } @stalls;
	$free++;
	$told++ if $answer->{verdict} eq 'no-stall';
}
note(join(', ', map { "$_: $verdicts{$_}" } sort keys %verdicts), "; free times: $free, with an alibi: $told");
is("@false", '', 'no false alibi');
is("@unfounded", '', 'no stall out of nothing');
is($wrong, '', 'the exit status is the verdict');
cmp_ok($free, '>', 50, 'there are times in which nothing was made');
# one of twenty meets a stall of others, or the edge of one
cmp_ok($told, '>=', 0.8 * $free, '... and most of them have an alibi');
cmp_ok($verdicts{$_} // 0, '>', 50, "verdicts: $_") for qw(no-stall stalled cannot-tell);
for my $stall (@stalls[ 0, 1 ]) {
	my ($answer) = asked($stall->{from_ns}, $stall->{to_ns}, 20 * MS);
	is($answer->{verdict}, 'cannot-tell', "$stall->{kind}: hidden by the threshold then");
	is($answer->{reason}, 'settings', '... because of the settings');
}
# long lines go on in the next one
s/\n  (?=\S)/ /g for @got{'live', 'later', 'device', 'device of a capture'};
like($got{live}, qr/^[^\n]+, kernel [^\n]+\nno stall of 20 ms or longer on CPUs 0-1, from [^\n]+ to [^\n]+\n[^\n]+\nstatus: 0\n\{.*?"verdict": "no-stall".*?^status: 0$/ms, 'asked of the module: none');
like($got{live}, qr/^[1-9]\d* stalls of 11\.2 ms or longer on [^\n]+\nENDED .*?^cannot tell whether there were more: [^\n]+\n.*?^status: 3$/ms,
	'... of a time that began before watching: the stalls, and that there may have been more');
like($got{device}, qr/^no stall of 20 ms or longer on CPUs 0-1, [^\n]+\n[^\n]+\nAny CPU may serve lo: lo has no interrupts of its own\.\nstatus: 0$/m,
	'of a device: its CPUs, and what tells them');
like($got{device}, qr/^irqoff: there is no network device 'nowhere' here\nstatus: 1\nirqoff: --dev [^\n]+\nstatus: 2\n\z/m, '... that is there, and alone');
like($got{'device of a capture'}, qr/^no stall of 20 ms or longer on CPUs 0-1, [^\n]+\n[^\n]+\nAny CPU may have served lo: lo had no interrupts of its own\.\nstatus: 0\nirqoff: \/tmp\/capture\.irqoff does not say which CPUs served 'nowhere'; name CPUs by --cpu\nstatus: 1\n\z/m,
	'... of a capture: the CPUs of then, or that it does not say');
like($got{later}, qr/^cannot tell whether there was a stall of 5 ms or longer [^"]*?^remedy: ask with --min 11200us; for shorter ones, from now on: irqoff start threshold=3800us period=1000us;/ms,
	'... of stalls too short for the threshold: what would tell');
like($got{fewer}, qr/"reason": "unwatched".*?^status: 4\n\{.*?"verdict": "no-stall"/ms, '... of CPUs that are not watched');
done_testing;
