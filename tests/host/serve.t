#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# irqoff serve, over HTTP: each endpoint, what it refuses, what it does to clients that are slow or many, sockets that it is handed,
# and states and captures that are missing or broken. go tool pprof reads the profiles. The captures are made up
# (tests/host/unit/many.c).
use strict;
use warnings;
use Fcntl qw(LOCK_EX);
use File::Temp qw(tempdir);
use FindBin;
use HTTP::Tiny;
use IO::Socket::INET;
use IO::Socket::UNIX;
use JSON::PP;
use POSIX qw(mkfifo);
use Socket qw(SOCK_DGRAM);
use Test::More;
use Time::HiRes qw(sleep time clock_gettime CLOCK_MONOTONIC);

chdir "$FindBin::Bin/../.." or die;
my $tmp = tempdir(CLEANUP => 1);
# in a copy, as other tests build in the tree meanwhile
mkdir "$tmp/tree" or die;
system('bash', '-euc', 'tree=$PWD; . scripts/common.sh; copy_files "$1" .', 'bash', "$tmp/tree") == 0 or die 'the tree cannot be copied';
chdir "$tmp/tree" or die;
END { chdir '/' }
my $irqoff = 'userspace/irqoff';
my ($state, $captures) = ("$tmp/state.json", "$tmp/captures");
my %servers;
local $SIG{PIPE} = 'IGNORE';
delete @ENV{qw(http_proxy https_proxy HTTP_PROXY HTTPS_PROXY LISTEN_FDS LISTEN_PID NOTIFY_SOCKET)};

sub run_ok {
	my ($name, $command) = @_;
	my $out = `($command) 2>&1`;
	is($? >> 8, 0, $name) or diag($out);
}

sub put {
	my ($path, $text) = @_;
	open(my $out, '>', "$path.new") or die "$path: $!";
	print $out $text;
	close $out;
	rename "$path.new", $path or die "$path: $!";
}

sub said {
	my ($server) = @_;
	open(my $in, '<', $server->{log}) or return '';
	local $/;
	return scalar(<$in>) // '';
}

# eventually(UNTIL): what it returns once that is true. Nothing here takes a minute, however busy the machine is.
sub eventually {
	my ($until) = @_;
	my $end = time + 60;
	while (time < $end) {
		my $value = $until->();
		return $value if $value;
		sleep 0.02;
	}
	return undef;
}

