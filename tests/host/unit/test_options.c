// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/commands.h"
#include "command_line.h"
#include "group/summary.h"
#include "model/labels.h"
#include "version.h"

static void says_what_is_wrong(void **state)
{
	static const char * const lines[][2] = {
		{ "report --json=lines", "irqoff: --json takes no value (" },
		{ "list --json=1", "irqoff: --json takes nothing or =lines, not '=1'" },
		{ "list --verbose=1", "irqoff: --verbose takes no value (" },
		{ "list --c 1", "irqoff: ambiguous option --c: --cpu, --class" },
		{ "list --c=1", "irqoff: ambiguous option --c: --cpu, --class" },
		{ "list --sinse 10m", "irqoff: unknown option --sinse; did you mean --since?\n" },
		{ "list --nonsense", "irqoff: unknown option --nonsense (irqoff list --help " },
		{ "list --nonsense=3", "irqoff: unknown option --nonsense (irqoff list --help " },
		{ "--nonsense 3 list", "irqoff: unknown option --nonsense (irqoff report " },
		{ "list -x", "irqoff: unknown option -x (" },
		{ "list --cpu=3 -xv", "irqoff: unknown option -x (" },
		{ "--json nonsense", "irqoff: unknown command 'nonsense' (irqoff help " },
		{ "--color always", "irqoff: unknown command 'always'; type --color=always\n" },
		{ "--json lines", "irqoff: unknown command 'lines'; type list --json=lines\n" },
		{ "status --color never",
		  "irqoff: status takes no 'never'; type --color=never\n" },
		{ "list --json lines",
		  "irqoff: 'lines' is not a record's name; type --json=lines\n" },
		{ "show 1:24 --color auto",
		  "irqoff: 'auto' is not a record's name; type --color=auto\n" },
		{ "report --top 3 /dev/null",
		  "irqoff: report takes no '/dev/null'; type irqoff report -i /dev/null\n" },
		{ "report /nowhere", "irqoff: report takes no '/nowhere' (irqoff report " },
		{ "hist /dev/null",
		  "irqoff: hist takes no '/dev/null'; type irqoff hist -i /dev/null\n" },
		{ "watch /dev/null", "irqoff: watch takes no '/dev/null' (irqoff watch " },
		{ "list /dev/null",
		  "irqoff: '/dev/null' is not a record's name; type irqoff list -i /dev/null\n" },
		{ "show /dev/null 1:2",
		  "irqoff: '/dev/null' is not a record's name; type irqoff show -i /dev/null\n" },
		{ "list /nowhere", "irqoff: '/nowhere' is not a record's name such as 1:24 (" },
		{ "rport", "irqoff: unknown command 'rport'; did you mean 'report'?\n" },
		{ "hsit", "irqoff: unknown command 'hsit'; did you mean 'hist'?\n" },
		{ "LIST", "irqoff: unknown command 'LIST'; did you mean 'list'?\n" },
		{ "help corelate", "irqoff: unknown command 'corelate'; did you mean 'corr" },
		{ "xx", "irqoff: unknown command 'xx' (irqoff help " },
		{ "help nonsense", "irqoff: unknown command 'nonsense' (irqoff help " },
		{ "--since 1m --until 2m", "irqoff: --since is later than --until, so " },
		{ "show", "irqoff: show needs a record's name such as 1:24 (" },
		{ "watch 1:24", "irqoff: watch takes no '1:24' (" },
		{ "watch --for 0s", "irqoff: --for takes a time such as 20ms, 60s or 10m, " },
		{ "watch --for soon", "irqoff: --for takes a time such as 20ms, 60s or 10m, " },
		{ "watch --fail-above 20", "irqoff: --fail-above takes a time such as 20ms, " },
		{ "watch --exec=", "irqoff: --exec takes a command\n" },
		{ "watch --exec-every 60s", "irqoff: --exec-every is about --exec CMD" },
		{ "watch --exec-every x", "irqoff: --exec-every takes a time such as 20ms, " },
		{ "watch --until 5m", "irqoff: --until is in the past; type a date and time " },
		{ "watch --json=1", "irqoff: --json takes nothing or =lines, not '=1'\n" },
		{ "watch -o nonsense", "irqoff: -o takes a list of ended, record, " },
		{ "watch -n 0", "irqoff: -n takes a number from 1, not '0'\n" },
		{ "watch --tree", "irqoff: unknown option --tree (irqoff watch --help " },
		{ "save", "irqoff: save needs a file's name, or - for standard output\n" },
		{ "save a b", "irqoff: save takes one file, not 'b' as well\n" },
		{ "record", "irqoff: record needs a file's name, or - for standard output\n" },
		{ "record a b", "irqoff: record takes one file, not 'b' as well\n" },
		{ "record --for 0s a", "irqoff: --for takes a time with its unit, " },
		{ "record --counters 1ms a", "irqoff: --counters takes a time with its unit, " },
		{ "record --rotate 64M a", "irqoff: --rotate takes a size and a number " },
		{ "record --rotate 64M:0 a", "irqoff: --rotate takes a size and a number " },
		{ "record --rotate 9999999T:1 a", "irqoff: --rotate takes a size and a number " },
		{ "record --rotate 63K:10 a", "irqoff: --rotate takes a size of at least 64K, " },
		{ "record --rotate 64M:10 -", "irqoff: standard output is no row of files; " },
		{ "agent a b", "irqoff: agent takes one directory, not 'b' as well\n" },
		{ "agent --rotate 1:10", "irqoff: --rotate takes a size of at least 64K, " },
		{ "agent -", "irqoff: agent writes files in a directory; type irqoff record -\n" },
		{ "agent --config /nowhere/a", "irqoff: could not read /nowhere/a: No such file " },
		{ "agent --config a --strip",
		  "irqoff: --config takes no --strip beside it; the file has all settings\n" },
		{ "agent --state b --config a", "irqoff: --config takes no --state beside it; " },
		{ "agent --config settings-small", "irqoff: settings-small:2: rotate takes " },
		{ "agent --for 1m", "irqoff: unknown option --for (irqoff agent --help " },
		{ "serve a b", "irqoff: serve takes one directory, not 'b' as well\n" },
		{ "serve --listen localhost:80",
		  "irqoff: --listen takes 127.0.0.1:10475 or [::1]:10475, not 'localhost:80'\n" },
		{ "serve --state --listen 127.0.0.1:1", "irqoff: --state needs its FILE, and " },
		{ "serve --state=", "irqoff: --state takes a file\n" },
		{ "check --state=", "irqoff: --state takes a file\n" },
		{ "agent --state=", "irqoff: --state takes a file\n" },
		{ "check --since 0s",
		  "irqoff: --since takes more than 0, with s, m, h or d, such as 5m, not '0s'\n" },
		{ "check --since 5",
		  "irqoff: --since takes more than 0, with s, m, h or d, such as 5m, not '5'\n" },
		{ "serve --json", "irqoff: unknown option --json (irqoff serve --help " },
		{ "report -i a -", "irqoff: standard input (-) is read alone, " },
		{ "report -i a b --by stack", "irqoff: --by stack takes one capture\n" },
		{ "report -i a b -n 3", "irqoff: -n takes one capture\n" },
		{ "report --baseline a", "irqoff: --baseline needs captures to compare with " },
		{ "report --baseline a b --top 3 -i c", "irqoff: --baseline takes no --top, " },
		{ "report --baseline a -i b --by comm", "irqoff: with --baseline, --by takes " },
		{ "report --baseline a -i b --by stack", "irqoff: with --baseline, --by takes " },
		{ "report --baseline a -i b -n 3", "irqoff: --baseline takes no -n; --since " },
		{ "report --baseline - -i b", "irqoff: standard input (-) is read alone, " },
		{ "alibi -i --from 10m",
		  "irqoff: -i needs its FILE, and --from is an option (irqoff alibi --help)\n" },
		{ "alibi --dev --cpu=1 --from 10m",
		  "irqoff: --dev needs its NAME, and --cpu is an option (irqoff alibi --help)\n" },
		{ "correlate -i /etc/passwd",
		  "irqoff: correlate needs a log, and -i takes /etc/passwd as a capture; "
		  "type: correlate -i CAPTURE /etc/passwd\n" },
		{ "correlate -i /nowhere", "irqoff: correlate needs a log of replies; name one, " },
		{ "correlate --interval 100x x",
		  "irqoff: --interval takes a number with ns, us, ms or s, such as 10ms, " },
		{ "list 1:x", "irqoff: '1:x' is not a record's name such as 1:24 (" },
		{ "report 1:24", "irqoff: report takes no record; type irqoff show 1:24\n" },
		{ "set threshold_us 5000",
		  "irqoff: 'threshold_us' lacks its value: type threshold=5ms\n" },
		{ "set threshold 5000",
		  "irqoff: 'threshold' lacks its value: type threshold=5ms\n" },
		{ "set threshold_us 7ms",
		  "irqoff: 'threshold_us' lacks its value: type threshold=7ms\n" },
		{ "set threshold 2s", "irqoff: 'threshold' lacks its value: type threshold=2s\n" },
		{ "set period_us 250",
		  "irqoff: 'period_us' lacks its value: type period=250us\n" },
		{ "set threshold", "irqoff: 'threshold' lacks its value: type threshold=2ms\n" },
		{ "set threshold cpus=1",
		  "irqoff: 'threshold' lacks its value: type threshold=2ms\n" },
		{ "set cpus 1-3", "irqoff: 'cpus' lacks its value: type cpus=1-3\n" },
		{ "set enable 0", "irqoff: 'enable' lacks its value: type enable=0\n" },
		{ "set nmi off", "irqoff: 'nmi' lacks its value: type nmi=off\n" },
		{ "set guard maybe", "irqoff: 'guard' lacks its value: type guard=auto\n" },
		{ "set max_cost 0.5%", "irqoff: 'max_cost' lacks its value: type max_cost=0.5%\n" },
		{ "set max_cost 6", "irqoff: 'max_cost' lacks its value: type max_cost=6%\n" },
		{ "set nmi_rate 99", "irqoff: 'nmi_rate' lacks its value: type nmi_rate=99\n" },
		{ "set nmi_cpu_rate 1001",
		  "irqoff: 'nmi_cpu_rate' lacks its value: type nmi_cpu_rate=8\n" },
		{ "set nmi=on", "irqoff: nmi takes auto or off, not 'on'\n" },
		{ "set guard=1", "irqoff: guard takes auto, always or never, not '1'\n" },
		{ "set nmi_rate=8/s",
		  "irqoff: nmi_rate takes 1 to 100000 NMIs a second, not '8/s'\n" },
		{ "set enable=256", "irqoff: enable takes 0 or 1, not '256'\n" },
		{ "set max_cost=60000",
		  "irqoff: max_cost takes a percentage such as 6%, or none, not '60000'\n" },
		{ "set max_cost=6% max_cost_ppm=60000",
		  "irqoff: 'max_cost_ppm=60000' sets a knob that another word sets already\n" },
		{ "set nonsense=1", "irqoff: there is no knob 'nonsense'; use enable, " },
		{ "stop --force", "irqoff: unknown option --force (irqoff stop --help " },
		{ "start --free", "irqoff: unknown option --free (irqoff start --help " },
		{ "set 2ms", "irqoff: '2ms' is not KNOB=VALUE, such as threshold=2ms\n" },
		{ "set threshold=2ms threshold_us=2000",
		  "irqoff: 'threshold_us=2000' sets a knob that another word sets already\n" },
		{ "set threshold=1500ns",
		  "irqoff: threshold takes whole microseconds, not '1500ns'\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(run(lines[i][0]), EXIT_USAGE);
		if (strncmp(errors, lines[i][1], strlen(lines[i][1])))
			fail_msg("irqoff %s: %s", lines[i][0], errors);
	}
}

/* it is another program, of another package */
static void server_that_is_not_installed(void **state)
{
	assert_int_equal(run("serve"), EXIT_FAILED);
	assert_string_equal(errors, "irqoff: irqoff-serve is not installed; "
			    "install trace-irqoff-serve, or build irqoff where libmicrohttpd is\n");
}

/* one that is named; the usual one may be yet to come */
static void served_directory_that_is_none(void **state)
{
	assert_int_equal(run("serve /nowhere/captures"), EXIT_FAILED);
	assert_string_equal(errors,
			    "irqoff: could not open /nowhere/captures: No such file or directory; "
			    "name the directory that the agent writes to\n");
	assert_int_equal(run("serve settings-small"), EXIT_FAILED);
	assert_string_equal(errors, "irqoff: settings-small is no directory; "
			    "name the one that the agent writes to\n");
}

/* by the key that the file has */
static void settings_that_name_no_namespace(void **state)
{
	assert_int_equal(run("agent --config settings-netns"), EXIT_FAILED);
	assert_non_null(strstr(errors,
			       "irqoff: settings-netns:3: netns=irqoff-no-such-namespace: "));
	assert_non_null(strstr(errors, ": there is no /run/netns/irqoff-no-such-namespace; "
			       "ip netns lists the names\n"));
	assert_int_equal(run("record --netns irqoff-no-such-namespace /nowhere/a"), EXIT_FAILED);
	assert_non_null(strstr(errors, "irqoff: --netns irqoff-no-such-namespace: there is no "));
}

/* does a process without a capability, which root can be, fail with that sentence? */
static bool fails_without(unsigned int capability, const char *line, const char *wanted)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	pid_t child = fork();
	int status;

	if (!child) {
		if (syscall(SYS_capget, &head, data))
			_exit(1);
		data[CAP_TO_INDEX(capability)].effective &= ~CAP_TO_MASK(capability);
		data[CAP_TO_INDEX(capability)].permitted &= ~CAP_TO_MASK(capability);
		if (syscall(SYS_capset, &head, data))
			_exit(1);
		_exit(run(line) != EXIT_FAILED || strcmp(errors, wanted));
	}
	return waitpid(child, &status, 0) == child && !status;
}

