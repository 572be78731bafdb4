# SPDX-License-Identifier: GPL-2.0-only
# Runs a shell script in a guest and splits its output into sections. TRACE_IRQOFF_KERNEL in the environment names the guest's
# kernel; the default is the first of scripts/kernels.
package VM;
use strict;
use warnings;
use Exporter 'import';
use File::Basename qw(dirname);
use lib dirname(__FILE__) . '/../../../userspace/selftest';
use File::Spec;
use File::Temp qw(tempdir);
use Guest;
use Host;
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);
use MIME::Base64;
use Stalls;
use Test2::API qw(test2_stack);
use Test2::Event::Skip;
use Test::More;

our @EXPORT = (@Stalls::EXPORT, qw(guest guest_heard guest_ok sections timed intervals in_turn check_bounds headers_have on_arm64 on_debug_kernel has_kmemleak with_leaks
	detectors_count read_file DEBUG_KERNEL));

# the debug kernel (scripts/vm/config/debug.config)
use constant DEBUG_KERNEL => '6.1-debug';

# what is said of an assertion that failed and does not count; tests/check looks for it
use constant UNCOUNTED => 'failed, uncounted';

# Distribution kernels find what is freed twice, written behind its end or used when it is free (Documentation/mm/slub.rst). Option U
# would say besides who allocated it, but makes programs start in twice the time. On our own kernels KUnit runs suites as modules load,
# which needs kunit.enable=1 from 6.0 on, and the log has to hold the messages of a loop of failures.
use constant STOCK_APPEND => 'slub_debug=FZP';
use constant OWN_APPEND => 'kunit.enable=1 log_buf_len=4M';

