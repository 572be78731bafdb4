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
my $symbol = qr/\w[\w.]*\+0x[0-9a-f]+\/0x[0-9a-f]+/;
for ('gone list', 'gone proc', 'anew list', 'anew proc', 'anew hidden') {
	my @of_stall = $got{$_} =~ /^ +(.*\bstall\b\].*)$/mg;
	cmp_ok(scalar(grep { /^$symbol \[stall\] \(unloaded\)$/ } @of_stall), '>=', 5, "$_: frames of the unloaded module have names");
	is(join(' ', grep { !/ \(unloaded\)$/ && !/^culprit/i && !/^by way of/ && !/busy in/ } @of_stall), '', "$_: all say that it was unloaded");
	like($got{$_}, qr/\bkthread\+0x/, "$_: the kernel's own frames keep their names");
}
is(culprits("$_ json"), culprits('json 0'), "$_ json: the culprits are the same") for qw(gone anew);
# A frame's text is the same everywhere.
sub stall_frames { return join("\n", $got{ $_[0] } =~ /^ +($symbol \[stall\] \(unloaded\))$/mg) }
is(stall_frames($_), stall_frames('gone list'), "$_: as the reader prints it") for 'gone proc', 'anew list', 'anew proc', 'anew hidden';
for ('terminal proc', 'terminal list') {
	like($got{$_}, qr/31mX/, "$_: shows a task with escape sequences in its name");
	unlike($got{$_}, qr/[^\n\t -~]/, "$_: prints no escape sequence");
}
# Several records share a message; the names come whatever room the message has left.
my @many = records('many json', @sections);
cmp_ok(scalar @many, '>=', 40, 'records of many stalls of an unloaded module');
my @frames = grep { /\bstall\]/ } map { @{ $_->{frames} } } map { (@{ $_->{samples} }, $_->{end}) } @many;
cmp_ok(scalar @frames, '>=', 40, 'each of them has frames of it');
is(scalar(grep { !/^$symbol \[stall\] \(unloaded\)$/ } @frames), 0, 'which all have names');
is(culprits('fresh json'), 'stall_irqoff [stall]', 'a record made after the load has its names');

