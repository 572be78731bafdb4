// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <netlink/genl/genl.h>
#include <stdio_ext.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/capture_write.h"
#include "cli/commands.h"
#include "group/summary.h"
#include "model/knob_words.h"
#include "model/labels.h"
#include "source/refusal.h"
#include "version.h"
#include "wire.h"

/* the output of irqoff, run with a command line */
static char out[16384], err[16384];

static int divert(int fd, FILE *file)
{
	int kept = dup(fd);

	assert_true(kept >= 0 && dup2(fileno(file), fd) == fd);
	return kept;
}

static void restore(int fd, int kept, FILE *file, char *text, size_t size)
{
	size_t len;

	dup2(kept, fd);
	close(kept);
	rewind(file);
	len = fread(text, 1, size - 1, file);
	text[len] = '\0';
	fclose(file);
}

static int run_into(FILE *out_file, const char *line)
{
	char *copy = copy_text(line), *rest = copy, *argv[16] = { "irqoff" };
	FILE *err_file = tmpfile();
	int argc = 1, status, out_fd, err_fd;
	char *word;

	while ((word = strsep(&rest, " ")))
		if (*word)
			argv[argc++] = word;
	fflush(stdout);
	out_fd = divert(STDOUT_FILENO, out_file);
	err_fd = divert(STDERR_FILENO, err_file);
	status = irqoff_main(argc, argv);
	fflush(stdout);
	restore(STDOUT_FILENO, out_fd, out_file, out, sizeof(out));
	restore(STDERR_FILENO, err_fd, err_file, err, sizeof(err));
	free(copy);
	return status;
}

static int run(const char *line)
{
	return run_into(tmpfile(), line);
}

static void says_what_is_wrong(void **state)
{
	static const char * const lines[][2] = {
		{ "report --json=lines", "irqoff: --json takes no value (" },
		{ "list --json=1", "irqoff: --json takes nothing or =lines, not '=1'" },
		{ "list --verbose=1", "irqoff: --verbose takes no value (" },
		{ "list --c 1", "irqoff: ambiguous option --c: --cpu, --class" },
		{ "list --c=1", "irqoff: ambiguous option --c: --cpu, --class" },
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
		{ "/dev/null", "irqoff: unknown command '/dev/null'; type irqoff -i /dev/null\n" },
		{ "/nowhere", "irqoff: unknown command '/nowhere' (irqoff help " },
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
		{ "set nmi=on", "irqoff: nmi takes auto, counter or off, not 'on'\n" },
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

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(run(lines[i][0]), EXIT_USAGE);
		if (strncmp(err, lines[i][1], strlen(lines[i][1])))
			fail_msg("irqoff %s: %s", lines[i][0], err);
	}
}

static void assert_cannot_write_but(const char *line, int wanted)
{
	FILE *full = fopen("/dev/full", "w");
	int status;

	assert_non_null(full);
	status = run_into(full, line);
	/* drop the output that could not be written, so that it does not appear later */
	__fpurge(stdout);
	clearerr(stdout);
	assert_int_equal(status, wanted);
	assert_string_equal(err, "irqoff: could not write the output: No space left on device\n");
}

static void assert_cannot_write(const char *line)
{
	assert_cannot_write_but(line, EXIT_FAILED);
}

/* it is another program, of another package */
static void server_that_is_not_installed(void **state)
{
	(void)state;
	assert_int_equal(run("serve"), EXIT_FAILED);
	assert_string_equal(err, "irqoff: irqoff-serve is not installed; "
			    "install trace-irqoff-serve, or build irqoff where libmicrohttpd is\n");
}

/* one that is named; the usual one may be yet to come */
static void served_directory_that_is_none(void **state)
{
	(void)state;
	assert_int_equal(run("serve /nowhere/captures"), EXIT_FAILED);
	assert_string_equal(err,
			    "irqoff: could not open /nowhere/captures: No such file or directory; "
			    "name the directory that the agent writes to\n");
	assert_int_equal(run("serve settings-small"), EXIT_FAILED);
	assert_string_equal(err, "irqoff: settings-small is no directory; "
			    "name the one that the agent writes to\n");
}

/* by the key that the file has */
static void settings_that_name_no_namespace(void **state)
{
	(void)state;
	assert_int_equal(run("agent --config settings-netns"), EXIT_FAILED);
	assert_non_null(strstr(err, "irqoff: settings-netns:3: netns=irqoff-no-such-namespace: "));
	assert_non_null(strstr(err, ": there is no /run/netns/irqoff-no-such-namespace; "
			       "ip netns lists the names\n"));
	assert_int_equal(run("record --netns irqoff-no-such-namespace /nowhere/a"), EXIT_FAILED);
	assert_non_null(strstr(err, "irqoff: --netns irqoff-no-such-namespace: there is no "));
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
		_exit(run(line) != EXIT_FAILED || strcmp(err, wanted));
	}
	return waitpid(child, &status, 0) == child && !status;
}

