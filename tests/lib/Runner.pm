# SPDX-License-Identifier: GPL-2.0-only
# Runs tests with TAP::Harness, in guests that they share. All that is started here ends with the process that started it.
package Runner;
use strict;
use warnings;
use Exporter 'import';
use File::Path qw(remove_tree);
use File::Temp qw(tempdir);
use TAP::Harness;
use TAP::Parser::Aggregator;
use Time::HiRes qw(sleep);

our @EXPORT = qw(child keep_guests run_tests);

my $owner = $$;
my (@children, $guests, $progress);

END {
	if ($$ == $owner) {
		my $status = $?;
		kill('TERM', @children);
		waitpid($_, 0) for @children;
		# a guest that ends removes its own part at the same time
		remove_tree($guests, { error => \my $gone }) if $guests;
		$progress->close if $progress;
		$? = $status;
	}
}
for my $signal ([ INT => 130 ], [ TERM => 143 ], [ HUP => 129 ]) {
	$SIG{ $signal->[0] } = sub { exit $signal->[1] };
}

# child(CODE): runs it in a process of its own
sub child {
	my ($code) = @_;
	my $pid = fork() // die "fork: $!\n";
	if (!$pid) {
		@SIG{qw(INT TERM HUP)} = ('DEFAULT') x 3;
		$code->();
	}
	push @children, $pid;
	return;
}

# keep_guests(): starts tests/guest-keeper, and tells the tests of it
sub keep_guests {
	$guests = $ENV{TRACE_IRQOFF_GUESTS} = tempdir();
	child(sub { exec('tests/guest-keeper', $guests) or die "tests/guest-keeper: $!\n" });
	sleep(0.1) until -e "$guests/wanted";
	return;
}

# run_tests(PROGRESS, JOBS, TEST...): runs the tests, JOBS at a time. PROGRESS (Progress.pm) has the results.
sub run_tests {
	($progress, my $jobs, my @tests) = @_;
	open(STDIN, '<', '/dev/null') or die "/dev/null: $!\n";
	TAP::Harness->new({ formatter => $progress, jobs => $jobs, exec => [qw(setpriv --pdeathsig TERM tests/run-test)] })
		->aggregate_tests(TAP::Parser::Aggregator->new, @tests);
	return;
}

1;