# serve(ARGUMENT...): a server, once it listens
my $count = 0;
sub serve {
	my @arguments = @_;
	my $server = { log => "$tmp/log" . $count++ };
	$server->{pid} = fork() // die;
	if (!$server->{pid}) {
		open(STDERR, '>', $server->{log});
		exec($irqoff, 'serve', '--listen', '127.0.0.1:0', '--state', $state, @arguments) or POSIX::_exit(99);
	}
	$servers{ $server->{pid} } = 1;
	$server->{at} = eventually(sub { said($server) =~ m{serving http://([\d.:]+)/} && $1 }) or die said($server);
	return $server;
}

# ends a server; its exit status, as wait() has it
sub end {
	my ($server, $signal) = @_;
	kill($signal // 'TERM', $server->{pid});
	my $ended = eventually(sub { waitpid($server->{pid}, POSIX::WNOHANG()) == $server->{pid} });
	my $status = $?;
	delete $servers{ $server->{pid} } if $ended;
	return $ended ? $status : 'runs';
}
END {
	my $status = $?;
	for (keys %servers) { kill('KILL', $_); waitpid($_, 0) }
	$? = $status;
}

my $http = HTTP::Tiny->new(timeout => 60, keep_alive => 0);
sub get {
	my ($server, $path, $accept, $method) = @_;
	return $http->request($method // 'GET', "http://$server->{at}$path", { headers => { $accept ? (Accept => $accept) : () } });
}

sub connected {
	my ($server) = @_;
	return IO::Socket::INET->new(PeerAddr => $server->{at}, Timeout => 10) // die "$server->{at}: $!";
}

# raw(SERVER, BYTES): all that comes back until the connection ends
sub raw {
	my ($server, $bytes) = @_;
	my $socket = connected($server);
	print $socket $bytes;
	$socket->shutdown(1);
	local $/;
	return scalar(<$socket>) // '';
}

sub boot_id {
	open(my $in, '<', '/proc/sys/kernel/random/boot_id') or die;
	chomp(my $id = <$in>);
	return $id;
}

# an agent's state (tests/host/unit/state.c), with these changes
sub state_text {
	my (%change) = @_;
	my $text = `tests/host/unit/made_state @{[ boot_id() ]} @{[ int(clock_gettime(CLOCK_MONOTONIC) * 1e9) ]}`;
	return %change ? encode_json({ %{ decode_json($text) }, %change }) : $text;
}

run_ok('the reader and its server build', 'make tools WERROR=1');
ok(-x 'userspace/irqoff-serve', 'there is a server') or die 'libmicrohttpd-dev is missing: scripts/setup check installs it';
run_ok('the programs build that make captures and states', 'make -C tests/host/unit made_many made_state');
mkdir $captures;

subtest 'the command line' => sub {
	like(`$irqoff serve --help 2>&1`, qr/^usage: irqoff serve \[OPTION\].*--listen ADDRESS/s, 'irqoff serve has help');
	is(`userspace/irqoff-serve --help 2>&1`, `$irqoff serve --help 2>&1`, '... and so has the program, the same');
	like(`userspace/irqoff-serve --listen localhost:1 2>&1`, qr/^irqoff: --listen takes 127\.0\.0\.1:10475 or \[::1\]:10475, not 'localhost:1'$/, 'a name is no address');
	is($? >> 8, 2, '... which is wrong usage');
	my $taken = IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1', LocalPort => 0) or die;
	my $address = '127.0.0.1:' . $taken->sockport;
	is(`$irqoff serve --listen $address 2>&1`, "irqoff: could not listen on $address: Address already in use\n", 'an address that is taken');
	is($? >> 8, 1, '... fails');
	run_ok('a reader without its server', "cp $irqoff $tmp/irqoff");
	is(`$tmp/irqoff serve 2>&1`,
		"irqoff: irqoff-serve is not installed; install trace-irqoff-serve, or build irqoff where libmicrohttpd is\n", '... says what is missing');
	is($? >> 8, 1, '... and fails');
	run_ok('an installed one', "make -C userspace install PREFIX=/usr DESTDIR=$tmp/root");
	like(`$tmp/root/usr/sbin/irqoff serve --listen x 2>&1; $tmp/root/usr/sbin/irqoff serve --listen $address 2>&1`, qr/could not listen on $address/, '... finds it below its prefix');
	run_ok('... and uninstall removes it', "make -C userspace uninstall PREFIX=/usr DESTDIR=$tmp/root && [ ! -e $tmp/root/usr/lib/trace-irqoff ]");
};

subtest 'metrics' => sub {
	my $server = serve($captures);
	my $none = get($server, '/metrics');
	is($none->{status}, 200, 'without a state');
	is($none->{content} =~ s/^#.*\n//mgr, "irqoff_up 0\n" . 'irqoff_build_info{version="' . (`make -s version` =~ s/\n//r) . "\",module_version=\"\"} 1\n", '... there is irqoff_up 0, and no counter');
	is(get($server, '/metrics')->{status}, 200, '... again');
	is(scalar(() = said($server) =~ /could not read \Q$state\E: No such file or directory; irqoff_up is 0 until there is one\n/g), 1, '... which is said once');

	put($state, state_text());
	my $answer = get($server, '/metrics');
	is($answer->{headers}{'content-type'}, 'text/plain; version=0.0.4; charset=utf-8', 'text is the default');
	is($answer->{headers}{'cache-control'}, 'no-store', '... and not kept by anybody');
	like($answer->{content}, qr/^irqoff_up 1$/m, 'a state that is new');
	like($answer->{content}, qr/^irqoff_stalls_total\{class="softirq-long"\} 5$/m, '... has its counters');
	like($answer->{content}, qr/^irqoff_cause_stalls_total\{cause="ip_vs-estimation"\} 5$/m, '... by cause');
	like($answer->{content}, qr/^irqoff_build_info\{version="1\.2\.3",module_version="1\.2\.2"\} 1$/m, '... and versions of whoever wrote it');
	unlike($answer->{content}, qr/# EOF/, '... without what OpenMetrics has');
	like(said($server), qr/\Q$state\E can be read again\n$/, '... which is said');
	my $prometheus = 'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,text/plain;version=0.0.4;q=0.2,*/*;q=0.1';
	my $open = get($server, '/metrics', $prometheus);
	is($open->{headers}{'content-type'}, 'application/openmetrics-text; version=1.0.0; charset=utf-8', 'Prometheus gets OpenMetrics');
	like($open->{content}, qr/^irqoff_stalls_total\{class="softirq-long"\} 5 # \{record="3:124"\} 0\.009553 1795000000\.000$/m, '... with exemplars');
	like($open->{content}, qr/\n# EOF\n\z/, '... and its end');
	is(get($server, '/metrics', '*/*')->{headers}{'content-type'}, $answer->{headers}{'content-type'}, 'curl gets text');
	my $head = get($server, '/metrics', undef, 'HEAD');
	is("$head->{status} " . ($head->{content} // ''), '200 ', 'HEAD has no body');
	is($head->{headers}{'content-length'}, length($answer->{content}), '... and the length of what GET has');
	is(get($server, '/metrics?x=y')->{status}, 200, 'a question is ignored');

	put($state, state_text(updated_ns => 1));
	like(get($server, '/metrics')->{content}, qr/^irqoff_up 0\n(?:.*\n)*irqoff_stalls_total\{class="softirq-long"\} 5$/m, 'an agent that writes no more is not up; its counters stay');
	put($state, state_text(boot_id => 'another'));
	unlike(get($server, '/metrics')->{content}, qr/stalls_total/, 'the counters of another boot are none');
	like(said($server), qr/\Q$state\E is of another boot; irqoff_up is 0/, '... which is said');
	# root may read all; what else keeps it from being read is told likewise
	unlink $state;
	symlink($state, $state) or die;
	like(get($server, '/metrics')->{content}, qr/^irqoff_up 0$/m, 'a state that is there and cannot be read');
	like(said($server), qr/could not read \Q$state\E: Too many levels of symbolic links; irqoff_up is 0 until it can be read\n/, '... is not said to be missing');
	unlink $state;
	for my $broken ('', '{', 'x' x 5_000_000, "\0" x 100, state_text(format => 99), state_text(classes => []), '[' x 100_000, '{"format":1}') {
		put($state, $broken);
		my $got = get($server, '/metrics');
		is("$got->{status} " . ($got->{content} =~ /^irqoff_up 0$/m ? 'up 0' : $got->{content}), '200 up 0', 'a state that is none: ' . substr($broken, 0, 12) =~ s/\0/\\0/gr);
	}
	unlink $state;
	mkfifo($state, 0600);
	# nobody writes it: whoever opens it to read waits
	my $got = get($server, '/metrics');
	is("$got->{status} " . ($got->{content} =~ /^irqoff_up 0$/m ? 'up 0' : $got->{content}), '200 up 0', 'a state that is no file');
	unlink $state;
	is(end($server), 0, 'SIGTERM ends it');
};

subtest 'what else is asked' => sub {
	my $server = serve($captures);
	my $page = get($server, '/');
	is($page->{status}, 200, 'a page');
	like($page->{content}, qr{href="/metrics".*href="/debug/pprof/irqoff\?seconds=60"}s, '... which names both');
	for my $path (qw(/x /metrics/ /debug/pprof/ /debug/pprof/profile //metrics /../etc/passwd /%2e%2e/etc/passwd /metrics%00 /favicon.ico)) {
		my $got = get($server, $path);
		is("$got->{status} $got->{content}", "404 there are /metrics and /debug/pprof/irqoff\n", "no $path");
	}
	for my $method (qw(POST PUT DELETE OPTIONS TRACE PATCH CONNECT QUIT get)) {
		my $got = raw($server, "$method /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
		like($got, qr{^HTTP/1\.1 405 .*\r\nAllow: GET, HEAD\r\n}s, "no $method");
	}
	like(raw($server, "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\nx"), qr{^HTTP/1\.1 405 }, 'no POST with a body');
	like(raw($server, "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\nx"), qr{^HTTP/1\.1 400 .*takes no request with a body}s, 'no GET with a body');
	like(raw($server, "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), qr{^HTTP/1\.1 400 }, 'nor one in chunks');
	like(raw($server, "GET /metrics HTTP/1.1\r\nHost: x\r\nX: " . 'y' x 100_000 . "\r\n\r\n"), qr{^(?:HTTP/1\.1 4\d\d |$)}, 'no headers of 100 KB');
	like(raw($server, 'GET /' . 'y' x 100_000 . " HTTP/1.1\r\nHost: x\r\n\r\n"), qr{^(?:HTTP/1\.1 4\d\d |$)}, 'no path of 100 KB');
	unlike(raw($server, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"), qr{ 200 }, 'no TLS');
	unlike(raw($server, ''), qr/./, 'no request');
	is(get($server, '/')->{status}, 200, 'all of that has done no harm');
	my $two = raw($server, "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
	is(scalar(() = $two =~ m{^HTTP/1\.1 200 OK\r$}mg), 2, 'two requests of one connection');
	is(end($server, 'INT'), 0, 'SIGINT ends it');
	is(said($server) =~ s/^irqoff: serving .*\n//r =~ s/^irqoff: could not read .*\n//r, '', 'it has said nothing of it');
};

# the names of pprof's samples by culprit, and what each has
sub top {
	my ($file) = @_;
	my $out = `cd $tmp && PPROF_TMPDIR=$tmp go tool pprof -nodefraction=0 -nodecount=0 -top -tagleaf=culprit -sample_index=contentions $file 2>&1`;
	my %flat;
	for (split /\n/, $out) {
		$flat{$2} = $1 if /^\s*(\d+)\s+\S+%\s+\S+%\s+\S+\s+\S+%\s+(.*?)\s*$/ && $1;
	}
	return (\%flat, $out, $? >> 8);
}

sub capture {
	my ($ended, $slots, $seed, $name) = @_;
	my $path = "$captures/stalls-" . POSIX::strftime('%Y%m%dT%H%M%SZ', gmtime($name)) . '.irqoff';
	system("tests/host/unit/made_many $slots $seed node-$seed $ended > $path") == 0 or die;
	return $path;
}

subtest 'profiles' => sub {
	my $server = serve($captures);
	my $empty = get($server, '/debug/pprof/irqoff');
	is($empty->{status}, 200, 'no captures');
	put("$tmp/empty.pb.gz", $empty->{content});
	my ($flat, $out, $status) = top('empty.pb.gz');
	is($status, 0, '... have a profile that pprof reads') or diag($out);
	is_deeply($flat, {}, '... and which is empty');

	my $now = int(time);
	capture($now - 7200, 700, 3, $now - 7400);
	capture($now - 600, 70, 2, $now - 700);
	# 40 slots of 200 ms; a busy machine may have taken long for the others
	my $newest = capture(int(time) - 2, 40, 1, $now - 100);
	my $got = get($server, '/debug/pprof/irqoff');
	is($got->{status}, 200, 'stalls of the last minute') or diag($got->{content});
	is($got->{headers}{'content-type'}, 'application/octet-stream', '... of the type that Go says');
	put("$tmp/one.pb.gz", $got->{content});
	($flat, $out, $status) = top('one.pb.gz');
	is($status, 0, '... are a profile that pprof reads') or diag($out);
	my $wanted = decode_json(scalar `$irqoff list --json -i $newest`)->{records};
	my $sum = 0;
	$sum += $_ for values %$flat;
	is($sum, scalar(@$wanted), '... with each stall of these');
	my $two = get($server, '/debug/pprof/irqoff?seconds=3600');
	put("$tmp/two.pb.gz", $two->{content});
	my $hour = 0;
	$hour += $_ for values %{ (top('two.pb.gz'))[0] };
	cmp_ok($hour, '>', $sum, 'an hour has more of them');
	my $day = get($server, '/debug/pprof/irqoff?seconds=86400');
	put("$tmp/day.pb.gz", $day->{content});
	my $all = 0;
	$all += $_ for values %{ (top('day.pb.gz'))[0] };
	cmp_ok($all, '>', $hour + 500, 'a day has still more');
	my $head = get($server, '/debug/pprof/irqoff', undef, 'HEAD');
	is("$head->{status} " . ($head->{content} // ''), '200 ', 'HEAD has no body');

	for my $seconds ('', '0', '86401', '-1', '1.5', '60s', '1%00', '99999999999999999999', '%3Cb%3E', '1%202') {
		my $wrong = get($server, "/debug/pprof/irqoff?seconds=$seconds");
		is("$wrong->{status} $wrong->{content}", "400 seconds takes a whole number from 1 to 86400\n", "seconds='$seconds'");
	}

	# the newest two are asked for the last minutes; others may be broken
	put((glob("$captures/*"))[0], 'junk');
	is(get($server, '/debug/pprof/irqoff?seconds=300')->{status}, 200, 'an old capture that is broken does not matter');
	my $broken = get($server, '/debug/pprof/irqoff?seconds=86400');
	is($broken->{status}, 200, '... and the others are there');
	like($broken->{headers}{'irqoff-incomplete'}, qr/^not all is there: \S+\.irqoff is no capture of irqoff$/, '... with what is not');
	put($newest, substr(`cat $newest`, 0, -20));
	my $cut = get($server, '/debug/pprof/irqoff');
	is($cut->{status}, 200, 'one that is cut off');
	like($cut->{headers}{'irqoff-incomplete'}, qr/^not all is there: \S+\.irqoff is cut off, so records may be missing; what is there is shown$/, '... is said so');
	put("$tmp/cut.pb.gz", $cut->{content});
	like(scalar(`cd $tmp && go tool pprof -comments cut.pb.gz 2>&1`), qr/\.irqoff is cut off, so records may be missing/, '... in the profile, too');
	ok(!exists $got->{headers}{'irqoff-incomplete'}, 'and nothing where nothing is missing');
	open(my $writer, '+<', $newest) or die;
	flock($writer, LOCK_EX);
	is(get($server, '/debug/pprof/irqoff')->{status}, 200, '... is whole as long as somebody writes it');
	close $writer;
	put($newest, '');
	is(get($server, '/debug/pprof/irqoff?seconds=650')->{status}, 200, 'one that was begun just now is left out');
	unlink glob("$captures/*");
	rename $captures, "$captures.away";
	like(get($server, '/debug/pprof/irqoff')->{content}, qr{^could not open \Q$captures\E: No such file or directory$}, 'no directory');
	rename "$captures.away", $captures;
	is(get($server, '/debug/pprof/irqoff')->{status}, 200, '... until there is one');
	is(end($server), 0, 'SIGTERM ends it');
};

# the reader hangs: a capture that is a fifo
subtest 'one profile at a time' => sub {
	my $server = serve($captures);
	my $fifo = "$captures/stalls-" . POSIX::strftime('%Y%m%dT%H%M%SZ', gmtime) . '.irqoff';
	# what was begun just now is left out, and a fifo has no size; so there is a later one
	mkfifo($fifo, 0600);
	my $made = capture(int(time) - 1, 5, 1, time + 3600);
	my $reading = sub { `cat /proc/$server->{pid}/task/$server->{pid}/children` =~ /(\d+)/ && $1 };
	my $first = connected($server);
	print $first "GET /debug/pprof/irqoff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	my $reader = eventually($reading);
	ok($reader, 'another process reads the captures');
	my $busy = get($server, '/debug/pprof/irqoff');
	is($busy->{status}, 503, 'while one is made there is no other one');
	is("$busy->{content} $busy->{headers}{'retry-after'}", "another profile is being made; try again\n 5", '... which is said, and when to come again');
	is(get($server, '/metrics')->{status}, 200, '... and metrics are served meanwhile');
	kill('SEGV', $reader);
	like(join('', <$first>), qr{^HTTP/1\.1 500 .*\r\n\r\nirqoff export was ended by signal 11 \(Segmentation fault\)\n$}s, 'it crashes: the server does not');
	my $second = connected($server);
	print $second "GET /debug/pprof/irqoff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	$reader = eventually($reading);
	ok($reader, 'the next one');
	my $began = time;
	is(end($server), 0, 'SIGTERM while it is made');
	# the reader would be given 30 s
	cmp_ok(time - $began, '<', 20, '... ends it at once');
	ok(eventually(sub { !kill(0, $reader) }), '... and what makes it');
	unlink $fifo, $made;
};

subtest 'clients that take their time' => sub {
	my $server = serve($captures);
	my %request = (silent => '', half => "GET /metrics HTTP/1.1\r\nHo", left => "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
		trickle => "GET /metrics HTTP/1.1\r\nX: ");
	my %all = map { ($_ => connected($server)) } keys %request;
	my ($began, %ended) = (time);
	print { $all{$_} } $request{$_} for keys %all;
	my $last = $began;
	# how long one may take in all is a unit test's (clients), because this process may not run when it has to send
	while (%all && time < $began + 120) {
		if ($all{trickle} && time >= $last + 1) {
			$last = time;
			send($all{trickle}, 'y', 0);
		}
		for my $name (keys %all) {
			my $bits = '';
			vec($bits, fileno($all{$name}), 1) = 1;
			next unless select($bits, undef, undef, 0);
			next if sysread($all{$name}, my $bytes, 65536);
			$ended{$name} = time - $began;
			delete $all{$name};
		}
		sleep 0.1;
	}
	for my $name (sort keys %request) {
		my $seconds = $ended{$name} // 0;
		cmp_ok($seconds, '>', 2, "$name: its connection ends, after some seconds") or diag($seconds ? "after $seconds s" : 'it does not');
	}

	my @many = map { IO::Socket::INET->new(PeerAddr => $server->{at}, Timeout => 5) } 1 .. 60;
	my $fds = eventually(sub { my @fds = glob("/proc/$server->{pid}/fd/*"); @fds > 20 && @fds });
	cmp_ok($fds, '<', 48, 'sixty clients do not all get in');
	undef @many;
	ok(eventually(sub { get($server, '/metrics')->{status} == 200 }), '... and when they go there is room again');
	is(end($server), 0, 'SIGTERM ends it');
};

subtest 'a socket that is handed over' => sub {
	my $listening = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', LocalPort => 0) or die;
	# handed(SOCKETS, VARIABLES, ARGUMENT...): runs it with descriptors 3 to 3 + SOCKETS - 1
	my $handed = sub {
		my ($sockets, $fds, @arguments) = @_;
		my $server = { log => "$tmp/log" . $count++ };
		$server->{pid} = fork() // die;
		if (!$server->{pid}) {
			open(STDERR, '>', $server->{log});
			my @kept = map { POSIX::dup(fileno($_)) + 0 } @$sockets;
			POSIX::dup2($kept[$_], 20 + $_) for 0 .. $#kept;
			POSIX::dup2(20 + $_, 3 + $_) for 0 .. $#kept;
			$ENV{LISTEN_PID} = $$;
			$ENV{LISTEN_FDS} = $fds;
			exec($irqoff, 'serve', '--state', $state, @arguments) or POSIX::_exit(99);
		}
		$servers{ $server->{pid} } = 1;
		return $server;
	};
	my $ended = sub {
		my ($server) = @_;
		my $gone = eventually(sub { waitpid($server->{pid}, POSIX::WNOHANG()) == $server->{pid} });
		my $status = $? >> 8;
		delete $servers{ $server->{pid} } if $gone;
		return ($gone ? $status : 'runs') . ' ' . said($server);
	};
	my $server = $handed->([$listening], 1, $captures);
	$server->{at} = '127.0.0.1:' . $listening->sockport;
	is(get($server, '/')->{status}, 200, 'it is served');
	like(said($server), qr{serving http://\Q$server->{at}\E/\n}, '... which is said');
	is(end($server), 0, 'SIGTERM ends it');
	is($ended->($handed->([$listening], 1, '--listen', '127.0.0.1:1')), "1 irqoff: the service manager hands over a socket; leave out --listen\n", 'and another address');
	is($ended->($handed->([ $listening, $listening ], 2)),
		"1 irqoff: the service manager hands over 2 sockets, and one is served; [::]:PORT is one for IPv4 and IPv6\n", 'two sockets');
	my $closed = IO::Socket::INET->new(Proto => 'udp', LocalAddr => '127.0.0.1') or die;
	is($ended->($handed->([$closed], 1)), "1 irqoff: the service manager hands over what is no TCP socket that listens\n", 'a socket of UDP');
	open(my $null, '<', '/dev/null') or die;
	is($ended->($handed->([$null], 1)), "1 irqoff: the service manager hands over what is no TCP socket that listens\n", 'no socket');

	SKIP: {
		skip('there is no systemd-socket-activate', 2) if system('command -v systemd-socket-activate > /dev/null');
		# one that had no connections, which would keep it for a while
		my $port = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1)->sockport;
		my $systemd = { log => "$tmp/log" . $count++, at => "127.0.0.1:$port" };
		$systemd->{pid} = fork() // die;
		if (!$systemd->{pid}) {
			open(STDERR, '>', $systemd->{log});
			exec('systemd-socket-activate', '-l', $systemd->{at}, $irqoff, 'serve', '--state', $state, $captures) or POSIX::_exit(99);
		}
		$servers{ $systemd->{pid} } = 1;
		ok(eventually(sub { get($systemd, '/')->{status} == 200 }), 'by systemd, as a client comes') or diag(said($systemd));
		is(end($systemd), 0, '... and SIGTERM ends it');
	}
};

subtest 'beyond loopback' => sub {
	my $server = { log => "$tmp/log" . $count++ };
	$server->{pid} = fork() // die;
	if (!$server->{pid}) {
		open(STDERR, '>', $server->{log});
		exec($irqoff, 'serve', '--listen', '0.0.0.0:0', '--state', $state, $captures) or POSIX::_exit(99);
	}
	$servers{ $server->{pid} } = 1;
	my $port = eventually(sub { said($server) =~ m{^irqoff: serving http://0\.0\.0\.0:(\d+)/ to whoever reaches it\n} && $1 });
	ok($port, 'all addresses, where they are typed');
	$server->{at} = "127.0.0.1:$port";
	is(get($server, '/')->{status}, 200, '... are served');
	is(end($server), 0, 'SIGTERM ends it');
};

subtest 'what it tells a service manager' => sub {
	my $notify = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => "$tmp/notify") or die "$!";
	local $ENV{NOTIFY_SOCKET} = "$tmp/notify";
	my $server = serve($captures);
	$notify->recv(my $ready, 100);
	is($ready, "READY=1\nSTATUS=answering", 'it is ready');
	is(end($server), 0, 'SIGTERM ends it');
	$notify->recv(my $stopping, 100);
	is($stopping, 'STOPPING=1', '... which it tells');
};

done_testing;
