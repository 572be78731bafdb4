# SPDX-License-Identifier: GPL-2.0-only
# Reads the output of a script that makes stalls: what the stall module reported, and the records. Such a script runs in a guest
# (VM.pm) or on the machine itself (userspace/selftest/irqoff-selftest), so this needs nothing but Perl's own modules.
package Stalls;
use strict;
use warnings;
use Exporter 'import';
use JSON::PP;

our @EXPORT = qw(STALL_FUNCTIONS split_sections stalls records as_suspected overlapping on_rt can_sample interrupt_names hog_holds
	others_run_softirqs wide_apart ended_together);

# Functions for such a script. Lines "@@ NAME" split its output into sections.
use constant STALL_FUNCTIONS => <<'SH';
section() { echo "@@ $*"; }
section release
uname -r
uname -v
uname -m
grep -c ^processor /proc/cpuinfo
stall() { section stall; echo "$*" > /proc/stall; cat /proc/stall; }
observe() { # observe CPU: what the kernel does with softirqs that wait, for hog_holds() and others_run_softirqs(). Needs stall.ko
	for observed in hog bhoff; do
		section "observed $observed"
		echo "$observed $1 20000" > /proc/stall
		cat /proc/stall
	done
}
SH

# split_sections(OUTPUT): [NAME, TEXT] in order
sub split_sections {
	my ($output) = @_;
	my @parts = split(/^@@ (.*)\n/m, $output, -1);
	shift @parts;
	my @sections;
	push @sections, [ splice(@parts, 0, 2) ] while @parts;
	return @sections;
}

# stalls(SECTIONS): for each stall a hash of what the stall module reported, and of its interval by the host's clock and the share that
# the host took of it (VM.pm), if these are known
sub stalls {
	return map { my %stall = $_->[1] =~ /(\w+)=(\S+)/g; @stall{qw(interval taken)} = @$_[ 2, 3 ]; \%stall } grep { $_->[0] eq 'stall' } @_;
}

# text(NAME, SECTIONS...): that section's text
sub text {
	my ($name, @sections) = @_;
	my ($section) = grep { $_->[0] eq $name } @sections;
	return $section ? $section->[1] : '';
}

# records(NAME, SECTIONS...): the records in the section NAME, which holds `irqoff list --json`
sub records {
	my $text = text(@_);
	return $text eq '' ? () : @{ decode_json($text)->{records} };
}

# as_suspected(RECORD): as if nothing but the evidence mattered. Beneath a hypervisor that counts no steal an end proves nothing, and
# the record suspects whom it would blame.
sub as_suspected {
	my ($record) = @_;
	return $record unless $record->{suspected_class};
	return { %$record, suspected => 1, class => $record->{suspected_class}, culprit => $record->{suspect} };
}

# overlapping(STALL, RECORDS...): the records that overlap the stall, by the stall module's own times
sub overlapping {
	my ($stall, @records) = @_;
	return grep { $_->{end_ns} > $stall->{from_ns} && $_->{end_ns} - $_->{min_ns} < $stall->{to_ns} } @records;
}

# Is the kernel of that machine a PREEMPT_RT kernel?
sub on_rt { return text('release', @_) =~ /PREEMPT_RT/ }

# machine(SECTIONS...): its architecture, as uname -m prints it, and how many CPUs it has
sub machine { return (split(/\n/, text('release', @_)))[ 2, 3 ] }

# Can one CPU of that machine sample another one that has interrupts off? Only x86 lets a module send NMIs.
sub can_sample {
	my ($architecture, $cpus) = machine(@_);
	return $architecture eq 'x86_64' && $cpus > 1;
}

# interrupt_names(SECTIONS...): patterns for the reader's names of two interrupts. On arm64 a name is that of a device's
# interrupt; on x86 it is that of a tracepoint.
sub interrupt_names {
	my ($architecture) = machine(@_);
	return $architecture eq 'aarch64' ? (irq_work => '\d+ IPI', local_timer => '\d+ arch_timer') :
		(irq_work => 'irq_work', local_timer => 'local_timer');
}

# observed(KIND, SECTIONS...): what the stall module reported of the stall that observe() made of that kind, before anything
# watched the CPU
sub observed {
	my ($kind, @sections) = @_;
	my %stall = text("observed $kind", @sections) =~ /(\w+)=(\S+)/g or die "the script does not observe $kind\n";
	return \%stall;
}

# Does a real-time hog hold softirqs back on that machine? Then the one that waits runs after it. Not since 'Revert "softirq: Let
# ksoftirqd do its job"' (v6.5), except on PREEMPT_RT.
sub hog_holds {
	my $hog = observed('hog', @_);
	return $hog->{outer_ns} >= $hog->{inner_ns};
}

# Can another thread run the softirqs that a task has disabled? Then the wait is over before the section is. Yes on PREEMPT_RT since
# "softirq: Allow to drop the softirq-BKL lock on PREEMPT_RT" (v6.18).
sub others_run_softirqs {
	return observed('bhoff', @_)->{inner_ns} < 20_000_000;
}

# Is that record's upper bound far from its lower one (docs/glossary.md)?
sub wide_apart {
	my ($record) = @_;
	return $record->{max_ns} - $record->{min_ns} > $record->{period_ns} + 200_000;
}

# ended_together(RECORD, RECORD): did they end within a period and 200 us, as linked stalls do (docs/design/victims.md)?
sub ended_together {
	my ($one, $other) = @_;
	return abs($one->{end_ns} - $other->{end_ns}) <= $one->{period_ns} + 200_000;
}

1;
