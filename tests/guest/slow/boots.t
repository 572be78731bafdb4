#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Each kind of stall is found and named as in the plain boot, whatever the kernel was booted with. Two CPUs run in turn on an icount
# clock, so nothing depends on the host. The last lines are a table. BOOTS=REGEX (environment) tries only ways of these names.
#
# Two ways are elsewhere: x2APIC in live/nmi.t, because QEMU's interrupt remapping has no icount clock; and cpuidle states that poll in
# polled.t.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../../../userspace/selftest";
use Kinds;
use Test::More;
use Truth;
use VM;

plan(skip_all => 'a debug kernel has stalls of its own, as long as these') if on_debug_kernel();
plan(skip_all => 'these are options of x86') if on_arm64();

# A way to boot: its name, which is added to the kernel's command line unless it has options of scripts/vm/run; what shows in the guest
# that it came to that; and parameters of the module.
my @ways = (
	[ 'plain', 'true', options => [] ],
	[ 'idle=poll', 'dmesg | grep -q "using polling idle threads"' ],
	[ 'nohz=off', 'ticks() { awk "/LOC:/ { print \$3 }" /proc/interrupts; }; before=$(ticks); sleep 1; [ $(($(ticks) - before)) -gt 90 ]' ],
	[ 'clocksource=hpet', 'grep -qx hpet /sys/devices/system/clocksource/clocksource0/current_clocksource' ],
	[ 'threadirqs', 'ps | grep -q "\[irq/.*ttyS0"' ],
	map({ [ "preempt=$_", "grep -q '($_)' /sys/kernel/debug/sched/preempt" ] } qw(none voluntary full lazy)),
	[ 'isolcpus=1 nohz_full=1 rcu_nocbs=1', 'grep -qx 1 /sys/devices/system/cpu/isolated', load => 'cpus=0-1' ],
	[ 'numa=fake=2', '[ -d /sys/devices/system/node/node1 ]' ],
	[ 'an Intel CPU', 'grep -q GenuineIntel /proc/cpuinfo && ! grep -qw hypervisor /proc/cpuinfo',
		options => [ '--cpu', 'Nehalem,-hypervisor,+monitor' ] ],
	[ 'a hypervisor that counts no steal', 'grep -qw hypervisor /proc/cpuinfo', options => [ '--cpu', 'qemu64' ] ],
	[ '16 CPUs in 2 sockets', '[ $(nproc) = 16 ] && grep -q "physical id.*1" /proc/cpuinfo',
		options => [ '--smp', '16,sockets=2', '--mem', '2G' ] ],
);
my $wanted = $ENV{BOOTS} // '';
my @table;

# coarse timers are refused; and the preemption models that this kernel has
my %got = map { ($_->[0] => $_->[1]) } guest_ok('highres=off', <<'SH', '--icount', '--append', 'highres=off');
insmod trace_irqoff.ko
section highres=off
fails irqoff start
mount -t debugfs debugfs /sys/kernel/debug 2> /dev/null || :
section modes
cat /sys/kernel/debug/sched/preempt 2> /dev/null || :
SH
like($got{'highres=off'}, qr/^irqoff: enabling needs high-resolution timers.*\nstatus: 1$/m, 'highres=off: refused by a sentence');

for my $way (grep { $_->[0] =~ /$wanted/ } @ways) {
	my ($name, $holds, %of) = @$way;
	next if $name =~ /^preempt=(.*)/ && $got{modes} !~ /\b$1\b/;
	my $script = truth_script(1, [4], kinds());
	$script =~ s/^(insmod trace_irqoff\.ko .*)$/$1 $of{load}/m if $of{load};
	my $began = time;
	my ($status, $output, $marks) = guest(<<"SH", '--icount', '--timeout', 600, '--smp', 2, @{ $of{options} // [ '--append', $name ] });
mount -t debugfs debugfs /sys/kernel/debug 2> /dev/null || :
$holds || { echo 'it was not booted so'; exit 3; }
$script
SH
	is($status, 0, "$name: guest ended well") or diag($output);
	next if $status;
	my @made = grep { $_->{judged} } truth_cells(1, [4], sections($output, $marks));
	my @wrong;
	for my $cell (@made) {
		my ($judged) = @{ $cell->{judged} };
		is(join(' ', truth_wrong($judged)), '', "$name: $cell->{kind}") and next;
		diag(truth_explain($judged));
		push @wrong, $cell->{kind};
	}
	push @table, sprintf('%-36s %3d of %3d  %3d s  %s', $name, @made - @wrong, scalar @made, time - $began, "@wrong");
}
note('WAY TO BOOT                              RIGHT    TIME  WRONG');
note($_) for @table;
done_testing;
