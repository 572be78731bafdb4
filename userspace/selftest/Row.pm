# SPDX-License-Identifier: GPL-2.0-only
# A kernel's row, as `make matrix`, irqoff-selftest and the README show it.
package Row;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(ROW_JUDGED row_head row_line preempt_models);

# the columns that say how many stalls are right
use constant ROW_JUDGED => qw(found class culprit bounds);

sub format_of {
	my ($width) = @_;
	return "%-${width}s  %-9s  %-6s  %-5s" . '  %-7s' x (() = ROW_JUDGED) . "  %-7s  %s\n";
}

# row_head(WIDTH): the table's head; WIDTH is that of the kernel's column
sub row_head { return row_line($_[0], qw(KERNEL PREEMPT BUILDS LOADS), map({ uc } ROW_JUDGED), qw(UNLOADS LOG)) }

# row_line(WIDTH, CELL...): a row, by the columns of row_head()
sub row_line {
	my ($width, @cells) = @_;
	return sprintf(format_of($width), @cells);
}

# preempt_models(SAID, CONFIG): the preemption models of a kernel, the active one first. SAID is the text of
# /sys/kernel/debug/sched/preempt. Without PREEMPT_DYNAMIC there is none, and the one model is in the kernel's CONFIG. '-' if neither
# is known.
sub preempt_models {
	my ($said, $config) = @_;
	return split(' ', "$2 $1 $3") if $said =~ /^(.*)\((\w+)\)(.*)$/m;
	return '-' unless $config =~ /^CONFIG_/m;
	return 'rt' if $config =~ /^CONFIG_PREEMPT_RT=y/m;
	return $config =~ /^CONFIG_PREEMPT_(NONE|VOLUNTARY)=y/m ? lc($1) : 'full';
}

1;
