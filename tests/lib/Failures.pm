# SPDX-License-Identifier: GPL-2.0-only
# What failed, out of a test's output.
package Failures;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(failures);

use constant { FIRST => 6, LAST => 5, BEFORE => 6, WIDTH => 200 };

# before(LINE...): of what a command of a shell test printed before its verdict, what says most: its errors, or else its end
sub before {
	my @lines = grep { !/^\s*(?:#|$)/ } @_;
	my @errors = grep { /\berror\b|\bundefined\b|: No such file/i } @lines;
	@lines = @errors if @errors;
	return @lines > BEFORE ? @lines[ @errors ? (0 .. BEFORE - 1) : (-BEFORE .. -1) ] : @lines;
}

# parts(LINE...): for each failure a list of its lines. What begins with # says more of the verdict before it. All else comes before the
# verdict on it, but for the end of a test that dies.
sub parts {
	my (@failures, @since);
	my $open = '';
	for my $line (@_) {
		if ($line =~ /^not ok\b/) {
			push @failures, [ $line, before(@since) ];
			($open, @since) = ('test');
		} elsif ($line =~ /^ok\b/) {
			($open, @since) = ('');
		} elsif ($open ne 'guest' && $line =~ /^(?:vm\/run:|Bail out)/) {
			push @failures, [$line];
			$open = 'guest';
		} elsif ($open eq 'guest' || $open && $line =~ /^\s*(?:#|$)/) {
			push @{ $failures[-1] }, $line;
		} else {
			push @since, $line;
		}
	}
	push @{ $failures[-1] }, before(@since) if @failures;
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
