#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Who may change, who may read, and who sees addresses. Root of a container has no rights of the node's root.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

# The debug kernel takes a second to start a program. There the two that ask for the same as others are left out.
my ($reads, $verbose) = on_debug_kernel() ? ('status list', '') : ('status list hist', 'list -v');
my @sections = guest_ok('access', "reads='$reads' verbose='$verbose'\n" . <<'SH', '--icount', '--smp', '2', '--timeout', '600');
# only CAPS COMMAND...: as root with these capabilities alone. Older programs do not know cap_38, CAP_PERFMON, by its name.
only() { caps=$1; shift; setpriv --bounding-set "-all$caps" "$@"; }
# asks WHO COMMAND...: everything that only reads, by whoever COMMAND starts it as
asks() {
	who=$1
	shift
	for what in $reads; do
		section "$who $what"
		fails "$@" irqoff $what --json
	done
	if [ "$verbose" ]; then
		section "$who $verbose"
		fails "$@" irqoff $verbose
	fi
	section "$who proc"
	fails "$@" cat /proc/trace_irqoff
}
# tries WHO COMMAND...: everything that changes something
tries() {
	who=$1
	shift
	section "$who set"
	fails "$@" irqoff set threshold=20ms
	section "$who stop"
	fails "$@" irqoff stop
	section "$who knob"
	fails "$@" sh -c 'echo 0 | dd of=/sys/module/trace_irqoff/parameters/enable'
	section "$who write"
	fails "$@" sh -c 'echo clear | dd of=/proc/trace_irqoff'
	section "$who clear"
	fails "$@" irqoff clear
}
settings() { section "settings $1"; grep . /sys/module/trace_irqoff/parameters/*; }

insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
stall irqoff 0 40000
rmmod stall
insmod stall.ko
stall irqlock 0 40000
stall irqlock 0 40000
stall irqjump 0 40000
irqoff set threshold=1s
irqoff set threshold=10s	# no record is added from now on
section mode
stat -c '%a %u' /proc/trace_irqoff
settings before

for restrict in 0 1 2; do
	echo $restrict > /proc/sys/kernel/kptr_restrict
	asks "root $restrict" env
	asks "perfmon $restrict" only ,+cap_38
done
echo 0 > /proc/sys/kernel/kptr_restrict
asks syslog only ,+syslog
asks sysadmin only ,+sys_admin
asks 'user perfmon' setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps -all,+cap_38 --ambient-caps -all,+cap_38
for one in none: netadmin:,+net_admin others:,+all,-cap_38,-syslog,-sys_admin,-setpcap; do
	asks "${one%%:*}" only "${one#*:}"
	tries "${one%%:*}" only "${one#*:}"
done
asks user setpriv --reuid 1000 --clear-groups
tries user setpriv --reuid 1000 --clear-groups
asks container unshare --user --map-root-user
# What security modules are asked for with a line in the audit log if they say no, and what they say.
audited() {
	cat > /sys/kernel/tracing/kprobe_events <<-'EVENTS'
	p:asked security_capable cap=$arg3:s32 options=$arg4:u32
	r:answered security_capable denied=$retval:s32
	EVENTS
	for who in '' ,+syslog ,+sys_admin ,+cap_38; do
		echo 1 > /sys/kernel/tracing/events/kprobes/enable
		for what in 'irqoff status' 'cat /proc/trace_irqoff'; do
			only "$who" $what > /tmp/out 2>&1 || true
		done
		echo 0 > /sys/kernel/tracing/events/kprobes/enable
		section "denials $who"
		cat /sys/kernel/tracing/trace
		echo > /sys/kernel/tracing/trace
	done
	echo > /sys/kernel/tracing/kprobe_events
}
[ ! -e /sys/kernel/tracing/kprobe_events ] || audited
dmesg -c > /dev/null
tries container unshare --user --map-root-user
section 'container log'
dmesg | grep trace_irqoff: || true
tries perfmon only ,+cap_38
tries syslog only ,+syslog
tries nosysadmin setpriv --bounding-set -sys_admin
section 'container net'
fails unshare --user --map-root-user --net irqoff status
section othernet
fails unshare --net irqoff status
settings after

# What an open file shows was decided when it was opened.
section handed on
exec 3< /proc/trace_irqoff
fails only '' cat <&3
exec 3<&-
section garbage
fails sh -c 'echo clean | dd of=/proc/trace_irqoff'
section long garbage
fails sh -c 'echo clearclearclearclear | dd of=/proc/trace_irqoff'
section left
irqoff list --json
tries sysadmin only ,+sys_admin
section cleared
irqoff list --json
insist irqoff start
section root write
fails sh -c 'echo clear > /proc/trace_irqoff'
rmmod trace_irqoff

# by address, of the kernel's own functions; awk would round a number of 64 bits, so it compares them as text
aliases() { sort /proc/kallsyms | awk 'NF == 3 && $2 ~ /[tTwW]/ { if ($1 "" == at) print first, $3; else { at = $1 ""; first = $3 } }'; }
section aliases
packed aliases

# whoever may load modules gives the parameters of the load
section load
fails only ,+sys_module insmod trace_irqoff.ko threshold_us=30000
tries loader only ,+sys_module
settings loaded
rmmod trace_irqoff
section unloaded
fails irqoff status
section unloaded user
fails setpriv --reuid 1000 --clear-groups irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @asked = (split(' ', $reads), $verbose || (), 'proc');
my $address = qr/ffff[0-9a-f]{12}/;

# listed(WHO): the records that WHO got
sub listed {
	my $text = $got{"$_[0] list"} =~ s/^status: \d+\n\z//mr;
	return eval { records('list', [ list => $text ]) };
}

# The names of one address, all but the first with the first.
my %alias = map { reverse split } split(/\n/, $got{aliases});

# frames(WHO): the names and addresses of each stack. Its size, and which name of an address, depend on where a name comes from.
sub frames {
	return map { [ [ map { s{/0x[0-9a-f]+}{}r =~ s/^([\w.]+)/$alias{$1} \/\/ $1/er } @{ $_->{frames} } ], $_->{addresses} ] }
		map { (@{ $_->{samples} }, $_->{end}) } listed(@_);
}

# blamed(WHO): whom and on what grounds, with the functions that have no frame
sub blamed {
	return map { my $record = $_; [ @$record{qw(class culprit culprit_evidence busy_in path)}, map { $_->{left_by_jump} }
		@{ $record->{samples} }, $record->{end} ] } listed(@_);
}

is($got{mode}, "444 0\n", 'the file is open to everybody who may read');

# Root sees the addresses of the kernel, except where they are hidden from everybody.
my @root = frames('root 0');
cmp_ok(scalar(map { @{ $_->[1] } } @root), '>', 10, 'root reads stacks');
my @names = map { $_->[0] } @root;
my @blamed = blamed('root 0');
is(scalar(grep { ($_->[1] // '') eq 'stall_irqjump [stall]' } @blamed), 1, 'a function that left by a jump is blamed');
for my $who ('root 0', 'root 1', 'syslog') {
	my @frames = frames($who);
	is_deeply(\@frames, \@root, "$who: names and addresses");
	is(scalar(grep { !/^0x$address$/ } map { @{ $_->[1] } } @frames), 0, "$who: the addresses are real ones");
	like($got{"$who proc"}, qr/^       stall_irqoff\+0x[0-9a-f]+\/0x[0-9a-f]+ \[stall\] \(unloaded\)$/m, "$who: /proc has the name of what is gone");
}
# Others see the same names, and one number for each address.
for my $who ('root 2', 'perfmon 0', 'perfmon 1', 'perfmon 2', 'sysadmin', 'user perfmon') {
	my @frames = frames($who);
	is_deeply([ map { $_->[0] } @frames ], \@names, "$who: the same names");
	is_deeply([ blamed($who) ], \@blamed, "$who: the same culprits, for the same reasons");
	my (%number, %address);
	for my $stack (0 .. $#root) {
		for my $frame (0 .. $#{ $root[$stack][1] }) {
			my ($real, $shown) = ($root[$stack][1][$frame], $frames[$stack][1][$frame] // 'none');
			$number{$real}{$shown}++;
			$address{$shown}{$real}++;
		}
	}
	is(scalar(grep { keys %$_ > 1 } values %number, values %address), 0, "$who: each address has one number and no other has it");
	is(scalar(grep { !/^0x(?:[0-7][0-9a-f]{15}|[0-9a-f]{1,15})$/ } keys %address), 0, "$who: it looks like no address");
	like($got{"$who proc"}, qr/^       stall_irqoff\+0x[0-9a-f]+\/0x[0-9a-f]+ \[stall\] \(unloaded\)$/m, "$who: /proc has the name of what is gone");
	like($got{"$who proc"}, qr/^       stall_irqlock\+0x[0-9a-f]+\/0x[0-9a-f]+ \[stall\]$/m, "$who: a name and offset where there is one");
	unlike($got{"$who $_"}, $address, "$who $_: no address") for @asked;
}
for my $who ('root 0', 'root 1', 'root 2', 'perfmon 0', 'perfmon 1', 'perfmon 2', 'syslog', 'sysadmin', 'user perfmon') {
	like($got{"$who $_"}, qr/^status: 0\n\z/m, "$who may read: $_") for @asked;
}
like($got{'handed on'}, qr/COMMAND: .*status: 0\n\z/s, 'who opened the file could read it, so it can be read');

# Nobody else reads.
for my $who (qw(none netadmin others user container)) {
	for (@asked) {
		unlike($got{"$who $_"}, qr/COMMAND:|stall_irq|$address/, "$who $_: no record and no address");
		next if $_ eq 'proc';
		like($got{"$who $_"}, qr/\Airqoff: reading takes CAP_PERFMON, CAP_SYSLOG or CAP_SYS_ADMIN of the host itself; [^\n]+\nstatus: 1\n\z/,
			"$who $_: one line, which says what is needed");
	}
	like($got{"$who proc"}, qr/Operation not permitted\nstatus: 1\n\z/, "$who proc: EPERM");
}

# A denied read is one denial for an audit log, of CAP_PERFMON (38), and one that is allowed none. Since "LSM: generalize flag passing
# to security_capable" (v5.1) the option says whether a denial is logged.
SKIP: {
	skip('the debug kernel has no kprobes', 8) if on_debug_kernel();
	skip('this kernel cannot ask without a line', 8) unless headers_have('CAP_OPT_NOAUDIT', 'include/linux/security.h');
	for my $case ([ '', 38 ], [ ',+syslog', '' ], [ ',+sys_admin', '' ], [ ',+cap_38', '' ]) {
		my ($caps, $expected) = @$case;
		for my $program (qw(irqoff cat)) {
			my @events = $got{"denials $caps"} =~ /^ *$program-\d+ .* (?:asked: .* cap=(\d+) options=(\d+)|answered: .* denied=(-?\d+))$/mg;
			my ($asked, @denied);
			while (my ($cap, $options, $denied) = splice(@events, 0, 3)) {
				$asked = $options & 2 ? undef : $cap if defined $cap;
				push @denied, $asked if defined $asked && $denied;
			}
			is("@denied", $expected, "$program with '$caps': denials in an audit log");
		}
	}
}

# Only CAP_SYS_ADMIN changes anything.
for my $who (qw(none netadmin others user container perfmon syslog nosysadmin loader)) {
	for (qw(set stop clear)) {
		like($got{"$who $_"}, qr/\Airqoff: changing takes CAP_SYS_ADMIN of the host itself; [^\n]+\nstatus: 1\n\z/,
			"$who $_: one line, which says what is needed");
	}
	# without CAP_DAC_OVERRIDE the file's mode denies it first
	my $denied = $who =~ /^(?:others|container|nosysadmin)$/ ? qr/Operation not permitted/ : qr/Operation not permitted|Permission denied/;
	like($got{"$who $_"}, qr/$denied\n[^:]*status: 1\n\z/, "$who $_: denied") for qw(knob write);
}
is($got{'container log'}, '', 'container: nothing of that is in the log');
is($got{'settings after'}, $got{'settings before'}, 'all that has changed no setting');
is(join(' ', map { "$_->{cpu}:$_->{seq}" } records('left', @sections)), join(' ', map { "$_->{cpu}:$_->{seq}" } listed('root 0')),
	'and dropped no record');
like($got{"sysadmin $_"}, qr/status: 0\n\z/, "sysadmin may change: $_") for qw(set stop clear knob);
is(scalar(records('cleared', @sections)), 0, 'sysadmin has dropped the records');
like($got{'root write'}, qr/\Astatus: 0\n\z/, 'root drops them by the file');
like($got{load}, qr/\Astatus: 0\n\z/, 'CAP_SYS_MODULE is enough to load it with parameters');
like($got{'settings loaded'}, qr/threshold_us:30000$/m, 'these are in force, and CAP_SYS_MODULE changes them no more');

for ('othernet', 'container net', 'unloaded', 'unloaded user') {
	like($got{$_}, qr/^irqoff: .+\nstatus: 1\n$/, "$_: one line, status 1");
}
like($got{othernet}, qr/network namespace/, 'in another network namespace: says so');
like($got{unloaded}, qr/(?:modprobe|insmod)/, 'not loaded: says what to do');
like($got{$_}, qr/Invalid argument/, "$_: refused") for 'garbage', 'long garbage';

done_testing;
