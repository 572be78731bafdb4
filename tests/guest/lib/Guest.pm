# SPDX-License-Identifier: GPL-2.0-only
# Guests that run one script after another, for one test after another. tests/guest-keeper starts them (TRACE_IRQOFF_GUESTS is
# its directory). scripts/vm/init runs the scripts and tidies up after each. A guest is paused while no test uses it. It is
# ended when its kernel's log holds a complaint or when it does not answer, because a kernel may report a fault only once.
package Guest;
use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(LOCK_EX LOCK_NB SEEK_END);
use File::Basename qw(dirname);
use File::Spec;
use Host;
use IO::Handle;
use IO::Select;
use IO::Socket::UNIX;
use List::Util qw(min);
use Time::HiRes qw(sleep time);

our @EXPORT = qw(end_idle monitor shared_guest);

use constant {
	NO_ANSWER => 124,    # as in scripts/vm/run
	COMPLAINTS => 125,
	NOT_STARTED => 126,
	START_S => 7200,    # it may have to be built first; scripts/vm/run limits the boot
	MEMORY_GB => 6,    # the largest guest has 4
};

my $tree = File::Spec->rel2abs(dirname(__FILE__) . '/../../..');

sub said { print STDERR map { "vm/run: $_\n" } @_ }

# slurp(PATH): the file's content, empty if there is no file
sub slurp {
	my ($path) = @_;
	open(my $file, '<', $path) or return '';
	local $/;
	return scalar(<$file>) // '';
}

