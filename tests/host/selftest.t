#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What irqoff-selftest refuses, how it judges, and that the installed one has all that it needs to build the modules.
# tests/guest/live/selftest.t runs it.
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../../userspace/selftest";
use Node;
use JSON::PP;
use Outcome;
use Report;
use Test::More;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";
my $dir = tempdir(CLEANUP => 1);
my $machines = 0;

# node(PATH => TEXT...): a machine that is fit for the test, but for these files; the TEXT undef takes a file away
sub node {
	my %files = (
		'/proc/sys/kernel/osrelease' => "6.1.0-1-amd64\n",
		'/proc/sys/kernel/modules_disabled' => "0\n",
		'/proc/sys/kernel/unknown_nmi_panic' => "0\n",
		'/proc/modules' => "stallion 16384 0 - Live 0x0\n",
		'/proc/loadavg' => "1.90 0.10 0.10 1/100 1234\n",
		'/proc/meminfo' => "MemTotal: 2000000 kB\nMemAvailable: 1000000 kB\n",
		'/sys/devices/system/cpu/online' => "0-3\n",
		'/sys/devices/system/cpu/isolated' => "\n",
		'/sys/devices/system/cpu/nohz_full' => "(null)\n",
		'/sys/kernel/security/lockdown' => "[none] integrity confidentiality\n",
		'/sys/module/module/parameters/sig_enforce' => "N\n",
		'/lib/modules/6.1.0-1-amd64/build/Makefile' => "\n",
		map({ ("/usr/bin/$_" => "\n") } qw(make gcc)),
		@_,
	);
	my $root = "$dir/" . $machines++;
	for my $path (grep { defined $files{$_} } keys %files) {
		make_path(dirname("$root$path"));
		open(my $file, '>', "$root$path") or die "$root$path: $!";
		print {$file} $files{$path};
		close($file);
		chmod(0755, "$root$path");
	}
	return Node->new($root);
}

# against_cpus(CPU, OTHER, FILES...): the reasons against testing with these CPUs of such a machine
sub against_cpus {
	my ($cpu, $other, @files) = @_;
	local $ENV{PATH} = '/usr/bin';
	return join("\n", node(@files)->against($cpu, $other, 0));
}

# against(HAS_MODULES, FILES...): the reasons against such a machine
sub against {
	my ($has_modules, @files) = @_;
	local $ENV{PATH} = '/usr/bin';
	return join("\n", node(@files)->against(3, 2, $has_modules));
}

is(against(0), '', 'a fit machine is taken');
like(against(0, '/proc/loadavg' => "2.01 0 0 1/1 1\n"), qr/^The load of the last minute is 2\.01, more than half of 4 CPUs: [^\n]*$/, 'not a busy one');
for my $name (qw(unknown_nmi_panic panic_on_unrecovered_nmi panic_on_warn)) {
	like(against(1, "/proc/sys/kernel/$name" => "1\n"), qr/^kernel\.$name is 1, [^\n]*$/, "not with $name");
}
like(against(1, '/proc/sys/kernel/unknown_nmi_panic' => "2\n"), qr/^kernel\.unknown_nmi_panic is 2, /, 'whatever the value');
for my $mask ('0x2000', '1000', '0x3,nousertaint') {
	my $fit = $mask =~ /nousertaint/;
	is(against(1, '/proc/cmdline' => "quiet panic_on_taint=$mask\n") eq '' ? 'taken' : 'refused', $fit ? 'taken' : 'refused', "panic_on_taint=$mask");
}
like(against(1, '/sys/module/hpwdt/refcnt' => "0\n"), qr/^hpwdt is loaded/, 'not with hpwdt');
my @locked = ('/sys/kernel/security/lockdown' => "none [integrity] confidentiality\n");
like(against(0, @locked), qr/^The kernel takes signed modules only \(lockdown is integrity\): .*--modules/, 'not under lockdown');
is(against(1, @locked), '', 'but with modules that may be signed');
like(against(0, '/sys/module/module/parameters/sig_enforce' => "Y\n"), qr/module\.sig_enforce is set/, 'not where signatures are enforced');
like(against(1, '/proc/sys/kernel/modules_disabled' => "1\n"), qr/takes no more modules/, 'not where no module can be loaded');
like(against(0, '/proc/meminfo' => "MemAvailable: 200000 kB\n"), qr/^195 MiB of memory are available, and it takes 580\.$/, 'not with too little memory');
is(against(1, '/proc/meminfo' => "MemAvailable: 200000 kB\n"), '', 'which is enough where nothing is built');
like(against(0, '/proc/modules' => "trace_irqoff 1 0 - Live 0x0\n"), qr/^The module trace_irqoff is loaded.*irqoff save/, 'not while the module is loaded');
like(against(0, '/proc/77/cmdline' => "/usr/bin/irqoff\0agent\0--listen\0"), qr/^irqoff agent runs \(process 77\)/, 'not beside an agent');
is(against(0, '/proc/77/cmdline' => "irqoff\0list\0"), '', 'but beside another reader');
like(against(0, '/lib/modules/6.1.0-1-amd64/build/Makefile' => undef), qr/linux-headers-6\.1\.0-1-amd64/, 'not without headers');
like(against(1, '/boot/config-6.1.0-1-amd64' => "# CONFIG_IRQ_POLL is not set\n"), qr/^The kernel is built without CONFIG_IRQ_POLL/,
	'not on a kernel that lacks what stalls are made with');
