# SPDX-License-Identifier: GPL-2.0-only
# What failed, out of a test's output.
package Failures;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(failures);

use constant { FIRST => 6, LAST => 5, WIDTH => 200 };

# parts(LINE...): for each failure a list of its lines
sub parts {
	my (@failures, $open);
	for my $line (@_) {
		if ($line =~ /^not ok\b/ || !$open && $line =~ /^(?:vm\/run:|Bail out)/) {
			push @failures, [];
			$open = 1;
		} elsif ($line =~ /^(?:not )?ok\b/) {
			$open = 0;
		}
		push @{ $failures[-1] }, $line if $open;
	}
	return @failures;
}

# failures(LOG): lines that summarise what failed in this output of a test that failed: the first and last lines of each "not ok",
# and of each complaint of scripts/vm/run about a guest. Where there is neither, its last lines.
sub failures {
	my ($path) = @_;
	open(my $log, '<', $path) or return "$path: $!";
	chomp(my @lines = <$log>);
	close($log);
	my @said;
	my @parts = parts(@lines);
	@parts = [ @lines > LAST ? @lines[ -LAST .. -1 ] : @lines ] unless @parts;
	for my $failure (@parts) {
		my @some = map { substr($_, 0, WIDTH) } @$failure;
		splice(@some, FIRST, @some - FIRST - LAST, '...') if @some > FIRST + LAST + 1;
		push @said, @some;
	}
	return map { "    $_" } @said;
}

1;
