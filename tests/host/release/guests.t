#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Shared guests: each script finds the machine as it was booted, and is judged by its own doing only. A guest that complained or
# does not answer is not used again.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use lib "$FindBin::Bin/../../guest/lib";
use Test::More;
use Time::HiRes qw(sleep);
use VM;

my $tree = "$FindBin::Bin/../../..";
my $dir = $ENV{TRACE_IRQOFF_GUESTS} = tempdir(CLEANUP => 1);
delete $ENV{TRACE_IRQOFF_KERNEL};
my $guests = fork() // die "fork: $!";
exec("$tree/tests/guest-keeper", $dir) or die "tests/guest-keeper: $!" unless $guests;
for (1 .. 50) {
	last if -e "$dir/wanted";
	sleep(0.1);
}
my @said;
my $memory = 99;
{
	no warnings 'redefine';
	*Guest::said = sub { push @said, @_ };
	*Guest::memory_left = sub { return $memory };
}

# the QEMU processes that run in $dir
sub qemus {
	return grep { my $line = eval { read_file("$_/cmdline") } // ''; $line =~ /\0unix:\Q$dir\E/ } glob('/proc/[0-9]*');
}

my $boot = 'cat /proc/sys/kernel/random/boot_id';
my $state = <<'SH';
set +e
sleep 0.1
cat /proc/sys/kernel/kptr_restrict /sys/devices/system/cpu/cpu1/online
cut -d ' ' -f 1 /proc/modules | sort | tr '\n' ' '
echo
find / /tmp /run -xdev ! -type d ! -path /run/script | sort
ps | grep -c '[s]leep 12345'
pwd
SH
my ($status, $before) = guest($state);
is($status, 0, 'a script runs');
my (undef, $id) = guest($boot);
($status) = guest(<<'SH');
insmod stall.ko
insmod trace_irqoff.ko enable=1
echo 2 > /proc/sys/kernel/kptr_restrict
echo 0 > /sys/devices/system/cpu/cpu1/online
touch /left /tmp/left left
sleep 12345 &
(while :; do echo "irqoff 0 20000" > /proc/stall; done) &
exit 7
SH
is($status, 7, 'its status is returned');
my ($clean, $after) = guest($state);
is($clean, 0, 'another script runs');
my %before = map { ($_ => 1) } split(/\n/, $before);
my %after = map { ($_ => 1) } split(/\n/, $after);
is($after, $before, 'it finds the machine unchanged') or
	diag("gone: @{[ sort grep { !$after{$_} } keys %before ]}\nnew: @{[ sort grep { !$before{$_} } keys %after ]}");
is((guest($boot))[1], $id, 'it runs in the same guest');

my $bytes = join('', map { chr } 0 .. 255) x 40 . 'no end of line';
my $octal = join('', map { sprintf('\\0%03o', ord) } split(//, $bytes));
($status, my $output) = guest("printf '%b' '$octal'");
ok(($output =~ s/\A@@ release\n(?:.*\n){4}//r) eq $bytes, 'its output arrives unchanged');
my @lines;
guest_heard(sub { push @lines, $_[0] }, "echo one; echo two\n");
is(join('', @lines[ -2, -1 ]), "one\ntwo\n", 'the output can be heard line by line');

# a shared guest, and one of its own; the output is more than any buffer holds
my $much = <<'SH';
hundredths
from=$hundredths
head -c 600000 /dev/zero | tr '\0' '\n'
hundredths
echo "took $((hundredths - from))"
SH
for my $options ([], [ '--append', 'quiet' ]) {
	my $slept;
	($status, $output) = guest_heard(sub { sleep(3) if !$slept++ }, $much, '--icount', @$options);
	is($status, 0, 'an icount guest ends, though its output is read late');
	my ($took) = $output =~ /^took (\d+)$/m;
	cmp_ok($took // 1e9, '<', 100, "... and its clock does not leap meanwhile: @$options");
}

@said = ();
is((guest("insmod harness_warn.ko\n"))[0], 125, 'a complaint has its own status');
like(join("\n", @said), qr/WARNING: .*\[harness_warn\]/, 'and is printed');
($status, my $other_id) = guest($boot);
is($status, 0, 'another script runs after that');
isnt($other_id, $id, 'but not in that guest');
is((guest("insmod harness_warn.ko\n", '--allow-log', 'harness_warn|Call Trace'))[0], 0, 'an allowed complaint is none');

# modules that are in use by something that cannot be ended
is((guest("insmod stall.ko\necho 'irqoff 1 10' > /proc/stall\nmodprobe dummy\nip link add d0 type dummy\n" .
	"insmod trace_irqoff.ko\nirqoff list\n"))[0], 0, 'modules that others use are unloaded too');

# a guest of another kind, which starts while this one is in use
my $other;
is(scalar(qemus()), 2, 'an idle guest stays');
$memory = 1;
($status) = guest_heard(sub { ($other) = guest($boot, '--icount', '--smp', 2) if $_[0] =~ /^@@ busy$/ }, "section busy\n");
is("$status $other", '0 0', 'where memory is short, a guest that starts leaves one in use alone');
is(scalar(qemus()), 2, '... and ends the idle ones');
$memory = 99;
@said = ();
is(Host::wall(300), 1500, 'the wall clock allows four times as much as the CPUs, and five minutes');
{
	local $ENV{TRACE_IRQOFF_WALL_S} = 6;
	($status) = guest("sleep 1000\n");
}
is($status, 124, 'a script that idles for ever has its own status');
like(join("\n", @said), qr/did not answer within 6 s$/, 'and is reported');
@said = ();
($status) = guest("while :; do :; done\n", '--timeout', 2);
is($status, 124, 'a script that runs for ever has its own status');
like(join("\n", @said), qr/did not answer within 2 s of its CPUs' time$/, 'and is reported');
my $stop = sub {
	my ($line, $pid) = @_;
	return unless $line =~ /^@@ stop$/;
	kill('STOP', $pid->());
	sleep(4);
	kill('CONT', $pid->());
};
is((guest_heard($stop, "section stop\nsleep 0.1\n", '--timeout', 3))[0], 0, 'what the host does not run is not counted');
@said = ();
($status) = guest("echo c > /proc/sysrq-trigger\n", '--timeout', 60);
is($status, 124, 'a guest that ends has its own status');
like(join("\n", @said), qr/Kernel panic - not syncing: sysrq triggered crash/, 'and is printed');
(undef, $id) = guest($boot);
$memory = 1;
($status, $output) = guest($boot, '--append', 'quiet');
is($status, 0, 'a script with options of its own runs');
isnt($output, $id, 'it has a guest of its own');
is(scalar(qemus()), 0, 'and it ends the idle ones, too');

guest($boot);
is(scalar(qemus()), 1, 'one QEMU runs');
kill('KILL', $guests);
waitpid($guests, 0);
for (1 .. 50) {
	last unless qemus();
	sleep(0.1);
}
is(scalar(qemus()), 0, 'and none outlives its starter');

done_testing;
