#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Names of functions: whatever kptr_restrict says, and never a wrong one for code that was unloaded or loaded again. Watching
# also does not change when softirqs run.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

my @sections = guest_ok('names', <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1
stall irqlock 0 60000
stall bhoff 0 60000
for restrict in 0 1 2; do
	echo $restrict > /proc/sys/kernel/kptr_restrict
	section restrict $restrict
	irqoff list -v
	section json $restrict
	irqoff list --json
done
section proc
cat /proc/trace_irqoff
rmmod stall
section gone json
irqoff list --json
section gone list
irqoff list -v
section gone proc
cat /proc/trace_irqoff
insmod stall.ko
echo 0 > /proc/sys/kernel/kptr_restrict
section anew json
irqoff list --json
section anew list
irqoff list -v
section anew proc
cat /proc/trace_irqoff
echo 2 > /proc/sys/kernel/kptr_restrict
section anew hidden
irqoff list -v
irqoff clear
stall irqoff 0 60000
section fresh json
irqoff list --json
irqoff clear
sh -c 'printf "\033[31mX\302\233" > /proc/self/comm; while :; do :; done' &
sleep 0.2
stall idlehrtimer 0 60000
kill $!
section terminal proc
cat /proc/trace_irqoff
section terminal list
irqoff list -v
irqoff clear
i=0
while [ $i -lt 40 ]; do
	echo 'irqoff 0 11000' > /proc/stall
	i=$((i + 1))
done
rmmod stall
echo 0 > /proc/sys/kernel/kptr_restrict
section many json
irqoff list --json
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
sub culprits {
	my ($name) = @_;
	return join(', ', map { $_->{culprit} // 'nobody' }
		grep { $_->{min_ns} > 50_000_000 } records($name, @sections));
}
for (0 .. 2) {
	is(culprits("json $_"), 'stall_irqlock [stall], stall_bhoff [stall]', "kptr_restrict=$_: culprits");
	like($got{"restrict $_"}, qr/\bkthread\+0x[0-9a-f]+\/0x[0-9a-f]+\b/, "kptr_restrict=$_: names of frames");
	unlike($got{"restrict $_"}, qr/0x?ffffffff[0-9a-f]{8}/, "kptr_restrict=$_: no bare number");
}
like($got{proc}, qr/^       stall_irqlock\+0x[0-9a-f]+\/0x[0-9a-f]+ \[stall\]$/m, '/proc: names');
for ('gone list', 'gone proc', 'anew list', 'anew proc', 'anew hidden') {
	unlike($got{$_}, qr/\bstall_\w+\+0x|\[stall\]/, "$_: no name of an unloaded module");
	like($got{$_}, qr/\[unloaded stall\]/, "$_: says which module was unloaded");
	like($got{$_}, qr/\bkthread\+0x/, "$_: the kernel's own frames keep their names");
}
unlike(culprits("$_ json"), qr/\[stall\]/, "$_ json: no culprit in it") for qw(gone anew);
for ('terminal proc', 'terminal list') {
	like($got{$_}, qr/31mX/, "$_: shows a task with escape sequences in its name");
	unlike($got{$_}, qr/[^\n\t -~]/, "$_: prints no escape sequence");
}
# Several records share a message; the names come whatever room the message has left.
my @many = records('many json', @sections);
cmp_ok(scalar @many, '>=', 40, 'records of many stalls of an unloaded module');
my %frames = map { ($_ => 1) } grep { /^\[unloaded/ } map { @{ $_->{frames} } } map { (@{ $_->{samples} }, $_->{end}) } @many;
is(join(' ', sort keys %frames), '[unloaded stall]', 'each frame of it says which one');
is(culprits('fresh json'), 'stall_irqoff [stall]', 'a record made after the load has its names');

# Stacks that are taken in an indirect call, where an exception's entry switches stacks, or while reading the clock (on arm64
# through a veneer), at any instruction. A debug kernel cannot beat as often; the ring has room for the records that it adds.
my $timing = on_debug_kernel() ? 'threshold_us=1000 period_us=500' : 'threshold_us=1000 period_us=100';
my %calls = (    # the caller, wherever the stall is sampled or only at the given place
	indirect => ['stall_indirect'],
	entering => [ 'calls_enter', qr/^stall_entering\+0x0\// ],
	bhoff => ['stall_bhoff'],
);
sub frames { return join(' ', map { s{/0x[0-9a-f]+}{}r =~ s/^__x86_indirect_thunk\w+/thunk/r } map { @{ $_->{frames} } } @{ $_[0]{samples} }) }
for my $kind ('indirect', on_arm64() ? () : 'entering', 'bhoff') {
	@sections = guest_ok("calls of $kind", "timing='$timing' kind=$kind\n" . <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1 $timing ring_records=256
i=0
while [ $i -lt 30 ]; do echo "$kind 0 $((9000 + i))" > /proc/stall; i=$((i + 1)); done
# records of a debug kernel's own stalls would take the place of these
irqoff stop
section records
irqoff list --json
echo 2 > /proc/sys/kernel/kptr_restrict
section hidden
irqoff list --json
SH
	my %innermost;
	# This includes the function that a retpoline jumps to, whose address lies where a return address would. (Sizes and
	# aliases may differ.)
	my ($named, $hidden) = map { +{ map { $_->{seq} => frames($_) } grep { $_->{min_ns} > 8_000_000 } records($_, @sections) } }
		qw(records hidden);
	my @both = grep { defined $hidden->{$_} } keys %$named;
	cmp_ok(scalar @both, '>=', 10, "$kind: listed with addresses and without");
	is($hidden->{$_}, $named->{$_}, "$kind: the kernel gives frames the same names") for @both;
	my ($samples, $without) = (0, 0);
	for my $record (grep { $_->{min_ns} > 8_000_000 } records('records', @sections)) {
		# a record of one sample names the innermost function; stall_entering is a label in the midst of enter
		like($record->{culprit} // 'nobody', qr/^(?:stall_$kind|$calls{$kind}[0]|enter) \[stall\]$/,
			"a stall of kind $kind: culprit");
		for (@{ $record->{samples} }) {
			my ($caller, $where) = @{ $calls{$kind} };
			$innermost{ $_->{frames}[0] }++;
			next if $where && $_->{frames}[0] !~ $where;
			$samples++;
			$without++ unless grep { /^$caller\+/ } @{ $_->{frames} };
		}
	}
	cmp_ok($samples, '>=', $calls{$kind}[1] ? 20 : 100, "$kind: the stalls have samples");
	is($without, 0, "$kind: all stacks have the caller");
	note("$_: $innermost{$_}") for sort keys %innermost;
}

# A softirq that waits for ksoftirqd under a real-time hog keeps waiting, watched or not. A debug kernel's own softirqs take up
# to 18 ms (measured) and would fill the ring.
$timing = on_debug_kernel() ? 'threshold_us=20000 period_us=2000' : 'threshold_us=2000 period_us=50';
@sections = guest_ok('watching', "timing='$timing'\n" . <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
i=0
while [ $i -lt 5 ]; do stall hog 0 200000; i=$((i + 1)); done
insmod trace_irqoff.ko enable=1 $timing
while [ $i -lt 10 ]; do stall hog 0 200000; i=$((i + 1)); done
section records
irqoff list --json
SH
my @hogs = stalls(@sections);
is(scalar @hogs, 10, 'ten hogs');
my $held = hog_holds(@sections) ? 5 : 0;
is(scalar(grep { $_->{outer_ns} >= $_->{inner_ns} } @hogs[ 0 .. 4 ]), $held, 'unwatched, the softirq waits for the hog if this kernel lets it');
is(scalar(grep { $_->{outer_ns} >= $_->{inner_ns} } @hogs[ 5 .. 9 ]), $held, 'watched, the softirq waits as before');
my @waits = grep { $_->{class} eq 'ksoftirqd-wait' && $_->{min_ns} >= 195_000_000 } records('records', @sections);
is(join(' ', map { $_->{culprit} // 'nobody' } @waits), join(' ', ('stall_hog [stall]') x $held),
	'each watched one that waits is one whole record, which names the hog');

done_testing;
