// SPDX-License-Identifier: GPL-2.0-only
/* What a full ring keeps besides the newest records. */
#include "waiters.h"

#include "group/summary.h"
#include "judge/gaps.h"
#include "judge/window.h"

/* CPU 0 lost the records 1 to 7 and 9; CPU 1 lost none, though it looks so; CPU 2 has one */
static void make(void)
{
	add_hard(model, 0, 0, 100 * MS, 50 * MS);
	add_hard(model, 0, 8, 200 * MS, 40 * MS);
	add_hard(model, 0, 10, 500 * MS, 20 * MS);
	add_hard(model, 0, 11, 600 * MS, 20 * MS);
	add_hard(model, 1, 3, 300 * MS, 20 * MS);
	add_hard(model, 1, 5, 900 * MS, 20 * MS);
	add_hard(model, 2, 7, 700 * MS, 20 * MS);
	model->counters[0].lost = 8;
	model->counters[2].lost = 7;
	model_sort(model);
	gaps_find(model);
}

static void early_ones(void **state)
{
	char early[64] = "";
	size_t len = 0;

	make();
	/* a second time changes nothing */
	gaps_find(model);
	for (size_t i = 0; i < model->nentries; i++)
		if (model->entries[i]->view.early)
			len += snprintf(early + len, sizeof(early) - len, "%u:%llu ",
					model->entries[i]->rec.cpu, model->entries[i]->rec.seq);
	assert_string_equal(early, "0:0 0:8 ");
}

/* an open stall has no number, and is the newest */
static void open_ones(void **state)
{
	struct entry *entry;

	make();
	entry = add_hard(model, 0, 0, 950 * MS, 30 * MS);
	entry->rec.open = true;
	model_sort(model);
	gaps_find(model);
	assert_false(entry->view.early);
	assert_false(model->entries[model->nentries - 2]->view.early);
}

/* the time begins behind the gap, and the counts that rates are made of are those in it */
static void rates_leave_them_out(void **state)
{
	struct summary summary;

	make();
	model->counters[1].cleared = 3;
	/* the first record behind all gaps is 1:3 */
	assert_int_equal(window_of(model, 0, ~0ULL).from_ns,
			 model_realtime_ns(model, 300 * MS - 20 * MS));
	summary_build(&summary, model, 1U << SUMMARY_CPU, SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, 3);
	assert_int_equal(summary.groups[0].count, 4);
	assert_int_equal(summary.groups[0].early, 2);
	assert_int_equal(summary.groups[0].total_ns, 130 * MS);
	assert_int_equal(summary.groups[0].early_ns, 90 * MS);
	assert_int_equal(summary.groups[1].early, 0);
	summary_free(&summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_waiters(early_ones),
		test_waiters(open_ones),
		test_waiters(rates_leave_them_out),
	};

	return cmocka_run_group_tests_name("gaps", tests, NULL, NULL);
}