is(against(1, '/boot/config-6.1.0-1-amd64' => "CONFIG_IRQ_POLL=y\n"), '', 'but on one that has it');
like(against(0, '/usr/bin/gcc' => undef), qr/^These programs are missing: gcc\.$/, 'not without a compiler');
like(against(0, '/sys/devices/system/cpu/online' => "0-2\n"), qr/^CPU 3 is not online/, 'not on a CPU that is offline');
like(against_cpus(1, 7), qr/^CPU 7 is not online/, 'nor sampled by one');
is(against_cpus(1, 1), '--cpu and --other are the same CPU.', 'nor by itself');
like(against_cpus(1, undef), qr/^It takes two CPUs that are not isolated/, 'nor by nobody');
like(against_cpus(undef, 0), qr/^It takes two CPUs that are not isolated/, 'nor made on one that is isolated and not named');
is(against_cpus(0, undef, '/sys/devices/system/cpu/online' => "0\n", '/proc/loadavg' => "0 0 0 1/1 1\n"), '', 'unless there is one CPU');
is(join(' ', node('/sys/devices/system/cpu/isolated' => "3\n")->cpus), '2 1 0', 'an isolated CPU is left alone');
is(join(' ', node('/sys/devices/system/cpu/nohz_full' => "1-3\n")->cpus), '0', 'and one without a tick');

