// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

static void histograms_of_all_cpus(void **state)
{
	struct model model = { 0 };
	struct cpu_histograms sum;

	(void)state;
	for (unsigned int cpu = 0; cpu < 3; cpu++) {
		struct cpu_histograms *histograms = model_add_histograms(&model);

		tio_histogram_add(&histograms->hard, (10 + cpu) * MS);
		tio_histogram_add(&histograms->soft, 100 * MS);
	}
	sum = model_histograms_sum(&model);
	assert_int_equal(sum.hard.count, 3);
	assert_int_equal(sum.hard.sum_ns, 33 * MS);
	assert_int_equal(sum.hard.max_ns, 12 * MS);
	assert_int_equal(sum.hard.buckets[13], 3);
	assert_int_equal(sum.soft.buckets[16], 3);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histograms_of_all_cpus),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
