#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A virtual CPU that its host stops for a while is called stolen, whatever it was in the midst of, also in short sections
# with interrupts off; nobody is blamed for it.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

my $dir = tempdir(CLEANUP => 1);
is(system('cc', '-O2', '-Wall', '-o', "$dir/steal", "$FindBin::Bin/steal.c"), 0, 'the thief is built');

# the process that has this one's guest: of all QEMUs the one whose command line names this directory
sub guests_qemu {
	for my $path (glob '/proc/[0-9]*/cmdline') {
		my $line = eval { read_file($path) } // next;
		return ($path =~ /(\d+)/)[0] if $line =~ /\bthief=\Q$dir\E/ && $line =~ /^[^\0]*(?:qemu|ld-linux)/;
	}
	return;
}

# CPU 1 has interrupts off for a third of the time, a hundred thousand times a second, from long before the thief comes.
my ($count, $stop_ms) = (20, 60);
my $thief = fork() // die "fork: $!";
if (!$thief) {
	my $qemu;
	sleep 1 until $qemu = guests_qemu();
	sleep 12;
	exec("$dir/steal", $qemu, 'CPU 1/TCG', $count, $stop_ms, 240) or die "steal: $!";
}
my @sections = guest_ok('stolen', <<'SH', '--timeout', '180', '--append', "thief=$dir");
insmod stall.ko
insmod trace_irqoff.ko enable=1
taskset 1 sh -c 'while :; do :; done' &
busy=$!
echo "short 1 10000000" > /proc/stall
echo "short 1 10000000" > /proc/stall
kill $busy
section records
irqoff list --json
section list
irqoff list -v
SH
waitpid($thief, 0);
is($?, 0, 'the thief ended well');
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @long = grep { $_->{cpu} == 1 && $_->{kind} eq 'hard' && $_->{min_ns} > ($stop_ms - 10) * 1_000_000 }
	records('records', @sections);
my %classes;
$classes{ $_->{class} }++ for @long;
note("$_: $classes{$_}") for sort keys %classes;
cmp_ok($classes{stolen} // 0, '>=', 0.8 * $count, 'nearly all are called stolen');
# Stopped while it holds the lock of all devices, a thread of QEMU takes the other CPU along, and nobody can look.
is(scalar(grep { $_->{culprit} && $_->{evidence} eq 'sample' } @long), 0, 'nobody is blamed by a sample') or diag($got{list});
my $blamed = grep { $_->{culprit} } @long;
cmp_ok($blamed, '<=', 0.1 * $count, "and hardly ever by a stall's end ($blamed)") or diag($got{list});

done_testing;
