#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The manifests of scripts/fleet/kubernetes: Kubernetes' own schemas take them, and refuse broken ones; what they say agrees with the
# unit, the reader, DKMS and the kernels that were tested; the runtimes' default profiles allow the agent its system calls.
# KMM_CRD=FILE (environment) is the CustomResourceDefinition modules.kmm.sigs.x-k8s.io, from a cluster or KMM's source; no package
# registry has it, so without it the Module is compared with this tree only.
use strict;
use warnings;
use File::Temp qw(tempdir);
use FindBin;
use JSON::PP qw(decode_json);
use Test::More;
use lib "$FindBin::Bin/lib";
use Files;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";
my $dir = tempdir(CLEANUP => 1);
my ($agent, $module, $plugin) = ('scripts/fleet/kubernetes/agent.yaml', 'scripts/fleet/kubernetes/module.yaml', 'scripts/fleet/npd/irqoff.json');
my @manifest = qw(tests/python --modules tests/consumers/kubernetes.txt tests/consumers/manifest);
# the first that knows hostUsers, a few, and the newest that the package has
my @versions = qw(1.25.0 1.29.0 1.33.0 1.37.0);

# of_command(COMMAND): its status and output
sub of_command {
	open(my $out, '-|', @_) or die "$_[0]: $!";
	local $/;
	my $said = <$out> // '';
	close($out);
	return ($? >> 8) . ": $said";
}

# documents(FILE): by kind
sub documents {
	my ($status, $json) = of_command(@manifest, 'json', $_[0]) =~ /^(\d+): (.*)$/s;
	die "$_[0]: status $status" if $status;
	my %found;
	push @{ $found{ $_->{kind} } }, $_ for @{ decode_json($json) };
	return \%found;
}

note("CONSUMER Kubernetes $versions[-1]");
# What is an alternative stands there as a comment whose text is not set off by one blank.
my $all = text($agent) =~ s/^(\s*)#(?=\S|  )/$1/gmr;
isnt($all, text($agent), 'there are alternatives');
my $all_file = write_file("$dir/all.yaml", $all);
for my $version (@versions) {
	is(of_command(@manifest, 'check', $version, $agent), '0: ', "Kubernetes $version takes agent.yaml");
	is(of_command(@manifest, 'check', $version, $all_file), '0: ', "and with all alternatives");
	is(of_command(@manifest, 'check', $version, $module), "0: Module trace-irqoff is not Kubernetes' own\n", "and module.yaml, but for KMM's");
}

# refused(NAME, FROM, TO, WANTED): agent.yaml with this change
sub refused {
	my ($name, $from, $to, $wanted) = @_;
	my $changed = text($agent);
	ok($changed =~ s/$from/$to/, "$name: changed");
	like(of_command(@manifest, 'check', $versions[-1], write_file("$dir/changed.yaml", $changed)), qr/^1: .*$wanted/s, "$name: refused");
}
refused('a field that is none', 'readOnlyRootFilesystem:', 'readOnlyRootFileSystem:', "'readOnlyRootFileSystem' was unexpected");
refused('a word for a number', 'terminationGracePeriodSeconds: 60', 'terminationGracePeriodSeconds: minute', "'minute' is not of type");
refused('a field in the wrong place', '\n      hostNetwork: true', "\n          hostNetwork: true", 'mapping|expected');
refused('a DaemonSet without a selector', '(?s)  selector:\n    matchLabels:\n.*?(?=  updateStrategy)', '', 'selector');
refused('a key that is there twice', '(\n      hostPID: false)', "\n      hostPID: false\n      hostPID: false", 'twice');

my $objects = documents($agent);
my ($set) = @{ $objects->{DaemonSet} };
my $pod = $set->{spec}{template}{spec};
my ($container) = @{ $pod->{containers} };
my $context = $container->{securityContext};
is_deeply([ sort keys %$objects ], [qw(ConfigMap DaemonSet Namespace PriorityClass ServiceAccount)], 'what is in agent.yaml');
is($objects->{Namespace}[0]{metadata}{labels}{'pod-security.kubernetes.io/enforce'}, 'privileged', 'its namespace admits it');
is_deeply($set->{spec}{selector}{matchLabels}, $set->{spec}{template}{metadata}{labels}, 'the DaemonSet selects its own pods');
ok(!$_->{automountServiceAccountToken}, 'no token is mounted') for $objects->{ServiceAccount}[0], $pod;
ok($pod->{hostNetwork} && $pod->{hostUsers}, 'the host\'s network and user namespace');
ok(!$pod->{hostPID} && !$pod->{hostIPC} && !$context->{privileged}, 'no other of the host, and not privileged');
ok($context->{readOnlyRootFilesystem}, 'a read-only root');
is($context->{allowPrivilegeEscalation}, JSON::PP::false, 'no new privileges');
ok(!$container->{"${_}Probe"}, "no $_ probe") for qw(liveness readiness startup);
ok(!$container->{resources}{limits}{cpu}, 'no limit of CPU');
is($pod->{priorityClassName}, $objects->{PriorityClass}[0]{metadata}{name}, 'its priority class is there');

