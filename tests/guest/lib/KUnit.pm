# SPDX-License-Identifier: GPL-2.0-only
# Loads modules with KUnit suites in a guest and judges their results.
package KUnit;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(kunit_script kunit_verdicts);

# kunit_script(MODULE => SUITE, ...): a guest script; kunit_verdicts() takes its sections
sub kunit_script {
	my @pairs = @_;
	my $script = '';
	while (my ($module, $suite) = splice(@pairs, 0, 2)) {
		# This reads the kernel log: before 6.7 the file in debugfs holds only half a kilobyte of each case.
		$script .= <<"SH";
dmesg -c > /dev/null
section load $suite
fails insmod $module.ko
section results $suite
dmesg
section unload $suite
fails rmmod $module
SH
	}
	return $script;
}

# results(SUITE, TEXT): the results of the suite in the text, which is TAP as KUnit writes it up to 6.2, or KTAP, alone or
# within the kernel log. Returns undef if the suite did not begin.
sub results {
	my ($suite, $text) = @_;
	my %results = (cases => []);
	my $begun;
	for (split /\n/, $text) {
		s/^\[ *\d+\.\d+\](?:\[ *[CT]\d+\])? //;
		if (/^ +# Subtest: (.*)$/) {
			$begun = $1 eq $suite;
		} elsif (!$begun) {
			next;
		} elsif (/^ +1\.\.(\d+)$/) {
			$results{plan} //= $1;
		} elsif (/^ {4}(not )?ok (\d+) (?:- )?(\w+)(.*)$/) {
			my ($not, $number, $name, $rest) = ($1, $2, $3, $4);
			push @{ $results{cases} }, { name => $name, number => $number, ok => !$not && $rest !~ /SKIP/i };
		} elsif (/^(not )?ok \d+ (?:- )?\Q$suite\E\b(.*)$/) {
			my ($not, $rest) = ($1, $2);
			$results{ok} = !$not && $rest !~ /SKIP/i;
		}
		$results{begun} ||= $begun;
	}
	return $results{begun} ? \%results : undef;
}

# kunit_verdicts(SUITES, SECTION...): a [PASSED, NAME] for each case of the suites, and one more for each suite, which says
# whether its results are complete. Neither a skipped case nor a suite without cases passes.
sub kunit_verdicts {
	my ($suites, @sections) = @_;
	my %text = map { ($_->[0] => $_->[1]) } @sections;
	my @verdicts;
	for my $suite (@$suites) {
		my $results = results($suite, $text{"results $suite"} // '');
		my @wrong;
		for (qw(load unload)) {
			push @wrong, "could not $_" unless ($text{"$_ $suite"} // '') =~ /^status: 0$/m;
		}
		if ($results) {
			my @cases = @{ $results->{cases} };
			my $plan = $results->{plan} // 0;
			push @verdicts, map { [ $_->{ok}, "$suite: $_->{name}" ] } @cases;
			push @wrong, 'no cases' unless $plan;
			push @wrong, 'cases are missing'
				if join(' ', map { $_->{number} } @cases) ne join(' ', 1 .. $plan);
			push @wrong, 'no end' unless defined $results->{ok};
			push @wrong, 'not ok' unless $results->{ok} // 1;
		} else {
			push @wrong, 'no results';
		}
		push @verdicts, [ !@wrong, join(', ', "$suite: the whole suite", @wrong) ];
	}
	return @verdicts;
}

1;
