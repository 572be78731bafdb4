#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What the documents name exists: each message that docs/troubleshooting.md explains is one of the sources', and the messages of
# the files below are all explained; links resolve, and what sources name is there; commands, options, knobs and settings are the
# reader's; each page of a folder has a line in its README.md. README.md and those pages stay short. The manual pages have all
# commands, options, columns and knobs, and no others; each is installed by one package; what names one or its section is right.
use strict;
use warnings;
use File::Basename qw(dirname);
use FindBin;
use Test::More;

chdir("$FindBin::Bin/../..") or die "$FindBin::Bin/../..: $!";
my $trouble = 'docs/troubleshooting.md';
my $man = 'userspace/man';
my @pages = sort(glob("$man/*.[1-8]"));
my @documents = (sort(split(/\n/, qx(find docs -name '*.md'))), qw(README.md CONTRIBUTING.md));
cmp_ok(scalar @documents, '>=', 45, 'there are documents');
my @guides = map { "docs/$_.md" } qw(install tuning reading captures security troubleshooting upgrading rollout);

sub text {
	my ($file) = @_;
	open(my $in, '<', $file) or die "$file: $!";
	local $/;
	return scalar <$in>;
}

# A message with what stands in it at run time: a pattern of the whole of it, and how many of its letters are fixed
sub message {
	my ($pattern, $fixed) = ('', 0);
	for my $part (split(/(\0)/, $_[0])) {
		$pattern .= $part eq "\0" ? '.*?' : quotemeta($part);
		$fixed += $part eq "\0" ? 0 : length($part);
	}
	return [ qr/^$pattern$/, $fixed, $_[0] ];
}

# of_c(TEXT): the strings of C, those that stand beside each other as one; macros between them, and directives, stand for anything
sub of_c {
	my ($text) = @_;
	my $string = qr/"(?:[^"\\]|\\.)*"/;
	# comments, and characters such as '"', but not in strings
	$text =~ s{($string)|/\*.*?\*/|//[^\n]*|'(?:[^'\\]|\\.)'}{ $1 // ' ' }gse;
	$text =~ s/\\\n/ /g;
	my $macro = qr/\b(?:[A-Z][A-Z_]+\b(?:\([\w#]*\))?|name|unit)/;
	my @found;
	while ($text =~ /((?:$macro\s+)*$string(?:\s*(?:$string|$macro))*)/g) {
		my $joined = $1;
		my $said = '';
		$said .= defined $1 ? $1 : "\0" while $joined =~ /"((?:[^"\\]|\\.)*)"|$macro/g;
		$said =~ s/%%/%/g if $said !~ s/%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z)?[a-zA-Z]/\0/g;
		$said =~ s/%%/%/g;
		$said =~ s/\\n$//;
		$said =~ s/\\(.)/$1/g;
		push @found, $said;
	}
	return @found;
}

# of_shell(TEXT): what scripts say; variables, and @WORDS@ that packaging fills in, stand for anything
sub of_shell {
	my ($text) = @_;
	my @found;
	while ($text =~ /^.*?\b(?:say|stays|echo) "((?:[^"\\]|\\.)*)"/mg) {
		my $said = $1;
		my @words = $said =~ /^\$\{said:-(.*)\}$/ ? $1 : $said;
		for my $word (@words) {
			$word =~ s/\$\{[^}]*\}|\$\([^)]*\)|\$\*|\$\w+|\@[A-Z]+\@/\0/g;
			push @found, $word;
		}
	}
	return @found;
}

my @c = sort(split(/\n/, qx(find userspace -name '*.c' && find module -name '*.[ch]')));
my @shell = qw(scripts/packaging/unload scripts/packaging/build-module);
my @messages = map { message($_) } ((map { of_c(text($_)) } @c), (map { of_shell(text($_)) } @shell));
cmp_ok(scalar @messages, '>', 1000, 'the sources have messages');

# found(TEXT): is it a message of the sources, of which enough is fixed?
sub found {
	my ($said) = @_;
	return grep { $_->[1] >= 10 && $_->[1] >= length($said) / 8 && $said =~ $_->[0] } @messages;
}

