#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The folders of the reader: which of them may use which, and that CONTRIBUTING.md says what their files share.
use strict;
use warnings;
use File::Basename;
use FindBin;
use Test::More;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";

# text(FILE): all of it
sub text {
	my ($file) = @_;
	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	return <$in>;
}

# sources(FOLDER): its C files and headers, those of folders below it as well
sub sources {
	my ($folder) = @_;
	return sort(split(/\n/, qx(find $folder -name '*.[ch]' ! -name '*.pb-c.[ch]')));
}

my ($list) = text('userspace/sources.mk') =~ /^folders := ((?:.*\\\n)*.*)/m;
my @folders = grep { $_ ne '\\' } split(' ', $list);
push @folders, 'serve';    # a program of its own, above all others
my %rank = map { $folders[$_] => $_ } 0 .. $#folders;
my @reader = map { s{^userspace/}{}r } sources('userspace');
cmp_ok(scalar @folders, '>', 10, 'there are folders');
cmp_ok(scalar @reader, '>', 300, 'there are sources');
is(join(' ', grep { !exists $rank{ dirname($_) } } @reader), '', 'each file is in a folder of sources.mk');

# included(FILE): what it includes of the reader
my %is = map { $_ => 1 } @reader;
sub included {
	my ($file) = @_;
	return grep { $is{$_} } text("userspace/$file") =~ /^#include "([^"]+)"$/mg;
}

my (@up, %uses);
for my $file (@reader) {
	for my $header (included($file)) {
		push @up, "$file -> $header" if $rank{ dirname($header) } > $rank{ dirname($file) };
		$uses{ $file =~ s/\.[ch]$//r }{ $header =~ s/\.h$//r } = 1;
	}
}
cmp_ok(scalar keys %uses, '>', 150, 'files include others');
is(join("\n", @up), '', 'no file includes one of a folder behind its own');

# What uses nobody is taken away, again and again: circles stay, and what uses them.
for my $file (keys %uses) {
	delete $uses{$file}{$file};
	delete @{ $uses{$file} }{ grep { !$uses{$_} } keys %{ $uses{$file} } };
}
while (my @free = grep { !keys %{ $uses{$_} } } keys %uses) {
	delete @uses{@free};
	delete @$_{@free} for values %uses;
}
is(join(' ', sort keys %uses), '', 'no two files need one another');

my %where;
push @{ $where{ basename($_) } }, $_ for grep { basename($_) ne 'main.c' } sources('userspace'), sources('module');
is(join(' ', map { @$_ } grep { @$_ > 1 } values %where), '', 'no two files have one name, in the reader or the module');

my %count;
$count{ dirname($_) }++ for @reader;
is(join(' ', map { "$_ $count{$_}" } grep { $count{$_} > 55 } sort keys %count), '', 'no folder has more than 55 sources');
my @entries = grep { !/\.(?:[od]|pb-c\.[ch])$|irqoff(?:-serve)?$/ } glob('userspace/*');
cmp_ok(scalar @entries, '<=', 24, 'userspace/ has few entries');

# Each folder has a row in CONTRIBUTING.md, in this order.
my @rows = text('CONTRIBUTING.md') =~ m{^\| `userspace/([\w/]+)/` \|}mg;
is_deeply(\@rows, \@folders, 'CONTRIBUTING.md has a row on each folder, in their order');
done_testing();