/* an agent that cannot begin says why, and not that it waits */
static void agent_that_cannot_begin(void **state)
{
	char dir[] = "/tmp/irqoff-agent-XXXXXX", line[256], wanted[256];
	struct stat found;

	(void)state;
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
	assert_string_equal(err, wanted);

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
	(void)state;
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
		"list --by cpu", "list --sort longest", "report -v", "report --per-cpu",
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
		"alibi --from 1m extra", "alibi --since 1m", "alibi --from 1m --dev lo --cpu 1",
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

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		int status = run(lines[i]);

		if (status != EXIT_USAGE)
			fail_msg("'%s' ended with %d: %s%s", lines[i], status, out, err);
		/* one line on standard error, nothing else */
		if (*out || strncmp(err, "irqoff: ", 8) ||
		    strchr(err, '\n') != err + strlen(err) - 1)
			fail_msg("'%s' said: %s%s", lines[i], out, err);
	}
}

/* the message has to match the command */
static void start_sets_enable(void **state)
{
	static const char * const lines[] = { "start enable=0", "start period=1ms enable=1" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(run(lines[i]), EXIT_USAGE);
		assert_non_null(strstr(err, "start and stop set enable themselves"));
	}
	run("start --help");
	assert_non_null(strstr(out, "  threshold=LENGTH "));
	assert_null(strstr(out, "enable="));
	run("set --help");
	assert_non_null(strstr(out, "  enable=0|1 "));
}

static void assert_width(const char *what, size_t most)
{
	for (const char *line = out; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > most)
			fail_msg("irqoff %s: %s", what, line);
}

/* both command lines print the same */
static void assert_same(const char *one, const char *other)
{
	char *said;

	assert_int_equal(run(one), EXIT_DONE);
	said = copy_text(out);
	assert_int_equal(run(other), EXIT_DONE);
	assert_string_equal(said, out);
	free(said);
}

static void all_have_help(void **state)
{
	static const char * const commands[] = {
		"report", "list", "show", "watch", "share", "export", "hist", "status", "serve",
		"start", "stop", "set", "clear", "version", "help",
	};
	char line[64], other[64];

	(void)state;
	assert_same("--help", "help");
	assert_same("-h", "help");
	assert_int_equal(run("help"), EXIT_DONE);
	assert_width("help", 80);
	assert_non_null(strstr(out, "Exit status: 0 done, 1 failed, 2 wrong usage, 3 "));
	assert_non_null(strstr(out, "4 cannot tell. Those of check are others: "));
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		run("--help");
		snprintf(line, sizeof(line), "\n  %s ", commands[i]);
		assert_non_null(strstr(out, line));
		snprintf(line, sizeof(line), "%s --help", commands[i]);
		assert_int_equal(run(line), EXIT_DONE);
		assert_string_equal(err, "");
		assert_width(line, 80);
		snprintf(line, sizeof(line), "usage: irqoff %s", commands[i]);
		assert_int_equal(strncmp(out, line, strlen(line)), 0);
		assert_non_null(strstr(out, "Exit status: 0 done, 1 failed, 2 wrong usage, 3 "));
		snprintf(line, sizeof(line), "%s -h", commands[i]);
		snprintf(other, sizeof(other), "help %s", commands[i]);
		assert_same(line, other);
	}
	/* options without a command belong to report */
	assert_int_equal(run("--sort longest --help"), EXIT_DONE);
	assert_non_null(strstr(out, "usage: irqoff report"));
}

