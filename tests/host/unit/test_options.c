// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

#include "commands.h"
#include "knobs.h"
#include "say.h"
#include "summary.h"
#include "version.h"

/* runs irqoff with the words of a command line; what it prints is in out and err */
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
		{ "list --c 1", "irqoff: there is no option --c, or several begin so (" },
		{ "list --nonsense", "irqoff: there is no option --nonsense, or " },
		{ "list -x", "irqoff: there is no option -x (" },
		{ "set threshold=2ms threshold_us=2000",
		  "irqoff: 'threshold_us=2000' sets what another word sets already\n" },
		{ "set threshold=5000s",
		  "irqoff: threshold takes whole microseconds, at most a minute" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_int_equal(run(lines[i][0]), EXIT_USAGE);
		if (strncmp(err, lines[i][1], strlen(lines[i][1])))
			fail_msg("irqoff %s: %s", lines[i][0], err);
	}
}

static void output_that_cannot_be_written(void **state)
{
	static const char * const words[] = { "--help", "--version" };
	static const char said[] =
		"irqoff: could not write the output: No space left on device\n";

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		FILE *full = fopen("/dev/full", "w");
		int status;

		assert_non_null(full);
		status = run_into(full, words[i]);
		/* what could not be written, and would be now */
		__fpurge(stdout);
		clearerr(stdout);
		assert_int_equal(status, EXIT_FAILED);
		assert_string_equal(err, said);
	}
}

static void wrong_usage(void **state)
{
	static const char * const lines[] = {
		"nonsense", "Report", "--jso=x", "--nonsense", "-x", "report extra", "list 0:12",
		"list --min 50", "list --min 50m", "list --min", "list --since", "list --since 10",
		"report --by", "report --by pid", "report --by culprit,", "report --sort min",
		"list --by cpu", "list --sort max", "report -v", "report --per-cpu",
		"hist --min 1ms",
		"hist -n 3", "status --class unknown", "status extra", "list -n", "list -n 0",
		"list --cpu x", "list --class soft", "list --json=1", "--version=1",
		"set", "set threshold", "set threshold=", "set threshold=2", "set threshold=2m",
		"set threshold=1.5us", "set period=0.5us", "set threshold=2h", "set period=500",
		"set threshold_us=2ms", "set threshold_us=-1", "set period_us=4294967296",
		"set enable=2", "set enable=yes", "set nonsense=1", "set =1", "set --json",
		"set threshold=2ms threshold_us=2000", "set cpus=1 cpus=2", "start 2ms",
		"start enable=1", "start enable=0", "start --now", "stop now", "stop --force",
		"clear all", "clear --json", "set threshold=5000s",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		int status = run(lines[i]);

		if (status != EXIT_USAGE)
			fail_msg("'%s' ended with %d: %s%s", lines[i], status, out, err);
		/* one line, nothing else */
		if (*out || strncmp(err, "irqoff: ", 8) ||
		    strchr(err, '\n') != err + strlen(err) - 1)
			fail_msg("'%s' said: %s%s", lines[i], out, err);
	}
}

/* whose sentence is to fit what was asked */
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

static void all_have_help(void **state)
{
	static const char * const commands[] = {
		"report", "list", "hist", "status", "start", "stop", "set", "clear",
	};
	char line[64];

	(void)state;
	assert_int_equal(run("--help"), EXIT_DONE);
	assert_non_null(strstr(out, "Exit status: 0 done, 1 failed, 2 wrong usage."));
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		run("--help");
		snprintf(line, sizeof(line), "\n  %s ", commands[i]);
		assert_non_null(strstr(out, line));
		snprintf(line, sizeof(line), "%s --help", commands[i]);
		assert_int_equal(run(line), EXIT_DONE);
		assert_string_equal(err, "");
		snprintf(line, sizeof(line), "usage: irqoff %s", commands[i]);
		assert_int_equal(strncmp(out, line, strlen(line)), 0);
		assert_non_null(strstr(out, "Exit status: 0 done, 1 failed, 2 wrong usage."));
		snprintf(line, sizeof(line), "%s -h", commands[i]);
		assert_int_equal(run(line), EXIT_DONE);
	}
	/* options without a command are report's */
	assert_int_equal(run("--sort max --help"), EXIT_DONE);
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
	/* all classes, and no line wider than the rest */
	for (unsigned int class = 0; class < TIO_CLASSES; class++)
		assert_non_null(strstr(out, tio_class_name(class)));
	for (const char *line = out; *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 0, 100);
	for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
		assert_non_null(strstr(strstr(out, "--by"), summary_key_name(key)));
	run("list --help");
	assert_non_null(strstr(out, "  -v, --verbose "));
	assert_null(strstr(out, "--by"));
	run("stop --help");
	assert_null(strstr(out, "--json"));
}

static void tells_versions(void **state)
{
	char interface[32];

	(void)state;
	assert_int_equal(run("--version"), EXIT_DONE);
	assert_int_equal(strncmp(out, "irqoff 0.", 9), 0);
	snprintf(interface, sizeof(interface), "interface %u\n", TRACE_IRQOFF_API);
	assert_non_null(strstr(out, interface));
}

static void knobs(void **state)
{
	struct knobs knobs = { 0 };

	(void)state;
	assert_int_equal(knobs_parse(&knobs, "threshold=1.5ms"), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "period_us=500"), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus=0-7,9"), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "enable=0"), EXIT_DONE);
	assert_true(knobs.given[KNOB_THRESHOLD_US] && knobs.given[KNOB_PERIOD_US] &&
		    knobs.given[KNOB_CPUS] && knobs.given[KNOB_ENABLE]);
	assert_false(knobs.given[KNOB_RING_RECORDS]);
	assert_int_equal(knobs.numbers[KNOB_THRESHOLD_US], 1500);
	assert_int_equal(knobs.numbers[KNOB_PERIOD_US], 500);
	assert_int_equal(knobs.numbers[KNOB_ENABLE], 0);
	assert_string_equal(knobs.cpus, "0-7,9");
	/* limits are the module's to know, with its own sentence */
	assert_int_equal(knobs_parse(&knobs, "ring_records=1"), EXIT_DONE);
	knobs = (struct knobs){ 0 };
	assert_int_equal(knobs_parse(&knobs, "threshold=0us"), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus="), EXIT_DONE);
	assert_string_equal(knobs.cpus, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_usage),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(output_that_cannot_be_written),
		cmocka_unit_test(start_sets_enable),
		cmocka_unit_test(all_have_help),
		cmocka_unit_test(help_tells_of_options),
		cmocka_unit_test(tells_versions),
		cmocka_unit_test(knobs),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