# Does the suite run on the debug kernel or on the KCSAN kernel? Both are slow.
sub on_debug_kernel { return ($ENV{TRACE_IRQOFF_KERNEL} // '') =~ /-(?:debug|kcsan)$/ }

sub has_kmemleak { return ($ENV{TRACE_IRQOFF_KERNEL} // '') eq DEBUG_KERNEL }

# with_leaks(APPEND...): the boot options as an option for guest(), with kmemleak where the kernel has it. The script calls leaks.
sub with_leaks {
	my @append = (@_, has_kmemleak() ? 'kmemleak=on' : ());
	return @append ? ('--append', join(' ', @append)) : ();
}

# detectors_count(): for a test that judges the time of several CPUs. A debug kernel spends so much time on its checks that a slow
# machine fails such a test, and has stalls of its own, in which no CPU samples another. There only these assertions count: the guest
# ran the script and its kernel complained of nothing, and nothing leaked. Another one that fails is reported as skipped, unless
# ALL_COUNT is set. On a stock kernel all count.
sub detectors_count {
	return if !on_debug_kernel() || $ENV{ALL_COUNT};
	test2_stack()->top->pre_filter(sub {
		my ($hub, $event) = @_;
		return $event unless $event->isa('Test2::Event::Ok') && !$event->pass;
		return $event if $event->name =~ /: guest ended well$|\bleak/;
		return Test2::Event::Skip->new(trace => $event->trace, name => $event->name, reason => UNCOUNTED, pass => 1,
			effective_pass => 1);
	});
	return;
}
detectors_count() if $0 =~ m{/live/};

# in_turn(): the option by which CPUs run in turn on an icount clock; none on the KCSAN kernel, which looks for CPUs that do something at
# the same time
sub in_turn { return ($ENV{TRACE_IRQOFF_KERNEL} // '') =~ /-kcsan$/ ? () : '--icount' }

# Does the suite run on an arm64 kernel?
sub on_arm64 { return ($ENV{TRACE_IRQOFF_KERNEL} // '') =~ /-arm64$/ }

my $tree = File::Spec->rel2abs(dirname(__FILE__) . '/../../..');

# Functions for every guest script
my $prelude = "cd /lib/trace_irqoff\n" . STALL_FUNCTIONS . <<'SH';
enable() { echo 1 > /sys/module/trace_irqoff/parameters/enable; }
insist() { # insist COMMAND...: a start that has to succeed. A busy host may keep a CPU from answering in time, and it is refused then
	local tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 20 ] || return 1
		sleep 0.1
	done
}
fails() { # fails COMMAND...: prints its output and status; a failure does not end the script
	"$@" 2>&1 && echo "status: 0" || echo "status: $?"
}
packed() { # packed COMMAND...: packs a long output, which sections() unpacks: a debug kernel writes only 60 kB a second
	"$@" > /tmp/packed
	# Debian 11's busybox has no base64
	gzip -c /tmp/packed | uuencode -m packed | sed '1d;$d'
	rm /tmp/packed
}
hundredths() { read hundredths rest < /proc/uptime; hundredths=${hundredths%.*}${hundredths#*.}; }
timed() { # timed NAME COMMAND...: prints NAME, how many hundredths of a second it took, and its status. Its output is in /tmp/out
	local name=$1 from status=0
	shift
	hundredths
	from=$hundredths
	"$@" > /tmp/out 2>&1 || status=$?
	hundredths
	echo "$name $((hundredths - from)) $status"
}
leaks() { # leaks NAME: a section with what kmemleak finds, if the kernel has it (with_leaks)
	[ ! -e /sys/kernel/debug/kmemleak ] || {
		sleep 6		# kmemleak skips younger objects
		echo scan > /sys/kernel/debug/kmemleak || exit
		echo scan > /sys/kernel/debug/kmemleak || exit
		section "$1"
		cat /sys/kernel/debug/kmemleak
	}
}
insmod() { # Under emulation timer interrupts take longer than max_cost_ppm allows by default. A test of that limit sets it.
	case $1 in
	trace_irqoff.ko | */trace_irqoff.ko)
		local module=$1
		shift
		command insmod "$module" max_cost_ppm=0 "$@"
		;;
	*) command insmod "$@" ;;
	esac
}
mapped() { # mapped NAME: a section with the vmalloc()ed areas of unloaded code
	section "$1"
	awk '$3 ~ /^0x/' /proc/vmallocinfo
}
set -e
SH

# headers_have(WORD, HEADER): do the headers of the kernel have that word? As module/compat/Kbuild.probes asks.
sub headers_have {
	my ($word, $header) = @_;
	my $kernel = $ENV{TRACE_IRQOFF_KERNEL} // (split(' ', qx($tree/scripts/kernels)))[0];
	my ($root) = qx($tree/scripts/vm/root $kernel) =~ /^([^:\n]+)/;
	# Debian's headers of a flavour lie beside those that all flavours share
	my @files = grep { -e } glob("$root/usr/src/linux-*/$header");
	die "there is no $header of kernel $kernel\n" unless @files;
	return scalar grep { read_file($_) =~ /\b\Q$word\E\b/ } @files;
}

sub read_file {
	my ($path) = @_;
	open(my $file, '<', $path) or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# guest(SCRIPT, OPTION...): runs the script under scripts/vm/run with those options and returns (exit status, output, marks for
# sections()). A slow kernel gets three times the time.
sub guest {
	return guest_heard(undef, @_);
}

# options_of(OPTION...): the options for scripts/vm/run, with those of this kernel added
sub options_of {
	my @options = @_;
	unshift @options, '--kernel', $ENV{TRACE_IRQOFF_KERNEL} if $ENV{TRACE_IRQOFF_KERNEL};
	# only tests whose CPUs have to run at once come before what else the machine does
	unshift @options, '--ordinary' unless $0 =~ m{/(?:live|slow)/};
	# those that suspend a machine or crash it do so to one that booted as usual
	push @options, '--packed' if $0 =~ m{/slow/};
	my %values = map { $options[$_] =~ /^--(?:timeout|append)$/ ? ($options[$_] => $_ + 1) : () } 0 .. $#options;
	if (on_debug_kernel()) {
		push @options, '--timeout', 300 unless $values{'--timeout'};
		$options[ $values{'--timeout'} // $#options ] *= 3;
	}
	my $append = on_debug_kernel() ? OWN_APPEND : STOCK_APPEND;
	if ($values{'--append'}) {
		# if an option is given twice, the kernel takes the last
		$options[ $values{'--append'} ] = "$append $options[$values{'--append'}]";
	} else {
		push @options, '--append', $append;
	}
	return @options;
}

# shareable(OPTION...): (the options that tell guests apart, the time limit, the allowed log lines), or nothing if the script
# needs a guest of its own
sub shareable {
	my @options = @_;
	my (@kind, @allow);
	my ($seconds, $kernel) = (300, '');
	while (@options) {
		my $option = shift @options;
		if ($option =~ /^--(?:icount|x2apic|ordinary)$/) {
			push @kind, $option;
			next;
		}
		next if $option eq '--packed';    # as they are
		my $value = shift @options;
		if ($option eq '--timeout') {
			$seconds = $value;
		} elsif ($option eq '--allow-log') {
			push @allow, $value;
		} elsif ($option eq '--kernel') {
			$kernel = $value;
		} elsif ($option eq '--smp' && $value eq '2') {
			# as many as it has by default, without --icount
			push @kind, $option, $value if grep { $_ eq '--icount' } @_;
		} elsif ($option eq '--append' && ($value eq OWN_APPEND || $value eq STOCK_APPEND)) {
			unshift @kind, $option, $value;
		} else {
			return;
		}
	}
	unshift @kind, '--kernel', $kernel if $kernel;
	return (\@kind, $seconds, @allow);
}

# guest_heard(HEAR, SCRIPT, OPTION...): like guest(), and calls HEAR with each line of output as it comes and with a function
# that returns QEMU's process id
sub guest_heard {
	my ($hear, $script, @options) = @_;
	@options = options_of(@options);
	my ($kind, $seconds, @allow) = shareable(@options);
	my $guest = $kind && shared_guest(@$kind);
	my $dir = tempdir(CLEANUP => 1);
	# QEMU makes that file, and removes it at its end
	my $pid = $guest ? sub { return $guest->qemu } : sub { return (Host::first_line("$dir/pid") || 0) + 0 };
	my $host = Host->new($pid);
	my @marks;
	my $listen = sub {
		my ($line) = @_;
		$host->pin unless @marks;
		push @marks, [ $line =~ /^@@/ ? 'section' : 'stall', $host->mark ] if $line =~ /^(?:@@ |kind=)/;
		$hear->($line, $pid) if $hear;
	};

	if ($guest) {
		my ($status, $output) = $guest->run("$prelude$script", $seconds, $listen, @allow);
		$guest->release;
		return ($status, $output, \@marks);
	}
	end_idle();
	open(my $file, '>', "$dir/script") or die "$dir/script: $!";
	print $file $prelude, $script;
	close($file);
	my @command = ("$tree/scripts/vm/run", @options, '--pid', "$dir/pid", '--copy', "$dir/script", '--', 'sh', '/script');
	open(my $pipe, '-|', @command) or die "@command: $!";
	my $output = '';
	while (defined(my $line = <$pipe>)) {
		$output .= $line;
		$listen->($line);
	}
	close($pipe);
	return ($? >> 8, $output, \@marks);
}

# guest_ok(NAME, SCRIPT, OPTION...): like guest(), and tests that the guest ended well; returns the sections of its output
sub guest_ok {
	my ($name, $script, @options) = @_;
	my ($status, $output, $marks) = guest($script, @options);
	is($status, 0, "$name: guest ended well") or diag($output);
	return sections($output, $marks);
}

# sections(OUTPUT, MARKS): [NAME, TEXT, INTERVAL, TAKEN] in order. INTERVAL is a pair of marks of the host's (Host.pm): where the section
# began, and where the stall was reported that it made, or else where the next section began. TAKEN is the share of it, 0 to 1, that the
# host took from a CPU; undef if unknown.
sub sections {
	my ($output, $marks) = @_;
	my @sections = split_sections($output);
	for my $section (grep { $_->[1] =~ /^H4sI/ } @sections) {
		my $packed = decode_base64($section->[1]);
		gunzip(\$packed => \$section->[1]) or die "$section->[0]: $GunzipError";
	}
	my $number = -1;
	for my $mark (@{ $marks // [] }) {
		my ($of, $at) = @$mark;
		if ($number >= 0 && !$sections[$number][2][1]) {
			$sections[$number][2][1] = $at;
			my ($ns, $taken) = Host::taken(@{ $sections[$number][2] });
			$sections[$number][3] = $taken / $ns if $ns;
		}
		$sections[ ++$number ][2] = [$at] if $of eq 'section' && $number < $#sections;
	}
	return @sections;
}

# timed(INTERVALS, CODE): an assertion, which CODE makes, on what took place in these intervals of sections(). Only a CPU that runs in time
# can meet it. Where it fails, tests/check compares what is printed here with the rule of tests/lib/Verdict.pm.
sub timed {
	my ($intervals, $code) = @_;
	my $passed = $code->();
	return 1 if $passed;
	my ($all, $taken, $cpus) = (0, 0, 0);
	for my $interval (@$intervals) {
		my ($ns, $of_it, $of) = Host::taken(@{ $interval // [] }) or next;
		($all, $taken, $cpus) = ($all + $ns, $taken + $of_it, $of);
	}
	printf { Test::More->builder->output } "# timed: the host took %.1f %% of %.3f s from %d virtual CPUs\n", 100 * $taken / $all,
		$all / 1e9, $cpus if $all;
	return 0;
}

# intervals(NAME, SECTIONS): those of the sections of that name
sub intervals {
	my ($name, @sections) = @_;
	return [ map { $_->[2] } grep { $_->[0] eq $name } @sections ];
}

# The true length lies between the stall's inner and outer reading, and between the record's bounds.
sub check_bounds {
	my ($name, $record, $inner, $outer) = @_;
	my ($min, $max) = @$record{qw(min_ns max_ns)};
	cmp_ok($min, '<=', $outer, "$name: lower bound is no more than the outer length");
	cmp_ok($max, '>=', $inner, "$name: upper bound is no less than the inner length");
	is($record->{wide} ? 1 : 0, wide_apart($record) ? 1 : 0,
		"$name: bounds are within a period and 200 us, or said to be wide");
}

1;
