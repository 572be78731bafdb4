# SPDX-License-Identifier: GPL-2.0-only
# A report of the self-test: what the machine is, all rounds added up, and what watching cost. It has no name of a host, a user, a task
# or a container, and no address.
package Report;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;
use List::Util qw(max);
use POSIX ();
use Stalls;
use Truth;

our @EXPORT = qw(report_machine report_counts report_cost report_add report_since);

use constant MSR_SMI_COUNT => 0x34;

# words of the kernel's command line that change what the module meets; others may have names
my $options = qr/^(?:idle|nohz|nohz_full|isolcpus|rcu_nocbs|preempt|threadirqs|highres|clocksource|tsc|mitigations|nosmt|maxcpus|nr_cpus|
	nmi_watchdog|nowatchdog|nox2apic|x2apic_phys|irqaffinity|skew_tick|intel_idle\.max_cstate|processor\.max_cstate|no-steal-acc)(?:=|$)/x;

sub line { return $_[0]->text($_[1]) =~ s/\s*\n.*//sr || undef }

sub field {
	my ($text, $name) = @_;
	return $text =~ /^\Q$name\E\s*:\s*(.*?)\s*$/m ? $1 : undef;
}

# report_machine(NODE): what the machine is, besides what a row says; undef is what it does not tell
sub report_machine {
	my ($node) = @_;
	my $cpuinfo = $node->text('/proc/cpuinfo');
	my $cpu0 = '/sys/devices/system/cpu/cpu0';
	my @states = map { line($node, "$cpu0/cpuidle/state$_/name") } 0 .. 15;
	return (
		cpu_vendor => field($cpuinfo, 'vendor_id'),
		cpu_model => field($cpuinfo, 'model name'),
		microcode => field($cpuinfo, 'microcode'),
		machine_vendor => line($node, '/sys/class/dmi/id/sys_vendor'),
		machine_product => line($node, '/sys/class/dmi/id/product_name'),
		nodes => scalar(() = $node->list('/sys/devices/system/node/online')) || 1,
		clocksource => line($node, '/sys/devices/system/clocksource/clocksource0/current_clocksource'),
		idle_driver => line($node, '/sys/devices/system/cpu/cpuidle/current_driver'),
		idle_states => [ grep { defined } @states ],
		cpufreq_driver => line($node, "$cpu0/cpufreq/scaling_driver"),
		governor => line($node, "$cpu0/cpufreq/scaling_governor"),
		nmi_watchdog => line($node, '/proc/sys/kernel/nmi_watchdog'),
		boot_options => [ grep { /$options/ } split(' ', $node->text('/proc/cmdline')) ],
	);
}

# smi_count(NODE, CPU): how many system management interrupts the CPU has counted, where the msr module tells (Intel)
sub smi_count {
	my ($node, $cpu) = @_;
	return unless $node->text('/proc/cpuinfo') =~ /^vendor_id\s*:\s*GenuineIntel/m;
	open(my $msr, '<:raw', "$node->{root}/dev/cpu/$cpu/msr") or return;
	sysseek($msr, MSR_SMI_COUNT, 0);
	return unless (sysread($msr, my $bytes, 8) // 0) == 8;
	return unpack('V', $bytes);
}

# report_counts(NODE, CPU): what the kernel and the CPU have counted since the boot
sub report_counts {
	my ($node, $cpu) = @_;
	my ($head, @rows) = split(/\n/, $node->text('/proc/interrupts'));
	my @columns = ($head // '') =~ /CPU(\d+)/g;
	my ($column) = grep { $columns[$_] == $cpu } 0 .. $#columns;
	my ($nmis) = map { (split(' '))[ 1 + $column ] } grep { defined $column && /^\s*NMI:/ } @rows;
	my ($times) = $node->text('/proc/stat') =~ /^cpu$cpu (.*)/m;
	my $steal = (split(' ', $times // ''))[7];
	return {
		nmis => $nmis,
		steal_ms => defined $steal ? $steal * 1000 / POSIX::sysconf(POSIX::_SC_CLK_TCK()) : undef,
		smis => scalar(smi_count($node, $cpu)),
	};
}

# report_since(BEFORE, AFTER): the differences of two report_counts(); undef is what one of them does not know
sub report_since {
	my ($before, $after) = @_;
	return { map { ($_ => defined $before->{$_} && defined $after->{$_} ? $after->{$_} - $before->{$_} : undef) } sort keys %$after };
}

# report_cost(OUTPUT): what a round's `irqoff status` says of its CPUs, or nothing
sub report_cost {
	my ($output) = @_;
	my ($text) = map { $_->[1] } grep { $_->[0] eq 'status' } split_sections($output);
	my $status = eval { decode_json($text // '') } or return;
	return map {
		my $cpu = $_;
		+{ map { ($_ => $cpu->{$_}) } qw(cpu beats ns_per_beat cost_ppm samples nmi_refused nmi_lost produced lost) };
	} grep { $_->{watched} } @{ $status->{cpus} // [] };
}

# report_add(ALL, ROUND): adds what outcome_row() says of a round
sub report_add {
	my ($all, $round) = @_;
	$all->{rounds}++;
	return unless defined $round->{made};
	$all->{$_} += $round->{$_} for qw(made disturbed);
	$all->{kinds} = max($all->{kinds} // 0, $round->{kinds});
	$all->{absent} = $round->{absent};
	for my $what (qw(judged right)) {
		$all->{$what}{$_} += $round->{$what}{$_} for keys %{ $round->{$what} };
	}
	push @{ $all->{wrong} }, @{ $round->{wrong} };
	# a kind is unknown if no round knows it
	my %unknown = map { ($_ => 1) } @{ $round->{unknown} };
	$all->{unknown} = $all->{rounds} == 1 ? [ sort keys %unknown ] : [ grep { $unknown{$_} } @{ $all->{unknown} } ];
	return;
}

1;