static void help_tells_of_options(void **state)
{
	(void)state;
	run("report --help");
	assert_non_null(strstr(out, "  --since WHEN "));
	assert_non_null(strstr(out, "  -n NUMBER "));
	assert_non_null(strstr(out, "  --by LIST "));
	assert_null(strstr(out, "--verbose"));
	for (unsigned int class = 0; class < TIO_CLASSES; class++)
		assert_non_null(strstr(out, tio_class_name(class)));
	for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
		assert_non_null(strstr(strstr(out, "--by"), summary_key_name(key)));
	run("list --help");
	assert_non_null(strstr(out, "  -v, --verbose "));
	assert_null(strstr(out, "--by"));
	run("list --help");
	assert_non_null(strstr(out, "; =lines prints a line per record\n"));
	assert_non_null(strstr(out, "is yet to come is yesterday's."));
	for (unsigned int class = 0; class < TIO_CLASSES; class++) {
		char line[128];

		snprintf(line, sizeof(line), "\n  %-16s%s\n", tio_class_name(class),
			 class_means(class));
		assert_non_null(strstr(out, line));
	}
	/* columns whose heading is another word */
	run("report --help");
	assert_non_null(strstr(out, " rate (/MIN), longest, "));
	assert_non_null(strstr(out, " (%CPU),"));
	run("status --help");
	assert_non_null(strstr(out, "beat-ns (NS/BEAT), cost (%CPU), "));
	run("list --help");
	assert_null(strchr(strstr(out, "--columns"), '%'));
	run("stop --help");
	assert_null(strstr(out, "--json"));
	assert_non_null(strstr(out, "  --free "));
	/* each knob that there is, but for what is fixed */
	run("set --help");
	for (unsigned int i = 0; knob_word(i); i++) {
		char line[64];

		snprintf(line, sizeof(line), "\n  %s", knob_word(i));
		assert_non_null(strstr(out, line));
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

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_same(lines[i][0], lines[i][1]);
	assert_int_equal(run("--by list"), EXIT_USAGE);
	assert_int_equal(strncmp(err, "irqoff: --by takes ", 19), 0);
	assert_int_equal(run("-v hist"), EXIT_USAGE);
	assert_int_equal(strncmp(err, "irqoff: unknown option -v (irqoff hist ", 39), 0);
}

static void tells_the_shell(void **state)
{
	(void)state;
	assert_int_equal(run("completion bash"), EXIT_DONE);
	/* the output has what the option tables have */
	assert_non_null(strstr(out, "\n\tlist)\n\t\toptions='-i --input --since "));
	assert_non_null(strstr(out, "values[--sort]='total count longest cost'\n"));
	assert_non_null(strstr(out, "values[--by]='culprit busy class cpu "));
	assert_non_null(strstr(out, "operands='threshold= period= cpus= nmi= "));
	assert_non_null(strstr(out, "values[guard=]='auto always never'\n"));
	assert_null(strstr(out, "completion)"));
	assert_int_equal(run("help"), EXIT_DONE);
	assert_null(strstr(out, "completion"));
}

static void run_with(const char *format, const char *path)
{
	char line[256];

	snprintf(line, sizeof(line), format, path, path);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(err, "");
}

static void write_text(char *path, const char *text)
{
	FILE *file = fdopen(mkstemp(path), "w");

	fputs(text, file);
	fclose(file);
}

/* where there is no module, as on the laptop of whoever asks */
static void correlate_without_captures(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", line[256];

	(void)state;
	if (!access("/sys/module/trace_irqoff", F_OK)) {
		leave_out("because the module is loaded");
		return;
	}
	write_text(path, "1795244400,250ms\n");
	snprintf(line, sizeof(line), "correlate %s", path);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_string_equal(err,
			    "irqoff: correlate without -i asks the module, which is not loaded here; "
			    "name the node's captures: -i CAPTURE\n");
	unlink(path);
}

/* a capture of CPUs 0 to 3, of which CPU 2 serves the device d0 */
static void write_device(FILE *file)
{
	struct capture_writer *writer;
	struct collection made;
	struct nl_msg *msg = capture_message(CAPTURE_CMD_DEVICES, 256);
	struct nlattr *nest = nla_nest_start(msg, CAPTURE_A_DEVICE);
	size_t len;
	char *bytes;

	fixture_collect(&made);
	made.model.config.online = copy_text("0-3");
	bytes = wire_capture(&made, false, &len);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	free(bytes);
	collect_free(&made);
	nla_put_string(msg, CAPTURE_A_NAME, "d0");
	nla_put_u8(msg, CAPTURE_A_WHY, SERVING_INTERRUPTS);
	nla_put_string(msg, CAPTURE_A_LIST, "2");
	nla_nest_end(msg, nest);
	writer = capture_writer(file);
	capture_put_message(writer, msg);
	capture_put_message(writer, capture_message(CAPTURE_CMD_END, 64));
	assert_true(capture_writer_close(writer));
}

/* each capture has CPUs of its own, and one that does not know the device says so */
static void alibi_of_a_device(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", line[256];
	FILE *file = fdopen(mkstemp(path), "w");

	(void)state;
	write_device(file);
	fclose(file);
	snprintf(line, sizeof(line), "alibi --from 1s -i %s --dev d0 --json", path);
	assert_in_range(run(line), EXIT_FOUND, EXIT_CANNOT_TELL);
	assert_string_equal(err, "");
	assert_non_null(strstr(out, "\"cpus\": \"2\""));
	assert_non_null(strstr(out, "\"dev_how\": \"These CPUs served d0, as its interrupts "));
	snprintf(line, sizeof(line), "alibi --from 1s -i %s %s --dev d0", path, path);
	assert_in_range(run(line), EXIT_FOUND, EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, "These CPUs served d0, as its interrupts were set then.\n"));
	/* an answer that nobody could read is none */
	snprintf(line, sizeof(line), "alibi --from 1s -i %s --dev d0", path);
	assert_cannot_write(line);
	snprintf(line, sizeof(line), "alibi --from 1s -i %s --dev d1", path);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_string_equal(out, "");
	assert_non_null(strstr(err, "does not say which CPUs served 'd1'; name CPUs by --cpu\n"));
	unlink(path);
}

static void assert_refused(const char *format, const char *path, const char *wanted)
{
	char line[256];

	snprintf(line, sizeof(line), format, path, path);
	assert_int_equal(run(line), EXIT_USAGE);
	assert_string_equal(out, "");
	if (strcmp(err, wanted))
		fail_msg("irqoff %s: %s", line, err);
}

