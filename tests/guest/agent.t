#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff agent: it waits for the module, begins with the stalls that are there, has each once over kills and reloads, and hides who
# the node is where it is told to.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Follow;
use JSON::PP;
use Test::More;
use VM;

plan(skip_all => 'watch.t follows the module on a debug kernel') if on_debug_kernel();
my @sections = guest_ok('agent', FOLLOW . <<'SH', '--icount', '--timeout', 400);
# agent OPTION... DIR: begins in the background, with its messages in /tmp/said
agent() {
	irqoff agent "$@" > /tmp/lines 2> /tmp/said &
	pid=$!
	sleep 1
	asleep
}
insmod stall.ko
section waits
agent /tmp/node
stat -c 'mode %a' /tmp/node /tmp/node/* || :
insmod trace_irqoff.ko enable=1
sleep 1
make_stall irqoff 0 40000
fails irqoff list -i /tmp/node/*.irqoff --min 25ms
fails timeout 10 irqoff agent /tmp/node
kill -9 $pid || :
wait $pid || :
make_stall bhoff 0 45000
section again
agent /tmp/node
make_stall irqoff 0 50000
kill $pid
ended
fails irqoff list -i /tmp/node/*.irqoff --min 25ms
section 'from module'
irqoff list --json --min 25ms
section 'from capture'
irqoff list --json -i /tmp/node/*.irqoff --min 25ms

section ended
agent /tmp/idle
kill $pid
ended
section old
# nobody recorded these stalls here
agent /tmp/late
kill $pid
ended
fails irqoff list -i /tmp/late/*.irqoff --min 25ms

section reload
agent /tmp/reload
unload
sleep 0.5
insmod trace_irqoff.ko enable=1
sleep 1
make_stall bhoff 0 40000
unload
kill $pid
ended
section reload status
agent /tmp/never
rmdir /tmp/never || :
kill $pid || :
ended
insmod trace_irqoff.ko enable=1
section reload list
ls -1 /tmp/reload
irqoff list -i /tmp/reload/*.irqoff --min 25ms

section strip
agent --strip /tmp/strip
make_stall irqoff 0 40000
kill $pid
ended
irqoff list --json -i /tmp/strip/*.irqoff --min 25ms
hostname
section mixed
irqoff save /tmp/whole.irqoff
fails irqoff record --strip --for 1s /tmp/whole.irqoff
# a row goes on in another file, behind the last record of this one
agent /tmp/strip
make_stall bhoff 0 40000
kill $pid
ended
ls /tmp/strip | wc -l
irqoff list -i /tmp/strip/*.irqoff --min 25ms

section config
irqoff stop
printf '# settings\nthreshold=20ms\nmax_cost=none\n' > /tmp/conf
agent --config /tmp/conf /tmp/configured
irqoff status | grep -o -e ': watching' -e 'threshold .*'
make_stall irqoff 0 60000
kill $pid
ended
irqoff status | sed -n 2p
fails irqoff list -i /tmp/configured/*.irqoff --min 25ms
section 'config off'
echo enable=no >> /tmp/conf
agent --config /tmp/conf /tmp/configured
irqoff status | sed -n 2p
kill $pid
ended
section 'config wrong'
echo cpus=99 > /tmp/conf
fails irqoff agent --config /tmp/conf /tmp/configured
printf 'period=2ms\nthreshold=5\n' > /tmp/conf
fails irqoff agent --config /tmp/conf /tmp/configured
irqoff status | grep -o -e 'period .*'
irqoff start threshold=10ms

section refused
fails irqoff agent /tmp/a /tmp/b
fails irqoff agent --rotate 64M /tmp/a
fails irqoff agent /nowhere/a
fails only ,+cap_38 irqoff agent /tmp/a
fails unshare --net irqoff agent /tmp/a
[ ! -e /tmp/a ]
echo words > /tmp/words
fails irqoff agent /tmp/words
cat /tmp/words
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my $line = qr/\d\d:\d\d:\d\d\.\d{3} +\d:\d+ /;

# the culprits of a list's lines
sub culprits { return join(' ', $_[0] =~ /^$line.* (\w+)(?: \[stall\])?$/mg) }

like($got{waits}, qr/\Amode 700\nstat: [^\n]*No such file or directory\n/, 'without the module it waits, and there is no file yet');
is(culprits($got{waits}), 'stall_irqoff', '... then it records');
like($got{waits}, qr/^irqoff: another irqoff agent counts in \/run\/trace-irqoff\/state\.json; end it, or name another file\nstatus: 1$/m, 'a second agent is refused');
is(culprits($got{again}), 'stall_irqoff stall_bhoff stall_irqoff', 'after a kill it goes on, also with what ended meanwhile');
like($got{again}, qr/^irqoff: recorded [1-9]\d* stalls?, lost 0\nstatus: 0\n/m, '... and ends well');
my ($there, $module) = map { [ records($_, @sections) ] } 'from capture', 'from module';
# the wall clock is read twice
delete $_->{end_realtime_ns} foreach @$there, @$module;
is_deeply($there, $module, '... each once, as the module has them');
like($got{ended}, qr/^status: 0\n/m, 'it ends well where there was nothing new');
is(culprits($got{old}), 'stall_irqoff stall_bhoff stall_irqoff', 'it begins with the stalls that the module still has');

my @files = $got{'reload list'} =~ /^(stalls-\d{8}T\d{6}Z\.irqoff)$/mg;
is(scalar @files, 2, 'another load of the module has another file');
like($got{'reload list'}, qr/ stall_bhoff(?: \[stall\])?$/m, '... with its stalls');
like($got{reload}, qr/^status: 0\n\z/m, '... and without a module it ends well');
like($got{'reload status'}, qr/^irqoff: the module trace_irqoff is not loaded; irqoff waits until it is; modprobe [^\n]*\n.*^status: 0\n\z/ms,
	'... also where it never came');

my ($stripped, $host) = $got{strip} =~ /(\{.*\})\n(\S+)\n\z/s;
is(join(' ', map { $_->{culprit} // '' } @{ decode_json($stripped // '{}')->{records} // [] }) =~ s/ \[stall\]//gr, 'stall_irqoff',
	'stripped: the culprit is named') or diag($got{strip});
unlike($stripped, qr/"0x[89a-f][0-9a-f]{15}"|"cgroup": "\/|"\Q$host\E"|"comm": "[^(]/, '... and no address, cgroup, host or task');
like($stripped, qr/"comm": "\(stripped\)"/, '... but that there was one');
like($got{mixed}, qr/\Airqoff: \/tmp\/whole\.irqoff was recorded without --strip; name another file, or use --rotate\nstatus: 1\n/,
	'no file has both what --strip leaves, and more');
like($got{mixed}, qr/^irqoff: [^\n]* was recorded with --strip and stays as it is; another one is begun\n.*^2\n/ms, '... a row goes on in another one');
like($got{mixed}, qr/^2\n[^\n]*\n(?:(?! stall_bhoff).)* stall_irqoff(?:(?! stall_irqoff).)* stall_bhoff(?: \[stall\])?$/ms, '... behind the last record');

like($got{config}, qr/\A: watching\nthreshold +20 ms\n/, 'a file of settings: they are in force, and it watches');
like($got{config}, qr/^status: 0\ntrace_irqoff [^\n]*: not enabled[^\n]*\n.* stall_irqoff(?: \[stall\])?\n/ms, '... until it ends, with all stalls written');
unlike($got{config}, qr/is not enabled; irqoff start enables it/, '... and ends without advice to enable it');
like($got{'config off'}, qr/\Atrace_irqoff [^\n]*: not enabled/, 'a file that says no leaves the module off');
like($got{'config wrong'}, qr/\Airqoff: \/tmp\/conf: cpus=99: cpus takes default, all or a list of CPUs out of [^\n]*\nstatus: 2
irqoff: \/tmp\/conf:2: threshold takes a number with ns, us, ms or s, such as 2ms, not '5'\nstatus: 2\nperiod +1 ms\n\z/,
	'a file that is wrong is refused, and changes nothing') or diag($got{'config wrong'});
like($got{refused}, qr/\Airqoff: agent takes one directory, not '\/tmp\/b' as well\nstatus: 2
irqoff: --rotate takes a size and a number of files as in 64M:10, not '64M'\nstatus: 2
irqoff: could not make \/nowhere\/a: No such file or directory\nstatus: 1
irqoff: following stalls takes CAP_SYS_ADMIN of the host itself; run irqoff as root of the host\nstatus: 1
irqoff: trace_irqoff answers in the host's network namespace only; [^\n]*\nstatus: 1
irqoff: \/tmp\/words is no directory; name one for the files\nstatus: 1\nwords\n\z/, 'what cannot be is refused, and left alone')
	or diag($got{refused});
done_testing();
