# SPDX-License-Identifier: GPL-2.0-only
# As much HTTP as the consumers' tests need: a server in a process of its own, and a client of JSON.
package Http;
use strict;
use warnings;
use Exporter qw(import);
use HTTP::Tiny;
use IO::Select;
use IO::Socket::INET;
use JSON::PP;
use Socket qw(TCP_NODELAY IPPROTO_TCP);

our @EXPORT = qw(http_port http_serve http_get http_json http_wait);

my $client = HTTP::Tiny->new(timeout => 300);

# http_port(): a port of this machine that nobody listens on
sub http_port {
	my $socket = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1) or die "no port: $@";
	return $socket->sockport;
}

# http_serve(ANSWER): starts a process that answers GET by ANSWER->(PATH, ACCEPT), which returns a content type and a body, or
# nothing for 404. Returns its port and process; it ends with this one.
sub http_serve {
	my ($answer) = @_;
	my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1024, ReuseAddr => 1) or die "no port: $@";
	my $parent = $$;
	my $pid = fork() // die "fork: $!";
	return ($listener->sockport, $pid) if $pid;
	$SIG{PIPE} = 'IGNORE';
	my $select = IO::Select->new($listener);
	my %asked;
	while (getppid() == $parent) {
		for my $socket ($select->can_read(1)) {
			if ($socket == $listener) {
				my $new = $listener->accept or next;
				setsockopt($new, IPPROTO_TCP, TCP_NODELAY, 1);
				$select->add($new);
				$asked{$new} = '';
				next;
			}
			if (!sysread($socket, $asked{$socket}, 65536, length($asked{$socket}))) {
				$select->remove($socket);
				delete $asked{$socket};
				close($socket);
				next;
			}
			while ($asked{$socket} =~ s/^(.*?)\r\n\r\n//s) {
				my $request = $1;
				my ($path) = $request =~ m{^GET (\S+) };
				my ($accept) = $request =~ /^Accept: *(.*?)\r?$/mi;
				my ($type, $body) = defined $path ? $answer->($path, $accept // '') : ();
				my $reply = defined $type ? "HTTP/1.1 200 OK\r\nContent-Type: $type\r\n" : "HTTP/1.1 404 Not Found\r\n";
				$body //= '';
				$reply .= 'Content-Length: ' . length($body) . "\r\n\r\n$body";
				my $sent = 0;
				while ($sent < length($reply)) {
					my $now = syswrite($socket, $reply, length($reply) - $sent, $sent);
					last unless defined $now;
					$sent += $now;
				}
			}
		}
	}
	require POSIX;
	POSIX::_exit(0);
}

# http_get(URL [, ACCEPT]): status and body
sub http_get {
	my ($url, $accept) = @_;
	my $reply = $client->get($url, { $accept ? (headers => { Accept => $accept }) : () });
	return ($reply->{status}, $reply->{content}, $reply->{headers}{'content-type'} // '');
}

# http_json(URL, NAME => VALUE...): what the document has, and how many bytes it is long
sub http_json {
	my ($url, %of) = @_;
	my $reply = $client->get(%of ? "$url?" . $client->www_form_urlencode(\%of) : $url);
	die "$url: $reply->{status}: " . substr($reply->{content}, 0, 500) . "\n" unless $reply->{success};
	return (decode_json($reply->{content}), length($reply->{content}));
}

# http_wait(URL, SECONDS): waits until it answers; says if it did
sub http_wait {
	my ($url, $seconds) = @_;
	for (1 .. $seconds * 5) {
		my ($status) = http_get($url);
		return 1 if $status == 200;
		select(undef, undef, undef, 0.2);
	}
	return 0;
}

1;
