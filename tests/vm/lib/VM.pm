# SPDX-License-Identifier: GPL-2.0-only
# Runs a shell script in a guest and takes what it printed apart. The environment's TRACE_IRQOFF_KERNEL names the guest's
# kernel, where not the first of scripts/kernels.
package VM;
use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use File::Spec;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

our @EXPORT = qw(guest guest_heard guest_ok sections stalls records overlapping check_bounds wide_apart
	hog_holds on_rt others_run_softirqs on_arm64 on_debug_kernel has_kmemleak read_file DEBUG_KERNEL);

# the kernel that finds our own faults (scripts/vm/config/debug.config)
use constant DEBUG_KERNEL => '6.1-debug';

# is it, or the one that finds data races (kcsan.config), which the suite runs on? Both are slow.
sub on_debug_kernel { return ($ENV{TRACE_IRQOFF_KERNEL} // '') =~ /-(?:debug|kcsan)$/ }

sub has_kmemleak { return ($ENV{TRACE_IRQOFF_KERNEL} // '') eq DEBUG_KERNEL }

# is it one of that architecture?
sub on_arm64 { return ($ENV{TRACE_IRQOFF_KERNEL} // '') =~ /-arm64$/ }

my $tree = File::Spec->rel2abs(dirname(__FILE__) . '/../../..');

# What every guest script may use. "@@ NAME" lines part the output into sections.
my $prelude = <<'SH';
cd /lib/trace_irqoff
section() { echo "@@ $*"; }
section release
uname -r
uname -v
stall() { section stall; echo "$*" > /proc/stall; cat /proc/stall; }
fails() { # fails COMMAND...: its output and status, none of which ends the script
	"$@" 2>&1 && echo "status: 0" || echo "status: $?"
}
leaks() { # leaks NAME: a section of that name with what kmemleak finds, where there is one
	[ ! -e /sys/kernel/debug/kmemleak ] || {
		sleep 6		# younger objects are not looked at
		echo scan > /sys/kernel/debug/kmemleak
		echo scan > /sys/kernel/debug/kmemleak
		section "$1"
		cat /sys/kernel/debug/kmemleak
	}
}
mapped() { # mapped NAME: a section of that name with what code that is gone has vmalloc()ed
	section "$1"
	awk '$3 ~ /^0x/' /proc/vmallocinfo
}
set -e
SH

sub read_file {
	my ($path) = @_;
	open(my $file, '<', $path) or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# guest(SCRIPT, OPTION...): (exit status, output) of the script under scripts/vm/run with those options; a slow kernel has
# three times as long
sub guest {
	return guest_heard(undef, @_);
}

# the same; whatever is given first is called with each line of output as it comes
sub guest_heard {
	my ($hear, $script, @options) = @_;
	my $dir = tempdir(CLEANUP => 1);
	open(my $file, '>', "$dir/script") or die "$dir/script: $!";
	print $file $prelude, $script;
	close($file);

	unshift @options, '--kernel', $ENV{TRACE_IRQOFF_KERNEL} if $ENV{TRACE_IRQOFF_KERNEL};
	if (on_debug_kernel()) {
		my ($at) = grep { $options[$_] eq '--timeout' } 0 .. $#options;
		push @options, '--timeout', 3 * (defined $at ? $options[ $at + 1 ] : 300);
	}
	my @command = ("$tree/scripts/vm/run", @options, '--copy', "$dir/script", '--', 'sh', '/script');
	open(my $pipe, '-|', @command) or die "@command: $!";
	my $output = '';
	while (defined(my $line = <$pipe>)) {
		$output .= $line;
		$hear->($line) if $hear;
	}
	close($pipe);
	return ($? >> 8, $output);
}

# the same, with a test that all went well; the sections of its output
sub guest_ok {
	my ($name, $script, @options) = @_;
	my ($status, $output) = guest($script, @options);
	is($status, 0, "$name: guest ended well") or diag($output);
	return sections($output);
}

# sections(OUTPUT): [NAME, TEXT] pairs in order
sub sections {
	my ($output) = @_;
	my @parts = split(/^@@ (.*)\n/m, $output, -1);
	shift @parts;
	my @sections;
	push @sections, [ splice(@parts, 0, 2) ] while @parts;
	return @sections;
}

# stalls(SECTIONS): what the stall module said of each, as hashes
sub stalls {
	return map { my %stall = $_->[1] =~ /(\w+)=(\S+)/g; \%stall } grep { $_->[0] eq 'stall' } @_;
}

# records(SECTIONS, NAME): the records of a section that holds `irqoff list --json`
sub records {
	my ($name, @sections) = @_;
	my ($section) = grep { $_->[0] eq $name } @sections;
	return () unless $section;
	return @{ decode_json($section->[1])->{records} };
}

# overlapping(STALL, RECORDS): those of the records that overlap what the stall module said of that stall
sub overlapping {
	my ($stall, @records) = @_;
	return grep { $_->{end_ns} > $stall->{from_ns} && $_->{end_ns} - $_->{min_ns} < $stall->{to_ns} } @records;
}

# The truth lies between the stall's inner and outer reading, and between the record's bounds.
sub check_bounds {
	my ($name, $record, $inner, $outer) = @_;
	my ($min, $max) = @$record{qw(min_ns max_ns)};
	cmp_ok($min, '<=', $outer, "$name: lower bound is no more than the outer length");
	cmp_ok($max, '>=', $inner, "$name: upper bound is no less than the inner length");
	is($record->{wide} ? 1 : 0, wide_apart($record) ? 1 : 0,
		"$name: bounds are within a period and 200 us, or said to be wide");
}

# is that guest's kernel a PREEMPT_RT one?
sub on_rt {
	return scalar grep { $_->[0] eq 'release' && $_->[1] =~ /PREEMPT_RT/ } @_;
}

sub release {
	my ($release) = map { $_->[1] =~ /^(\d+\.\d+)/ } grep { $_->[0] eq 'release' } @_;
	return version->parse("v$release");
}

# Does a real-time hog hold softirqs back in that guest? Not since 'Revert "softirq: Let ksoftirqd do its job"' (v6.5), but
# on PREEMPT_RT always.
sub hog_holds {
	return on_rt(@_) || release(@_) < version->parse('v6.5');
}

# May what waits for softirqs that a task disabled find another thread to run it? Since "softirq: Allow to drop the
# softirq-BKL lock on PREEMPT_RT" (v6.18).
sub others_run_softirqs {
	return on_rt(@_) && release(@_) >= version->parse('v6.18');
}

sub wide_apart {
	my ($record) = @_;
	return $record->{max_ns} - $record->{min_ns} > $record->{period_ns} + 200_000;
}

1;
