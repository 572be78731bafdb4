# SPDX-License-Identifier: GPL-2.0-only
# What a text of metrics has: families, their types, labels, and the values of those labels that are part of the interface.
package Exposition;
use strict;
use warnings;
use Exporter qw(import);
use MadeUp;

our @EXPORT = qw(exposition exposition_differences contract_differences);

# labels whose values are the same on each node
my %fixed = map { $_ => 1 } qw(class cause kind le);

# exposition(TEXT): { FAMILY => { type, help, series => { NAME{LABELS} => VALUE } } }; dies where a line is none
sub exposition {
	my ($text) = @_;
	my (%families, %owner);
	for my $line (split(/\n/, $text)) {
		next if $line eq '# EOF';
		if ($line =~ /^# (HELP|TYPE) (\w+) (.+)$/) {
			$families{$2}{ lc($1) } = $3;
			next if $1 eq 'HELP';
			$owner{"$2$_"} = $2 for '', $3 eq 'counter' ? '_total' : (), $3 eq 'histogram' ? qw(_bucket _sum _count) : ();
			next;
		}
		my ($name, undef, $labels, $value) = $line =~ /^(\w+)(\{(.*?)\})? (\S+)(?: # \{.*\} \S+(?: \S+)?)?$/ or die "no line of metrics: $line\n";
		my $family = $owner{$name} or die "no TYPE before: $line\n";
		my %labels = ($labels // '') =~ /(\w+)="((?:[^"\\]|\\.)*)",?/g;
		my $key = $name . '{' . join(',', map { $fixed{$_} ? "$_=$labels{$_}" : $_ } sort keys %labels) . '}';
		die "twice: $line\n" if exists $families{$family}{series}{$key};
		$families{$family}{series}{$key} = $value;
	}
	return \%families;
}

# exposition_differences(WANTED, GOT): sentences, none where both have the same families, types, labels, and values of the labels
# that are part of the interface
sub exposition_differences {
	my ($wanted, $got) = map { exposition($_) } @_;
	my @differences;
	for my $family (sort keys %{ { %$wanted, %$got } }) {
		my ($is, $was) = ($got->{$family}, $wanted->{$family});
		if (!$is || !$was) {
			push @differences, $is ? "$family is new" : "$family is missing";
			next;
		}
		push @differences, "$family has no HELP" unless $is->{help};
		push @differences, "$family is a $is->{type}, not a $was->{type}" if $is->{type} ne $was->{type};
		push @differences, "$_ is missing" for grep { !exists $is->{series}{$_} } sort keys %{ $was->{series} };
		push @differences, "$_ is new" for grep { !exists $was->{series}{$_} } sort keys %{ $is->{series} };
	}
	return @differences;
}

# contract_differences(FILE [, CAUSE...]): how the metrics of a real node differ from those of a made-up one. Where its module is not loaded, the
# made-up one's is not either; where they are OpenMetrics, so are those. The node knows
# these causes, by default those of userspace/causes.json.
sub contract_differences {
	my ($file, @causes) = @_;
	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	my $text = <$in>;
	my $node = made_up_node(0, 0, module => $text !~ /module_version=""/, ids => @causes ? [ @causes, 'other' ] : undef);
	return exposition_differences(made_up_metrics($node, $text =~ /^# EOF$/m), $text);
}

1;
