// SPDX-License-Identifier: GPL-2.0-only
/* Of a capture the records that a filter does not let pass are read without their samples. */
#include "fixture.h"

#include <sys/mman.h>
#include <unistd.h>

#include "capture/needed.h"
#include "wire.h"

#define RECORDS		120
#define APART_NS	(10000 * MS)

static struct collection made, got;
static struct filter filter;
static int file_fd;
static char path[32];

/* a stall each ten seconds, on four CPUs in turn */
static int begin(void **state)
{
	fixture_begin(&made);
	for (unsigned int i = 0; i < RECORDS; i++)
		set_stack(&add_hard(&made.model, i % 4, 100 + i / 4,
				    NOW_NS - (RECORDS - i) * APART_NS, (20 + i % 7) * MS)->rec.end,
			  AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x1b0, AT_SYSCALL + 0x5, 0ULL);
	filter = (struct filter){
		.now_ns = NOW_REALTIME_NS, .until_ns = ~0ULL, .narrow = true,
	};
	got = (struct collection){ 0 };
	file_fd = memfd_create("capture", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file_fd);
	return file_fd < 0 ? -1 : 0;
}

static int end(void **state)
{
	filter_free(&filter);
	collect_free(&got);
	collect_free(&made);
	close(file_fd);
	return 0;
}

#define test_needed(test)	cmocka_unit_test_setup_teardown(test, begin, end)

/* reads what was made as a command does, and returns how many records came without samples */
static size_t read_made(void)
{
	size_t len;
	char *bytes = wire_capture(&made, false, &len);
	FILE *file = fopen(path, "w");

	assert_int_equal(fwrite(bytes, 1, len, file), len);
	fclose(file);
	free(bytes);
	assert_int_equal(collect_capture(&got, path, &filter), EXIT_DONE);
	filter_refer_to(&filter, got.model.config.realtime_ns);
	collect_pass(&got, &filter);
	assert_int_equal(got.model.nentries + got.model.ndropped + got.model.briefs.count,
			 made.model.nentries);
	return got.model.briefs.count;
}

static void assert_whole(size_t count)
{
	assert_int_equal(got.model.nentries, count);
	for (size_t i = 0; i < count; i++) {
		const struct entry *entry = got.model.entries[i];

		assert_string_equal(entry->rec.end.comm, "kubelet");
		assert_non_null(entry->found.culprit);
	}
}

/* what ended a minute before or later may be linked to what passes */
static void since_an_age(void **state)
{
	assert_int_equal(filter_option(&filter, FILTER_SINCE, "2m"), EXIT_DONE);
	assert_int_equal(read_made(), RECORDS - 12 - 6);
	assert_whole(12);
}

/* the clock is known before the records; it may be set by as much */
static void since_a_time(void **state)
{
	filter.since_ns = NOW_REALTIME_NS - 12 * APART_NS;
	assert_int_equal(read_made(), RECORDS - 12 - 12);
	assert_whole(12);
}

static void newest(void **state)
{
	filter.newest = 5;
	assert_int_equal(read_made(), RECORDS - 5 - 6);
	assert_whole(5);
}

/* more than there are; of a class, which only whole records tell */
static void newest_of_all(void **state)
{
	filter.newest = RECORDS + 1;
	assert_int_equal(read_made(), 0);
	assert_whole(RECORDS);
}

static void newest_of_a_class(void **state)
{
	filter.newest = 5;
	filter.classes = 1U << TIO_CLASS_HARDIRQ_OFF;
	assert_int_equal(read_made(), 0);
	assert_whole(5);
}

static void named(void **state)
{
	assert_int_equal(filter_name(&filter, "0:120"), EXIT_DONE);
	assert_int_equal(filter_name(&filter, "1:122"), EXIT_DONE);
	assert_int_equal(read_made(), 20 * 4 - 6);
	assert_whole(2);
}

/* status and hist print no record */
static void none(void **state)
{
	filter.since_ns = ~0ULL;
	assert_int_equal(read_made(), RECORDS);
	assert_whole(0);
	assert_int_equal(got.model.ncounters, made.model.ncounters);
}

/* a stall that is that long may be linked to older ones */
static void long_stall(void **state)
{
	made.model.entries[RECORDS - 1]->rec.min_ns = 7000 * MS;
	made.model.entries[RECORDS - 1]->rec.max_ns = 7001 * MS;
	filter.newest = 5;
	assert_int_equal(read_made(), 0);
	assert_whole(5);
}

/* of alibi and correlate */
static void all_are_looked_at(void **state)
{
	filter.narrow = false;
	filter.newest = 5;
	assert_int_equal(read_made(), 0);
	assert_whole(5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_needed(since_an_age),
		test_needed(since_a_time),
		test_needed(newest),
		test_needed(newest_of_all),
		test_needed(newest_of_a_class),
		test_needed(named),
		test_needed(none),
		test_needed(long_stall),
		test_needed(all_are_looked_at),
	};

	return cmocka_run_group_tests_name("needed", tests, NULL, NULL);
}
