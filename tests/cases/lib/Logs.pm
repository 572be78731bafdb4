# SPDX-License-Identifier: GPL-2.0-only
# Reads what measures latency: ping -D, fping -D, hping3 with the times that ts adds, and the table of tests/guest/connects.c. It
# knows no more of them than the cases need, so that the reader's own understanding of logs is judged by another.
package Logs;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(replies);

# ns(TEXT, SCALE): a decimal number as an integer; a time since the epoch has too many digits for a float
sub ns {
	my ($text, $digits) = @_;
	my ($whole, $part) = $text =~ /^(\d+)(?:\.(\d+))?$/ or die "no number: $text\n";
	return $whole * 10**$digits + int(substr(($part // '') . '0' x 9, 0, $digits) || 0);
}

# line(TEXT): a hash of arrived_ns or sent_ns (since the epoch) and latency_ns, or lost; nothing where the line is no reply
sub line {
	my ($text) = @_;
	return { arrived_ns => ns($1, 9), latency_ns => ns($3, 6), seq => $2 } if $text =~ /^\[(\d+\.\d+)\] \d+ bytes from .* icmp_seq=(\d+) .* time=([\d.]+) ms$/;
	return { sent_ns => ns($1, 9), latency_ns => ns($2, 9) } if $text =~ /^(\d+\.\d+),(\d+\.\d+)$/;
	return { arrived_ns => ns($1, 9), latency_ns => ns($3, 6), seq => $2 } if $text =~ /^\[(\d+\.\d+)\] \S+\s+: \[(\d+)\], \d+ bytes, ([\d.]+) ms/;
	return { arrived_ns => ns($1, 9), lost => 1, seq => $2 } if $text =~ /^\[(\d+\.\d+)\] \S+\s+: \[(\d+)\], timed out/;
	return { arrived_ns => ns($1, 9), latency_ns => ns($3, 6), seq => $2 } if $text =~ /^(\d+\.\d+) len=.* seq=(\d+) .* rtt=([\d.]+) ms$/;
	return { arrived_ns => ns($1, 9), lost => 1, seq => $2 } if $text =~ /^\[(\d+\.\d+)\] no answer yet for icmp_seq=(\d+)$/;
	return;
}

# replies(TEXT): of each reply in the log its line, sent_ns, arrived_ns and latency_ns; of what was lost line, arrived_ns and lost
sub replies {
	my ($text) = @_;
	my $number = 0;
	my @replies;
	my %answered;
	for my $line (split(/\n/, $text)) {
		$number++;
		my $reply = line($line) or next;
		$reply->{line} = $number;
		push @replies, $reply;
		next if $reply->{lost};
		$reply->{sent_ns} //= $reply->{arrived_ns} - $reply->{latency_ns};
		$reply->{arrived_ns} //= $reply->{sent_ns} + $reply->{latency_ns};
		$answered{ $reply->{seq} } = 1 if defined($reply->{seq});
	}
	# late is not lost
	return grep { !$_->{lost} || !$answered{ $_->{seq} } } @replies;
}

1;