/* an option that no log is about is no help to anybody */
static void options_about_no_log(void **state)
{
	static const char * const of_requests[] = {
		"--time-is start", "--unit ms", "--fields a,b",
	};
	static const char * const of_hping[] = { "--start 1795244400", "--interval 10ms" };
	static const char * const formats[] = { "request logs", "logs of hping3" };
	char ping[] = "/tmp/irqoff-test-XXXXXX", csv[] = "/tmp/irqoff-test-XXXXXX";
	char line[256], wanted[256];

	(void)state;
	write_text(ping, "[1795244400.5] 64 bytes from a: icmp_seq=1 ttl=64 time=9.0 ms\n");
	write_text(csv, "1795244400,9ms\n");
	for (size_t i = 0; i < ARRAY_SIZE(of_requests) + ARRAY_SIZE(of_hping); i++) {
		bool hping = i >= ARRAY_SIZE(of_requests);
		const char *option = hping ? of_hping[i - ARRAY_SIZE(of_requests)] :
					     of_requests[i];

		snprintf(line, sizeof(line), "correlate -i /nowhere %s %s", option, ping);
		snprintf(wanted, sizeof(wanted), "irqoff: %.*s is about %s, and no log is one; "
			 "leave it out\n", (int)strcspn(option, " "), option, formats[hping]);
		assert_int_equal(run(line), EXIT_USAGE);
		assert_string_equal(err, wanted);
	}
	snprintf(line, sizeof(line), "correlate -i /nowhere --interval 1ms %s", csv);
	assert_int_equal(run(line), EXIT_USAGE);
	snprintf(line, sizeof(line), "correlate -i /nowhere --unit ms %s %s", ping, csv);
	assert_int_equal(run(line), EXIT_FAILED);
	unlink(ping);
	unlink(csv);
}

/* CPUs that were named and are not online */
static void cpus_that_are_not_there(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", log[] = "/tmp/irqoff-test-XXXXXX", line[256];
	FILE *file = fdopen(mkstemp(path), "w");
	static const char absent[] = "irqoff: there is no CPU 4 (CPUs 0-3)\n";

	(void)state;
	write_device(file);
	fclose(file);
	write_text(log, "1795244400,250ms\n");
	snprintf(line, sizeof(line), "alibi -i %s --from 06:50 --cpu 9", path);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_string_equal(err, "");
	assert_non_null(strstr(out, "cannot tell whether there was a stall, from 06:50:00.000 "));
	assert_non_null(strstr(out, " to 07:00:00.000: none of the CPUs of --cpu is online\n"));
	snprintf(line, sizeof(line), "alibi -i %s --from 06:50 --cpu 2-99", path);
	run(line);
	assert_string_equal(err, absent);
	snprintf(line, sizeof(line), "correlate -i %s %s --cpu 2-99", path, log);
	run(line);
	assert_string_equal(err, absent);
	snprintf(line, sizeof(line), "alibi -i %s --from 06:50 --cpu 2-3", path);
	run(line);
	assert_string_equal(err, "");
	unlink(path);
	unlink(log);
}

/* what nobody understands may be a slow reply, or one that is missing */
static void lines_not_understood(void **state)
{
	static const char whole[] = "1795244399,1ms\n1795244399.5,1ms\n";
	static const char damaged[] = "1795244399,1ms\n1795244399.5,1 parsec\n";
	char path[] = "/tmp/irqoff-test-XXXXXX", log[] = "/tmp/irqoff-test-XXXXXX";
	char bad[] = "/tmp/irqoff-test-XXXXXX", line[256], wanted[256];
	FILE *file = fdopen(mkstemp(path), "w");

	(void)state;
	write_device(file);
	fclose(file);
	write_text(log, whole);
	write_text(bad, damaged);
	snprintf(line, sizeof(line), "correlate -i %s %s", path, log);
	assert_int_equal(run(line), EXIT_DONE);
	assert_non_null(strstr(out, "none of 2 replies took 10 ms or longer, "));
	assert_non_null(strstr(out, "ms or longer, and none is missing\n"));
	assert_string_equal(err, "");
	snprintf(line, sizeof(line), "correlate -i %s %s %s", path, log, bad);
	snprintf(wanted, sizeof(wanted), "irqoff: 1 line was not understood; "
		 "the first is line 2 of %s: '1795244399.5,1 parsec'\n", bad);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, "none of 3 replies took 10 ms or longer, "));
	assert_non_null(strstr(out, "ms or longer, as far as lines were understood\n"));
	assert_string_equal(err, wanted);
	snprintf(line, sizeof(line), "correlate -i %s %s --json", path, bad);
	snprintf(wanted, sizeof(wanted), "\"lines_ignored\": 1,\n  \"first_ignored\": {\n"
		 "    \"log\": \"%s\",\n    \"line\": 2,\n", bad);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, wanted));
	/* what is worse stays so */
	snprintf(line, sizeof(line), "correlate -i /nowhere %s", bad);
	assert_int_equal(run(line), EXIT_FAILED);
	unlink(path);
	unlink(log);
	unlink(bad);
}

