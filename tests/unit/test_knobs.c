// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "params.h"

static __u32 knobs[TIO_KNOBS];

static int defaults(void **state)
{
	(void)state;
	for (int i = 0; i < TIO_KNOBS; i++)
		knobs[i] = tio_knobs[i].def;
	return 0;
}

static void defaults_are_allowed(void **state)
{
	(void)state;
	assert_null(tio_knobs_refuse(knobs));
	assert_int_equal(knobs[TIO_KNOB_ENABLE], 0);
	assert_int_equal(knobs[TIO_KNOB_THRESHOLD_US], 10000);
	assert_int_equal(knobs[TIO_KNOB_PERIOD_US], 1000);
}

static void limits(void **state)
{
	(void)state;
	/* all at their ends that go together */
	knobs[TIO_KNOB_THRESHOLD_US] = tio_knobs[TIO_KNOB_THRESHOLD_US].max;
	for (int i = 0; i < TIO_KNOBS; i++) {
		__u32 kept = knobs[i];

		knobs[i] = tio_knobs[i].max;
		assert_null(tio_knobs_refuse(knobs));
		knobs[i] = tio_knobs[i].max + 1;
		assert_string_equal(tio_knobs_refuse(knobs), tio_knobs[i].rule);
		if (tio_knobs[i].min) {
			knobs[i] = tio_knobs[i].min - 1;
			assert_string_equal(tio_knobs_refuse(knobs),
					    tio_knobs[i].rule);
		}
		knobs[i] = kept;
	}
	knobs[TIO_KNOB_PERIOD_US] = 50;
	knobs[TIO_KNOB_THRESHOLD_US] = 100;
	knobs[TIO_KNOB_RING_RECORDS] = 2;
	assert_null(tio_knobs_refuse(knobs));
}

static void two_periods(void **state)
{
	const char *rule;

	(void)state;
	knobs[TIO_KNOB_PERIOD_US] = 5000;
	assert_null(tio_knobs_refuse(knobs));
	knobs[TIO_KNOB_PERIOD_US] = 5001;
	rule = tio_knobs_refuse(knobs);
	assert_non_null(rule);
	assert_non_null(strstr(rule, "two times period_us"));
}

/* the sentence names the very numbers that are enforced */
static void rules_tell_the_limits(void **state)
{
	char number[16];

	(void)state;
	for (int i = 0; i < TIO_KNOBS; i++) {
		snprintf(number, sizeof(number), "%u", tio_knobs[i].min);
		assert_non_null(strstr(tio_knobs[i].rule, number));
		snprintf(number, sizeof(number), "%u", tio_knobs[i].max);
		assert_non_null(strstr(tio_knobs[i].rule, number));
		assert_int_equal(strncmp(tio_knobs[i].rule, tio_knobs[i].name,
					 strlen(tio_knobs[i].name)), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(defaults_are_allowed, defaults),
		cmocka_unit_test_setup(limits, defaults),
		cmocka_unit_test_setup(two_periods, defaults),
		cmocka_unit_test_setup(rules_tell_the_limits, defaults),
	};

	return cmocka_run_group_tests_name("knobs", tests, NULL, NULL);
}
