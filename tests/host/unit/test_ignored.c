// SPDX-License-Identifier: GPL-2.0-only
/* Parameters that the last load ignored, as the kernel's log has them. */
#include "page.h"

#include "model/ignored.h"

#define UNKNOWN(name)	"<4>[    7.123456] trace_irqoff: unknown parameter '" name "' ignored\n"
#define LOADED		"<6>[    7.131001] trace_irqoff: loaded, version 4.5.6\n"
#define WARNING		"<4>[    7.128001] trace_irqoff: built for kernel 6.1.0, as it was told\n"
#define FAILED		"<3>[    7.130001] trace_irqoff: threshold_us must be at least two periods\n"

static void names_of_the_last_load(void **state)
{
	static const char *const cases[][2] = {
		{ "", "" },
		{ LOADED, "" },
		{ UNKNOWN("thresh") LOADED, "thresh" },
		{ UNKNOWN("thresh") UNKNOWN("cpu") LOADED, "thresh cpu" },
		{ "<6>[    1.0] x: y\n" UNKNOWN("a") "<6>[    2.0] other: z\n" LOADED, "a" },
		/* what the module says later changes nothing */
		{ UNKNOWN("a") LOADED FAILED, "a" },
		/* an earlier load, one that failed, and one that goes on */
		{ UNKNOWN("a") LOADED LOADED, "" },
		{ UNKNOWN("a") FAILED LOADED, "" },
		{ UNKNOWN("a") LOADED UNKNOWN("b"), "a" },
		/* warnings of a load that succeeds */
		{ UNKNOWN("a") WARNING LOADED, "a" },
		/* without times, and with the task that wrote */
		{ "<4>trace_irqoff: unknown parameter 'a' ignored\n"
		  "<6>trace_irqoff: loaded, version 1\n", "a" },
		{ "<4>[    7.1][ T1234] trace_irqoff: unknown parameter 'a' ignored\n" LOADED,
		  "a" },
		/* other modules and processes */
		{ "<4>[    7.1] trace_irqoffs: unknown parameter 'a' ignored\n" LOADED, "" },
		{ "<12>[    7.1] trace_irqoff: unknown parameter 'a' ignored\n" LOADED, "" },
		{ "<4>[    7.1] x: trace_irqoff: unknown parameter 'a' ignored\n" LOADED, "" },
		/* no name, bytes that are no text, a log that is cut off */
		{ UNKNOWN("") UNKNOWN("a\033b") LOADED "<4>[    7.1] trace_irqoff: unknown par",
		  "a?b" },
		{ "<4>[\n<4\n<\n", "" },
	};
	char names[IGNORED_LEN], log[1024];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		strcpy(log, cases[i][0]);
		ignored_find(names, log);
		assert_string_equal(names, cases[i][1]);
	}
}

static void more_names_than_there_is_room_for(void **state)
{
	char names[IGNORED_LEN], log[8192] = "";

	for (size_t i = 0; i < 100; i++)
		strcat(log, UNKNOWN("parameter"));
	strcat(log, LOADED);
	ignored_find(names, log);
	assert_int_equal(strlen(names), sizeof(names) / 10 * 10 - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_last_load),
		cmocka_unit_test(more_names_than_there_is_room_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
