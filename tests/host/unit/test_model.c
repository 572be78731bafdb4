// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

static void histograms_of_all_cpus(void **state)
{
	struct model model = { 0 };
	struct histograms sum;

	(void)state;
	for (unsigned int cpu = 0; cpu < 3; cpu++) {
		struct cpu_histograms *histograms = model_add_histograms(&model);

		tio_histogram_add(&histograms->loaded.hard, (10 + cpu) * MS);
		tio_histogram_add(&histograms->loaded.soft, 100 * MS);
		tio_histogram_add(&histograms->recent.soft, 1 * MS);
	}
	sum = model_loaded_sum(&model);
	assert_int_equal(sum.hard.count, 3);
	assert_int_equal(sum.hard.sum_ns, 33 * MS);
	assert_int_equal(sum.hard.max_ns, 12 * MS);
	assert_int_equal(sum.hard.buckets[13], 3);
	assert_int_equal(sum.soft.buckets[16], 3);

	/* nobody dropped records */
	assert_int_equal(model_cleared_ns(&model), 0);
	sum = model_recent_sum(&model);
	assert_int_equal(sum.hard.count, 3);
	assert_int_equal(sum.soft.max_ns, 100 * MS);
	/* the last one was not watched before */
	model.histograms[0].cleared_ns = 71;
	model.histograms[1].cleared_ns = 70;
	assert_int_equal(model_cleared_ns(&model), 71);
	sum = model_recent_sum(&model);
	assert_int_equal(sum.hard.count, 1);
	assert_int_equal(sum.hard.max_ns, 12 * MS);
	assert_int_equal(sum.soft.count, 3);
	assert_int_equal(sum.soft.sum_ns, 102 * MS);
	sum = model_loaded_sum(&model);
	assert_int_equal(sum.soft.sum_ns, 300 * MS);
	model_free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histograms_of_all_cpus),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