# shared_guest(OPTION...): a guest that scripts/vm/run starts with these options. It belongs to this process until release().
# Returns undef if guests are not shared.
sub shared_guest {
	my @options = @_;
	my $dir = $ENV{TRACE_IRQOFF_GUESTS} or return;
	# short, because the path of a socket has 107 bytes at most
	my $key = join('_', 'guest', map { s/^--//r } grep { !/^--(?:kernel|append)$/ } @options) =~ s/[^\w.-]+/-/gr;
	for my $number (1 .. 9) {
		my $self = bless { name => "$key.$number", options => \@options, in => $dir }, __PACKAGE__;
		$self->{dir} = "$dir/$self->{name}";
		open($self->{lock}, '>>', "$self->{dir}.lock") or die "$self->{dir}.lock: $!\n";
		return $self if flock($self->{lock}, LOCK_EX | LOCK_NB);
	}
	die "all guests of $key are in use\n";
}

sub runner { return (slurp("$_[0]{dir}.runner") || 0) + 0 }

sub alive {
	my ($self) = @_;
	my $runner = $self->runner;
	return $runner && kill(0, $runner) && -e "$self->{dir}/console";
}

# monitor(SOCKET, COMMAND): sends a command to QEMU's monitor, which listens there; true if the monitor answered
sub monitor {
	my ($path, $command) = @_;
	my $socket = IO::Socket::UNIX->new(Peer => $path) or return;
	my $select = IO::Select->new($socket);
	# its greeting, then its answer; each ends with a prompt
	for my $send ('', "$command\n") {
		print {$socket} $send;
		$socket->flush;
		my $got = '';
		while ($got !~ /\(qemu\) $/) {
			return unless $select->can_read(60) && sysread($socket, $got, 4096, length $got);
		}
	}
	return 1;
}

sub end {
	my ($self) = @_;
	my $qemu = slurp("$self->{dir}/pid");
	kill('KILL', $qemu) if $qemu;
	for (1 .. 100) {
		last unless $self->runner && kill(0, $self->runner);
		sleep(0.1);
	}
	unlink("$self->{dir}.runner");
}

# memory_left(): how much memory is available here, in GB, in a container by its limit
sub memory_left {
	my $left = (slurp('/proc/meminfo') =~ /^MemAvailable: +(\d+)/m ? $1 : 0) / 1e6;
	my $limit = slurp('/sys/fs/cgroup/memory.max');
	$limit =~ /^\d/ or return $left;
	return min($left, ($limit - slurp('/sys/fs/cgroup/memory.current')) / 1e9);
}

# end_idle(): ends the idle guests, each of which takes 1 GB, if memory is short
sub end_idle {
	my $dir = $ENV{TRACE_IRQOFF_GUESTS};
	return if !$dir || memory_left() > MEMORY_GB;
	for my $path (glob "$dir/guest*.runner") {
		my ($name) = $path =~ m{([^/]+)\.runner$};
		my $other = bless { name => $name, dir => "$dir/$name" }, __PACKAGE__;
		open($other->{lock}, '>>', "$other->{dir}.lock") or next;
		$other->end if flock($other->{lock}, LOCK_EX | LOCK_NB);
	}
}

# start(): makes the guest wait for scripts; returns why it cannot, or ''
sub start {
	my ($self) = @_;
	# The test that used it before did not finish with it.
	$self->end if -e "$self->{dir}/busy";
	if ($self->alive) {
		return monitor("$self->{dir}/monitor", 'cont') ? '' : 'its monitor does not answer';
	}
	end_idle();
	open(my $wanted, '>', "$self->{in}/wanted") or return "$self->{in}/wanted: $!";
	my @options = (@{ $self->{options} }, '--pid', "$self->{dir}/pid");
	print {$wanted} join(' ', $self->{name}, map { "'" . s/'/'\\''/gr . "'" } @options), "\n";
	close($wanted);
	my $until = time + START_S;
	while (time < $until) {
		sleep(0.1);
		next unless $self->runner;
		return 'it ended: ' . slurp("$self->{dir}.log") unless kill(0, $self->runner);
		return '' if slurp("$self->{dir}/console") =~ /vm: ready for scripts/;
	}
	return 'it did not come up: ' . slurp("$self->{dir}/console");
}

sub qemu { return (slurp("$_[0]{dir}/pid") || 0) + 0 }

# run(SCRIPT, SECONDS, HEAR, ALLOW...): (exit status, output), as scripts/vm/run returns them. HEAR gets each line as it comes.
sub run {
	my ($self, $script, $seconds, $hear, @allow) = @_;
	my $trouble = $self->start;
	if ($trouble) {
		said("the guest could not be started: $trouble");
		$self->end;
		return (NOT_STARTED, '');
	}
	open(my $busy, '>', "$self->{dir}/busy") or die "$self->{dir}/busy: $!\n";
	close($busy);
	# it is gone soon after a guest that ends
	open($self->{console}, '<', "$self->{dir}/console") or die "$self->{dir}/console: $!\n";
	my $from = -s $self->{console};
	my $word = join('', 'end-', map { sprintf('%04x', rand(65536)) } 1 .. 6);
	my $over = Host->new(sub { $self->qemu })->limit($seconds);
	my ($status, $output) = $self->converse($word, $script, $over, $hear);
	my $log = $self->log($from, $word, defined $status ? 20 : 0);
	my @complaints = gate($log, @allow);
	said('the kernel log holds complaints:', @complaints) if @complaints;
	if (!defined $status) {
		my @last = split(/\n/, $log);
		splice(@last, 0, -30) if @last > 30;
		said('the last lines of the kernel log:', @last);
		my $limit = $over->();
		said($limit ? "the guest did not answer within $limit" : 'the guest ended without an answer');
		$status = NO_ANSWER;
	} elsif (@complaints) {
		said("the kernel log holds complaints (above); the script's own status was $status");
		$status = COMPLAINTS;
	} else {
		unlink("$self->{dir}/busy");
		return ($status, $output) if monitor("$self->{dir}/monitor", 'stop');
	}
	$self->end;
	return ($status, $output);
}

# converse(WORD, SCRIPT, OVER, HEAR): (status, output); the status is undef if the script did not end before OVER returns true
sub converse {
	my ($self, $word, $script, $over, $hear) = @_;
	my $output = '';
	my ($to, $from) = $self->port or return (undef, $output);
	print {$to} "$word " . length($script) . "\n$script";
	$to->flush;
	my $select = IO::Select->new($from);
	my $heard = 0;
	until ($over->()) {
		next unless $select->can_read(1);
		my $alive = $self->alive;
		if (!sysread($from, $output, 65536, length $output)) {
			last if -S $from || !$alive;
			sleep(0.05);    # the end of a file, so far
			next;
		}
		my $end = substr($output, -80) =~ /\Q$word\E (\d+)\n\z/ ? $1 : undef;
		$output =~ s/\Q$word\E \d+\n\z// if defined $end;
		while ($hear && (my $newline = index($output, "\n", $heard)) >= 0) {
			$hear->(substr($output, $heard, $newline + 1 - $heard));
			$heard = $newline + 1;
		}
		return ($end, $output) if defined $end;
	}
	return (undef, $output);
}

# port(): what a script is written to and what its answer is read from, or nothing. An icount guest writes to a file, which
# holds what earlier scripts wrote, too.
sub port {
	my ($self) = @_;
	if (-p "$self->{dir}/in") {
		# for both: opening a pipe to write waits for a reader
		open(my $to, '+<', "$self->{dir}/in") or return;
		open(my $from, '<', "$self->{dir}/out") or return;
		sysseek($from, 0, SEEK_END) or return;
		return ($to, $from);
	}
	my $socket = IO::Socket::UNIX->new(Peer => "$self->{dir}/port") or return;
	return ($socket, $socket);
}

# log(FROM, WORD, SECONDS): the kernel's log from that offset up to the line with WORD. It waits at most that many seconds for
# the line.
sub log {
	my ($self, $from, $word, $seconds) = @_;
	my $until = time + $seconds;
	my $log;
	do {
		seek($self->{console}, $from, 0);
		$log = do { local $/; readline($self->{console}) // '' } =~ tr/\r//dr;
		return $log if $log =~ /vm: \Q$word\E: /;
		sleep(0.05);
	} while (time < $until);
	return $log;
}

# gate(LOG, ERE...): the complaints in the log
sub gate {
	my ($log, @allow) = @_;
	require File::Temp;
	my $file = File::Temp->new;
	print {$file} $log;
	close($file);
	open(my $pipe, '-|', "$tree/scripts/vm/gate", "$file", @allow) or die "scripts/vm/gate: $!\n";
	chomp(my @complaints = <$pipe>);
	return @complaints;
}

sub release {
	my ($self) = @_;
	close($self->{lock});
}

1;
