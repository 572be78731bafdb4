#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What irqoff status and report say before, while and after CPUs are watched, and what stop --free leaves. The host cannot spoil a
# stall under -icount.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use JSON::PP;
use Records;
use Test::More;
use VM;

my @sections = guest_ok('status', <<'SH', '--icount');
insmod stall.ko
command insmod trace_irqoff.ko
section never
irqoff status --json
section refused
fails irqoff set max_cost=101% 2>&1
fails irqoff set nmi=off nmi_rate=0 2>&1
insist irqoff start nmi_cpu_rate=20 nmi_rate=200 guard=never max_cost=50%
section watching
irqoff status --json
echo "irqoff 0 50000" > /proc/stall
sleep 1
irqoff stop
section stopped
irqoff status --json
section text
irqoff status
section report
irqoff report
sleep 1
irqoff report
section detached
sleep 13
irqoff status --json
irqoff stop --free
for i in 1 2 3 4 5 6 7 8 9 10; do
	irqoff status --json | grep -q '^  "kept": 0,' && break
	sleep 0.5
done
section freed
irqoff status --json
section 'freed hist'
irqoff hist --json
irqoff stop --free
sleep 1
section 'freed again'
irqoff hist --json
section list
irqoff list --json
insist irqoff start
echo "irqoff 0 50000" > /proc/stall
irqoff stop --free
sleep 2
insist irqoff start
echo "irqoff 0 50000" > /proc/stall
section again
irqoff list --json
irqoff stop --free
rmmod trace_irqoff
insmod trace_irqoff.ko treshold=5ms
section misspelt
irqoff status --json
section agent
timeout 2 irqoff agent /tmp/captures 2>&1 || true
SH
my %said = map { ($_->[0] => $_->[1]) } @sections;
my %status = map { ($_ => decode_json($said{$_})) } qw(never watching stopped detached freed list again misspelt);

ok(!$status{never}{enabled} && !defined $status{never}{stopped_by}, 'never watched: nobody stopped it');
is("@{$status{never}}{qw(nmi nmi_cpu_rate nmi_rate guard max_cost_ppm)}", 'auto 8 64 auto 60000', 'the defaults');
is($status{never}{self_stops}, 0, '... and no stop');
ok(!$status{never}{attached}, 'no probe is attached before the first start');
like($said{refused}, qr/^irqoff: max_cost=101% is out of range: max_cost takes 0% to 100%$/m, 'a percentage out of range');
like($said{refused}, qr/^irqoff: nmi=off nmi_rate=0: nmi_rate takes 1 to 100000 NMIs a second$/m, 'a rate out of range');

is("@{$status{watching}}{qw(nmi nmi_cpu_rate nmi_rate guard max_cost_ppm)}", 'auto 20 200 never 500000', 'knobs are set together');
cmp_ok($status{watching}{generation}, '>', $status{never}{generation}, '... as another generation');
ok($status{watching}{attached} && !$status{watching}{detaching}, 'watching: probes are attached');

is($status{stopped}{stopped_by}, 'user', 'stopped: by a user');
cmp_ok($status{stopped}{stopped_for_ns}, '<', 60e9, '... a moment ago');
ok($status{stopped}{attached} && $status{stopped}{detaching}, '... with probes about to be detached');
like($said{text}, qr/: not enabled, stopped \d+ s ago\s+\(irqoff\s+start\s+enables\s+it\)/, '... in words');
like($said{text}, qr/^  probes +attached, to be detached within 10 s/m, '... and the probes');
# one stall in less than a minute has no rate
my @rates = $said{report} =~ /^stall_irqoff \[stall\] +hardirq-\S+ +1 +- +[\d.]+ +([\d.]+|-) /mg;
is(scalar @rates, 2, 'a report after the stop has the stall') or diag($said{report});
like($rates[0], qr/^\d/, '... with its share of the time');
is($rates[0], $rates[1], '... which stays');
ok(!$status{detached}{attached} && !$status{detached}{detaching}, 'off is off, 10 s later');

is($status{freed}{kept}, 0, 'stop --free: no record is kept');
is($status{freed}{produced}, $status{stopped}{produced}, '... and the numbers stay');
is($status{freed}{produced}, $status{freed}{lost} + $status{freed}{cleared}, '... all told');
is_deeply($status{list}{records}, [], '... nothing is listed');
my $hist = decode_json($said{'freed hist'});
is("$hist->{since} $hist->{hard}{count} $hist->{soft}{count}", 'clear 0 0', '... and no stall is counted since');
cmp_ok(abs(apart($hist->{since_time}, decode_json($said{'freed again'})->{since_time})), '<', 0.5,
	'... which another one, that drops nothing, does not change');
my ($cpu) = grep { $_->{cpu} == 0 } @{ $status{freed}{cpus} };
my @again = grep { $_->{cpu} == 0 && ($_->{culprit} // '') eq 'stall_irqoff [stall]' } @{ $status{again}{records} };
is(scalar @again, 1, 'after another start the last stall alone is kept');
cmp_ok($again[0]{seq} // -1, '>', $cpu->{produced} // 0, '... and numbers went on');

# A name that the kernel does not know is a line in its log, which the module does not see.
is_deeply($status{misspelt}{ignored_parameters}, ['treshold'], 'a misspelt parameter is told');
is_deeply($status{never}{ignored_parameters}, [], '... and nothing where there is none');
like($said{agent}, qr/^irqoff: the module was loaded without treshold: /m, '... by the agent, too');
done_testing();
