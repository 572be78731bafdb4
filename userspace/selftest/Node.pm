# SPDX-License-Identifier: GPL-2.0-only
# What a machine is, and why the self-test must not run on it now. It only reads files. ROOT, '' by default, is where /proc, /sys
# and /lib are looked for.
package Node;
use strict;
use warnings;
use JSON::PP;
use List::Util qw(min);

# memory that each compiler and loading take, in MiB, and what each CPU's records take; so many compilers run at once
use constant { COMPILER_MIB => 128, LOAD_MIB => 64, CPU_MIB => 1, COMPILERS => 4 };

# what modules taint the kernel with that are not of its tree and not signed (O and E in Documentation/admin-guide/tainted-kernels.rst)
use constant TAINTS => 1 << 12 | 1 << 13;

sub new {
	my ($class, $root) = @_;
	return bless { root => $root // '' }, $class;
}

# text(PATH): the file's content, '' if it cannot be read
sub text {
	my ($self, $path) = @_;
	open(my $file, '<', $self->{root} . $path) or return '';
	local $/;
	return scalar(<$file>) // '';
}

# word(PATH): its first word
sub word { return (split(' ', text(@_)))[0] // '' }

# list(PATH): the numbers of a list such as 0-3,8
sub list {
	my ($self, $path) = @_;
	return map { /^(\d+)-(\d+)$/ ? $1 .. $2 : /^(\d+)$/ ? $1 : () } split(/,/, $self->word($path));
}

sub release { return $_[0]->word('/proc/sys/kernel/osrelease') }

# online(): the CPUs that are online
sub online { return $_[0]->list('/sys/devices/system/cpu/online') }

# cpus(): the CPUs for the test, the one to make stalls on first: those that are not isolated, from the last one
sub cpus {
	my ($self) = @_;
	my %isolated = map { $_ => 1 } map { $self->list("/sys/devices/system/cpu/$_") } qw(isolated nohz_full);
	return reverse(grep { !$isolated{$_} } $self->online);
}

# compilers(): how many may run at once
sub compilers {
	my ($self) = @_;
	return min(COMPILERS, scalar(() = $self->online)) || 1;
}

# loaded(NAME): is that module loaded?
sub loaded {
	my ($self, $name) = @_;
	return $self->text('/proc/modules') =~ /^\Q$name\E /m;
}

# config(): the kernel's configuration, as far as it can be found
sub config {
	my ($self) = @_;
	my $release = $self->release;
	return $self->text("/boot/config-$release") || $self->text("/lib/modules/$release/config") ||
		$self->text("/lib/modules/$release/build/.config");
}

# program(NAME): its path, or nothing
sub program {
	my ($self, $name) = @_;
	my ($path) = grep { -x "$self->{root}$_" } map { "$_/$name" } split(/:/, $ENV{PATH} // '');
	return $path;
}

# against_loading(SIGNED): reasons against loading modules; SIGNED modules may be
sub against_loading {
	my ($self, $signed) = @_;
	my @why;
	push @why, 'The kernel takes no more modules until it is booted again (kernel.modules_disabled is 1).'
		if $self->word('/proc/sys/kernel/modules_disabled') eq '1';
	my ($lockdown) = $self->text('/sys/kernel/security/lockdown') =~ /\[(integrity|confidentiality)\]/;
	my $enforced = $self->word('/sys/module/module/parameters/sig_enforce') eq 'Y';
	push @why, 'The kernel takes signed modules only (' . ($lockdown ? "lockdown is $lockdown" : 'module.sig_enforce is set') .
		'): build them with --build DIR, sign both, and run with --modules DIR (irqoff-selftest(8), SECURE BOOT).'
		if !$signed && ($lockdown || $enforced);
	push @why, 'The module trace_irqoff is loaded, and the self-test loads its own: stop what reads it, keep its records ' .
		'(`irqoff save FILE`), and `rmmod trace_irqoff`.' if $self->loaded('trace_irqoff');
	push @why, 'The module stall is loaded, and the self-test loads its own: `rmmod stall`.' if $self->loaded('stall');
	push @why, map { "irqoff agent runs (process $_), and would keep the test's records: stop it for the test." } $self->agents;
	return @why;
}

# agents(): the processes of irqoff agent
sub agents {
	my ($self) = @_;
	my @agents;
	for my $path (glob("$self->{root}/proc/[0-9]*/cmdline")) {
		my ($pid) = $path =~ m{/(\d+)/cmdline\z};
		push @agents, $pid if $self->text("/proc/$pid/cmdline") =~ m{^(?:[^\0]*/)?irqoff\0agent(?:\0|\z)};
	}
	return @agents;
}

# against_panic(): settings with which an NMI, a warning or the test's own modules stop the machine
sub against_panic {
	my ($self) = @_;
	my @why;
	for my $name (qw(unknown_nmi_panic panic_on_unrecovered_nmi panic_on_warn)) {
		my $value = $self->word("/proc/sys/kernel/$name") || next;
		push @why, "kernel.$name is $value, so a fault of the test could stop the machine: `sysctl kernel.$name=0` for the test.";
	}
	my ($taint) = $self->text('/proc/cmdline') =~ /(?:^|\s)panic_on_taint=(?:0x)?([0-9a-f]+)/i;
	push @why, 'The kernel panics once it is tainted (panic_on_taint), and the test taints it.' if hex($taint // 0) & TAINTS;
	push @why, 'hpwdt is loaded, which panics at an NMI that it does not know: `rmmod hpwdt` for the test.'
		if -e "$self->{root}/sys/module/hpwdt";
	return @why;
}

# against_building(): what is missing to build modules
sub against_building {
	my ($self) = @_;
	my $release = $self->release;
	my @why;
	push @why, "There are no headers of kernel $release: install linux-headers-$release (Debian, Ubuntu) or kernel-devel-$release " .
		'(Fedora, RHEL).' unless -e "$self->{root}/lib/modules/$release/build/Makefile";
	my @missing = grep { !$self->program($_) } qw(make gcc);
	push @why, 'These programs are missing: ' . join(', ', @missing) . '.' if @missing;
	return @why;
}

# against_kernel(): what the stall maker needs and the kernel lacks, as far as its configuration can be found
sub against_kernel {
	my ($self) = @_;
	my $config = $self->config;
	return $config eq '' || $config =~ /^CONFIG_IRQ_POLL=y/m ? () :
		'The kernel is built without CONFIG_IRQ_POLL, which the module that makes stalls uses.';
}

# against_cpus(CPU, OTHER): reasons against these two; undef is one that was neither named nor found
sub against_cpus {
	my ($self, $cpu, $other) = @_;
	my %online = map { $_ => 1 } $self->online;
	my @why = map { "CPU $_ is not online." } grep { defined && !$online{$_} } $cpu, $other;
	push @why, 'It takes two CPUs that are not isolated, and there is one at most: name both (--cpu, --other).'
		if !defined $cpu || !defined $other && keys %online > 1;
	push @why, '--cpu and --other are the same CPU.' if defined $cpu && defined $other && $other == $cpu;
	return @why;
}

# against(CPU, OTHER, HAS_MODULES): all reasons against running, a sentence each
sub against {
	my ($self, $cpu, $other, $has_modules) = @_;
	my $cpus = () = $self->online;
	my @why = ($self->against_loading($has_modules), $self->against_panic, $self->against_kernel,
		$has_modules ? () : $self->against_building, $self->against_cpus($cpu, $other));
	my $load = $self->word('/proc/loadavg') || 0;
	push @why, sprintf('The load of the last minute is %.2f, more than half of %d CPUs: run it while the machine has less to do.', $load, $cpus)
		if $load > $cpus / 2;
	my ($kib) = $self->text('/proc/meminfo') =~ /^MemAvailable:\s*(\d+) kB/m;
	my $needed = LOAD_MIB + CPU_MIB * $cpus + ($has_modules ? 0 : COMPILER_MIB * $self->compilers);
	push @why, sprintf('%d MiB of memory are available, and it takes %d.', $kib / 1024, $needed)
		if defined($kib) && $kib / 1024 < $needed;
	return @why;
}

# facts(): what a row says of the machine
sub facts {
	my ($self) = @_;
	my ($flags) = $self->text('/proc/cpuinfo') =~ /^flags\s*:(.*)/m;
	my ($os) = $self->text('/etc/os-release') =~ /^PRETTY_NAME="?([^"\n]*)/m;
	return (
		kernel => $self->release,
		version => $self->text('/proc/sys/kernel/version') =~ s/\n//r,
		machine => $self->word('/proc/sys/kernel/arch') || qx(uname -m) =~ s/\n//r,
		os => $os // 'unknown',
		cpus => scalar(() = $self->online),
		hypervisor => !defined $flags ? undef : $flags =~ /\bhypervisor\b/ ? JSON::PP::true : JSON::PP::false,
	);
}

1;
