// SPDX-License-Identifier: GPL-2.0-only
/* Who is told, in which order, and whose answer counts. */
#include "fixture.h"

#include "source/observers.h"

static char told[64];
static int answers[OBSERVERS_MOST];

static int on_records(void *context, struct model *model)
{
	size_t i = (int *)context - answers;

	assert_non_null(model);
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "records %zu ", i);
	return answers[i];
}

static int on_due(void *context, __u64 now_ns, bool last, __u64 *next_ns)
{
	size_t i = (int *)context - answers;

	assert_int_equal(now_ns, 7);
	assert_true(last);
	if (*next_ns > 20 - i)
		*next_ns = 20 - i;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "due %zu ", i);
	return answers[i];
}

static void on_gone(void *context)
{
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "gone %zu ",
		 (int *)context - answers);
}

static void on_clock_set(void *context)
{
	fail_msg("%p", context);
}

static int begin(void **state)
{
	memset(answers, 0, sizeof(answers));
	*told = 0;
	return 0;
}

static void told_in_order(void **state)
{
	static const struct observer_calls first = { .records = on_records },
					   second = { .records = on_records, .gone = on_gone };
	struct observers observers = { 0 };
	struct model model = { 0 };

	assert_int_equal(observers_records(&observers, &model), 0);
	assert_string_equal(told, "");
	observers_add(&observers, &first, &answers[0]);
	observers_add(&observers, &second, &answers[1]);
	assert_int_equal(observers_records(&observers, &model), 0);
	observers_gone(&observers);
	/* nobody has it */
	assert_false(observers_done(&observers));
	assert_string_equal(told, "records 0 records 1 gone 1 ");
}

static void an_answer_is_the_last(void **state)
{
	static const struct observer_calls calls = { .records = on_records };
	struct observers observers = { 0 };
	struct model model = { 0 };

	observers_add(&observers, &calls, &answers[0]);
	observers_add(&observers, &calls, &answers[1]);
	answers[0] = 2;
	answers[1] = 1;
	assert_int_equal(observers_records(&observers, &model), 2);
	assert_string_equal(told, "records 0 ");
}

/* a recording flushes what is due, even where whoever was asked before it has failed */
static void all_are_due(void **state)
{
	static const struct observer_calls calls = { .due = on_due };
	struct observers observers = { 0 };
	__u64 next_ns = ~0ULL;

	observers_add(&observers, &calls, &answers[0]);
	observers_add(&observers, &calls, &answers[1]);
	answers[0] = 2;
	answers[1] = 1;
	assert_int_equal(observers_due(&observers, 7, true, &next_ns), 2);
	assert_string_equal(told, "due 0 due 1 ");
	assert_int_equal(next_ns, 19);
}

static void who_asks_for_the_clock(void **state)
{
	static const struct observer_calls without = { .gone = on_gone },
					   with = { .clock_set = on_clock_set };
	struct observers observers = { 0 };

	observers_add(&observers, &without, NULL);
	assert_false(observers_have_clock_set(&observers));
	observers_add(&observers, &with, NULL);
	assert_true(observers_have_clock_set(&observers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(told_in_order, begin),
		cmocka_unit_test_setup(an_answer_is_the_last, begin),
		cmocka_unit_test_setup(all_are_due, begin),
		cmocka_unit_test_setup(who_asks_for_the_clock, begin),
	};

	return cmocka_run_group_tests_name("observers", tests, NULL, NULL);
}
