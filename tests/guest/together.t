#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Of CPUs that stall together none can sample another one. The section is named all the same: where all CPUs ended it in the same
# function, and where one held the lock that the only other one spun for. The spinner is the holder's victim. Two CPUs run in turn on
# an icount clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Test::More;
use VM;

detectors_count();
my $rounds = 5;
my @sections = guest_ok('together', <<"SH", '--icount', '--smp', 2);
insmod stall.ko
insmod trace_irqoff.ko enable=1 cpus=all ring_records=1024
i=0
while [ \$i -lt $rounds ]; do
	stall irqall 1 50000
	sleep 0.1
	stall irqpair 1 50000
	sleep 0.1
	i=\$((i + 1))
done
section records
irqoff list --json
section list
irqoff list -v --min 40ms
section proc
cat /proc/trace_irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;
my @records = records('records', @sections);
my %right;
my @wrong;
my $unseen = 0;
for my $stall (stalls(@sections)) {
	my $kind = $stall->{kind};
	my @here = grep { $_->{kind} eq 'hard' && $_->{min_ns} > 40_000_000 } overlapping($stall, @records);
	my ($here) = grep { $_->{cpu} == 1 } @here;
	my ($there) = grep { $_->{cpu} == 0 } @here;
	next unless $here && $there;
	# where its only sample comes as the late beat runs already, nothing shows that it waited
	if ($kind eq 'irqpair' && !grep { grep { /spin_lock_slowpath/ } @{ $_->{frames} } } @{ $here->{samples} }) {
		$unseen++;
		next;
	}
	push @wrong, map { "$kind blames $_->{culprit}" }
		grep { ($_->{culprit} // '') =~ /\[stall\]/ ? !$_->{waits_for} && $_->{culprit} =~ /spinner/ : $_->{culprit} } @here;
	if ($kind eq 'irqall') {
		$right{$kind}++ if 2 == grep { $_->{class} eq 'hardirq-off' && $_->{culprit} eq 'stall_irqall [stall]' } $here, $there;
	} else {
		my $link = $here->{waits_for} // {};
		$right{$kind}++ if $there->{class} eq 'hardirq-off' && ($there->{culprit} // '') eq 'stall_irqholder [stall]' && !$there->{waits_for}
			&& ($link->{record} // '') eq $there->{record} && $link->{probable} && ($link->{wait} // '') eq 'lock';
	}
}
is($right{irqall}, $rounds, 'irqall: all are named right') or diag($got{list});
is($right{irqpair}, $rounds - $unseen, 'irqpair: all whose wait was sampled are named right') or diag($got{list});
cmp_ok($unseen, '<=', 1, '... which are all but one at most') or diag($got{list});
is("@wrong", '', 'nobody else is blamed') or diag($got{list});

done_testing;
