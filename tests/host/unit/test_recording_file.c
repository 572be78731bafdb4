// SPDX-License-Identifier: GPL-2.0-only
/* The files of a recording: new, gone on with, in a row, and refused. */
#include "page.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/recording_file.h"
#include "wire.h"

#define OTHER	(~0ULL)

static char dir[32], path[64];
static char *capture;
static size_t capture_len;
static __u64 instance;
static struct recording_file file;
static struct resume resume;

static int make_dir(void **state)
{
	int ret = open_collection(state);

	strcpy(dir, "/tmp/irqoff-test-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/it.irqoff", dir);
	collection.model.config.instance_known = true;
	collection.model.config.instance = 7;
	instance = 7;
	capture = wire_capture(&collection, false, &capture_len);
	file = (struct recording_file){ .path = path };
	return ret;
}

static int remove_dir(void **state)
{
	char command[64];

	recording_file_free(&file);
	resume_free(&resume);
	free(capture);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	return system(command) ? -1 : close_page(state);
}

static void write_file(const char *name, const char *bytes, size_t len)
{
	char whole[128];
	FILE *written;

	snprintf(whole, sizeof(whole), "%s/%s", dir, name);
	written = fopen(whole, "w");
	assert_int_equal(fwrite(bytes, 1, len, written), len);
	fclose(written);
}

static unsigned int files(void)
{
	struct dirent *found;
	unsigned int count = 0;
	DIR *opened = opendir(dir);

	while ((found = readdir(opened)))
		count += found->d_name[0] != '.';
	closedir(opened);
	return count;
}

static bool there(const char *name)
{
	char whole[128];

	snprintf(whole, sizeof(whole), "%s/%s", dir, name);
	return !access(whole, F_OK);
}

static int open_it(void)
{
	return recording_file_open(&file, instance, &resume);
}

static void new_file(void **state)
{
	struct stat stat_of;

	assert_int_equal(open_it(), EXIT_DONE);
	assert_false(file.appended);
	assert_int_equal(resume.instance, 0);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 0777, 0600);
	assert_false(recording_file_full(&file));
	assert_true(recording_file_sync(&file));
}

/* its last bytes are no whole frame */
static void gone_on_with(void **state)
{
	struct stat stat_of;

	write_file("it.irqoff", capture, capture_len - 3);
	assert_int_equal(open_it(), EXIT_DONE);
	assert_true(file.appended);
	assert_int_equal(resume.instance, 7);
	assert_true(resume.ncursors);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(ftello(file.out), stat_of.st_size);
	assert_in_range(stat_of.st_size, 1, capture_len - 4);
}

/* of another load nothing is cut off */
static void other_load(void **state)
{
	struct stat stat_of;

	write_file("it.irqoff", capture, capture_len - 3);
	instance = OTHER;
	assert_int_equal(open_it(), EXIT_FAILED);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_size, capture_len - 3);
}

/* what it has is not to be given to others, and what comes is, or the other way round */
static void other_strip(void **state)
{
	struct stat stat_of;

	write_file("it.irqoff", capture, capture_len - 3);
	file.strip = true;
	assert_int_equal(open_it(), EXIT_FAILED);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_size, capture_len - 3);
	recording_file_free(&file);
	resume_free(&resume);
	free(capture);
	capture = wire_capture(&collection, true, &capture_len);
	write_file("it.irqoff", capture, capture_len);
	file = (struct recording_file){ .path = path, .strip = true };
	assert_int_equal(open_it(), EXIT_DONE);
	assert_int_equal(resume.instance, 7);
}

static void two_recorders(void **state)
{
	struct recording_file second = { .path = path };
	struct resume none = { 0 };

	assert_int_equal(open_it(), EXIT_DONE);
	assert_int_equal(recording_file_open(&second, instance, &none), EXIT_FAILED);
	recording_file_free(&second);
}

static void no_regular_file(void **state)
{
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(open_it(), EXIT_FAILED);
}

static void row(unsigned int count)
{
	file.rotate_bytes = 1000;
	file.rotate_count = count;
}

/* the names tell the time, whether or not the path has the suffix */
static void names_of_a_row(void **state)
{
	char expected[64];
	size_t len;

	row(3);
	assert_int_equal(open_it(), EXIT_DONE);
	snprintf(expected, sizeof(expected), "%s/it-2", dir);
	len = strlen(expected);
	assert_memory_equal(file.name, expected, len);
	assert_string_equal(file.name + len + strlen("0261125T064111Z"), ".irqoff");
	assert_int_equal(strlen(file.name), len + strlen("0261125T064111Z.irqoff"));
	assert_false(there("it.irqoff"));
}

