#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The real node-problem-detector with scripts/fleet/npd/irqoff.json and a stand-in for irqoff, which answers as `irqoff check` does:
# the condition is set, cleared, and not known. NPD=FILE (environment) is its program, which no package registry has; its image has
# it as /node-problem-detector.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP;
use Test::More;
use Time::HiRes qw(sleep);
use lib "$FindBin::Bin/lib";
use Files;

plan(skip_all => 'NPD names no program of node-problem-detector') unless $ENV{NPD};
my $file = "$FindBin::Bin/../../scripts/fleet/npd/irqoff.json";
my $dir = tempdir(CLEANUP => 1);

# answers(STATUS, LINE): what the stand-in does from now on
sub answers {
	write_file("$dir/answer", "$_[0] $_[1]\n");
}

note('CONSUMER NPD ' . (`$ENV{NPD} --version 2>&1` =~ /(v?\d\S+)/ ? $1 : '?'));
answers(0, 'no stall');
my $irqoff = write_file("$dir/irqoff", <<"END");
#!/bin/sh -u
echo "\$*" >> $dir/calls
read -r status line < $dir/answer
echo "\$line"
exit "\$status"
END
chmod(0755, $irqoff) or die "$irqoff: $!";
my $config = decode_json(text($file));
my @args = @{ $config->{rules}[0]{args} };
$config->{rules}[0]{path} = $irqoff;
$config->{pluginConfig}{invoke_interval} = '1s';
write_file("$dir/irqoff.json", encode_json($config));

# a port that is free now
my $port = do { IO::Socket::INET->new(Listen => 1, LocalAddr => '127.0.0.1')->sockport };
my $pid = fork() // die "fork: $!";
if (!$pid) {
	open(STDERR, '>', "$dir/log") or die "$dir/log: $!";
	open(STDOUT, '>&', \*STDERR) or die "stdout: $!";
	exec($ENV{NPD}, '--enable-k8s-exporter=false', '--port=0', '--prometheus-address=127.0.0.1', "--prometheus-port=$port",
		"--config.custom-plugin-monitor=$dir/irqoff.json") or die "$ENV{NPD}: $!";
}
END { kill('TERM', $pid) if $pid }

# metrics(): NAME{REASON} => VALUE
sub metrics {
	my $answer = HTTP::Tiny->new(timeout => 5)->get("http://127.0.0.1:$port/metrics");
	return $answer->{content} =~ /^(problem_\w+\{.*\}) (\d+)$/mg;
}

# becomes(NAME, STATUS, REASON, MESSAGE): waits until the log has one more change of the condition, and compares it
my $changes = 0;

sub becomes {
	my ($name, @wanted) = @_;
	my @found;
	for (1 .. 100) {
		@found = text("$dir/log") =~ /Conditions:\[\{Type:KernelStall Status:(\w+) Transition:.*? Reason:(\w+) Message:(.*?)\}\]/g;
		# one that is told at the start is none
		@found = @found[ $changes * 3 .. $#found ];
		last if @found;
		sleep(0.1);
	}
	$changes++;
	is_deeply([ @found[ 0 .. 2 ] ], \@wanted, $name) or diag(text("$dir/log"));
}

my ($clear, $set) = ($config->{conditions}[0], $config->{rules}[0]);
my $gauge = sub { my %now = metrics(); return join(' ', map { $now{"problem_gauge{reason=\"$_->{reason}\",type=\"KernelStall\"}"} // 'none' } $set, $clear) };
my %now;
for (1 .. 100) {
	%now = metrics();
	last if %now && -e "$dir/calls";
	sleep(0.1);
}
is($gauge->(), '0 0', 'status 0 at the start: no problem');
my $longest = 'x' x 80;
answers(1, $longest);
becomes('status 1 sets the condition, with the whole of 80 bytes', 'True', $set->{reason}, $longest);
is($gauge->(), '1 0', 'problem_gauge of its reason is 1');
answers(2, 'no agent');
becomes('status 2: not known, and why', 'Unknown', $clear->{reason}, 'no agent');
is($gauge->(), '0 0', 'problem_gauge is 0, as without a problem');
answers(0, 'no stall');
becomes('status 0 clears it', 'False', $clear->{reason}, $clear->{message});
answers(1, 'first');
becomes('and again', 'True', $set->{reason}, 'first');
answers(1, 'second');
sleep(2.5);
answers(0, 'no stall');
becomes('another sentence is no change', 'False', $clear->{reason}, $clear->{message});
%now = metrics();
is($now{"problem_counter{reason=\"$set->{reason}\"}"}, 2, 'problem_counter counts how often it was set');
my @calls = split(/\n/, text("$dir/calls"));
is(join("\n", grep { $_ ne "@args" } @calls), '', 'each call is the rule\'s');

kill('TERM', $pid);
waitpid($pid, 0);
$pid = undef;
done_testing;
