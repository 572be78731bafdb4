# SPDX-License-Identifier: GPL-2.0-only
# What a person sees of a run of tests: a TAP::Harness formatter that prints a line as each test ends, and what runs now where no
# line came for a while. It judges each test by Verdict.pm.
package Progress;
use strict;
use warnings;
use IO::Handle;
use IO::Select;
use List::Util qw(sum);
use POSIX ();
use Failures;
use Levels;
use Verdict;

use constant SILENCE_S => 20;

# new(OUT, COUNT, CPUS, LOGS, TIMES, NOTE, DOUBTS): it prints to OUT. There are so many tests, and so many CPUs, each of which runs one at a
# time. LOGS is the directory of their output, TIMES a hash of the seconds that each took last. NOTE gets each test that ends and its
# result, a hash of verdict, seconds, ended and taken. Without DOUBTS what is undecided failed.
sub new {
	my ($class, $out, $count, $cpus, $logs, $times, $note, $doubts) = @_;
	my $self = bless { count => $count, cpus => $cpus, logs => $logs, times => $times, note => $note, doubts => $doubts, ended => 0,
		left => {} }, $class;
	pipe(my $from, $self->{to}) or die "pipe: $!";
	$self->{announcer} = fork() // die "fork: $!";
	if (!$self->{announcer}) {
		close($self->{to});
		announce($from, $out, $logs);
		# without END blocks, which are the run's
		POSIX::_exit(0);
	}
	close($from);
	$self->{to}->autoflush(1);
	return $self;
}

# announce(FROM, OUT, LOGS): another process, because the harness waits for tests. It prints each line that begins with "say ", and knows
# from "start TEST" and "end TEST" what runs.
sub announce {
	my ($from, $out, $logs) = @_;
	# the harness tells it to end
	$SIG{$_} = 'IGNORE' for qw(INT TERM HUP);
	$out->autoflush(1);
	my $select = IO::Select->new($from);
	my (%began, $input);
	my $spoke = time;
	while (1) {
		if ($select->can_read(1)) {
			sysread($from, $input, 65536, length($input // '')) or return;
			while ($input =~ s/^(\w+) ?(.*)\n//) {
				my ($word, $rest) = ($1, $2);
				if ($word eq 'start') {
					$began{$rest} = time;
				} elsif ($word eq 'end') {
					delete $began{$rest};
				} else {
					print {$out} "$rest\n";
					$spoke = time;
				}
			}
		}
		next if time - $spoke < SILENCE_S || !%began;
		print {$out} map { running($_, time - $began{$_}, $logs) } sort keys %began;
		$spoke = time;
	}
	return;
}

# running(TEST, SECONDS, LOGS): the line on a test that runs, with the last line of its output
sub running {
	my ($test, $seconds, $logs) = @_;
	my $last = '';
	if (open(my $log, '<', "$logs/" . $test =~ tr{/}{+}r)) {
		seek($log, -400, 2);
		($last) = (grep { /\S/ } readline($log))[-1] // '';
		chomp($last);
	}
	my $line = sprintf('     now %8s  %s', clock($seconds), test_name($test));
	return substr($last eq '' ? $line : "$line: " . $last =~ tr/\x20-\x7e//cdr, 0, 120) . "\n";
}

# clock(SECONDS): as people say it
sub clock {
	my ($seconds) = @_;
	return $seconds < 100 ? sprintf('%d s', $seconds) : sprintf('%d min', $seconds / 60 + 0.5);
}

sub say {
	my ($self, @lines) = @_;
	print { $self->{to} } map { "say $_\n" } map { split(/\n/, $_, -1) } @lines;
	return;
}

# expect(TEST...): these are still to come
sub expect {
	my ($self, @tests) = @_;
	$self->{left}{$_} = 1 for @tests;
	return;
}

# time_left(): by what tests took last; those that nobody has seen take as long as the mean
sub time_left {
	my ($self) = @_;
	my %began = %{ $self->{began} // {} };
	my @known = grep { defined } values %{ $self->{times} };
	return unless @known;
	my $mean = sum(@known) / @known;
	my ($together, $alone) = (0, 0);
	for my $test (keys %{ $self->{left} }) {
		my $seconds = ($self->{times}{$test} // $mean) - ($began{$test} ? time - $began{$test} : 0);
		next if $seconds <= 0;
		(needs_the_machine($test) ? $alone : $together) += $seconds;
	}
	return $together / $self->{cpus} + $alone;
}

# --- what TAP::Harness asks of a formatter

sub verbosity { return 0 }

sub prepare { return }

sub open_test {
	my ($self, $test, $parser) = @_;
	$self->{began}{$test} = time;
	print { $self->{to} } "start $test\n";
	return Progress::Session->new($self, $test, $parser);
}

sub summary { return }

# ended(TEST, VERDICT, PARSER)
sub ended {
	my ($self, $test, $verdict, $parser) = @_;
	my $seconds = time - delete $self->{began}{$test};
	my $word = $verdict->word($parser);
	$word = 'failed' if $word eq 'undecided' && !$self->{doubts};
	$self->{ended}++ if delete $self->{left}{$test};
	$self->{note}->($test, { verdict => $word, seconds => $seconds, ended => time, taken => $verdict->taken });
	my $left = $self->time_left;
	print { $self->{to} } "end $test\n";
	$self->say(sprintf('%3d of %d  %-9s %6s  %-42s%s', $self->{ended}, $self->{count}, $word eq 'failed' ? 'FAILED' : $word, clock($seconds),
		test_name($test), %{ $self->{left} } && defined $left ? ' ' . clock($left) . ' left' : ''));
	$self->say(failures("$self->{logs}/" . $test =~ tr{/}{+}r)) if $word eq 'failed' || $word eq 'undecided';
	return;
}

# close(): returns when all is printed
sub close {
	my ($self) = @_;
	return unless $self->{to};
	close(delete $self->{to});
	waitpid($self->{announcer}, 0);
	return;
}

package Progress::Session;

sub new {
	my ($class, $progress, $test, $parser) = @_;
	return bless { progress => $progress, test => $test, parser => $parser, verdict => Verdict->new($progress->{cpus}) }, $class;
}

sub result {
	my ($self, $result) = @_;
	$self->{verdict}->see($result);
	return;
}

sub close_test {
	my ($self) = @_;
	$self->{progress}->ended($self->{test}, $self->{verdict}, $self->{parser});
	return;
}

1;