# A module stalls in its init, whose text is freed, later, in its exit, and in an init that fails.
@sections = guest_ok('passing', <<'SH', '--icount', '--timeout', '300');
echo 0 > /proc/sys/kernel/kptr_restrict
insmod trace_irqoff.ko enable=1
insmod passing.ko init_us=60000 exit_us=70000
section live
irqoff list --json
echo 80000 > /sys/module/passing/parameters/now_us
section before
irqoff list --json
rmmod passing
section after
irqoff list --json
section after report
irqoff report --json
section after proc
cat /proc/trace_irqoff
fails insmod passing.ko init_us=90000 fails=1
section failed
irqoff list --json
insmod passing.ko
echo 100000 > /sys/module/passing/parameters/now_us
section again
irqoff list --json
section again report
irqoff report --json
echo 2 > /proc/sys/kernel/kptr_restrict
section hidden
irqoff list --json
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
# of_passing(SECTION): the frames in it of each long record, by function, without copies of what the kernel's headers have inline
sub of_passing {
	my ($section) = @_;
	return map { join(' ', map { s{\+0x[0-9a-f]+/0x[0-9a-f]+}{}r } grep { /\bpassing\b/ && !/^arch_local_irq_/ } @{ $_->{end}{frames} }) }
		sort { $a->{seq} <=> $b->{seq} } grep { $_->{min_ns} > 50_000_000 } records($section, @sections);
}
my $init = 'passing_in_init [passing] (unloaded)';
my $now = 'passing_now [passing] now_set [passing]';
my $then = $now =~ s/\]/] (unloaded)/gr;
my $exit = 'passing_in_exit [passing] (unloaded)';
like(join(', ', of_passing('live')), qr/^\Q$init\E( \S+ \[passing\] \(unloaded\))?$/, 'init: its text was freed, its names were kept');
my ($of_init, @others) = of_passing('before');
is(join(', ', @others), $now, 'the module itself is there');
(undef, @others) = of_passing('after');
like(join(', ', @others), qr/^\Q$then, $exit\E( \S+ \[passing\] \(unloaded\))?$/, 'unloaded: all names were kept');
# A debug kernel looks at the flags once more behind the instruction that enables interrupts, and the interrupt comes after that.
my $enables = on_debug_kernel() ? qr/passing_now \[passing\]|nobody/ : qr/passing_now \[passing\]/;
like(culprits('after'), qr/^passing_in_init \[passing\], (?:$enables), passing_in_exit \[passing\]$/, 'and the culprits');
(undef, undef, undef, @others) = of_passing('failed');
# busybox's insmod tries twice
is($_, $of_init, 'an init that fails is named, too') for @others ? @others : 'none';
is((of_passing('again'))[-1], $now, 'the module that is loaded again has its names');
is((of_passing('again'))[1], $then, 'and what it was before keeps its own');
is(join(', ', of_passing('hidden')), join(', ', of_passing('again')), 'the same where addresses are hidden');
my @proc = $got{'after proc'} =~ /^       (.*\[passing\].*)$/mg;
is(join(', ', @proc), join(', ', grep { /\[passing\]/ } map { @{ $_->{end}{frames} } } records('after', @sections)), '/proc has the same');
sub rows { return grep { ($_->{culprit} // '') eq 'passing_now [passing]' } @{ JSON::PP::decode_json($got{ $_[0] })->{groups} } }
SKIP: {
	skip('a debug kernel does not show who enabled interrupts', 1) if on_debug_kernel();
	is(join(' ', map { $_->{count} } rows('again report')), 2, 'a culprit is one row, whether its module is still there or not');
}

# A module that went more than 64 others ago is not known any more, and the code behind its neighbour is nobody's. Where
# modules share pages of text, a module's size is that of all its memory, and its text is followed by other modules' text.
@sections = guest_ok('neighbours', <<'SH', '--icount', '--timeout', '600');
echo 0 > /proc/sys/kernel/kptr_restrict
insmod trace_irqoff.ko enable=1
insmod passing.ko
insmod stall.ko
stall irqoff 0 60000
stall bhoff 0 60000
section modules
cat /proc/modules
section before
irqoff list --json
i=0
while [ $i -lt 65 ]; do
	rmmod stall
	insmod stall.ko
	i=$((i + 1))
done
section replaced
irqoff list --json
section replaced proc
cat /proc/trace_irqoff
rmmod stall
section gone
irqoff list --json
section gone proc
cat /proc/trace_irqoff
echo 2 > /proc/sys/kernel/kptr_restrict
section hidden
irqoff list --json
section hidden proc
cat /proc/trace_irqoff
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
# stacks(SECTION): [name, address] of each frame of the two stalls
sub stacks {
	my ($section) = @_;
	return map { my $stack = $_; map { [ $stack->{frames}[$_], $stack->{addresses}[$_] ] } 0 .. $#{ $stack->{frames} } }
		map { (@{ $_->{samples} }, $_->{end}) }
		sort { $a->{seq} <=> $b->{seq} } grep { $_->{min_ns} > 50_000_000 } records($section, @sections);
}
my @was = stacks('before');
my @places = grep { $was[$_][0] =~ /\[stall\]$/ } 0 .. $#was;
cmp_ok(scalar @places, '>=', 5, 'stacks of a module');
my ($size, $base) = $got{modules} =~ /^passing (\d+) .* (0x[0-9a-f]+)/m;
my $near = grep { my $at = hex($was[$_][1]) - hex($base); $at >= 0 && $at < $size } @places;
note("$near of ", scalar @places, " frames lie within the size of the module before");
cmp_ok($near, '>', 0, 'some lie where the module before seems to reach')
	if headers_have('CONFIG_ARCH_HAS_EXECMEM_ROX', 'include/config/auto.conf');
for my $section ('replaced', 'gone', 'hidden') {
	my @is = stacks($section);
	is(scalar @is, scalar @was, "$section: all frames are there");
	is(join(' ', map { $is[$_][0] } @places), join(' ', ('[unloaded]') x @places), "$section: those of it have nobody's name");
	is(join(' ', map { $is[$_][0] } grep { $was[$_][0] !~ /\[stall\]$/ } 0 .. $#was),
		join(' ', map { $_->[0] } grep { $_->[0] !~ /\[stall\]$/ } @was), "$section: the other ones keep theirs") unless $section eq 'hidden';
	unlike($got{"$section proc"} // $got{'gone proc'}, qr/\[stall\]|\[passing\]/, "$section: no name of a module in /proc");
}
like($got{'gone proc'}, qr/^       \[unloaded\] 0xffff[0-9a-f]{12}$/m, 'where there is no name /proc has the address');
like($got{'hidden proc'}, qr/^       \[unloaded\] #[0-7][0-9a-f]{15}$/m, 'or a number');
unlike($got{'hidden proc'}, qr/0x?ffff[0-9a-f]{12}/, 'and no address then');

# Stacks that are taken in an indirect call, where an exception's entry switches stacks, or while reading the clock (on arm64
# through a veneer), at any instruction. A debug kernel cannot beat as often; the ring has room for the records that it adds.
my $timing = on_debug_kernel() ? 'threshold_us=1000 period_us=500' : 'threshold_us=1000 period_us=100';
my %calls = (    # the caller, wherever the stall is sampled or only at the given place
	indirect => ['stall_indirect'],
	entering => [ 'calls_enter', qr/^stall_entering\+0x0\// ],
	bhoff => ['stall_bhoff'],    # sampled in busy_work(), which it calls
);
sub frames { return join(' ', map { s{/0x[0-9a-f]+}{}r =~ s/^__x86_indirect_thunk\w+/thunk/r } map { @{ $_->{frames} } } @{ $_[0]{samples} }) }
for my $kind ('indirect', on_arm64() ? () : 'entering', 'bhoff') {
	@sections = guest_ok("calls of $kind", "timing='$timing' kind=$kind\n" . <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
insmod trace_irqoff.ko enable=1 $timing ring_records=256
i=0
while [ $i -lt 30 ]; do stall $kind 0 $((9000 + i)); i=$((i + 1)); done
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
	my ($samples, $without, $awake, @made) = (0, 0, 0, stalls(@sections));
	for my $record (grep { $_->{min_ns} > 8_000_000 } records('records', @sections)) {
		# a record of one sample names the innermost function; stall_entering is a label in the midst of enter
		my $culprits = "stall_$kind|$calls{$kind}[0]|enter";
		# A slow kernel's own softirqs may wake ksoftirqd right before a stall (see "left" below).
		if ($kind eq 'bhoff' && $record->{end}{comm} =~ /^ksoftirqd/ && $record->{culprit_evidence} ne 'end') {
			$culprits .= '|busy_work';
			$awake++;
		}
		like($record->{culprit} // 'nobody', qr/^(?:$culprits) \[stall\]$/,
			"a stall of kind $kind: culprit") or diag(explain($record));
		# Softirqs of a slow kernel may run for long right before a stall, and wait for the next one. That is one record.
		my ($from_ns) = map { $_->{from_ns} } grep { overlapping($_, $record) } @made;
		for (grep { $_->{at_ns} >= $from_ns } @{ $record->{samples} }) {
			my ($caller, $where) = @{ $calls{$kind} };
			$innermost{ $_->{frames}[0] }++;
			next if $where && $_->{frames}[0] !~ $where;
			$samples++;
			next if grep { /^$caller\+/ } @{ $_->{frames} };
			$without++;
			diag(join("\n", "record $record->{seq}, a sample without $caller:", @{ $_->{frames} }));
		}
	}
	cmp_ok($samples, '>=', $calls{$kind}[1] ? 20 : 100, "$kind: the stalls have samples");
	is($without, 0, "$kind: all stacks have the caller");
	cmp_ok($awake, '<=', 3, "$kind: ksoftirqd was rarely awake before");
	note("$_: $innermost{$_}") for sort keys %innermost;
}

# Before Linux 6.5, ksoftirqd runs what waited in a section if it was awake as that began. No end shows whose section it was then.
@sections = guest_ok('left', <<'SH', '--icount', '--timeout', '300');
insmod stall.ko
observe 0
insmod trace_irqoff.ko enable=1
stall bhleft 0 60000
irqoff stop
section json
irqoff list --json --min 50ms
section text
irqoff list -v --min 50ms
section report
irqoff report -v --min 50ms
SH
%got = map { ($_->[0] => $_->[1]) } @sections;
SKIP: {
	skip('PREEMPT_RT has no such stall', 3) if on_rt(@sections);
	my $left = hog_holds(@sections);
	is(join(' ', map { "$_->{class} $_->{culprit} by $_->{culprit_evidence}" } records('json', @sections)),
		'softirq-off ' . ($left ? 'busy_work [stall] by shared' : 'stall_bhleft [stall] by end'), 'a section that began with ksoftirqd awake');
	my $caller = qr/\bbusy_work \[stall\], or a caller of it\b/;
	ok(($got{$_} =~ $caller xor !$left), "$_: says that the culprit is not certain, if so") for qw(text report);
}

# A softirq that waits for ksoftirqd under a real-time hog keeps waiting, watched or not. A debug kernel's own softirqs take up
# to 18 ms (measured) and would fill the ring.
$timing = on_debug_kernel() ? 'threshold_us=20000 period_us=2000' : 'threshold_us=2000 period_us=50';
@sections = guest_ok('watching', "timing='$timing'\n" . <<'SH', '--icount', '--timeout', '600');
insmod stall.ko
observe 0
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
is(join(' ', map { $_->{culprit} // 'nobody' } @waits), join(' ', ('(task stall)') x $held),
	'each watched one that waits is one whole record, which names the task that was the hog');

done_testing;
