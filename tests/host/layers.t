#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The folders of the module and of the reader: which of them may use which, and that CONTRIBUTING.md says what their files share.
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

# sources(HALF): the C files and headers in the folders of module/ or userspace/, by their paths below it
sub sources {
	my ($half) = @_;
	return grep { m{/} } map { s{^\Q$half\E/}{}r } sort(split(/\n/, qx(find $half -name '*.[ch]' ! -path '*/selftest/*' ! -name '*.pb-c.[ch]' ! -name '*.mod.c')));
}

# rows(HALF): the folders of which CONTRIBUTING.md has a row, in their order
sub rows {
	my ($half) = @_;
	return text('CONTRIBUTING.md') =~ m{^\| `\Q$half\E/([\w/]+)/` \|}mg;
}

# circle(USES): what is left of files once those that use nobody are taken away, again and again: circles, and what uses them
sub circle {
	my (%uses) = @_;
	for my $file (keys %uses) {
		delete $uses{$file}{$file};
		delete @{ $uses{$file} }{ grep { !$uses{$_} } keys %{ $uses{$file} } };
	}
	while (my @free = grep { !keys %{ $uses{$_} } } keys %uses) {
		delete @uses{@free};
		delete @$_{@free} for values %uses;
	}
	return sort keys %uses;
}

# layers(HALF, FOLDERS, TOGETHER, LEAST): a folder uses those before it alone. TOGETHER: a header and the file of its name count as one,
# of which no two may need one another. There are LEAST sources and more.
sub layers {
	my ($half, $folders, $together, $least) = @_;
	my @sources = sources($half);
	my %is = map { $_ => 1 } @sources;
	my %rank = map { $folders->[$_] => $_ } 0 .. $#$folders;
	my (@up, %uses, %count);
	cmp_ok(scalar @sources, '>=', $least, "$half/: there are sources");
	is(join(' ', grep { !defined $rank{ dirname($_) } } @sources), '', '... each of them in a folder');
	for my $file (@sources) {
		my $name = $together ? $file =~ s/\.[ch]$//r : $file;
		$count{ dirname($file) }++;
		for my $header (grep { $is{$_} } text("$half/$file") =~ /^#include "([^"]+)"$/mg) {
			push @up, "$file -> $header" if $rank{ dirname($header) } > $rank{ dirname($file) };
			$uses{$name}{ $together ? $header =~ s/\.h$//r : $header } = 1;
		}
	}
	cmp_ok(scalar keys %uses, '>=', $least / 3, '... which include others');
	is(join("\n", @up), '', '... no file includes one of a folder behind its own');
	is(join(' ', circle(%uses)), '', '... no two files need one another');
	is(join(' ', map { "$_ $count{$_}" } grep { $count{$_} > 55 } sort keys %count), '', '... no folder has more than 55');
	is_deeply([ rows($half) ], $folders, '... CONTRIBUTING.md has a row on each folder, in their order');
	return;
}

# The reader's list is the one by which it is compiled; irqoff-serve is a program of its own, above all others. Above module/'s folders
# are main.c, which uses all of them, and the version, which uses none.
my ($list) = text('userspace/sources.mk') =~ /^folders := ((?:.*\\\n)*.*)/m;
layers('userspace', [ grep({ $_ ne '\\' } split(' ', $list)), 'serve' ], 1, 300);
layers('module', [qw(uapi/linux compat core arch state record detect control report)], 0, 150);

my %where;
push @{ $where{ basename($_) } }, $_ for grep { basename($_) ne 'main.c' } (map { "userspace/$_" } sources('userspace')), map { "module/$_" } sources('module');
is(join(' ', map { @$_ } grep { @$_ > 1 } values %where), '', 'no two files have one name');
my @entries = grep { !/\.(?:[od]|pb-c\.[ch])$|irqoff(?:-serve)?$/ } glob('userspace/*');
cmp_ok(scalar @entries, '<=', 24, 'userspace/ has few entries');
done_testing();