# Verdicts. The script's output is that of one stall of 50 ms that a record of the same length describes.
my $ms = 1_000_000;
sub output {
	my (%with) = @_;
	my %record = (cpu => 1, seq => 1, record => '1:1', kind => 'hard', class => 'hardirq-off', evidence => 'sample', culprit => 'stall_irqoff [stall]',
		busy_in => 'busy_work [stall]', min_ns => 49.5 * $ms, max_ns => 50.5 * $ms, end_ns => 150 * $ms, period_ns => $ms,
		samples => [ { at_ns => 110 * $ms, delay_ns => 0, nmi => 1, frames => [] } ], end => { frames => [] }, %{ $with{record} // {} });
	my $gap = ($with{gap_ms} // 0.1) * $ms;
	my $text = "@@ release\n6.1.0\n#1 SMP\nx86_64\n2\n";
	$text .= "@@ observed $_\nkind=$_ inner_ns=20000000 outer_ns=10\n" for qw(hog bhoff);
	$text .= "@@ loaded\n@@ stall\nkind=irqoff cpu=1 function=stall_irqoff inner_ns=@{[ 50 * $ms ]} outer_ns=@{[ 50.1 * $ms ]} " .
		"from_ns=@{[ 100 * $ms ]} to_ns=@{[ 150.1 * $ms ]} gap_ns=$gap\n" . "@@ records\n" .
		JSON::PP::encode_json({ records => [ $with{none} ? () : \%record ] }) . "\n@@ unloading\n";
	return $text . "@@ unloaded\n";
}

# verdict(MORE...): the exit status and the verdict
sub verdict {
	my (%with) = @_;
	my ($row, @why) = outcome_row(outcome_cells(output(%with), 1, 5));
	my ($status, $word) = outcome_verdict({ built => 1, loaded => 1, unloaded => 1, log => [], %$row, %{ $with{row} // {} } }, $with{left});
	return "$status $word" . (@why ? ', explained' : '');
}

is(verdict(), '0 right', 'a record that fits');
is(verdict(none => 1), '1 wrong, explained', 'no record');
is(verdict(record => { class => 'hardirq-long' }), '1 wrong, explained', 'another class');
is(verdict(record => { culprit => 'kthread' }), '1 wrong, explained', 'another culprit');
is(verdict(record => { min_ns => 60 * $ms, max_ns => 61 * $ms, end_ns => 161 * $ms }), '1 wrong, explained', 'bounds that do not hold its length');
is(verdict(record => { class => 'stolen', culprit => undef }, gap_ms => 20), '4 cannot tell', 'a CPU that was taken');
is(join(' ', map { $_->{kind} } grep { $_->{again} } outcome_cells(output(none => 1, gap_ms => 20), 1, 5)), 'irqoff', 'which is made again');
is(verdict(gap_ms => 20), '0 right', 'a CPU that was taken, and the record is right all the same');
is(verdict(row => { unloaded => 0 }), '1 wrong', 'a module that stays loaded');
is(verdict(row => { log => ['BUG: bad'] }), '1 wrong', 'a complaint of the kernel');
is(verdict(row => { log => undef }), '4 cannot tell', 'a log that could not be read');
is(verdict(row => { built => 0 }), '1 wrong', 'modules that do not build');
is(verdict(left => 'stall'), '1 wrong', 'a module that could not be unloaded');
my ($row) = outcome_row(outcome_cells(output(), 1, 5));
like(outcome_text({ %$row, loaded => 1, unloaded => 1, kernel => '6.1.0', preempt => 'full', built => 1, log => [] }),
	qr{^KERNEL  PREEMPT.*\n6\.1\.0   full +yes +yes +1/1 +1/1 +1/1 +1/1 +yes +clean\n\z}, 'the row');

# Reports
my $laptop = node('/proc/cpuinfo' => "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: A CPU @ 2 GHz\nmicrocode\t: 0xf0\n\n",
	'/proc/cmdline' => "BOOT_IMAGE=/vmlinuz root=UUID=beef host=secret idle=nomwait isolcpus=3 quiet\n",
	'/sys/devices/system/cpu/cpuidle/current_driver' => "intel_idle\n",
	map({ ("/sys/devices/system/cpu/cpu0/cpuidle/state$_->[0]/name" => "$_->[1]\n") } [ 0, 'POLL' ], [ 1, 'C1' ]),
	'/sys/class/dmi/id/product_name' => "Model 7\n", '/sys/devices/system/node/online' => "0-1\n",
	'/proc/interrupts' => "      CPU0 CPU1 CPU3\n  0:  1 2 3 timer\nNMI:  4 5 6 Non-maskable interrupts\n",
	'/proc/stat' => "cpu  1 2\ncpu0 0 0 0 0 0 0 0 7\ncpu3 1 2 3 4 5 6 7 8 9 10\n",
	'/dev/cpu/3/msr' => pack('x52 V V', 11, 0));
my %machine = report_machine($laptop);
is(join(' ', map { $machine{$_} // '-' } qw(cpu_vendor cpu_model microcode machine_vendor machine_product nodes idle_driver governor)),
	'GenuineIntel A CPU @ 2 GHz 0xf0 - Model 7 2 intel_idle -', 'a report says what the machine is');
is("@{ $machine{idle_states} } | @{ $machine{boot_options} }", 'POLL C1 | idle=nomwait isolcpus=3', '... how it idles, and how it was booted, without names');
my $counts = report_counts($laptop, 3);
is(join(' ', map { $counts->{$_} // '-' } qw(nmis steal_ms smis)), '6 80 11', '... and what was counted on that CPU');
is_deeply(report_since({ nmis => 4, steal_ms => 10, smis => undef }, $counts), { nmis => 2, steal_ms => 70, smis => undef }, '... meanwhile');
is_deeply(report_counts(node(), 3), { nmis => undef, steal_ms => undef, smis => undef }, 'what a machine does not tell is not known');
my %rounds;
report_add(\%rounds, $_) for { %{ (outcome_row(outcome_cells(output(), 1, 5)))[0] } }, { %{ (outcome_row(outcome_cells(output(none => 1), 1, 5)))[0] } },
	{ %{ (outcome_row(outcome_cells(output(none => 1, gap_ms => 20), 1, 5)))[0] } };
is("$rounds{rounds} $rounds{made} $rounds{disturbed} $rounds{right}{found}/$rounds{judged}{found} " . scalar(@{ $rounds{wrong} }) . " @{ $rounds{unknown} }",
	'3 3 1 1/2 1 ', 'rounds are added up');
is(scalar(report_cost("@@ status\n" . encode_json({ cpus => [ { cpu => 1, watched => 1, ns_per_beat => 900 }, { cpu => 0, watched => 0 } ] }) . "\n")), 1,
	'what watching cost is that of CPUs that were watched');
mkdir("$dir/reports");
sub hardware { # hardware INPUT ARGUMENT...: status and output of tests/hardware
	my ($input, @arguments) = @_;
	open(my $file, '>', "$dir/input") or die;
	print {$file} $input;
	close($file);
	my $said = qx(TRACE_IRQOFF_HARDWARE=$dir/reports tests/hardware @arguments < $dir/input 2>&1);
	return ($? >> 8) . " $said";
}
my $report = encode_json({ kernel => '6.1.0', date => '2026-01-02T03:04:05Z', cpu => 3, %rounds,
	report => { %machine, counts => $counts, costs => [ { cpu => 3, ns_per_beat => 912.4 } ] } });
is(hardware($report, '--keep', 'laptop'), '0 ', 'a report is kept');
like(hardware('', '--table'), qr/^0 NAME .*\nlaptop +6\.1\.0 +A CPU @ 2 GHz +intel_idle +3 +1\/2 +1 +912 +6 +11 +80 +2026-01-02\n\z/, '... and is a row');
like(hardware($report, '--keep', 'laptop'), qr/^2 hardware: .* is there already\n\z/, '... and is not replaced');
like(hardware('{}', '--keep', 'other'), qr/^2 hardware: that is no report/, 'what is none is refused');
like(hardware($report, '--keep', '../x'), qr/^2 hardware: '\.\.\/x' is no name/, '... so is such a name');

# It is installed with its sources, and builds both modules from there. The distribution seems to run its own kernel.
is(system("make -s -C userspace > $dir/log 2>&1 && make -s install-selftest DESTDIR=$dir/installed PREFIX=/usr > $dir/log 2>&1"), 0, 'it is installed')
	or diag(`cat $dir/log`);
my ($kernel) = split(' ', $ENV{TRACE_IRQOFF_KERNELS} // qx(scripts/kernels));
chomp(my $root = qx(scripts/vm/root $kernel));
my $out = "$dir/installed/out";
mkdir($out);
my $said = qx(scripts/vm/inroot $root $dir/installed sh -c '
	ln -s \$(ls /lib/modules) /lib/modules/\$(uname -r)
	/mnt/usr/sbin/irqoff-selftest --build /mnt/out && ls /mnt/out && ls /run/irqoff-selftest' 2>&1);
is($said =~ s/^ls: cannot access.*\n//mr, "stall.ko\ntrace_irqoff.ko\n", 'both modules are built, and nothing is left behind');
chomp(my $release = qx(ls $root/lib/modules));
like(scalar qx(strings $out/trace_irqoff.ko), qr/^vermagic=\Q$release\E /m, 'for this kernel');
is(system("make -s uninstall-selftest DESTDIR=$dir/installed PREFIX=/usr"), 0, 'it is uninstalled');
is(qx(find $dir/installed -not -type d -not -path '*/out/*'), '', 'and leaves nothing');
done_testing;