/* an agent that cannot begin says why, and not that it waits */
static void agent_that_cannot_begin(void **state)
{
	char dir[] = "/tmp/irqoff-agent-XXXXXX", line[256], wanted[256];
	struct stat found;

	assert_non_null(mkdtemp(dir));
	snprintf(line, sizeof(line), "agent --state %s/a/b/state.json %s/captures", dir, dir);
	assert_true(fails_without(CAP_SYS_ADMIN, line,
				  "irqoff: following stalls takes CAP_SYS_ADMIN of the host itself; "
				  "run irqoff as root of the host\n"));
	snprintf(wanted, sizeof(wanted), "%s/captures", dir);
	assert_int_equal(stat(wanted, &found), -1);

	if (geteuid()) {
		leave_out("but for its first claim, because it takes root");
		assert_int_equal(rmdir(dir), 0);
		return;
	}
	assert_int_equal(run(line), EXIT_FAILED);
	snprintf(wanted, sizeof(wanted), "irqoff: could not open %s/a/b/state.json.lock: %s\n", dir,
		 strerror(ENOENT));
	assert_string_equal(errors, wanted);

	snprintf(line, sizeof(line), "agent --state %s/state.json %s/captures", dir, dir);
	snprintf(wanted, sizeof(wanted), "irqoff: could not write into %s/captures: %s\n", dir,
		 strerror(EACCES));
	assert_int_equal(chmod(strrchr(line, ' ') + 1, 0500), 0);
	assert_true(fails_without(CAP_DAC_OVERRIDE, line, wanted));
	snprintf(line, sizeof(line), "rm -r %s", dir);
	assert_int_equal(system(line), 0);
}

