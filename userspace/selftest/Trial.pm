# SPDX-License-Identifier: GPL-2.0-only
# One run of the self-test on this machine: its directory, building, loading, making stalls, and clearing up. The directory holds
# all that a run leaves on the machine, and is locked while it lasts, so that the next run can clear up after one that was killed.
package Trial;
use strict;
use warnings;
use Errno qw(EAGAIN EPIPE EWOULDBLOCK);
use Fcntl qw(LOCK_EX LOCK_NB O_DIRECTORY O_NONBLOCK O_RDONLY SEEK_END);
use File::Path qw(remove_tree);

use constant {
	DIR => '/run/irqoff-selftest',
	WAIT_S => 30,		# for the stalls of a run that was killed to end
	MODULES => [qw(trace_irqoff stall)],
};

sub write_file {
	my ($path, $text) = @_;
	open(my $file, '>', $path) or die "$path: $!\n";
	print {$file} $text;
	close($file) or die "$path: $!\n";
	return;
}

# lock_dir(): a lock on the directory, which is made if it is not there. Processes that are started inherit it, so a run that was
# killed holds it until its stalls have ended.
sub lock_dir {
	local $^F = 255;
	for my $try (0 .. 10 * WAIT_S) {
		mkdir(DIR, 0700);
		sysopen(my $lock, DIR, O_RDONLY | O_DIRECTORY) or die DIR . ": $!\n";
		if (!flock($lock, LOCK_EX | LOCK_NB)) {
			die DIR . ": $!\n" unless $! == EAGAIN || $! == EWOULDBLOCK;
			select(undef, undef, undef, 0.1);
			next;
		}
		# it may be one that its owner has just removed
		my @there = stat(DIR) or next;
		my @locked = stat($lock);
		return $lock if $there[1] == $locked[1];
	}
	return;
}

# begin(NODE, SAY): takes the directory, and clears up after a run that was killed; SAY prints a sentence. Nothing is returned while
# another run goes on.
sub begin {
	my ($class, $node, $say) = @_;
	my $lock = lock_dir() or return;
	my $self = bless { node => $node, lock => $lock, owner => $$ }, $class;
	if (-e DIR . '/began') {
		my $left = $self->unload;
		die "A self-test that was killed has left the module $left, which cannot be unloaded: " .
			"what uses it (`lsmod`) must end first.\n" if $left;
		$say->('A self-test that was killed had left modules or files; they are removed now.');
	}
	remove_tree(DIR, { keep_root => 1 });
	write_file(DIR . '/began', time() . "\n");
	return $self;
}

# unload(): unloads the modules that this run or the killed one loaded; returns the name of one that does not go
sub unload {
	my ($self) = @_;
	my $node = $self->{node};
	for my $name (grep { $node->text(DIR . '/loads') =~ /^$_$/m } @{ +MODULES }) {
		for (1 .. 100) {
			last unless $node->loaded($name);
			system("rmmod $name 2> /dev/null") or last;
			select(undef, undef, undef, 0.1);
		}
		return $name if $node->loaded($name);
	}
	return '';
}

# end(): ends the script, unloads, and removes the directory; returns the name of a module that does not go
sub end {
	my ($self) = @_;
	return '' unless $self->{owner} == $$ && $self->{lock};
	if ($self->{script}) {
		kill('TERM', $self->{script});
		waitpid($self->{script}, 0);
	}
	my $left = $self->unload;
	remove_tree(DIR) unless $left;
	close($self->{lock});
	$self->{lock} = undef;
	return $left;
}

sub DESTROY {
	my ($self) = @_;
	local $?;
	$self->end;
	return;
}

# build(SOURCE, RELEASE, COMPILERS): builds both modules from the sources below SOURCE, with so many compilers at once; returns their
# directory, or nothing and the compiler's output
sub build {
	my ($source, $release, $compilers) = @_;
	my $dir = DIR . '/build';
	mkdir($dir, 0700) or die "$dir: $!\n";
	system("cp -r $source/Kbuild $source/module $dir && mkdir -p $dir/userspace/selftest && cp -r $source/userspace/selftest/stall $dir/userspace/selftest") == 0
		or return (undef, "The sources below $source cannot be copied.\n");
	system("find $dir -name '*.o' -delete -o -name '*.cmd' -delete -o -name '*.ko' -delete -o -name '*.mod*' -delete");
	for my $part ($dir, "$dir/userspace/selftest/stall") {
		my $log = qx(nice -n 19 make -j$compilers -C /lib/modules/$release/build M=$part modules 2>&1);
		return (undef, $log) if $?;
	}
	rename("$dir/module/trace_irqoff.ko", DIR . '/trace_irqoff.ko') && rename("$dir/userspace/selftest/stall/stall.ko", DIR . '/stall.ko')
		or return (undef, "make built no modules.\n");
	remove_tree($dir);
	return (DIR);
}

# run(SCRIPT): runs it by sh and returns its status and its output; what it loads is known to unload()
sub run {
	my ($self, $script) = @_;
	write_file(DIR . '/loads', join("\n", @{ +MODULES }, ''));
	write_file(DIR . '/script', "exec 2>&1 < /dev/null\n$script");
	$self->{script} = open(my $pipe, '-|', 'sh', DIR . '/script') or die "sh: $!\n";
	local $/;
	my $output = <$pipe> // '';
	close($pipe);
	$self->{script} = 0;
	return ($? >> 8 || $? & 127, $output);
}

# log_begin(): a mark in the kernel's log
sub log_begin {
	sysopen(my $log, '/dev/kmsg', O_RDONLY | O_NONBLOCK) or return;
	sysseek($log, 0, SEEK_END);
	return $log;
}

# log_since(LOG): whether all was read that the kernel logged since that mark, and its lines
sub log_since {
	my ($log) = @_;
	my ($all, @lines) = (defined $log);
	while ($log) {
		my $read = sysread($log, my $line, 8192);
		if (!defined $read && $! == EPIPE) {
			# newer lines have overwritten some
			$all = 0;
			next;
		}
		$all = 0 if !defined $read && $! != EAGAIN;
		last unless $read;
		# "level,number,time,flags;text", then lines of keys and values
		push @lines, $1 if $line =~ /^[^;]*;(.*)/;
	}
	return ($all, @lines);
}

# complaints(PATTERNS, LINES...): the lines that match one of the extended regular expressions of the file PATTERNS
sub complaints {
	my ($self, $patterns, @lines) = @_;
	my $bad = join('|', map { "(?:$_)" } grep { !/^#/ && /\S/ } split(/\n/, $self->{node}->text($patterns)));
	return grep { /$bad/ } @lines;
}

1;
