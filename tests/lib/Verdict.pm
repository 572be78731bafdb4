# SPDX-License-Identifier: GPL-2.0-only
# The verdict on a test file, out of its TAP: ok, failed, skipped or undecided. One assertion that failed fails the file. The file
# is undecided if each of those was marked `timed` (guest/lib/VM.pm), and each was kept from being judged by the host: it took more
# than half of the assertion's interval from a guest that has no more CPUs than this machine.
package Verdict;
use strict;
use warnings;

use constant MOST_TAKEN => 0.5;

# what `timed` prints behind an assertion that failed
my $timed = qr/^# timed: the host took ([\d.]+) % of ([\d.]+) s from (\d+) virtual CPUs$/;

# new(CPUS): the verdict on a test that runs on a machine with so many CPUs
sub new {
	my ($class, $cpus) = @_;
	return bless { cpus => $cpus, failed => [] }, $class;
}

# see(RESULT): takes in a TAP::Parser::Result
sub see {
	my ($self, $result) = @_;
	if ($result->is_test) {
		$self->{last} = undef;
		return if $result->is_actual_ok;
		$self->{last} = { line => $result->raw };
		push @{ $self->{failed} }, $self->{last};
	} elsif ($self->{last} && $result->raw =~ $timed) {
		@{ $self->{last} }{qw(taken seconds cpus)} = ($1 / 100, $2, $3);
	}
	return;
}

# excused(FAILURE): did the host keep it from being judged?
sub excused {
	my ($self, $failure) = @_;
	return defined $failure->{taken} && $failure->{taken} > MOST_TAKEN && $failure->{cpus} <= $self->{cpus};
}

# word(PARSER): the verdict, once the test has ended
sub word {
	my ($self, $parser) = @_;
	my @failed = @{ $self->{failed} };
	return 'skipped' if ($parser->skip_all // '') =~ /\S/ && $parser->skip_all !~ /^\(no reason/ && !@failed && !$parser->exit;
	return 'failed' if $parser->parse_errors || !$parser->is_good_plan || !$parser->tests_run;
	return $parser->exit ? 'failed' : 'ok' unless @failed;
	# Test::More ends with the number of failures; any other status is of something else
	return 'failed' if $parser->wait & 0x7f || $parser->exit != @failed;
	return (grep { !$self->excused($_) } @failed) ? 'failed' : 'undecided';
}

# taken(): of an undecided test, the most that the host took of an interval, 0 to 1
sub taken {
	my ($self) = @_;
	my ($most) = sort { $b <=> $a } map { $_->{taken} // 0 } @{ $self->{failed} };
	return $most // 0;
}

1;