static void output_that_cannot_be_written(void **state)
{
	assert_cannot_write("--help");
	assert_cannot_write("--version");
	/* "not known", which is 2 for node-problem-detector, and 3 for Nagios */
	assert_cannot_write_but("check --state /nowhere", 2);
	assert_cannot_write_but("check --nagios --state /nowhere", 3);
}

static void wrong_usage(void **state)
{
	static const char * const lines[] = {
		"nonsense", "Report", "--jso=x", "--nonsense", "-x", "report extra", "report 0:12",
		"list 0", "list 0:", "list :1", "list 0:1x", "list 0:-1", "list x:1",
		"show nonsense", "--color=maybe", "list -o nonsense", "report -o cpu",
		"status -o beats,", "hist -o count", "report --top 0", "report --top", "share -v",
		"share --json", "share extra", "report --tree", "list --top 3", "hist --color=",
		"list 99999999999999999999:1", "list 1:99999999999999999999", "show --min 1ms 0:1",
		"list --since 2026-11-21 --until 2026-11-20", "version extra", "help list extra",
		"completion", "completion zsh", "completion bash extra", "--version --json",
		"list --min 50", "list --min 50m", "list --min", "list --since", "list --since 10",
		"report --by", "report --by pid", "report --by culprit,", "report --sort max",
		"list --by cpu", "list --sort longest", "report --verbose=1", "report --per-cpu",
		"hist --min 1ms",
		"hist -n 3", "status --class unknown", "status extra", "list -n", "list -n 0",
		"list --cpu x", "list --class soft", "list --json=1", "--version=1",
		"set", "set threshold", "set threshold=", "set threshold=2", "set threshold=2m",
		"set threshold=1.5us", "set period=0.5us", "set threshold=2hs", "set period=500",
		"set threshold_us=2ms", "set threshold_us=-1", "set period_us=4294967296",
		"set enable=2", "set enable=yes", "set nonsense=1", "set =1", "set --json",
		"set threshold=2ms threshold_us=2000", "set cpus=1 cpus=2", "start 2ms",
		"start enable=1", "start enable=0", "start --now", "stop now", "stop --force",
		"stop free", "stop --free=1", "stop --free now", "stop enable=0", "set --free",
		"set nmi=", "set nmi=1", "set nmi=Auto", "set guard=on", "set guard=never,",
		"set max_cost=6", "set max_cost=-1%", "set max_cost=1.23456%", "set max_cost=%",
		"set max_cost=.5%", "set max_cost_ppm=6%", "set nmi_rate=1.5",
		"set nmi_cpu_rate=-1",
		"export", "export --format", "export --format svg", "export --format folded extra",
		"export --format pprof --by class", "export --format folded --by pid",
		"export --format folded --by cpu,cpu", "export --format folded --json",
		"export -i /nowhere /nowhere --format pprof -n 3",
		"export -i - /nowhere --format folded",
		"alibi", "alibi --from x", "alibi --from 1m --over 0ms", "alibi --from 1m --over 5",
		"alibi --from 1m --to 2m", "alibi --from 1m --class stolen",
		"alibi --from 1m extra", "alibi --from 1m --dev lo --cpu 1",
		"alibi --from 1m --json=lines",
		"alibi -i /nowhere --from 1m --dev lo --cpu 1",
		"correlate", "correlate --over 0ms x", "correlate --over 5 x",
		"correlate --offset soon x", "correlate --offset 1 x", "correlate --time-is now x",
		"correlate --unit x x", "correlate --interval 0ms x", "correlate --start x x",
		"correlate --dev lo --cpu 1 x", "correlate --cpu a x", "correlate --json=lines x",
		"correlate -o record,x x", "correlate --since 1m x",
		"correlate --start 07:00 x", "correlate --start 10m x", "correlate x x",
		"clear all", "clear --json", "set threshold=1500ns",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		int status = run(lines[i]);

		if (status != EXIT_USAGE)
			fail_msg("'%s' ended with %d: %s%s", lines[i], status, output, errors);
		/* one line on standard error, nothing else */
		if (*output || strncmp(errors, "irqoff: ", 8) ||
		    strchr(errors, '\n') != errors + strlen(errors) - 1)
			fail_msg("'%s' output: %s%s", lines[i], output, errors);
	}
}

