// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include <stdio_ext.h>
#include <unistd.h>

#include "base/say.h"
#include "cli/commands.h"
#include "command_line.h"

/* the output of irqoff, run with a command line */
char output[16384], errors[16384];

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

int run_into(FILE *out_file, const char *line)
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
	restore(STDOUT_FILENO, out_fd, out_file, output, sizeof(output));
	restore(STDERR_FILENO, err_fd, err_file, errors, sizeof(errors));
	free(copy);
	return status;
}

int run(const char *line)
{
	return run_into(tmpfile(), line);
}

void assert_run(int status, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	assert_int_equal(run(line), status);
}

void assert_cannot_write_but(const char *line, int wanted)
{
	FILE *full = fopen("/dev/full", "w");
	int status;

	assert_non_null(full);
	status = run_into(full, line);
	/* drop the output that could not be written, so that it does not appear later */
	__fpurge(stdout);
	clearerr(stdout);
	assert_int_equal(status, wanted);
	assert_string_equal(errors,
			    "irqoff: could not write the output: No space left on device\n");
}

void assert_cannot_write(const char *line)
{
	assert_cannot_write_but(line, EXIT_FAILED);
}

void run_with(const char *format, const char *path)
{
	char line[256];

	snprintf(line, sizeof(line), format, path, path);
	assert_int_equal(run(line), EXIT_DONE);
	assert_string_equal(errors, "");
}

void write_text(char *path, const char *text)
{
	FILE *file = fdopen(mkstemp(path), "w");

	fputs(text, file);
	fclose(file);
}

void assert_refused(const char *format, const char *path, const char *wanted)
{
	char line[256];

	snprintf(line, sizeof(line), format, path, path);
	assert_int_equal(run(line), EXIT_USAGE);
	assert_string_equal(output, "");
	if (strcmp(errors, wanted))
		fail_msg("irqoff %s: %s", line, errors);
}