/* what has no latency is neither missing nor passed over */
static void requests_without_latency(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", log[] = "/tmp/irqoff-test-XXXXXX";
	char other[] = "/tmp/irqoff-test-XXXXXX", line[256];
	FILE *file = fdopen(mkstemp(path), "w");

	(void)state;
	write_device(file);
	fclose(file);
	write_text(log, "1795244399.1,1ms\n1795244399.5,-\n");
	snprintf(line, sizeof(line), "correlate -i %s %s", path, log);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, "longer, did not come, or has no latency in the log;"));
	assert_non_null(strstr(out, "; 1 were read and 1 has no latency, of 2026-11-21"));
	assert_non_null(strstr(out, "1 cannot be told: the log has no latency of the request\n"));
	assert_null(strstr(out, "lost"));
	assert_null(strstr(out, "missing"));
	write_text(other, "1795244399.1,1ms\n1795244399.5,\n1795244399.7,timeout\n");
	snprintf(line, sizeof(line), "correlate -i %s %s", path, other);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, "; 1 were read, 1 has no latency and 1 is missing, of "));
	snprintf(line, sizeof(line), "correlate -i %s %s --json", path, other);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, "\"replies_read\": 1,\n  \"replies_missing\": 1,\n"
				    "  \"replies_untold\": 1,\n"));
	assert_non_null(strstr(out, "\"lost\": false"));
	assert_non_null(strstr(out, "\"lost\": true"));
	unlink(path);
	unlink(log);
	unlink(other);
}

/* why a range has no stall; the capture was saved at 07:00 */
static void ranges_of_a_capture(void **state)
{
	static const char put_back[] =
		"irqoff: --to 07:10 means that of 2026-11-20, as the capture was saved at 07:00:00; "
		"leave out --to, or give a date\n";
	char path[] = "/tmp/irqoff-test-XXXXXX";
	FILE *file = fdopen(mkstemp(path), "w");

	(void)state;
	write_device(file);
	fclose(file);
	assert_refused("alibi -i %s --from 06:50 --to 07:10", path, put_back);
	assert_refused("alibi -i %s --from 2026-11-21 --to 07:10", path, put_back);
	assert_refused("alibi -i %s --from 06:50 --to 06:40", path,
		       "irqoff: --from is later than --to, so no stall is between them; "
		       "exchange them\n");
	assert_refused("alibi -i %s --from 07:20 --to 07:10", path,
		       "irqoff: --from is later than --to, so no stall is between them; "
		       "exchange them\n");
	assert_refused("alibi -i %s --from 1m --to 2m", path,
		       "irqoff: --from is later than --to, so no stall is between them; "
		       "an age counts back from now: --from 2m --to 1m\n");
	unlink(path);
}

/* as a user does */
static void reads_captures(void **state)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", line[256];
	struct collection made;
	size_t len;
	char *bytes;
	FILE *file;
	int fd;

	(void)state;
	fixture_collect(&made);
	bytes = wire_capture(&made, false, &len);
	file = fdopen(mkstemp(path), "w");
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	run_with("report -i %s", path);
	assert_non_null(strstr(out, "node-7, kernel 6.1.0-31-amd64, saved 2026-11-21 07:00:00"));
	run_with("-i %s --top 1", path);
	assert_non_null(strstr(out, "left out by --top"));
	run_with("show 1:1 -i %s", path);
	assert_non_null(strstr(out, "estimation_timer"));
	assert_null(strstr(out, "0:66"));
	/* an age counts back from when it was saved */
	run_with("list --since 1m -i %s", path);
	assert_non_null(strstr(out, "1:open"));
	assert_null(strstr(out, "0:66"));
	run_with("list -i %s 1:1 %s --json=lines", path);
	assert_ptr_equal(strchr(strchr(out, '\n') + 1, '\n'), out + strlen(out) - 1);
	run_with("hist -i %s --per-cpu", path);
	assert_non_null(strstr(out, "CPU 1, soft: 1 stall"));
	run_with("status -i %s %s", path);
	assert_non_null(strstr(strstr(out, "watched then") + 1, "watched then"));
	run_with("share -i %s", path);
	assert_non_null(strstr(out, "longest with a culprit"));
	run_with("report -i %s %s", path);
	assert_non_null(strstr(out, "2 captures of 1 node, saved "));
	assert_non_null(strstr(out, "9 stalls, "));
	snprintf(line, sizeof(line), "report -i %s /nowhere --json", path);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(err, "irqoff: could not open /nowhere: "));
	assert_non_null(strstr(out, "\"captures\": 1,"));
	/* words belong to the option before them; one capture is no fleet */
	snprintf(line, sizeof(line), "report -i %s --baseline %s --json", path, path);
	assert_int_equal(run(line), EXIT_CANNOT_TELL);
	assert_non_null(strstr(out, "\"verdict\": \"cannot-tell\""));
	snprintf(line, sizeof(line), "report --baseline %s %s -i /nowhere %s", path, path, path);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(out, "Baseline: 2 captures of 1 node, "));
	assert_non_null(strstr(out, "Compared: 1 capture of "));
	/* the last byte is missing */
	assert_int_equal(truncate(path, len - 1), 0);
	snprintf(line, sizeof(line), "list -i %s", path);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(err, "is cut off, so records may be missing"));
	assert_non_null(strstr(out, "0:66"));
	/* ... because somebody still records to it */
	fd = open(path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(run(line), EXIT_DONE);
	assert_non_null(strstr(err, "is still written; what is there is shown"));
	assert_non_null(strstr(out, "0:66"));
	close(fd);
	unlink(path);
	free(bytes);
	collect_free(&made);
}

