# SPDX-License-Identifier: GPL-2.0-only
# Which tests each level of tests/check runs, and on which kernels. A test is "tests/FILE.t", or "tests/FILE.t@KERNEL" where it
# needs a kernel. docs/testing/README.md says what the levels are for.
package Levels;
use strict;
use warnings;
use Exporter 'import';
use version;

our @EXPORT = qw(is_live level_of needs_the_machine test_kernel test_name);

# `make check` runs these on the debug kernel.
my @debug_first = qw(access control follow kinds live/stress reload ring debug/irqsoff debug/kunit debug/kunit_judge);
# They tell of a kernel what differs most from one to the next.
my @short = qw(kinds settings);
my @emulated = (@short, 'names', 'open');
my @races = qw(live/stress ring reload control);
my @comings = qw(live/stress reload);
# On the oldest one jiffies stand still beside a stuck CPU that keeps the time.
my @ubuntu = (@short, 'save', 'frames');
my @oldest = (@ubuntu, 'stuck');
# make check runs this test of the machine for one kernel alone, because it builds the module twice for each.
my $by_kernel = 'tests/host/dkms.t';

# kernels(OPTION...): the names of the kernels that scripts/kernels lists
sub kernels {
	my @rows = qx(scripts/kernels @_);
	die "scripts/kernels @_ failed\n" if $?;
	return map { (split)[0] } @rows;
}

# room(DIR, KERNEL): all tests of a directory below tests/
sub room {
	my ($dir, $kernel) = @_;
	my @found = sort glob("tests/$dir/*.t");
	die "there are no tests in tests/$dir\n" unless @found;
	return on($kernel, @found);
}

sub on {
	my ($kernel, @files) = @_;
	-e or die "there is no $_\n" for @files;
	return map { $kernel ? "$_\@$kernel" : $_ } @files;
}

# guest(KERNEL, NAME...): these tests of guest/
sub guest {
	my ($kernel, @names) = @_;
	return on($kernel, map { "tests/guest/$_.t" } @names);
}

# without(LIST, LIST): what the first has and the second lacks
sub without {
	my ($of, $left) = @_;
	my %left = map { $_ => 1 } @$left;
	return grep { !$left{$_} } @$of;
}

sub is_debug { return $_[0] =~ /-debug$/ }

# whole(KERNEL): all tests of a kernel but slow ones
sub whole {
	my ($kernel) = @_;
	return (room('guest', $kernel), room('guest/live', $kernel), is_debug($kernel) ? room('guest/debug', $kernel) : ());
}

# part(KERNEL): those of a flavour, or of a kernel of another vendor or machine
sub part {
	my ($kernel) = @_;
	return guest($kernel,
		$kernel =~ /-kcsan$/ ? @races :
		$kernel =~ /-arm64$/ ? (@emulated, 'save') :
		$kernel =~ /-rt$/ ? (@short, 'save', @comings) :
		$kernel eq 'ubuntu-20.04' ? @oldest :
		$kernel =~ /^ubuntu-/ ? @ubuntu :
		(@short, 'save'));
}

# check(FIRST, NEWEST): what each change has to pass
sub check {
	my ($first, $newest) = @_;
	my @host = map { $_ eq $by_kernel ? on($first, $_) : $_ } room('host');
	return (@host, room('guest', $first), guest($newest, @short), guest("$first-debug", @debug_first));
}

# rest(FIRST, NEWEST): what has to pass besides before an issue is called resolved
sub rest {
	my ($first, $newest) = @_;
	my @rest = without([ room('host/release'), room('guest/live', $first), whole("$first-debug") ], [ check(@_) ]);
	return (on('', 'tests/host/build.t'), on($newest, $by_kernel), @rest);
}

# level_of(LEVEL, KERNEL...): a level: tests, and build, the kernels for which everything is built. LEVEL is check, full, release, all,
# or kernels for those KERNELs alone.
sub level_of {
	my ($level, @wanted) = @_;
	my @table = kernels();
	my $first = $table[0];
	my ($oldest, $newest) = (sort { version->declare("v$a") <=> version->declare("v$b") } @table)[ 0, -1 ];
	my (@build, @tests);
	if ($level eq 'check') {
		@build = ($first, $oldest, $newest, "$first-debug");
		@tests = check($first, $newest);
	} elsif ($level eq 'full') {
		@build = ($first, $newest, "$first-debug");
		@tests = rest($first, $newest);
	} elsif ($level eq 'release') {
		@build = ($first, $oldest, $newest);
		@tests = (on('', map { "tests/host/$_.t" } qw(dist dkms fuzz make)), room('host/release'), guest($newest, 'settings'));
	} elsif ($level eq 'kernels') {
		@build = @wanted;
		@tests = map { whole($_) } @wanted;
	} else {
		my @whole = @wanted ? @wanted : (@table, "$first-debug");
		my @part = @wanted ? () : (kernels('--more'), kernels('--ubuntu'), kernels('--cross'), "$first-kcsan");
		@build = (@whole, @part);
		@tests = (room('host'), room('host/release'), room('host/slow'),
			(map { (whole($_), room('guest/slow', $_), is_debug($_) ? room('guest/debug/slow', $_) : ()) } @whole),
			(map { part($_) } @part),
			sort glob('tests/mutants/*.patch'));
	}
	return { build => \@build, tests => \@tests };
}

# is_live(TEST): do CPUs of it have to run at once? On a slow kernel of ours its time is not judged.
sub is_live { return $_[0] =~ m{/live/} && $_[0] !~ /-(?:debug|kcsan)$/ }

# needs_the_machine(TEST): does nothing run beside it?
sub needs_the_machine { return is_live($_[0]) || $_[0] =~ m{/(?:slow|mutants)/} }

# test_kernel(TEST): its kernel, or host
sub test_kernel { return $_[0] =~ /@(.*)/ ? $1 : 'host' }

# test_name(TEST): as people read it
sub test_name { return $_[0] =~ s{^tests/}{}r }

1;
