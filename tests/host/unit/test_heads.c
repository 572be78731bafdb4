// SPDX-License-Identifier: GPL-2.0-only
/* Which captures have no stall of a time, as the first messages of each tell. */
#include "fixture.h"

#include <unistd.h>

#include "capture/capture_meta.h"
#include "capture/capture_write.h"
#include "collect/capture_heads.h"
#include "version.h"
#include "wire.h"

#define SECOND	(1000 * MS)
#define BOOT_S	1795739400ULL
#define MOST	4

static char dir[32];
static struct inputs inputs;
static struct model made;

static int begin(void **state)
{
	strcpy(dir, "/tmp/irqoff-test-XXXXXX");
	made = (struct model){
		.config = {
			.version = TRACE_IRQOFF_API, .instance_known = true, .instance = 7,
			.threshold_us = 10000, .period_us = 1000,
			.cpus = copy_text("default"), .watched = copy_text("0"),
		},
	};
	strcpy(made.machine.boot_id, "boot");
	return mkdtemp(dir) ? 0 : -1;
}

static void forget(void)
{
	for (size_t i = 0; i < inputs.count; i++) {
		unlink(inputs.paths[i]);
		free((char *)inputs.paths[i]);
	}
	inputs_free(&inputs);
}

static int end(void **state)
{
	forget();
	rmdir(dir);
	model_free(&made);
	return 0;
}

/* a capture that begins then, by the kernel's clock and by the wall clock */
static void put(const char *name, __u64 kernel_ns, __u64 realtime_ns)
{
	char *path = print_text("%s/%s", dir, name);
	FILE *file = fopen(path, "w");
	struct capture_writer *writer = capture_writer(file);
	struct messages messages = { 0 };

	made.config.now_ns = kernel_ns;
	wire_model(&messages, &made);
	capture_put_meta(writer, &made, false, &(struct resume){ 0 });
	capture_put_clock(writer, kernel_ns, realtime_ns);
	capture_put_all(writer, &messages, TRACE_IRQOFF_CMD_CONFIG_GET);
	assert_true(capture_writer_close(writer));
	fclose(file);
	messages_free(&messages);
	inputs_add(&inputs, path);
}

/* the clock that it has is ahead by so many seconds */
static void put_ahead(unsigned int number, __u64 ahead_s)
{
	char name[64];

	snprintf(name, sizeof(name), "stalls-20261127T05000%uZ.irqoff", number);
	put(name, number * 100 * SECOND, (BOOT_S + ahead_s + number * 100) * SECOND);
}

static void put_row(void)
{
	for (unsigned int i = 1; i <= 3; i++)
		put_ahead(i, 0);
}

/* @left: the places of those that are left, in the order in which they were put */
static void assert_left(__u64 since_ns, const char *left)
{
	struct head *heads = heads_read(&inputs);
	size_t count = heads_drop_ended(heads, inputs.count, since_ns);
	char got[MOST + 1] = "";

	for (size_t i = 0; i < inputs.count; i++)
		for (size_t k = 0; k < count; k++)
			if (heads[k].path == inputs.paths[i])
				got[strlen(got)] = '0' + i;
	free(heads);
	assert_string_equal(got, left);
}

static void next_of_a_row(void **state)
{
	put_row();
	assert_left(0, "012");
	assert_left((BOOT_S + 200) * SECOND, "012");
	assert_left((BOOT_S + 201) * SECOND, "12");
	assert_left((BOOT_S + 250) * SECOND, "12");
	assert_left((BOOT_S + 301) * SECOND, "2");
	/* nobody knows whether the newest has ended */
	assert_left((BOOT_S + 900) * SECOND, "2");
}

/* what the others say of an older file's wall clock is not what it says itself */
static void clock_was_set(void **state)
{
	put_ahead(1, 3600);
	put_ahead(2, 0);
	put_ahead(3, 0);
	assert_left((BOOT_S + 350) * SECOND, "02");
	forget();
	put_ahead(1, 0);
	put_ahead(2, 3600);
	assert_left((BOOT_S + 7200) * SECOND, "01");
	/* set back as the second began, so that by the wall clock it is the older one */
	forget();
	put("stalls-20261127T050001Z.irqoff", 100 * SECOND, (BOOT_S + 100) * SECOND);
	put("stalls-20261127T050002Z.irqoff", 100 * SECOND + 1, (BOOT_S + 100) * SECOND - 500 * MS);
	assert_left((BOOT_S + 350) * SECOND, "1");
}

/* it may go on beside the one that was begun later */
static void other_rows(void **state)
{
	put("a.irqoff", 100 * SECOND, (BOOT_S + 100) * SECOND);
	put("b.irqoff", 200 * SECOND, (BOOT_S + 200) * SECOND);
	put("c-20261127T050001Z.irqoff", 300 * SECOND, (BOOT_S + 300) * SECOND);
	put("d-20261127T050001Z.irqoff", 400 * SECOND, (BOOT_S + 400) * SECOND);
	assert_left((BOOT_S + 900) * SECOND, "0123");
	forget();
	/* ... and of another load or boot nothing ties the clocks */
	put_ahead(1, 0);
	made.config.instance = 8;
	put_ahead(2, 0);
	strcpy(made.machine.boot_id, "another");
	put_ahead(3, 0);
	assert_left((BOOT_S + 900) * SECOND, "012");
}

/* reading it says why */
static void unreadable(void **state)
{
	put_ahead(1, 0);
	put_ahead(2, 0);
	assert_int_equal(truncate(inputs.paths[0], 0), 0);
	assert_int_equal(truncate(inputs.paths[1], 0), 0);
	assert_left((BOOT_S + 900) * SECOND, "01");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(next_of_a_row, begin, end),
		cmocka_unit_test_setup_teardown(clock_was_set, begin, end),
		cmocka_unit_test_setup_teardown(other_rows, begin, end),
		cmocka_unit_test_setup_teardown(unreadable, begin, end),
	};

	return cmocka_run_group_tests_name("heads", tests, NULL, NULL);
}