my $unit = text('scripts/packaging/trace-irqoff.service');
my ($stop) = $unit =~ /^TimeoutStopSec=(\d+)$/m;
is($pod->{terminationGracePeriodSeconds}, $stop, 'as much time to end as the service has');
my ($command) = $unit =~ m{^ExecStart=/usr/sbin/irqoff (.*)$}m;
is("@{ $container->{args} }", $command, 'the service\'s command');

# those of the unit. Numbers of processes are the host's with hostPID only, so SYS_PTRACE is of no use without it.
sub capabilities {
	my ($process) = @_;
	my ($bounding) = $unit =~ /^CapabilityBoundingSet=(.*)$/m;
	return sort grep { $process || $_ ne 'SYS_PTRACE' } map { s/^CAP_//r } split(/ /, $bounding);
}
is("@{ $context->{capabilities}{drop} }", 'ALL', 'all capabilities are dropped');
is(join(' ', sort @{ $context->{capabilities}{add} }), join(' ', capabilities($pod->{hostPID})), 'those of trace-irqoff.service are added');

# volumes
for my $file ($agent, $all_file) {
	my $spec = documents($file)->{DaemonSet}[0]{spec}{template}{spec};
	my @mounted = map { $_->{name} } @{ $spec->{containers}[0]{volumeMounts} };
	is(join(' ', sort @mounted), join(' ', sort map { $_->{name} } @{ $spec->{volumes} }), 'each volume is mounted, and there');
	for my $volume (grep { $_->{hostPath} } @{ $spec->{volumes} }) {
		my ($mount) = grep { $_->{name} eq $volume->{name} } @{ $spec->{containers}[0]{volumeMounts} };
		is($mount->{mountPath}, $volume->{hostPath}{path}, "$volume->{name} lies where the host has it");
	}
}
is(join(' ', sort map { $_->{mountPath} } grep { !$_->{readOnly} } @{ $container->{volumeMounts} }), '/run/trace-irqoff /var/lib/trace-irqoff',
	'two directories can be written');

# Paths that the reader has, outside of what a container has of the host anyway. Those that only other commands or packages have use
# of, and those that are optional, are named here: a new path has to be decided upon.
my %decided = map { $_ => 1 } qw(/etc/redhat-release /etc/trace-irqoff/causes.d /run/netns /var/lib/dkms /var/lib/shim-signed
	/var/lib/trace-irqoff-dkms);
my %mounted = map { $_->{mountPath} => 1 } @{ $container->{volumeMounts} };
my %opened;
for my $file (split(/\n/, qx(find userspace -name '*.c' ! -path '*/serve/*'))) {
	$opened{$_} = $file for text($file) =~ m{"(/(?:etc|lib|run|usr|var)/[\w./-]+)}g;
}
cmp_ok(scalar keys %opened, '>', 5, 'the reader has paths');
for my $path (sort keys %opened) {
	my @known = grep { "$path/" =~ m{^\Q$_\E/} } keys %mounted, keys %decided;
	ok(@known, "$path of $opened{$path} is mounted, or can be done without");
}

# lines of the file of settings
my ($config) = values %{ documents($all_file)->{ConfigMap}[0]{data} };
my %settings = map { $_ => 1 } text('scripts/packaging/trace-irqoff.conf') =~ /^#?([a-z_]+)=/mg;
my @lines = $config =~ /^([a-z_]+)=/mg;
cmp_ok(scalar @lines, '>=', 5, 'the file of settings has lines');
is(join(' ', grep { !$settings{$_} } @lines), '', 'each is one of trace-irqoff.conf');

# the runtimes' default profiles
my @added = map { "CAP_$_" } @{ $context->{capabilities}{add} };

# allowed(RUNTIME, CAPABILITY...): the calls that are allowed whatever their arguments
sub allowed {
	my ($status, $json) = of_command('tests/consumers/seccomp-profile', @_) =~ /^(\d+): (.*)$/s;
	die "the profile of $_[0]: status $status" if $status;
	my $profile = decode_json($json);
	isnt($profile->{defaultAction}, 'SCMP_ACT_ALLOW', "$_[0]: others are refused");
	return map { $_ => 1 } map { @{ $_->{names} } } grep { $_->{action} eq 'SCMP_ACT_ALLOW' && !$_->{args} } @{ $profile->{syscalls} };
}
is($context->{seccompProfile}{type}, 'RuntimeDefault', 'the runtime\'s default profile');
my ($filter) = $unit =~ /^SystemCallFilter=\@system-service (.*)$/m;
my @calls = split(/ /, $filter);
is_deeply(\@calls, [qw(setns open_by_handle_at)], 'the calls that the unit adds');
for my $runtime (qw(containerd docker)) {
	my %with = allowed($runtime, @added);
	my %without = allowed($runtime);
	for my $call (@calls) {
		ok($with{$call}, "$runtime allows $call");
		ok(!$without{$call}, "$runtime does not without the capabilities");
	}
	ok($with{$_}, "$runtime allows $_") for qw(adjtimex sendmsg recvmsg readlink faccessat openat ioctl);
}

# KMM
my $kmm = documents($module);
my ($loaded) = @{ $kmm->{Module} };
my $loader = $loaded->{spec}{moduleLoader}{container};
my ($built) = text('dkms.conf') =~ /^BUILT_MODULE_NAME\[0\]="(.*)"$/m;
is($loader->{modprobe}{moduleName}, $built, 'KMM loads what DKMS builds');
my %parameters = map { $_ => 1 } text('module/core/knobs.c') =~ /\.name = "([a-z_]+)"/g;
is(join(' ', grep { !/^([a-z_]+)=\d+$/ || !$parameters{$1} } @{ $loader->{modprobe}{parameters} }), '', 'with parameters that it has');
is($loaded->{metadata}{namespace}, $objects->{Namespace}[0]{metadata}{name}, 'in the agent\'s namespace');
my %files = map { $_->{metadata}{name} => $_->{data}{dockerfile} } @{ $kmm->{ConfigMap} };
my %rows = map { $_->{kernel} => $_ } values %{ decode_json(text('tests/compat.json')) };
my ($dkms) = text('dkms.conf') =~ /^BUILD_EXCLUSIVE_KERNEL="(.*)"$/m;
for my $mapping (@{ $loader->{kernelMappings} }) {
	my $regexp = $mapping->{regexp};
	like($regexp, qr/^\^.*\$$/, "$regexp: is of whole names");
	my $file = $files{ $mapping->{build}{dockerfileConfigMap}{name} };
	ok($file, "$regexp: its ConfigMap is there");
	like($file, qr/^ARG AGENT=\Q$container->{image}\E$/m, "$regexp: its source is in the agent's image");
	like($file, qr{ /opt/lib/modules/\$\{KERNEL_FULL_VERSION\}/trace_irqoff\.ko }, "$regexp: the module lies where KMM looks");
	# Debian's and RHEL's, by their names
	my @matched = grep { /$regexp/ } sort keys %rows;
	cmp_ok(scalar @matched, '>', 1, "$regexp: @matched");
	is(join(' ', grep { !/$dkms/ } @matched), '', "$regexp: DKMS takes each of them, too");
}
my @taken = grep { my $kernel = $_; grep { $kernel =~ /$_->{regexp}/ } @{ $loader->{kernelMappings} } } sort keys %rows;
is(join(' ', @taken), join(' ', grep { /^6\.1\.0-.*(amd|arm)64$|\.el\d+(_\d+)?\.\w+$/ } sort keys %rows), 'those of Debian 12 and RHEL, and no other');

SKIP: {
	skip('KMM_CRD names no CustomResourceDefinition: KMM\'s schema was not asked', 3) unless $ENV{KMM_CRD};
	is(of_command(@manifest, 'check-crd', $ENV{KMM_CRD}, $module), '0: ', 'KMM takes module.yaml');
	my $signed = write_file("$dir/signed.yaml", text($module) =~ s/^(\s*)#(?=\S|  )/$1/gmr);
	is(of_command(@manifest, 'check-crd', $ENV{KMM_CRD}, $signed), '0: ', 'and with all alternatives');
	my $wrong = write_file("$dir/wrong.yaml", text($module) =~ s/moduleName/modulName/r);
	like(of_command(@manifest, 'check-crd', $ENV{KMM_CRD}, $wrong), qr/^1: .*modulName/, 'and refuses a broken one');
}

# names of pods
mkdir("$dir/pods") or die "$dir/pods: $!";
my ($uid, $static) = ('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'd41d8cd98f00b204e9800998ecf8427e');
for my $name ("shop_web-7d4b9c6f5-x2x4k_$uid", "kube-system_kube-apiserver-node-7_$static", 'no-pod') {
	mkdir("$dir/pods/$name") or die "$dir/pods/$name: $!";
}

# named(TEXT): what irqoff-pod-names makes of it
sub named {
	my $file = write_file("$dir/named", $_[0]);
	return of_command('sh', '-c', "scripts/fleet/kubernetes/irqoff-pod-names $dir/pods < $file");
}
my $records = text('tests/host/unit/golden/list.jsonl');
my ($status, $named) = named($records) =~ /^(\d+): (.*)$/s;
is($status, 0, 'irqoff-pod-names');
my (@before, @after);
push @before, decode_json($_) for split(/\n/, $records);
push @after, decode_json($_) for split(/\n/, $named);
my @pods = grep { $_->{pod} } @after;
cmp_ok(scalar @pods, '>', 0, 'records have pods');
is(join(' ', map { ($_->{pod_namespace} // '') . '/' . ($_->{pod_name} // '') } @pods), join(' ', map { $_->{pod} eq $uid ? 'shop/web-7d4b9c6f5-x2x4k' : '/' } @pods),
	'the pods that have a directory get namespace and name');

# without(RECORD): it without what was added, wherever that is
sub without {
	my ($part) = @_;
	return [ map { without($_) } @$part ] if ref($part) eq 'ARRAY';
	return $part if ref($part) ne 'HASH';
	return { map { $_ => without($part->{$_}) } grep { !/^pod_name(?:space)?$/ } keys %$part };
}
is_deeply([ map { without($_) } @after ], \@before, 'and nothing else changes');
is(named("for cadvisor, pod $uid\n"), "0: for cadvisor, pod $uid (shop/web-7d4b9c6f5-x2x4k)\n", 'in text');
is(named("pod $static, pod 0$uid\n"), "0: pod $static (kube-system/kube-apiserver-node-7), pod 0$uid\n", 'a static pod, and one that is not there');
like(of_command('sh', '-c', "scripts/fleet/kubernetes/irqoff-pod-names $dir/none 2>&1 < /dev/null"), qr/^1: .*mount the node's/, 'no directory');

# node-problem-detector
my $monitor = decode_json(text($plugin));
my %seconds = (s => 1, m => 60);
my ($rule, @more) = @{ $monitor->{rules} };
is(scalar @more, 0, 'one rule for the one condition, as several would set it in turns');
is_deeply([ map { $_->{type} } @{ $monitor->{conditions} } ], [ $rule->{condition} ], 'the condition has a state without a problem');
is($rule->{type}, 'permanent', 'which lasts until the rule ends it');
isnt($monitor->{conditions}[0]{reason}, $rule->{reason}, 'both states have a reason');
my ($program) = $unit =~ /^ExecStart=(\S+)/m;
is($rule->{path}, $program, 'the program of the packages');
my %args = ('', @{ $rule->{args} })[ 2 .. 5 ];
is_deeply([ $rule->{args}[0], sort keys %args ], [qw(check --max --since)], 'what it calls');
my ($interval, $since) = map { /^(\d+)([sm])$/ ? $1 * $seconds{$2} : 0 } $monitor->{pluginConfig}{invoke_interval}, $args{'--since'};
cmp_ok($interval, '>', 0, 'it calls from time to time');
cmp_ok($since, '>', $interval, 'no stall falls between two calls');
is($monitor->{pluginConfig}{max_output_length}, 80, 'as many bytes as irqoff check prints at most');
cmp_ok(length($monitor->{conditions}[0]{message}), '<=', 80, 'its own sentence has no more');

done_testing;
