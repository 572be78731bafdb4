#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What irqoff record leaves on the disk of a node that is reset: a reset at any moment loses what came in the second before it,
# and no more. A stall that never ends is there as well.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use File::Temp qw(tempdir);
use Follow;
use JSON::PP;
use Recorder;
use Test::More;
use VM;

plan(skip_all => 'our own kernels are built without a disk') if on_debug_kernel();

my $dir = tempdir(CLEANUP => 1);
my $disk = "$dir/disk";
my @disk = ('--disk', $disk, '--timeout', 200);
open(my $file, '>', $disk) or die "$disk: $!";
truncate($file, 64 << 20) or die "$disk: $!";
close($file);

my $mount = <<'SH';
modprobe virtio_pci
modprobe virtio_blk
modprobe ext4
mkdir -p /disk
SH
my $begin = FOLLOW . RECORDER . $mount . <<'SH';
mke2fs /dev/vda > /dev/null 2>&1
mount -t ext4 /dev/vda /disk
# What runs here stays on CPU 0: a recorder that waits for a hung CPU records nothing.
taskset -p 1 $$ > /dev/null
insmod stall.ko
insmod trace_irqoff.ko enable=1
record /disk/a.irqoff
make_stall irqoff 0 40000
make_stall bhoff 0 50000
SH
# without what a shutdown writes
my $reset = "section reset\necho b > /proc/sysrq-trigger\nsleep 20\nsection survived\n";

# what is in the capture after the reset
sub left {
	my ($what, $script, @options) = @_;
	my (undef, $output) = guest("$begin$script$reset", @disk, @options);
	like($output, qr/^@@ reset$/m, "$what: it was reset") or diag($output);
	unlike($output, qr/^@@ survived$/m, '... and did not go on');
	my @sections = guest_ok('afterwards', $mount . <<'SH', @disk);
mount -t ext4 /dev/vda /disk
section status
irqoff status --json -i /disk/a.irqoff 2> /dev/null || :
section list
irqoff list --json=lines --min 25ms -i /disk/a.irqoff || :
section file
ls -l /disk
irqoff list -i /disk/a.irqoff || :
SH
	my %got = map { ($_->[0] => $_->[1]) } @sections;
	is(decode_json($got{status} // '{}')->{lost}, 0, '... nothing is lost of what was written');
	note($got{file});
	return map { decode_json($_) } $got{list} =~ /^(\{.*\})$/mg;
}

my @quiet = left('a second after a stall', "sleep 0.2\n");
is(join(' ', map { $_->{culprit} } @quiet), 'stall_irqoff [stall] stall_bhoff [stall]', '... all is there');
my @open = left('in the midst of a stall', <<'SH', '--smp', 2);
# the first hard stall of a minute is sampled by nobody
make_stall irqoff 1 60000
asleep
echo "irqoff 1 9000000" > /proc/stall &
sleep 0.5
# a CPU that sleeps looks after nobody
read now rest < /proc/uptime
end=$((${now%.*} + 4))
while [ ${now%.*} -lt $end ]; do read now rest < /proc/uptime; done
SH
my ($hung) = grep { $_->{open} } @open;
ok($hung, '... the stall is there') or diag(explain(\@open));
# which of them held interrupts off one sample alone does not say
like($hung->{culprit}, qr/^(?:busy_work|stall_irqoff) \[stall\]$/, '... with what it ran');
cmp_ok($hung->{min_ns} // 0, '>=', 1e9, '... as it was after a second');

done_testing();
