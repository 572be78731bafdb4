# SPDX-License-Identifier: GPL-2.0-only
# Runs Truth.pm's script in a guest.
package TruthGuest;
use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../../../userspace/selftest';
use Truth;
use VM;

our @EXPORT = qw(truth_run);

# truth_run(KERNEL, REPEATS, TIMES, KINDS..., OPTION...): the cells (truth_cells) of these kinds on that kernel, in a guest with these
# options
sub truth_run {
	my ($kernel, $repeats, $times, @given) = @_;
	my @kinds = grep { ref } @given;
	my @options = grep { !ref } @given;
	local $ENV{TRACE_IRQOFF_KERNEL} = $kernel;
	my ($status, $output, $marks) = guest(truth_script($repeats, $times, @kinds), '--timeout', '900', @options);
	die "kernel $kernel: the guest ended with status $status\n" if $status;
	return truth_cells($repeats, $times, sections($output, $marks));
}

1;