# what is quoted in headings, up to the part about other programs
my ($own, $others) = split(/^## Messages of other programs$/m, text($trouble));
ok($others, "$trouble has a part about other programs");
my @quoted = $own =~ /^### `(.*)`$/mg;
cmp_ok(scalar @quoted, '>', 80, "$trouble: there are messages");
for my $said (@quoted) {
	ok(found($said), "$trouble: \"$said\" is said by the sources");
}
my %seen;
is(join("\n", grep { $seen{$_}++ } $own =~ /^### (.*)$/mg), '', "$trouble: each message is there once");
is(join("\n", grep { !/^`.*`$/ } $own =~ /^### (.*)$/mg), '', "$trouble: headings are messages");

# All messages of these files are explained. What has fewer words is a name, a path or a part of a sentence.
for my $file (qw(userspace/source/installed.c userspace/source/module.c userspace/cli/agent_settings.c userspace/agent/health.c module/control/prepare.c module/core/ring_memory.h module/control/memory.c
	module/detect/cost_limit.c module/control/release.c module/detect/tracepoints.c module/control/hotplug.c module/report/access.c scripts/packaging/unload)) {
	my @said = $file =~ /\.[ch]$/ ? of_c(text($file)) : of_shell(text($file));
	for my $said (grep { (() = / /g) >= 3 } @said) {
		next if $said =~ /^Load into a kernel/;    # a parameter's description
		my $pattern = join('.*', map { quotemeta } split(/\0/, $said));
		ok($own =~ /$pattern/, "$trouble explains what $file says: \"" . ($said =~ s/\0/.../gr) . '"');
	}
}

# GitHub's anchor of a heading
sub anchor {
	my ($heading) = @_;
	$heading =~ s/\[([^]]*)\]\([^)]*\)/$1/g;
	$heading = lc($heading);
	$heading =~ s/[^\w\- ]//g;
	$heading =~ s/ /-/g;
	return $heading;
}

my %anchors;
for my $document (@documents) {
	my $text = text($document) =~ s/^```.*?^```$//gmsr;
	$anchors{$document} = { map { anchor($_) => 1 } $text =~ /^#+ (.*)$/mg };
}
for my $document (@documents) {
	my @wrong;
	for my $link (text($document) =~ /\]\(([^)\s]+)\)/g) {
		next if $link =~ m{^https?://};
		my ($to, $where) = $link =~ /^([^#]*)(?:#(.*))?$/;
		my $path = $to eq '' ? $document : dirname($document) . "/$to";
		$path =~ s{^\./}{};
		1 while $path =~ s{[^/]+/\.\./}{};
		push @wrong, "$link: there is no $path" and next unless -e $path;
		push @wrong, "$link: $path has no such heading" if defined $where && !$anchors{$path}{$where};
	}
	is(join("\n", @wrong), '', "$document: its links resolve");
}
for my $guide (@guides) {
	my $name = $guide =~ s{^docs/}{}r;
	ok((grep { text($_) =~ /\]\((?:docs\/)?\Q$name\E[#)]/ } grep { $_ ne $guide } @documents), "$guide: another document links to it");
}

# A folder of pages, one subject each: a reader begins at its README.md.
my %pages = (design => 20, testing => 5);
for my $folder (sort keys %pages) {
	my @pages = glob("docs/$folder/*.md");
	cmp_ok(scalar @pages, '>=', $pages{$folder}, "docs/$folder: there are pages");
	my $index = text("docs/$folder/README.md");
	my @unlisted = grep { $index !~ /^\| \[[^]]*\]\(\Q$_\E\) \|/m } grep { $_ ne 'README.md' } map { s{.*/}{}r } @pages;
	is(join(' ', @unlisted), '', "docs/$folder/README.md has a line on each page");
	is(join(' ', grep { (() = text($_) =~ /\S+/g) > 4000 } @pages), '', "docs/$folder: a page has 4,000 words at most");
}

# pages of docs/ that sources and documents name
my $name = '(^|[^/[:alnum:]])docs/[[:alnum:]_/-]+\.(md|[1-8])';
my $sources = '.ci Kbuild Makefile dkms.conf module userspace scripts tests';
my @named = map { m{^([^:]*):.*?(docs/.*)} ? [ $1, $2 ] : () }
	qx(grep -rIoE --exclude-dir=cache --exclude-dir=mutants '$name' $sources @documents);
cmp_ok(scalar @named, '>=', 60, 'sources name documents');
is(join("\n", map { "$_->[0]: $_->[1]" } grep { !-e $_->[1] } @named), '', 'the documents that they name exist');

# what irqoff has
my $main = text('userspace/cli/main.c');
my ($table) = $main =~ /^const struct command commands\[\] = \{\n(.*?)^\};/ms;
my %commands = map { $_ => 1 } $table =~ /^\t\{ "([a-z]+)",/mg;
# the older words for options go on, and no document has them
my %options = map { $_ => 1 } text('userspace/cli/options.c') =~ s/_older_rows\[\] = \{.*?^\};//msgr =~ /\{ [A-Z_]+, "([a-z-]+)",/g, qw(help version);
my %knobs = map { $_ => 1 } text('module/core/knobs.c') =~ /\.name = "([a-z_]+)"/g, qw(threshold period max_cost cpus allow_other_release);
my %settings = (%knobs, map { $_ => 1 } text('userspace/cli/agent_settings.c') =~ /\{ "([a-z]+)", OPTION_/g);
# of the kernel's command line, systemd, DKMS and the shell
my %foreign = map { $_ => 1 } qw(isolcpus nohz_full highres module_blacklist status sign_tool mok_signing_key mok_certificate version);
cmp_ok(scalar keys %commands, '>', 15, 'commands are known');
cmp_ok(scalar keys %options, '>', 25, 'options are known');
cmp_ok(scalar keys %knobs, '>', 10, 'knobs are known');
for my $document (@guides, qw(README.md docs/slow-service.md)) {
	# commands stand in blocks and between backquotes; lines of output do not begin with irqoff
	my $text = text($document) =~ s/^## Messages of other programs\n.*//msr =~ s/^#+ .*$//mgr;
	my @spans = $text =~ /`([^`\n]+(?:\n[^`\n]+)?)`/g;
	push @spans, map { split(/\n/) } $text =~ /^ *```\n(.*?)^ *```$/msg;
	my @wrong;
	for my $span (grep { !/^(?:irqoff|trace_irqoff): |^\S+ irqoff\[/ } @spans) {
		while ($span =~ /(?:^|[ (;|&]|# |\$ )irqoff ([a-z][a-z-]*)((?: +[^|;&#`]+)?)/g) {
			my ($command, $rest) = ($1, $2);
			push @wrong, "irqoff $command" unless $commands{$command};
			push @wrong, "irqoff $command --$_" for grep { !$options{$_} } $rest =~ /(?<!\S)--([a-z-]+)/g;
			next unless $command =~ /^(?:start|set)$/;
			push @wrong, "irqoff $command $_=" for grep { !$knobs{$_} } $rest =~ /(?<!\S)([a-z_]+)=/g;
		}
	}
	# lines of /etc/trace-irqoff.conf
	push @wrong, map { "$_=" } grep { !$settings{$_} && !$foreign{$_} } map { /^([a-z_]+)=[^ (]*$/ ? $1 : () } @spans;
	is(join("\n", @wrong), '', "$document: commands, options and knobs are irqoff's");
}

# --- the manual pages
cmp_ok(scalar @pages, '>', 15, "$man has the pages");
is(join("\n", grep { (() = text($_) =~ /\S+/g) > 4000 } @pages), '', 'a page has 4,000 words at most');

# page_of(COMMAND): the page of a command; small ones are on irqoff.8 alone
sub page_of {
	my ($command) = @_;
	my ($page) = grep { /8$/ && text($_) =~ /^\.Nm irqoff-\Q$command\E\b/m } @pages;
	return $page // "$man/irqoff.8";
}

# The tables of options.c: rows(NAME) are the words of one, after its macros
my $options = text('userspace/cli/options.c');
my %macros = map { /^(\w+)(.*)/s ? ($1 => $2) : () } split(/^#define /m, $options);
sub rows {
	my ($name) = @_;
	my ($body) = $options =~ /\b\Q$name\E\[\] = \{(.*?)\{ 0 \}/s or die "options.c has no $name";
	$body =~ s/\b([A-Z]+_ROW)\b/$macros{$1} =~ s{^\n.*}{}msr/ge;
	return $body =~ /\{ [A-Z_]+, "([a-z-]+)"/g;
}
my $shared = text("$man/irqoff.8");
my ($in_short) = $shared =~ /^\.Sh COMMANDS\n(.*?)^\.Sh /ms;
my $checked = 0;
for my $command (sort grep { $_ ne 'completion' } keys %commands) {
	my $page = page_of($command);
	ok($in_short =~ /^\.It Cm (?:.* )?\Q$command\E\b/m, "irqoff.8 has the command $command");
	ok($in_short =~ /^\.Xr \Q@{[ $page =~ m{([\w-]+)\.8$} ]}\E 8/m, "... and names its page $page") if $page ne "$man/irqoff.8";
	my ($table) = $main =~ /^\t\{ "\Q$command\E",.*?(\w+)_options,/ms;
	my ($lists) = $options =~ /const ${table}_options\[\] = \{(.*?)\}/s or die "options.c has no ${table}_options";
	my @words = grep { $_ ne 'help' } map { rows($_) } grep { !/_older_rows$/ } $lists =~ /(\w+_rows)/g;
	my $text = text($page) . $shared;
	is(join(' ', grep { $text !~ /Fl (?:.*, )?-?-\Q$_\E(?![\w-])/ } @words), '', "$page has all options of $command");
	$checked += @words;
}
cmp_ok($checked, '>', 80, 'the commands have options');

# columns, by the names that -o takes
my %columns = (report => 'out_text_groups.c', list => 'out_text_list.c', correlate => 'out_text_correlate.c', status => 'out_text_status.c');
for my $command (sort keys %columns) {
	my ($rows) = text("userspace/output/text/$columns{$command}") =~ /\b${command}_columns\[\] = \{(.*?)\{ 0 \}/s;
	my @names = $rows =~ /\{ "([a-z-]+)",/g;
	my $page = page_of($command);
	my ($said) = text($page) =~ /^\.Sh COLUMNS\n(.*?)^\.Sh /ms;
	cmp_ok(scalar @names, '>', 10, "$command has columns");
	is(join(' ', grep { $said !~ /^(?:\.It )?(?:\.Sy|Sy|.*\bSy) (?:.*[ ,])?\Q$_\E(?![\w-])/m && $said !~ /^\.It Sy .*\b\Q$_\E(?![\w-])/m } @names), '', "$page has them all");
}

# knobs, in both places
for my $page ("$man/irqoff.8", "$man/irqoff-set.8") {
	my ($said) = text($page) =~ /^\.Sh KNOBS\n(.*?)^\.Sh /ms;
	is(join(' ', grep { $said !~ /^\.(?:It )?Cm (?:.* )?$_(?!\w)/m } grep { $page =~ /irqoff\.8$/ || !/_us$|_ppm$|^allow_/ } sort keys %knobs), '', "$page has all knobs");
}

# and no others, in words and in examples
for my $page (grep { !/selftest|capture|causes|conf/ } @pages) {
	my $text = text($page);
	my @wrong = map { "--$_" } grep { !$options{$_} } $text =~ /(?:^\.|\b)(?:Op )?Fl -([a-z-]+)/mg;
	push @wrong, map { "irqoff $_" } grep { !$commands{$_} } $text =~ /^(?:.*[(|] ?)?irqoff ([a-z]+) .*--/mg;
	push @wrong, map { "--$_ in an example" } grep { !$options{$_} } map { /\birqoff .*/ ? $& =~ /(?<!\S)--([a-z-]+)/g : () } $text =~ /^\.Bd -literal.*?\n(.*?)^\.Ed/msg;
	is(join("\n", @wrong), '', "$page: commands and options are irqoff's");
}

# a page that is named is there, and so is its section where one is named
my %headings = map { my $page = $_; my $name = $page =~ m{([^/]+)\.\d$} ? $1 : ''; $name => { map { $_ => 1 } text($page) =~ /^\.S[hs] (.*)$/mg } } @pages;
my $own_page = qr/((?:trace-)?irqoff(?:-[a-z]+|\.conf)?)/;
my $title = qr/[A-Z][A-Z ]+[A-Z]/;
my ($named, @astray) = 0;
my @texts = split(/\0/, qx(git -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- . ':!tests/mutants' ':!tests/host/docs.t' 2> /dev/null || true));
@texts = (@documents, @pages, @c) unless @texts;
for my $file (grep { -T } @texts) {
	my $text = text($file);
	my @found = $text =~ /\b$own_page\((\d)\)/g;
	push @found, $text =~ /^\.Xr $own_page (\d)/mg if $file =~ m{^\Q$man\E/};
	while (my ($name, $section) = splice(@found, 0, 2)) {
		push @astray, "$file: $name($section)" unless -e "$man/$name.$section";
		$named++;
	}
	my %asked;
	push @{ $asked{$1} }, $2 while $text =~ /\b$own_page\(\d\)`?, ($title)\b/g;
	push @{ $asked{$2} }, $1 while $text =~ /\b($title) in `?$own_page\(\d\)/g;
	push @{ $asked{$1} }, $2 while $text =~ /\b$own_page\(\d\)\S*[^.(]*?, under ($title)\b/g;
	push @{ $asked{$1} }, $2 while $text =~ /^\.Xr $own_page \d ,\n($title)\b/mg;
	for my $name (keys %asked) {
		push @astray, map { "$file: $name has no section $_" } grep { !$headings{$name}{$_} } @{ $asked{$name} };
		$named += @{ $asked{$name} };
	}
}
cmp_ok($named, '>', 100, 'pages are named');
is(join("\n", @astray), '', '... which are there, with their sections');

# Debian's packages name pages, and those of rpm are listed by the test of them
my %packages;
for my $list (glob('scripts/packaging/debian/*.install')) {
	for my $path (text($list) =~ m{^usr/share/man/(\S+)$}mg) {
		push @{ $packages{$_} }, $list for grep { ('man' . s/.*\.//r . '/' . s{.*/}{}r) =~ m{^\Q$path\E(?:/|$)} } @pages;
	}
}
is(join("\n", grep { @{ $packages{$_} // [] } != 1 } @pages), '', 'each page is in one package of Debian');
my $listed = text('tests/fleet/rpms-reader');
is(join("\n", grep { !/selftest/ && $listed !~ m{/share/man/man\d/\Q@{[ s{.*/}{}r ]}\E\.gz$}m } @pages), '', '... and in one of rpm');

# what the self-test consists of is in its packages
my %parts = map { (s{/.*}{}r => 1) } split(' ', text('Makefile') =~ /^selftest_files = (.*)/m ? $1 : '');
my $parts = join(' ', sort keys %parts);
cmp_ok(scalar(keys %parts), '>=', 3, 'the self-test has parts');
for my $list ('scripts/packaging/debian/trace-irqoff-selftest.install', 'scripts/packaging/rpm/trace-irqoff.spec') {
	my %named = map { ($_ => 1) } text($list) =~ m{^(?:usr/share|%\{_datadir\})/trace-irqoff/([\w-]+)/?$}mg;
	is(join(' ', sort keys %named), $parts, "$list: has them all");
}
# its modules are nobody else's, so the RPM asks nobody for them
my ($private) = text('scripts/packaging/rpm/trace-irqoff.spec') =~ /^%global __requires_exclude \S*\(([\w|]+)\)/m;
is(join(' ', sort split(/\|/, $private // '')), join(' ', sort map { s{.*/(\w+)\.pm$}{$1}r } glob('userspace/selftest/*.pm')),
	'the RPM of the self-test requires none of its own modules');

# It is what a first-time user reads: the two commands for a tree that was just cloned. What is longer belongs into docs/.
like(text('README.md'), qr/^make $_ +#/m, "README.md: make $_") for qw(demo check);
cmp_ok(scalar(() = text('README.md') =~ /\S+/g), '<=', 1000, 'README.md: 1,000 words at most');

done_testing;