static void write_capture(const char *path, const char *node)
{
	FILE *file = fopen(path, "w");
	struct collection made;
	size_t len;
	char *bytes;

	fixture_collect(&made);
	strcpy(made.model.machine.host, node);
	strcpy(made.model.machine.boot_id, node);
	bytes = wire_capture(&made, false, &len);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	free(bytes);
	collect_free(&made);
}

/* FOLDED adds up to so many ns */
static __u64 folded_ns(const char *folded)
{
	__u64 ns = 0;

	for (const char *line = folded; *line; line = strchr(line, '\n') + 1) {
		const char *space = memrchr(line, ' ', strchr(line, '\n') - line);

		ns += strtoull(space, NULL, 10);
	}
	return ns;
}

/* a capture that is damaged is exported up to there; one that cannot be read is an error alone */
static void exports_captures(void **state)
{
	char dir[] = "/tmp/irqoff-test-XXXXXX", one[64], other[64], made[64], line[512];
	struct stat stat_of, made_stat;
	__u64 ns;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(one, sizeof(one), "%s/one", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	snprintf(made, sizeof(made), "%s/made", dir);
	write_capture(one, "node-1");
	write_capture(other, "node-2");
	run_with("export -i %s --format folded", one);
	ns = folded_ns(out);
	assert_int_equal(ns, 240 * MS);
	run_with("export -i %s --format folded -o -", one);
	assert_int_equal(folded_ns(out), ns);
	snprintf(line, sizeof(line), "export -i %s --format folded -o -", one);
	assert_cannot_write(line);
	run_with("export -i %s --format folded --class softirq-long", one);
	assert_string_equal(out, "swapper/1;handle_softirqs;__run_timers;call_timer_fn;"
				 "estimation_timer [ip_vs] 45000000\n");
	/* a record that both have counts once, records of two nodes do not */
	run_with("export -i %s %s --format folded", one);
	assert_int_equal(folded_ns(out), ns);
	snprintf(line, sizeof(line), "export -i %s %s --format folded", one, other);
	assert_int_equal(run(line), EXIT_DONE);
	assert_int_equal(folded_ns(out), 2 * ns);
	snprintf(line, sizeof(line), "export -i %s %s --format perfetto", one, other);
	assert_int_equal(run(line), EXIT_USAGE);
	assert_non_null(strstr(err, "perfetto takes captures of one boot; "));
	assert_non_null(strstr(err, "irqoff: --format perfetto takes captures of one boot; '/"));
	assert_non_null(strstr(err, "/one' and '/"));
	assert_non_null(strstr(err, "/other' are of different boots\n"));
	assert_string_equal(out, "");
	/* the bytes are the same in a file, which is not replaced by mistake */
	snprintf(line, sizeof(line), "export -i %s --format pprof -o %s", one, made);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(out, "");
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(err, "exists; --force replaces it"));
	unlink(made);
	snprintf(line, sizeof(line), "export -i %s /nowhere --format pprof -o %s", one, made);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(err, "irqoff: could not open /nowhere: "));
	assert_ptr_equal(strchr(err, '\n'), err + strlen(err) - 1);
	assert_int_equal(stat(made, &stat_of), -1);
	snprintf(line, sizeof(line), "export -i %s /nowhere --format folded", one);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_string_equal(out, "");
	/* unless what there is will do; the status is the same */
	snprintf(line, sizeof(line), "export --partial -i %s /nowhere --format folded", one);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_int_equal(folded_ns(out), ns);
	assert_non_null(strstr(err, "\nirqoff: not all is there: could not open /nowhere: "));
	assert_int_equal(run("export --partial -i /nowhere --format folded"), EXIT_FAILED);
	assert_string_equal(out, "");
	assert_int_equal(run("export --partial --format folded"), EXIT_USAGE);
	/* what is read is not replaced, by whatever name */
	assert_int_equal(link(one, made), 0);
	assert_int_equal(stat(one, &stat_of), 0);
	snprintf(line, sizeof(line), "export -i %s --format pprof --force -o %s", one, made);
	assert_int_equal(run(line), EXIT_USAGE);
	assert_non_null(strstr(err, "/made is read, so it is not replaced; name another file"));
	assert_int_equal(stat(made, &made_stat), 0);
	assert_int_equal(made_stat.st_ino, stat_of.st_ino);
	unlink(made);
	/* the last byte is missing */
	assert_int_equal(truncate(one, stat_of.st_size - 1), 0);
	snprintf(line, sizeof(line), "export -i %s --format folded", one);
	assert_int_equal(run(line), EXIT_FAILED);
	assert_non_null(strstr(err, "is cut off, so records may be missing"));
	assert_int_equal(folded_ns(out), ns);
	unlink(one);
	unlink(other);
	rmdir(dir);
}

