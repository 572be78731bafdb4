#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every allocation that the kernel makes for the module fails in turn: while the module is loaded, enabled, configured and read,
# and while a CPU comes online (debug kernel; see failnth.c). Each time the result is a clean error or the right answer, the
# same operation works right afterwards, nothing is leaked, and the log holds no complaint.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../../lib";
use Test::More;
use VM;

my $setup = <<'SH';
for fault in failslab fail_page_alloc; do
	cd /sys/kernel/debug/$fault
	echo 0 > verbose
	echo 0 > probability		# only fail-nth makes allocations fail
	echo -1 > times
	echo N > ignore-gfp-wait
done
echo 0 > min-order
echo Y > /sys/kernel/debug/failslab/cache-filter
cd /lib/trace_irqoff
# busybox's insmod tries another system call when the first one failed
ln -s "$(command -v modprobe)" /tmp/insmod
load() { /tmp/insmod trace_irqoff.ko max_cost_ppm=0 "$@"; }
# sweep NAME SYSCALL COMMAND...: runs COMMAND again and again, each time with the next allocation failing, until none is left to
# fail. After each run the function state prints what is in force, and afterwards undoes what COMMAND did; then COMMAND must
# succeed.
sweep() {
	name=$1 call=$2 n=1
	shift 2
	# The loop uses builtins of the shell: starting a program takes this kernel 0.1 s.
	while :; do
		failnth $n $call "$@" > /tmp/out 2> /tmp/err 3> /tmp/verdict
		read -r verdict < /tmp/verdict
		section "$name"
		echo "$verdict"
		section out
		[ ! -s /tmp/out ] || cat /tmp/out
		section err
		[ ! -s /tmp/err ] || cat /tmp/err
		section state
		state
		afterwards
		status=0
		"$@" > /tmp/again 2>&1 || status=$?
		section again
		echo "status: $status"
		afterwards
		case $verdict in
		*injected*) n=$((n + 1)) ;;
		*) break ;;
		esac
		[ $n -lt 2000 ] || exit 1
	done
}
parameters() {
	if [ -d /sys/module/trace_irqoff/parameters ]; then
		for knob in cpus enable period_us ring_records threshold_us; do
			read -r value < /sys/module/trace_irqoff/parameters/$knob
			echo $value
		done
	else
		echo not loaded
	fi
}
set +e
SH

# trials(NAME, SECTIONS): the result of each run
sub trials {
	my ($name, @sections) = @_;
	my (@trials, $trial);
	for my $section (@sections) {
		my ($what, $text) = @$section;
		push @trials, $trial = { text => $text } if $what eq $name;
		$trial = undef if $what ne $name && $what !~ /^(?:out|err|state|again)$/;
		$trial->{$what} = $text if $trial && $what ne $name;
	}
	for (@trials) {
		($_->{verdict}, $_->{status}) = $_->{text} =~ /^failnth: (.*) status=(\d+)$/;
		$_->{verdict} //= 'no verdict';
	}
	return @trials;
}

# sweep(NAME, MINIMUM, SECTIONS, HOW): at least MINIMUM allocations failed, and none of these failures did harm. same => the
# part of the output that must be the same as without a failure; failed => the states that are allowed after a failure.
sub sweep {
	my ($name, $minimum, $sections, %how) = @_;
	my @trials = trials($name, @$sections);
	my $spared = pop @trials;
	is($spared->{verdict}, 'spared', "$name: the last run had no allocation left to fail") or return;
	is($spared->{status}, 0, "$name: the last run succeeded");
	cmp_ok(scalar @trials, '>=', $minimum, "$name: allocations were made to fail");
	my ($failed, @wrong) = (0);
	for my $i (0 .. $#trials) {
		my $trial = $trials[$i];
		my @why;
		if ($trial->{verdict} ne 'injected') {
			push @why, $trial->{verdict};
		} elsif ($trial->{status} == 0) {
			push @why, 'another output' if $how{same} && $how{same}->($trial->{out}) ne $how{same}->($spared->{out});
			push @why, 'another state' if $trial->{state} ne $spared->{state};
		} else {
			$failed++;
			push @why, 'a signal' if $trial->{status} >= 128;
			push @why, 'no message' if $trial->{err} !~ /\S/;
			push @why, 'a state between' unless grep { $trial->{state} eq $_ } @{ $how{failed} }, $spared->{state};
		}
		push @why, 'it does not work afterwards' if $trial->{again} ne "status: 0\n";
		push @wrong, [ $i + 1, \@why, $trial ] if @why;
	}
	is(scalar @wrong, 0, "$name: each is a clean error or does no harm, and it works afterwards")
		or diag(explain(@wrong > 3 ? @wrong[ 0 .. 2 ] : @wrong));
	diag(sprintf('%-10s %d allocations failed in turn, %d of them the operation', $name, scalar @trials, $failed));
}

my $dir = tempdir(CLEANUP => 1);
my @options = ('--kernel', DEBUG_KERNEL, '--timeout', '1500', '--log', "$dir/log",
	# All caches but kmemleak's own, whose failures say nothing about the module. nohugevmalloc: with huge pages a failure
	# would not hurt a large ring, which would then be built of small pages.
	with_leaks('slub_debug=A;-,kmemleak_object,kmemleak_scan_area nohugevmalloc'),
	# the page allocator's own report of a failure, which no_traces() counts
	'--allow-log', 'Call Trace');

