# SPDX-License-Identifier: GPL-2.0-only
# Asks irqoff correlate about a case's logs, and compares what it says of each slow reply with what is right (truth.json).
package Judge;
use strict;
use warnings;
use Exporter 'import';
use FindBin;
use JSON::PP;
use VM;

our @EXPORT = qw(judge_case judge_short JUDGE_SLOW JUDGE_SHARE);

# so many slow replies each question has, and such a share of them has to be right
use constant { JUDGE_SLOW => 50, JUDGE_SHARE => 0.95 };

my $irqoff = $ENV{IRQOFF} // "$FindBin::Bin/../../userspace/irqoff";

# correlate(DIR, ASK): what it says
sub correlate {
	my ($dir, $ask) = @_;
	return { replies => [ map { decode_json($_) } split(/\n/, read_file("$dir/$ask->{live}.log")) ] } if $ask->{live};
	my @command = ($irqoff, 'correlate', '-i', "$dir/capture", '--json', '--over', "$ask->{over_ms}ms", @{ $ask->{args} }, "$dir/$ask->{log}.log");
	open(my $pipe, '-|', @command) or die "@command: $!\n";
	local $/;
	my $json = <$pipe>;
	close($pipe);
	return eval { decode_json($json) } // die "@command: no JSON, status " . ($? >> 8) . "\n";
}

# blamed(SAID): whom it blames, as text
sub blamed {
	my ($said) = @_;
	my $stall = $said->{stall} or return 'nobody';
	return sprintf('%s, CPU %s, %s, %s', map { $stall->{$_} // '-' } qw(record cpu class culprit));
}

# right(TRUE, SAID): is it right?
sub right {
	my ($true, $said) = @_;
	return 0 unless grep { $_ eq $said->{verdict} } @{ $true->{verdicts} };
	my $stall = $said->{stall};
	my @culprits = grep { defined } $true->{culprit}, @{ $true->{culprits} // [] };
	return 0 if !$stall && (@culprits || defined $true->{cpu} || $true->{class});
	return 0 if defined $true->{cpu} && $stall->{cpu} != $true->{cpu};
	return 0 if $true->{class} && $stall->{class} ne $true->{class};
	return !@culprits || grep({ $_ eq ($stall->{culprit} // '') } @culprits) ? 1 : 0;
}

# name(REPLY): a lost one has no line of its own
sub name { return $_[0]{lost} ? "seq $_[0]{seq}" : "line $_[0]{line}" }

# judge(DIR, ASK): a hash of log, args, slow, judged, right, cannot, wrong (a text for each), and for a control blamed and chance
sub judge {
	my ($dir, $ask) = @_;
	my $answer = correlate($dir, $ask);
	my %said = map { (name($_) => $_) } @{ $answer->{replies} };
	my %judged = (log => $ask->{log}, args => join(' ', @{ $ask->{args} }), slow => scalar @{ $ask->{slow} }, judged => 0, right => 0, cannot => 0,
		wrong => [], control => $ask->{control}, at_most => $ask->{at_most});
	for my $true (grep { !$_->{unjudged} } @{ $ask->{slow} }) {
		my $said = $said{ name($true) } // { verdict => 'not said to be slow' };
		$judged{judged}++;
		if (right($true, $said)) {
			$judged{right}++;
		} elsif ($said->{verdict} eq 'cannot-tell') {
			$judged{cannot}++;
		} else {
			push @{ $judged{wrong} }, sprintf('%s: %s (%s); right is %s%s', name($true), $said->{verdict}, blamed($said), join(' or ', @{ $true->{verdicts} }),
				join('', map { defined $true->{$_} ? ", $_ $true->{$_}" : () } qw(cpu class culprit)));
		}
	}
	$judged{blamed} = grep { $_->{verdict} =~ /^(?:stall|dropped-in-stall)$/ } values %said;
	# where nothing is blamed nobody asks about chance
	$judged{chance} = $answer->{chance}{p95} // 0;
	return \%judged;
}

# judge_case(DIR): of each question of that case
sub judge_case {
	my ($dir) = @_;
	return map { judge($dir, $_) } @{ decode_json(read_file("$dir/truth.json"))->{asks} };
}

# judge_short(JUDGED): why it is not good enough, or ''
sub judge_short {
	my ($judged) = @_;
	return $judged->{slow} <= $judged->{at_most} ? '' : "more than $judged->{at_most} are slow" if defined $judged->{at_most};
	return 'fewer than ' . JUDGE_SLOW . ' slow replies' if $judged->{judged} < JUDGE_SLOW;
	return $judged->{blamed} <= $judged->{chance} ? '' : 'more are blamed than by chance' if $judged->{control};
	return $judged->{right} >= JUDGE_SHARE * $judged->{judged} ? '' : 'too few are right';
}

1;
