// SPDX-License-Identifier: GPL-2.0-only
/* Files that are there whole or not at all. */
#include "fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"

static int close_new(struct new_file *file, const char *text)
{
	fputs(text, file->out);
	return new_file_close(file, !fflush(file->out));
}

static void assert_holds(const char *path, const char *wanted)
{
	char line[16] = "";
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	assert_string_equal(line, wanted);
}

/* a file is there whole or not at all, and none is replaced unasked */
static void new_files(void **state)
{
	char dir[] = "/tmp/irqoff-test-XXXXXX", path[64];
	struct new_file file, late;
	struct stat stat_of;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/new", dir);
	assert_int_equal(new_file_open(&file, path, false), EXIT_DONE);
	assert_int_equal(new_file_open(&late, path, false), EXIT_DONE);
	assert_int_equal(access(path, F_OK), -1);
	assert_int_equal(close_new(&file, "first"), EXIT_DONE);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 0777, 0600);
	/* it came while this one was written */
	assert_int_equal(close_new(&late, "late"), EXIT_FAILED);
	assert_int_equal(new_file_open(&file, path, false), EXIT_FAILED);
	assert_holds(path, "first");
	assert_int_equal(new_file_open(&file, path, true), EXIT_DONE);
	assert_int_equal(new_file_close(&file, false), EXIT_FAILED);
	assert_holds(path, "first");
	assert_int_equal(new_file_open(&file, path, true), EXIT_DONE);
	assert_int_equal(close_new(&file, "second"), EXIT_DONE);
	assert_holds(path, "second");
	assert_int_equal(new_file_open(&file, dir, true), EXIT_FAILED);
	assert_int_equal(new_file_open(&file, "/nowhere/new", true), EXIT_FAILED);
	unlink(path);
	/* no temporary file is left */
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(new_files),
	};

	return cmocka_run_group_tests_name("new file", tests, NULL, NULL);
}