static void full(void **state)
{
	static const char bytes[1000];

	row(3);
	assert_int_equal(open_it(), EXIT_DONE);
	fwrite(bytes, 1, 999, file.out);
	assert_false(recording_file_full(&file));
	fputc(0, file.out);
	assert_true(recording_file_full(&file));
}

/* several may begin within a second; what has another name is nobody's */
static void oldest_go(void **state)
{
	char *first;

	write_file("it-20200101T000000Z.irqoff", "", 0);
	write_file("it-20200101T000000Z.irqoff.old", "", 0);
	write_file("it-20200101.irqoff", "", 0);
	write_file("it-too-20200101T000000Z.irqoff", "", 0);
	row(3);
	instance = OTHER;
	write_file("it-20210101T000000Z.irqoff", capture, capture_len);
	assert_int_equal(open_it(), EXIT_DONE);
	first = copy_text(file.name);
	assert_true(there("it-20200101T000000Z.irqoff"));
	assert_int_equal(files(), 6);
	assert_int_equal(recording_file_next(&file), EXIT_DONE);
	assert_string_not_equal(file.name, first);
	assert_false(there("it-20200101T000000Z.irqoff"));
	assert_int_equal(recording_file_next(&file), EXIT_DONE);
	assert_false(there("it-20210101T000000Z.irqoff"));
	assert_int_equal(access(first, F_OK), 0);
	assert_int_equal(files(), 6);
	free(first);
}

/* the newest one is gone on with, if it can be */
static void row_gone_on_with(void **state)
{
	row(3);
	write_file("it-20200101T000000Z.irqoff", "words", 5);
	write_file("it-20210101T000000Z.irqoff", capture, capture_len);
	assert_int_equal(open_it(), EXIT_DONE);
	assert_true(file.appended);
	assert_string_equal(strrchr(file.name, '/'), "/it-20210101T000000Z.irqoff");
	assert_int_equal(resume.instance, 7);
	assert_int_equal(files(), 2);
}

/* the last recorder was killed before anything was in its newest file */
static void row_with_an_empty_one(void **state)
{
	row(3);
	write_file("it-20200101T000000Z.irqoff", capture, capture_len);
	write_file("it-20210101T000000Z.irqoff", "", 0);
	assert_int_equal(open_it(), EXIT_DONE);
	assert_false(file.appended);
	assert_int_equal(resume.instance, 7);
	assert_true(resume.ncursors);
	assert_int_equal(files(), 2);
}

/* the clock was set back: the file that is written is the last one of the row all the same */
static void row_of_the_future(void **state)
{
	row(2);
	write_file("it-20900101T000000Z.irqoff", capture, capture_len);
	write_file("it-20900101T000001Z.irqoff", capture, capture_len);
	instance = OTHER;
	assert_int_equal(open_it(), EXIT_DONE);
	assert_string_equal(strrchr(file.name, '/'), "/it-20900101T000002Z.irqoff");
	assert_false(recording_file_removed(&file));
	assert_int_equal(recording_file_next(&file), EXIT_DONE);
	assert_string_equal(strrchr(file.name, '/'), "/it-20900101T000003Z.irqoff");
	assert_int_equal(files(), 2);
}

/* a directory: the names have nothing before the dash */
static void row_in_a_directory(void **state)
{
	row(1);
	snprintf(path, sizeof(path), "%s/", dir);
	assert_int_equal(open_it(), EXIT_DONE);
	assert_int_equal(recording_file_next(&file), EXIT_DONE);
	assert_int_equal(files(), 1);
}

/* another file is begun, with the record behind the last one */
static void row_without_strip(void **state)
{
	write_file("it-20210101T000000Z.irqoff", capture, capture_len);
	row(2);
	file.strip = true;
	assert_int_equal(open_it(), EXIT_DONE);
	assert_false(file.appended);
	assert_int_equal(resume.instance, 7);
	assert_true(resume.ncursors);
}

static void removed(void **state)
{
	assert_int_equal(open_it(), EXIT_DONE);
	assert_false(recording_file_removed(&file));
	unlink(path);
	assert_true(recording_file_removed(&file));
}

