#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A capture shows what the node showed: by the same reader there, without rights and without the module, and by this machine's
# reader. Also where addresses are hidden, and stripped. Watching is stopped before, so nothing moves but the clock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;
use VM;

plan(skip_all => 'a capture is the same on a debug kernel') if on_debug_kernel();
my @sections = guest_ok('save', <<'SH', '--icount');
# only CAPS COMMAND...: as root with these capabilities alone. Older programs do not know cap_38, CAP_PERFMON, by its name.
only() { caps=$1; shift; setpriv --bounding-set "-all$caps" "$@"; }
# shows WHO [COMMAND...]: what the reader prints, by whoever COMMAND starts it as; $input is -i and a file, or nothing
shows() {
	who=$1
	shift
	for what in 'list --json' 'list -v' 'list --json=lines' 'report --json' report 'report --by stack' 'report --by cgroup' \
		'hist --json' 'hist --per-cpu' 'status --json' status share; do
		section "$who $what"
		packed "$@" irqoff $what $input
	done
}
insmod stall.ko
insmod trace_irqoff.ko enable=1
stall irqoff 0 40000
rmmod stall
insmod stall.ko
for kind in irqlock irqdeep bhoff timer tasklet hrtimer; do
	stall $kind 0 40000
done
sleep 0.1
irqoff stop
sleep 13	# until the probes are detached
input=
shows node
shows 'hidden node' only ,+cap_38
section save
rm -f /tmp/*.irqoff
fails irqoff save /tmp/all.irqoff
stat -c '%a %u' /tmp/all.irqoff
fails irqoff save /tmp/all.irqoff
fails irqoff save --force /tmp/all.irqoff
fails irqoff save --force /dev/null
fails irqoff save /nowhere/all.irqoff
ls /tmp/*.irqoff*
only ,+cap_38 irqoff save /tmp/hidden.irqoff
section strip
irqoff save --strip - > /tmp/strip.irqoff
irqoff list --json -i /tmp/strip.irqoff
hostname
rmmod trace_irqoff
rmmod stall
chown 1000 /tmp/*.irqoff
user='setpriv --reuid 1000 --clear-groups'
input='-i /tmp/all.irqoff'
shows capture $user
input='-i /tmp/hidden.irqoff'
shows 'hidden capture' $user
section merged
irqoff report -i /tmp/all.irqoff /tmp/hidden.irqoff --json
section network
for file in all strip; do
	fails irqoff alibi -i /tmp/$file.irqoff --from 1s --dev lo --json
done
fails irqoff alibi -i /tmp/all.irqoff --from 1s --dev none
section streamed
cat /tmp/all.irqoff | irqoff list --json -i -
section garbage
fails irqoff report -i /proc/self/exe
fails irqoff report -i /nowhere
section file
packed cat /tmp/all.irqoff
rm -f /tmp/*.irqoff
SH
my %got = map { ($_->[0] => $_->[1]) } @sections;

# settled(TEXT): without what depends on when it was printed
sub settled {
	my ($text) = @_;
	$text =~ s/"(?:end_realtime_ns|stopped_for_ns)": ?\d+/"now": 0/g;
	$text =~ s/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?/DATE/g;
	$text =~ s/\b\d\d:\d\d:\d\d(?:\.\d+)?/TIME/g;
	$text =~ s/, saved DATE/, DATE/;
	$text =~ s/^(?:Now|When saved:) not enabled/Now not enabled/mg;
	$text =~ s/; (?:now|then) not enabled/; now not enabled/g;
	$text =~ s/watched (?:now|then)/watched now/g;
	$text =~ s/stopped [^,()]*? (?:ago|before)(?:\s+\(irqoff\s+start\s+enables\s+it\))?/stopped/g;
	# json-c prints an empty array in one of two ways
	$text =~ s/\[\s*\]/[]/g;
	return $text =~ s/\s+/ /gr;
}

my @shown = ('list --json', 'list -v', 'list --json=lines', 'report --json', 'report', 'report --by stack', 'report --by cgroup',
	'hist --json', 'hist --per-cpu', 'status --json', 'status', 'share');
for my $who ('', 'hidden ') {
	is(settled($got{"${who}capture $_"}), settled($got{"${who}node $_"}), "${who}$_: the same") for @shown;
}
my @records = records('node list --json', @sections);
# PREEMPT_RT preempts what holds bottom halves off
my $rt = on_rt(@sections);
cmp_ok(scalar @records, '>=', $rt ? 4 : 7, 'the node had records');
cmp_ok(scalar(grep { ($_->{culprit} // '') =~ /\[stall\]$/ } @records), '>=', $rt ? 3 : 5, 'with names of a module');
like($got{'node list -v'}, qr/\(unloaded\)$/m, 'and with code that is gone');
like($got{'node report --by cgroup'}, qr{^/ }m, 'and with cgroups');
like($got{'capture report'}, qr/, saved \d{4}-/, 'a capture says when it was saved');
unlike($got{'hidden capture list --json'}, qr/"0xffff[0-9a-f]{12}"/, 'a capture of one who sees no addresses has none');

like($got{save}, qr{\Astatus: 0\n600 0\nirqoff: /tmp/all\.irqoff exists; --force replaces it\nstatus: 1\nstatus: 0\n}, 'saved, once, unless forced');
like($got{save}, qr{^irqoff: /dev/null is no regular file; [^\n]+\nstatus: 1\nirqoff: could not create /nowhere/all\.irqoff: [^\n]+\nstatus: 1\n/tmp/all\.irqoff\n\z}m,
	'a device is not replaced, and nothing else is left');
my ($stripped, $host) = $got{strip} =~ /\A(.*\})\n(\S+)\n\z/s;
my $strip = decode_json($stripped);
is(scalar @{ $strip->{records} }, scalar @records, 'stripped: all records');
is_deeply([ map { $_->{culprit} } @{ $strip->{records} } ], [ map { $_->{culprit} } records('hidden node list --json', @sections) ],
	'stripped: with their culprits');
unlike($stripped, qr/"0x[89a-f][0-9a-f]{15}"|"cgroup": "\/|"\Q$host\E"|"comm": "[^(]/, 'stripped: no address, cgroup, host or task');

my $merged = decode_json($got{merged});
is($merged->{captures}, 2, 'two captures');
is($merged->{nodes}, 1, 'of one node');
is($merged->{records}, scalar @records, 'a record that is in both counts once');
like($got{network}, qr/\A(?:\{[^}]*"dev_how": "Any CPU may have served lo: lo had no interrupts of its own"[^}]*\}\nstatus: 4\n){2}irqoff: \/tmp\/all\.irqoff does not say which CPUs served 'none'; [^\n]+\nstatus: 1\n\z/,
	'a capture, stripped or not, has the network devices that were up');
is(settled($got{streamed}), settled($got{'node list --json'}), 'a capture can be streamed');
like($got{garbage}, qr{\Airqoff: /proc/self/exe is no capture of irqoff\nstatus: 1\nirqoff: could not open /nowhere: [^\n]+\nstatus: 1\n\z},
	'something else is refused in one sentence');

# on this machine
SKIP: {
	my $tree = "$FindBin::Bin/../..";
	is(system('make', '-s', '-C', "$tree/userspace", 'irqoff'), 0, 'the reader builds here') or skip('no reader', 1);
	my $dir = tempdir(CLEANUP => 1);
	open(my $file, '>:raw', "$dir/all.irqoff") or die $!;
	print $file $got{file};
	close($file);
	local $ENV{TZ} = 'UTC';
	for (@shown) {
		my $text = `$tree/userspace/irqoff $_ -i $dir/all.irqoff`;
		is($?, 0, "here, $_: it can be read");
		is(settled($text), settled($got{"node $_"}), "here, $_: the same");
	}
	note(sprintf('%d bytes, %d records', length $got{file}, scalar @records));
}
done_testing();
