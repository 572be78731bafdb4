// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "histogram.h"

static void bucket_edges(void **state)
{
	(void)state;
	assert_int_equal(tio_histogram_bucket(0), 0);
	assert_int_equal(tio_histogram_bucket(1999), 0);
	for (unsigned int i = 1; i < TIO_BUCKETS; i++) {
		assert_int_equal(tio_histogram_bucket((1000ULL << i) - 1), i - 1);
		assert_int_equal(tio_histogram_bucket(1000ULL << i), i);
	}
	assert_int_equal(tio_histogram_bucket((1000ULL << TIO_BUCKETS) + 1), TIO_BUCKETS - 1);
	assert_int_equal(tio_histogram_bucket(~0ULL), TIO_BUCKETS - 1);
}

static void sums(void **state)
{
	struct tio_histogram hist = { 0 };

	(void)state;
	tio_histogram_add(&hist, 12 * MS);
	tio_histogram_add(&hist, 9 * MS);
	tio_histogram_add(&hist, 8192000);
	assert_int_equal(hist.count, 3);
	assert_int_equal(hist.sum_ns, 21 * MS + 8192000);
	assert_int_equal(hist.max_ns, 12 * MS);
	assert_int_equal(hist.buckets[13], 3);
}

static void all_cpus(void **state)
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
		cmocka_unit_test(bucket_edges),
		cmocka_unit_test(sums),
		cmocka_unit_test(all_cpus),
	};

	return cmocka_run_group_tests_name("histogram", tests, NULL, NULL);
}
