// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"
#include "model/machine.h"

/* of the machine that runs this */
static void this_one(void **state)
{
	struct machine machine = { 0 };
	unsigned int hyphens = 0;

	machine_read(&machine);
	/* a UUID fills its room */
	assert_int_equal(strlen(machine.boot_id), 36);
	for (const char *at = machine.boot_id; (at = strchr(at, '-')); at++)
		hyphens++;
	assert_int_equal(hyphens, 4);
	assert_null(strchr(machine.cpus, '\n'));
	assert_int_equal(machine.cpus[0], '0');
	assert_true(*machine.release);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(this_one),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