/* report prints the same sentence */
static void exports_nothing(void **state)
{
	char dir[] = "/tmp/irqoff-test-XXXXXX", one[64], other[64], line[512];

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(one, sizeof(one), "%s/one", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	write_capture(one, "node-1");
	write_capture(other, "node-2");
	snprintf(line, sizeof(line), "export -i %s --format folded --min 9s", one);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(out, "");
	assert_string_equal(err, "irqoff: None of the 9 records kept matches the filter; "
				 "6 others were overwritten by newer ones (all CPUs)\n");
	snprintf(line, sizeof(line), "export -i %s --format folded --cpu 77", one);
	assert_int_equal(run(line), EXIT_DONE);
	assert_non_null(strstr(err, "(all CPUs)\nirqoff: There is no CPU 77 (CPUs 0-3)\n"));
	snprintf(line, sizeof(line), "export -i %s %s --format folded --min 9s", one, one);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(out, "");
	assert_string_equal(err, "irqoff: None of the 8 records kept matches the filter\n");
	snprintf(line, sizeof(line), "export -i %s %s --format folded --min 9s", one, other);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(err, "irqoff: None of the 16 records kept matches the filter\n");
	snprintf(line, sizeof(line), "export -i %s %s --format folded --min 20ms", one, other);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(err, "");
	unlink(one);
	unlink(other);
	rmdir(dir);
}

static void tells_versions(void **state)
{
	char interface[32];

	(void)state;
	assert_int_equal(run("--version"), EXIT_DONE);
	assert_int_equal(strncmp(out, "irqoff 0.", 9), 0);
	snprintf(interface, sizeof(interface), "interface %u\n", TRACE_IRQOFF_API);
	assert_non_null(strstr(out, interface));
	assert_same("--version", "version");
	assert_same("-V", "version");
}

static void knobs(void **state)
{
	struct knobs knobs = { 0 };

	(void)state;
	assert_int_equal(knobs_parse(&knobs, "threshold=1.5ms", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "period_us=500", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus=0-7,9", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "enable=0", NULL), EXIT_DONE);
	assert_true(knobs.given[TIO_KNOB_THRESHOLD_US] && knobs.given[TIO_KNOB_PERIOD_US] &&
		    knobs.given[KNOB_CPUS] && knobs.given[TIO_KNOB_ENABLE]);
	assert_false(knobs.given[TIO_KNOB_RING_RECORDS]);
	assert_int_equal(knobs.numbers[TIO_KNOB_THRESHOLD_US], 1500);
	assert_int_equal(knobs.numbers[TIO_KNOB_PERIOD_US], 500);
	assert_int_equal(knobs.numbers[TIO_KNOB_ENABLE], 0);
	assert_string_equal(knobs.cpus, "0-7,9");
	assert_int_equal(knobs_parse(&knobs, "nmi=off", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "nmi_cpu_rate=16", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "nmi_rate=0", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "guard=never", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "max_cost=0.25%", NULL), EXIT_DONE);
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++)
		assert_true(knobs.given[i]);
	assert_int_equal(knobs.numbers[TIO_KNOB_NMI], TRACE_IRQOFF_NMI_OFF);
	assert_int_equal(knobs.numbers[TIO_KNOB_NMI_CPU_RATE], 16);
	assert_int_equal(knobs.numbers[TIO_KNOB_NMI_RATE], 0);
	assert_int_equal(knobs.numbers[TIO_KNOB_GUARD], TRACE_IRQOFF_GUARD_NEVER);
	assert_int_equal(knobs.numbers[TIO_KNOB_MAX_COST_PPM], 2500);
	/* the module checks limits and has its own messages for them */
	assert_int_equal(knobs_parse(&knobs, "ring_records=1", NULL), EXIT_DONE);
	knobs = (struct knobs){ 0 };
	assert_int_equal(knobs_parse(&knobs, "threshold=0us", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus=", NULL), EXIT_DONE);
	assert_string_equal(knobs.cpus, "");
}

#define RELOAD	"rmmod trace_irqoff && modprobe trace_irqoff"

/* the module's sentences, and what was typed instead of its names and units */
static void refusals(void **state)
{
	static const char takes[] = "threshold_us takes 100 to 60000000 microseconds";
	static const char twice[] = "threshold_us must be at least two times period_us";
	static const char ring[] = "ring_records is fixed while the module is loaded";
	static const char ring_takes[] = "ring_records takes 2 to 4096 records";
	static const char cpus[] = "cpus takes anything";
	static const char cost[] = "max_cost_ppm takes 0 to 1000000 parts per million";
	static const struct {
		const char *words[3];
		const char *rule;
		const char *wanted;
	} cases[] = {
		{ { "threshold=10us" }, takes,
		  "threshold=10us is out of range: threshold takes 100us to 60s" },
		{ { "cpus=0", "threshold=61s" }, takes,
		  "threshold=61s is out of range: threshold takes 100us to 60s" },
		{ { "period=49us" }, "period_us takes 50 to 1000000 microseconds",
		  "period=49us is out of range: period takes 50us to 1s" },
		{ { "threshold=5000s" }, takes,
		  "threshold=5000s is out of range: threshold takes 100us to 60s" },
		{ { "threshold_us=10" }, takes,
		  "threshold_us=10: threshold_us takes 100 to 60000000 microseconds" },
		{ { "threshold=1.5ms" }, twice,
		  "threshold=1.5ms is less than two periods of 1ms; "
		  "type threshold=1.5ms period=750us to change both" },
		{ { "threshold_us=1999" }, twice,
		  "threshold_us=1999 is less than two periods of 1ms; "
		  "type threshold=1.999ms period=999us to change both" },
		{ { "period=8ms" }, twice,
		  "period=8ms is more than half of the threshold of 10ms; "
		  "type threshold=16ms period=8ms to change both" },
		{ { "period_us=600001" }, twice,
		  "period_us=600001 is more than half of the threshold of 10ms; "
		  "type threshold=1200002us period=600.001ms to change both" },
		{ { "threshold=1s", "period=600ms" }, twice,
		  "threshold=1s is less than two times period=600ms" },
		{ { "ring_records=128" }, ring,
		  "ring_records is fixed while the module is loaded; "
		  "this loads it again and drops all records: " RELOAD " ring_records=128" },
		{ { "ring_records=1" }, ring_takes,
		  "ring_records=1: ring_records takes 2 to 4096 records" },
		{ { "cpus=17" }, cpus,
		  "cpus=17: cpus takes default, all or a list of CPUs out of 0-1" },
		{ { "period=1us", "cpus=x" }, cpus,
		  "cpus=x: cpus takes default, all or a list of CPUs out of 0-1" },
		{ { "max_cost=101%" }, cost,
		  "max_cost=101% is out of range: max_cost takes 0% to 100%" },
		{ { "max_cost_ppm=1000001" }, cost,
		  "max_cost_ppm=1000001: max_cost_ppm takes 0 to 1000000 parts per million" },
		{ { "nmi=auto", "nmi_rate=0" }, "nmi_rate takes 1 to 100000 NMIs a second",
		  "nmi=auto nmi_rate=0: nmi_rate takes 1 to 100000 NMIs a second" },
		/* the reader finds no rule broken that it knows */
		{ { "threshold=5ms", "enable=1" }, "a rule of a newer module",
		  "enable=1 threshold=5ms: a rule of a newer module" },
		{ { NULL }, "a rule of a newer module", "a rule of a newer module" },
	};
	const struct model model = {
		.machine.cpus = "0-1",
		.config = { .threshold_us = 10000, .period_us = 1000, .ring_records = 64 },
	}, unknown = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct knobs knobs = { 0 };
		char *text;

		for (unsigned int k = 0; k < 3 && cases[i].words[k]; k++)
			assert_int_equal(knobs_parse(&knobs, cases[i].words[k], NULL), EXIT_DONE);
		text = refusal_text(&knobs, &model, cases[i].rule);
		assert_string_equal(text, cases[i].wanted);
		free(text);
		/* nothing is known of the module and the machine */
		text = refusal_text(&knobs, &unknown, cases[i].rule);
		assert_true(*text);
		free(text);
	}
}

/* what came with interface 5, to a module of interface 4 */
static void refused_by_older(void **state)
{
	struct model model = { .config.version = 4 };
	static const char rule[] = "Unknown attribute type";
	struct knobs knobs = { 0 };
	char *text;

	(void)state;
	assert_int_equal(knobs_parse(&knobs, "threshold=5ms", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "guard=never", NULL), EXIT_DONE);
	text = refusal_text(&knobs, &model, rule);
	assert_string_equal(text,
			    "guard=never: the loaded module has interface 4 and no such knob");
	free(text);
	knobs = (struct knobs){ .free = true };
	text = refusal_text(&knobs, &model, rule);
	assert_string_equal(text, "the loaded module has interface 4 and gives no memory back");
	free(text);
	model.config.version = 5;
	text = refusal_text(&knobs, &model, "a rule");
	assert_string_equal(text, "a rule");
	free(text);
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
		cmocka_unit_test(correlate_without_captures),
		cmocka_unit_test(options_about_no_log),
		cmocka_unit_test(cpus_that_are_not_there),
		cmocka_unit_test(lines_not_understood),
		cmocka_unit_test(requests_without_latency),
		cmocka_unit_test(ranges_of_a_capture),
		cmocka_unit_test(reads_captures),
		cmocka_unit_test(alibi_of_a_device),
		cmocka_unit_test(exports_captures),
		cmocka_unit_test(exports_nothing),
		cmocka_unit_test(tells_versions),
		cmocka_unit_test(knobs),
		cmocka_unit_test(refusals),
		cmocka_unit_test(refused_by_older),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