/* the message has to match the command */
static void start_sets_enable(void **state)
{
	static const char * const lines[] = { "start enable=0", "start period=1ms enable=1" };

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(run(lines[i]), EXIT_USAGE);
		assert_non_null(strstr(errors, "start and stop set enable themselves"));
	}
	run("start --help");
	assert_non_null(strstr(output, "  threshold=LENGTH "));
	assert_null(strstr(output, "enable="));
	run("set --help");
	assert_non_null(strstr(output, "  enable=0|1 "));
}

static void assert_width(const char *what, size_t most)
{
	for (const char *line = output; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > most)
			fail_msg("irqoff %s: %s", what, line);
}

/* both command lines print the same */
static void assert_same(const char *one, const char *other)
{
	char *first;

	assert_int_equal(run(one), EXIT_DONE);
	first = copy_text(output);
	assert_int_equal(run(other), EXIT_DONE);
	assert_string_equal(output, first);
	free(first);
}

static void all_have_help(void **state)
{
	static const char * const commands[] = {
		"report", "list", "show", "watch", "share", "export", "hist", "status", "serve",
		"start", "stop", "set", "clear", "version", "help",
	};
	char line[64], other[64];

	assert_same("--help", "help");
	assert_same("-h", "help");
	assert_int_equal(run("help"), EXIT_DONE);
	assert_width("help", 80);
	assert_non_null(strstr(output, "Exit status: 0 done, 1 failed, 2 wrong usage, 3 "));
	assert_non_null(strstr(output, "4 cannot tell. Those of check are others: "));
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		run("--help");
		snprintf(line, sizeof(line), "\n  %s ", commands[i]);
		assert_non_null(strstr(output, line));
		snprintf(line, sizeof(line), "%s --help", commands[i]);
		assert_int_equal(run(line), EXIT_DONE);
		assert_string_equal(errors, "");
		assert_width(line, 80);
		snprintf(line, sizeof(line), "usage: irqoff %s", commands[i]);
		assert_int_equal(strncmp(output, line, strlen(line)), 0);
		assert_non_null(strstr(output, "Exit status: 0 done, 1 failed, 2 wrong usage, 3 "));
		snprintf(line, sizeof(line), "%s -h", commands[i]);
		snprintf(other, sizeof(other), "help %s", commands[i]);
		assert_same(line, other);
	}
	/* options without a command belong to report */
	assert_int_equal(run("--sort longest --help"), EXIT_DONE);
	assert_non_null(strstr(output, "usage: irqoff report"));
}