# no_traces(NAME): the log has no stack trace but those reports
sub no_traces {
	my ($name) = @_;
	my $log = read_file("$dir/log");
	my $traces = () = $log =~ /Call Trace:/g;
	my $reports = () = $log =~ /(?:vmalloc error|page allocation failure|vmap allocation|alloc_cpumask_var: failed)/g;
	cmp_ok($traces, '<=', $reports, "$name: the log holds no stack but the allocators' own reports") or diag($log);
}

sub not_leaked {
	my ($name, @sections) = @_;
	my @leaks = map { $_->[1] } grep { $_->[0] eq 'leaks' } @sections;
	is_deeply(\@leaks, [''], "$name: kmemleak finds nothing");
}

my $off = "default\n0\n1000\n64\n10000\n";
my @sections = guest_ok('load', $setup . <<'SH', @options);
state() { parameters; }
afterwards() { rmmod trace_irqoff 2> /dev/null; }
sweep load finit_module /tmp/insmod trace_irqoff.ko enable=1 max_cost_ppm=0
afterwards() { rmmod trace_irqoff; load; }
load
sweep enable write sh -c 'echo 1 > /sys/module/trace_irqoff/parameters/enable'
rmmod trace_irqoff
leaks leaks
SH
sweep('load', 20, \@sections, failed => ["not loaded\n"]);
sweep('enable', 5, \@sections, failed => [$off]);
not_leaked('load', @sections);
no_traces('load');

@sections = guest_ok('settings and readers', $setup . <<'SH', @options);
load enable=1
/tmp/insmod stall.ko
echo "bhoff 1 60000" > /proc/stall
echo "irqoff 0 60000" > /proc/stall
irqoff stop
state() { parameters; }
afterwards() { irqoff set threshold=10ms period=1ms cpus=default enable=0; }
sweep set socket irqoff set threshold=20ms period=2ms cpus=0 enable=1
sweep parameter write sh -c 'echo 0-1 > /sys/module/trace_irqoff/parameters/cpus'
state() { :; }
afterwards() { :; }
sweep list socket irqoff list --json
sweep status socket irqoff status --json
sweep hist socket irqoff hist --json
sweep proc openat cat /proc/trace_irqoff
rmmod stall
state() { [ ! -d /sys/module/stall ] || echo loaded; }
afterwards() { rmmod stall 2> /dev/null; }
sweep another finit_module /tmp/insmod stall.ko
state() { :; }
afterwards() { :; }
sweep clear socket irqoff clear
rmmod trace_irqoff
leaks leaks
SH
# The wall clock moves, and a cgroup's id replaces its path if the path cannot be found.
sub lasting { return $_[0] =~ s/"(?:time|end_realtime_ns|cgroup|cgroup_gone)": .*//gr }
sweep('set', 10, \@sections, failed => [$off]);
sweep('parameter', 3, \@sections, failed => [$off]);
sweep('list', 10, \@sections, failed => [''], same => \&lasting);
sweep('status', 10, \@sections, failed => [''], same => \&lasting);
sweep('hist', 10, \@sections, failed => [''], same => sub { $_[0] });
sweep('proc', 4, \@sections, failed => [''], same => sub { $_[0] });
sweep('another', 20, \@sections, failed => ['']);
sweep('clear', 5, \@sections, failed => ['']);
not_leaked('settings and readers', @sections);
no_traces('settings and readers');

# A CPU's hotplug thread allocates its ring when it comes online, among more than 200 of the kernel's own allocations. A ring of
# the default size has a second way to get memory when the first one fails; a ring of 6 MiB has not.
@sections = guest_ok('a CPU that comes online', $setup . <<'SH', @options);
pid=$(ps -o pid,comm | awk '$2 == "cpuhp/1" { print $1 }')
cpu=/sys/devices/system/cpu/cpu1
n=1
while :; do
	echo 0 > $cpu/online
	load enable=1 cpus=all ring_records=2048
	dmesg -c > /dev/null
	echo $n > /proc/$pid/fail-nth
	section trial
	fails sh -c "echo 1 > $cpu/online"
	left=$(cat /proc/$pid/fail-nth)
	echo 0 > /proc/$pid/fail-nth
	echo "online: $(cat $cpu/online) left: $left"
	dmesg | grep trace_irqoff:
	irqoff status --json
	[ "$(cat $cpu/online)" = 1 ] || echo 1 > $cpu/online
	rmmod trace_irqoff
	[ "$left" = 0 ] || break
	n=$((n + 1))
	[ $n -lt 400 ] || exit 1
done
leaks leaks
insmod harness_warn.ko fault=leak
leaks control
SH
my @trials = map { $_->[1] } grep { $_->[0] eq 'trial' } @sections;
my $last = pop @trials // '';
like($last, qr/^status: 0\nonline: 1 left: [1-9].*"watched": "0-1"/s, 'without a failure the CPU is watched when it comes online');
my @unwatched = grep { /no memory to watch CPU 1/ } @trials;
cmp_ok(scalar @unwatched, '>=', 1, 'the ring of a CPU that comes online was made to fail');
unlike($_, qr/^status: [1-9]|online: 0|"watched": "0-1"/m, '... and the CPU is online but not watched') for @unwatched;
not_leaked('a CPU that comes online', @sections);
my ($control) = map { $_->[1] } grep { $_->[0] eq 'control' } @sections;
like($control // '', qr/comm "insmod".*do_one_initcall/s, 'kmemleak would have found something');
no_traces('a CPU that comes online');

done_testing;
