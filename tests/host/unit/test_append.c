// SPDX-License-Identifier: GPL-2.0-only
/* A capture that is gone on with, also where its end was damaged. */
#include "page.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/resume.h"
#include "wire.h"

/* in memory: it is written anew hundreds of times */
static int file_fd;
static char path[32];
static char *capture;
static size_t capture_len;

static int open_file(void **state)
{
	int ret = open_collection(state);

	file_fd = memfd_create("capture", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file_fd);
	capture = wire_capture(&collection, false, &capture_len);
	return file_fd < 0 ? -1 : ret;
}

static int close_file(void **state)
{
	free(capture);
	close(file_fd);
	return close_page(state);
}

#define test_file(test)	cmocka_unit_test_setup_teardown(test, open_file, close_file)

static void write_file(const char *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
}

static size_t file_len(void)
{
	struct stat stat_of;

	assert_int_equal(stat(path, &stat_of), 0);
	return stat_of.st_size;
}

/* goes on with the file: appends the whole capture once more */
static enum capture_state go_on(__u64 *cut)
{
	FILE *file = fopen(path, "r+");
	enum capture_state state = capture_cut_back(file, cut);

	if (state != CAPTURE_FOREIGN)
		assert_int_equal(fwrite(capture, 1, capture_len, file), capture_len);
	fclose(file);
	return state;
}

static void assert_all_there(void)
{
	struct collection read;

	assert_int_equal(collect_capture(&read, path, NULL), EXIT_DONE);
	assert_false(read.model.received.damaged);
	assert_int_equal(read.model.nentries, collection.model.nentries);
	collect_free(&read);
}

/* wherever it was cut, what is appended is read, and each record is there once */
static void cut_at_every_byte(void **state)
{
	size_t refused = 0;
	__u64 cut;

	for (size_t at = 0; at < capture_len; at++) {
		enum capture_state found;

		write_file(capture, at);
		found = go_on(&cut);
		if (found == CAPTURE_FOREIGN) {
			/* of so little nobody can say what it is */
			assert_int_equal(file_len(), at);
			refused++;
			continue;
		}
		assert_int_equal(found, cut ? CAPTURE_CUT : CAPTURE_WHOLE);
		assert_int_equal(file_len(), at - cut + capture_len);
		assert_all_there();
	}
	assert_in_range(refused, 1, capture_len / 4);
}

static void whole(void **state)
{
	__u64 cut;

	write_file(capture, capture_len);
	assert_int_equal(go_on(&cut), CAPTURE_WHOLE);
	assert_int_equal(cut, 0);
	assert_all_there();
	/* and once more */
	assert_int_equal(go_on(&cut), CAPTURE_WHOLE);
	assert_all_there();
}

/* a wrong byte near the end */
static void damaged(void **state)
{
	__u64 cut;

	capture[capture_len - 10] ^= 0x41;
	write_file(capture, capture_len);
	capture[capture_len - 10] ^= 0x41;
	assert_int_equal(go_on(&cut), CAPTURE_DAMAGED);
	assert_in_range(cut, 10, capture_len / 2);
	assert_all_there();
}

/* something else is left as it is */
static void foreign(void **state)
{
	static const char words[] = "this is no capture";
	char held[64];
	__u64 cut;
	FILE *file;

	write_file(words, strlen(words));
	assert_int_equal(go_on(&cut), CAPTURE_FOREIGN);
	file = fopen(path, "r");
	held[fread(held, 1, sizeof(held) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(held, words);
}

/* it can be read, but not be cut off */
static void read_only(void **state)
{
	__u64 cut;
	FILE *file;

	write_file(capture, capture_len - 1);
	file = fopen(path, "r");
	assert_int_equal(capture_cut_back(file, &cut), CAPTURE_UNREADABLE);
	fclose(file);
	assert_int_equal(file_len(), capture_len - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_file(cut_at_every_byte),
		test_file(whole),
		test_file(damaged),
		test_file(foreign),
		test_file(read_only),
	};

	return cmocka_run_group_tests_name("append", tests, NULL, NULL);
}