static void help_tells_of_options(void **state)
{
	run("report --help");
	assert_non_null(strstr(output, "  --since WHEN "));
	assert_non_null(strstr(output, "  -n NUMBER "));
	assert_non_null(strstr(output, "  --by LIST "));
	assert_non_null(strstr(output, "  -v, --verbose "));
	for (unsigned int class = 0; class < TIO_CLASSES; class++)
		assert_non_null(strstr(output, tio_class_name(class)));
	for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
		assert_non_null(strstr(strstr(output, "--by"), summary_key_name(key)));
	run("list --help");
	assert_non_null(strstr(output, "  -v, --verbose "));
	assert_null(strstr(output, "--by"));
	run("list --help");
	assert_non_null(strstr(output, "; =lines prints a line per record\n"));
	assert_non_null(strstr(output, "is yet to come is yesterday's."));
	for (unsigned int class = 0; class < TIO_CLASSES; class++) {
		char line[128];

		snprintf(line, sizeof(line), "\n  %-16s%s\n", tio_class_name(class),
			 class_means(class));
		assert_non_null(strstr(output, line));
	}
	/* columns whose heading is another word */
	run("report --help");
	assert_non_null(strstr(output, " rate (/MIN), longest, "));
	assert_non_null(strstr(output, " (%CPU),"));
	run("status --help");
	assert_non_null(strstr(output, "beat-ns (NS/BEAT), cost (%CPU), "));
	run("list --help");
	assert_null(strchr(strstr(output, "--columns"), '%'));
	run("stop --help");
	assert_null(strstr(output, "--json"));
	assert_non_null(strstr(output, "  --free "));
	/* each knob that there is, but for what is fixed */
	run("set --help");
	for (unsigned int i = 0; knob_word(i); i++) {
		char line[64];

		snprintf(line, sizeof(line), "\n  %s", knob_word(i));
		assert_non_null(strstr(output, line));
	}
}