/* an empty file is there, which others may read; or one that has two names, or is a link */
static void not_as_it_was(void **state)
{
	char link_path[80];
	struct stat stat_of;

	snprintf(link_path, sizeof(link_path), "%s/link", dir);
	write_file("it.irqoff", "", 0);
	chmod(path, 0644);
	assert_int_equal(open_it(), EXIT_DONE);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 0777, 0600);
	recording_file_free(&file);
	assert_int_equal(link(path, link_path), 0);
	assert_int_equal(open_it(), EXIT_FAILED);
	recording_file_free(&file);
	unlink(path);
	assert_int_equal(symlink(link_path, path), 0);
	assert_int_equal(open_it(), EXIT_FAILED);
}

static mode_t mode_of_new(mode_t of_dir, mode_t mask, bool shared)
{
	struct stat stat_of;
	mode_t kept;

	assert_int_equal(chmod(dir, of_dir), 0);
	unlink(path);
	file.shared = shared;
	kept = umask(mask);
	assert_int_equal(open_it(), EXIT_DONE);
	/* it is as it was */
	assert_int_equal(umask(kept), mask);
	assert_int_equal(stat(path, &stat_of), 0);
	recording_file_free(&file);
	return stat_of.st_mode & 07777;
}

/* an agent's, where the group of its directory may look into it and others may not */
static void shared_with_a_group(void **state)
{
	assert_int_equal(mode_of_new(0750, 0027, true), 0640);
	assert_int_equal(mode_of_new(0750, 0022, true), 0640);
	assert_int_equal(mode_of_new(0750, 0077, true), 0600);
	assert_int_equal(mode_of_new(0750, 0027, false), 0600);
	assert_int_equal(mode_of_new(0700, 0027, true), 0600);
	assert_int_equal(mode_of_new(0755, 0022, true), 0600);
	assert_int_equal(mode_of_new(0770, 0027, true), 0600);
	assert_int_equal(mode_of_new(0740, 0027, true), 0600);
}

/* a file of another group than the directory's is not for that one */
static void not_shared_with_another_group(void **state)
{
	if (geteuid()) {
		leave_out("because it takes root");
		return;
	}
	assert_int_equal(chown(dir, -1, 4711), 0);
	assert_int_equal(mode_of_new(0750, 0027, true), 0600);
}

/* what was written for its owner alone stays so */
static void not_shared_later(void **state)
{
	struct stat stat_of;

	write_file("it.irqoff", capture, capture_len);
	assert_int_equal(chmod(path, 0600), 0);
	assert_int_equal(chmod(dir, 0750), 0);
	file.shared = true;
	assert_int_equal(open_it(), EXIT_DONE);
	assert_true(file.appended);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 0777, 0600);
}

/* of an older module, which had no number of its load: nobody knows whose it is */
static void no_instance(void **state)
{
	size_t len;
	char *older;

	collection.model.config.instance_known = false;
	older = wire_capture(&collection, false, &len);
	write_file("it.irqoff", older, len - 3);
	free(older);
	assert_int_equal(open_it(), EXIT_FAILED);
	assert_true(file.other);
}

static void row_that_cannot_be(void **state)
{
	row(3);
	write_file("it-20210101T000000Z.irqoff", capture, 10);
	assert_int_equal(open_it(), EXIT_DONE);
	assert_false(file.appended);
	assert_int_equal(resume.ncursors, 0);
	assert_int_equal(files(), 2);
}

#define test_file(test)	cmocka_unit_test_setup_teardown(test, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_file(new_file),
		test_file(gone_on_with),
		test_file(other_load),
		test_file(other_strip),
		test_file(two_recorders),
		test_file(no_regular_file),
		test_file(names_of_a_row),
		test_file(full),
		test_file(oldest_go),
		test_file(row_gone_on_with),
		test_file(row_that_cannot_be),
		test_file(row_with_an_empty_one),
		test_file(row_of_the_future),
		test_file(row_in_a_directory),
		test_file(row_without_strip),
		test_file(removed),
		test_file(not_as_it_was),
		test_file(shared_with_a_group),
		test_file(not_shared_with_another_group),
		test_file(not_shared_later),
		test_file(no_instance),
	};

	return cmocka_run_group_tests_name("recording_file", tests, NULL, NULL);
}
