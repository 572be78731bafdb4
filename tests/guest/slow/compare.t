#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff report --baseline, of recordings of real stalls: three nodes before a change, three after it. The nodes are one guest
# with one name after another.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use Follow;
use JSON::PP;
use Recorder;
use Test::More;
use VM;

my @sections = guest_ok('compare', FOLLOW . RECORDER . <<'SH', '--icount', '--timeout', 600);
# node NAME KIND...: a recording of a minute, with these stalls
node() {
	hostname $1
	record /tmp/$1.irqoff
	shift
	for kind in "$@"; do
		echo "$kind 0 30000" > /proc/stall
		sleep 1
	done
	sleep $((60 - $#))
	kill $pid
	ended > /dev/null
}
insmod stall.ko
insmod trace_irqoff.ko enable=1 ring_records=1024
node before1 irqoff irqoff irqoff tasklet
node before2 irqoff irqoff
node before3 irqoff irqoff irqoff irqoff
node after1 irqoff bhoff bhoff bhoff bhoff bhoff bhoff irqoff irqoff
node after2 bhoff irqoff bhoff bhoff bhoff irqoff irqoff bhoff bhoff bhoff
node after3 bhoff bhoff bhoff bhoff irqoff irqoff bhoff tasklet
node same1 irqoff irqoff
node same2 irqoff irqoff irqoff irqoff tasklet
node same3 irqoff irqoff irqoff
rmmod trace_irqoff
section worse
fails irqoff report -i /tmp/after?.irqoff --baseline /tmp/before?.irqoff
section json
irqoff report --json -i /tmp/after?.irqoff --baseline /tmp/before?.irqoff || :
section same
fails irqoff report -i /tmp/same?.irqoff --baseline /tmp/before?.irqoff
section itself
fails irqoff report -i /tmp/before?.irqoff --baseline /tmp/before?.irqoff
section few
fails irqoff report -i /tmp/after1.irqoff --baseline /tmp/before?.irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
like($got{worse}, qr/^status: 3$/m, 'something got worse') or diag($got{worse});
like($got{worse}, qr/stall_bhoff \[stall\].*worse|worse.*stall_bhoff \[stall\]/, '... what comes since then');
unlike($got{worse}, qr/stall_irqoff \[stall\].*worse|worse.*stall_irqoff \[stall\]/, '... and not what came before');
ok(eval { decode_json($got{json}) }, '... JSON, too') or diag($got{json});
like($got{same}, qr/^status: 0$/m, 'what comes as often as before is not worse') or diag($got{same});
like($got{itself}, qr/^Cannot tell: .*covers a time that the baseline has.*^status: 4$/ms, 'captures are not compared with themselves')
	or diag($got{itself});
like($got{few}, qr/^status: 4$/m, 'of one node nobody can tell') or diag($got{few});
done_testing();