/* options before or after the command, also if a value looks like a command */
static void options_anywhere(void **state)
{
	static const char * const lines[][2] = {
		{ "--json --help list", "list --help" },
		{ "--min 1ms list --help", "list --help" },
		{ "-n 3 list --help", "list --help" },
		{ "-vn3 list --help", "list --help" },
		{ "--per-cpu hist -h", "hist -h" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_same(lines[i][0], lines[i][1]);
	assert_int_equal(run("--by list"), EXIT_USAGE);
	assert_int_equal(strncmp(errors, "irqoff: --by takes ", 19), 0);
	assert_int_equal(run("-v hist"), EXIT_USAGE);
	assert_int_equal(strncmp(errors, "irqoff: unknown option -v (irqoff hist ", 39), 0);
}

static void tells_the_shell(void **state)
{
	assert_int_equal(run("completion bash"), EXIT_DONE);
	/* the output has what the option tables have */
	assert_non_null(strstr(output, "\n\tlist)\n\t\toptions='-i --input --since "));
	assert_non_null(strstr(output, "values[--sort]='total count longest cost'\n"));
	assert_non_null(strstr(output, "values[--by]='culprit busy class cpu "));
	assert_non_null(strstr(output, "operands='threshold= period= cpus= nmi= "));
	assert_non_null(strstr(output, "values[guard=]='auto always never'\n"));
	assert_null(strstr(output, "completion)"));
	assert_int_equal(run("help"), EXIT_DONE);
	assert_null(strstr(output, "completion"));
}

static void tells_versions(void **state)
{
	char interface[32];

	assert_int_equal(run("--version"), EXIT_DONE);
	assert_int_equal(strncmp(output, "irqoff 0.", 9), 0);
	snprintf(interface, sizeof(interface), "interface %u\n", TRACE_IRQOFF_API);
	assert_non_null(strstr(output, interface));
	assert_same("--version", "version");
	assert_same("-V", "version");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_usage),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(server_that_is_not_installed),
		cmocka_unit_test(served_directory_that_is_none),
		cmocka_unit_test(agent_that_cannot_begin),
		cmocka_unit_test(settings_that_name_no_namespace),
		cmocka_unit_test(output_that_cannot_be_written),
		cmocka_unit_test(start_sets_enable),
		cmocka_unit_test(all_have_help),
		cmocka_unit_test(help_tells_of_options),
		cmocka_unit_test(options_anywhere),
		cmocka_unit_test(tells_the_shell),
		cmocka_unit_test(tells_versions),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
