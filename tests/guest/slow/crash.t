#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A kernel that crashes while its CPUs are sampled by NMI boots its crash kernel, whatever the crash: a task's, one that begins
# in an unknown NMI, or one that begins in the NMI handler of a watchdog, also after that handler has held the CPU for long
# enough to be sampled.
#
# Environment: CRASHES, a list of the crashes below by number (all).
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../lib";
use Guest;
use Test::More;
use VM;

plan(skip_all => 'only x86 lets a module send NMIs') if on_arm64();
plan(skip_all => 'our own kernels are built without kexec') if on_debug_kernel();

# The crash kernel needs nothing but a shell.
my $init = "#!/bin/busybox sh\n" . <<'SH';
/bin/busybox mount -t proc proc /proc
[ ! -e /proc/vmcore ] || echo '<1>vm: the crash kernel runs' > /proc/self/fd/1
/bin/busybox reboot -f
SH

# the directory with the crash kernel and its initrd
sub crash_kernel {
	my ($dir) = @_;
	my $tree = "$FindBin::Bin/../../..";
	my $kernel = $ENV{TRACE_IRQOFF_KERNEL} // (split(' ', qx($tree/scripts/kernels)))[0];
	chomp(my ($base) = qx($tree/scripts/vm/build $kernel));
	mkdir($_) or die "$_: $!" for "$dir/crash", "$dir/root", map { "$dir/root/$_" } qw(bin proc);
	open(my $file, '>', "$dir/root/init") or die "$dir/root/init: $!";
	print {$file} $init;
	close($file);
	chmod(0755, "$dir/root/init");
	system("cp $base/vmlinuz $dir/crash/ && cp $base/tree/bin/busybox $dir/root/bin/ &&
		cd $dir/root && find . | cpio --create --quiet --format=newc > ../crash/initrd") and die 'no initrd could be made';
	return "$dir/crash";
}

# Each CPU has stalls, which the other one samples.
my $start = <<'SH';
insmod stall.ko
insmod foreign_nmi.ko
insmod trace_irqoff.ko enable=1 nmi_cpu_rate=1000 nmi_rate=1000
kexec_crash /crash/vmlinuz /crash/initrd 'console=ttyS0 no_timer_check tsc=reliable nr_cpus=1 reset_devices loglevel=5 panic=-1'
taskset 1 sh -c 'while :; do echo irqoff 30000 > /sys/module/stall/parameters/here; sleep 0.01; done' &
sh -c 'while :; do echo irqoff 1 30000 > /proc/stall; sleep 0.01; done' &
sleep 2
section status
irqoff status --json
SH
my $sysrq = 'taskset %d sh -c "echo c > /proc/sysrq-trigger"';
# Each line asks for one NMI. The module may claim one for each of its samples.
my $unknown = 'while :; do section nmi; sleep 0.4; done';
my $panic = 'echo "%d 1 %d panic" > /sys/module/foreign_nmi/parameters/hold';
my @crashes = (    # what, script
	[ 'sysrq-c on CPU 0', sprintf($sysrq, 1) ],
	[ 'sysrq-c on CPU 1', sprintf($sysrq, 2) ],
	[ 'sysrq-c on CPU 0 again', sprintf($sysrq, 1) ],
	[ 'an unknown NMI', $unknown ],
	[ 'an unknown NMI again', $unknown ],
	[ 'an unknown NMI once more', $unknown ],
	[ 'nmi_panic() on CPU 0', sprintf($panic, 0, 0) ],
	[ 'nmi_panic() on CPU 1', sprintf($panic, 1, 0) ],
	[ 'nmi_panic() on CPU 0, 60 ms late', sprintf($panic, 0, 60000) ],
	[ 'nmi_panic() on CPU 1, 60 ms late', sprintf($panic, 1, 60000) ],
);

my $dir = tempdir(CLEANUP => 1);
my $crash = crash_kernel($dir);
my $booted = 0;
my @chosen = $ENV{CRASHES} ? map { $crashes[$_] } split(' ', $ENV{CRASHES}) : @crashes;
for (@chosen) {
	my ($what, $script) = @$_;
	my $hear = sub { monitor("$dir/monitor", 'nmi') if $_[0] =~ /^@@ nmi$/ };
	unlink("$dir/log");
	my ($status, $output) = guest_heard($hear, "$start\n$script\nsleep 20\nsection survived\n", '--timeout', 150, '--mem', '1G',
		'--append', 'crashkernel=256M unknown_nmi_panic=1', '--copy', $crash, '--log', "$dir/log", '--monitor', "$dir/monitor");
	my ($json) = $output =~ /^@@ status\n(\{.*?^\}\n)/ms;
	my @sampled = grep { $_->{samples} } @{ JSON::PP::decode_json($json // '{"cpus":[]}')->{cpus} };
	is(scalar @sampled, 2, "$what: both CPUs were sampled");
	my $log = eval { read_file("$dir/log") } // '';
	my ($why) = $log =~ /(Kernel panic - not syncing: .*)/;
	note($why // 'no panic', ', asked for ', scalar(() = $output =~ /^@@ nmi$/mg), ' NMIs');
	ok($log =~ /vm: the crash kernel runs/ && ++$booted, '... the crash kernel boots') or diag("$output\n$log");
}
is($booted, scalar @chosen, "crash kernels: $booted of " . @chosen);

done_testing;
