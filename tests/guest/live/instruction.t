#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Without a hypervisor a CPU that takes no NMI is in one instruction, say a read of a device that hangs: the function is named, or
# suspected where firmware may have had the CPU as well. Nothing is stolen. What QEMU emulates cannot hang one CPU alone, so the
# host stops its thread, and the guest is not told that there is a host. `stolen.t` is the same where the guest is told.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Test::More;
use Thief;
use VM;

plan(skip_all => 'where there may be a hypervisor is told on x86 alone') if on_arm64();
my $count = 20;
my ($trouble, $during, $list, @long) = stolen_run($count, 60, '--cpu', 'qemu64,-hypervisor');
is($trouble, '', 'a CPU was stopped');
my @seen = grep { !$_->{unseen} } @long;
timed($during, sub { cmp_ok(scalar @seen, '>=', 0.8 * $count, 'nearly all of these stalls were seen by the other CPU') });
my @named = grep { defined($_->{culprit} // $_->{suspect}) } @seen;
note(scalar(grep { $_->{culprit} } @named), ' named, ', scalar(grep { $_->{suspect} } @named), ' suspected, of ', scalar @seen);
timed($during, sub { cmp_ok(scalar @named, '>=', 0.8 * @seen, 'nearly all have a culprit or a suspect') or diag($list) });
is(scalar(grep { $_->{class} eq 'stolen' } @long), 0, 'none is stolen') or diag($list);
is(scalar(grep { $_->{hypervisor} } @long), 0, 'no hypervisor is known of');
# The host may also stop the CPU in its tick, one time of thirty; then that is named.
my @other = grep { !/\[stall\]$/ } map { $_->{culprit} // () } @seen;
cmp_ok(scalar @other, '<=', 1, 'the function that the CPU was in is to blame') or diag("@other\n$list");
timed($during, sub { like($list, qr/^    the CPU was in one instruction meanwhile, or in firmware$/m, 'that is said') });
done_testing;
