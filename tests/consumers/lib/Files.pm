# SPDX-License-Identifier: GPL-2.0-only
# Files as a whole, read and written.
package Files;
use strict;
use warnings;
use Exporter qw(import);

our @EXPORT = qw(text write_file);

sub text {
	my ($path) = @_;
	open(my $in, '<', $path) or die "$path: $!";
	local $/;
	return scalar <$in>;
}

# write_file(PATH, TEXT): a new file each time, because others may read it meanwhile. Returns the path.
sub write_file {
	my ($path, $text) = @_;
	open(my $out, '>', "$path.new") or die "$path.new: $!";
	print $out $text;
	close($out) or die "$path.new: $!";
	rename("$path.new", $path) or die "$path: $!";
	return $path;
}

1;
