// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

static void histograms_of_all_cpus(void **state)
{
	struct model model = { 0 };
	struct histograms sum;

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

static struct model read;

/* one more record of a capture */
static struct tio_record *add(__u32 cpu, __u64 seq, __u64 end_ns)
{
	struct entry *entry = model_add_entry(&read, TIO_SAMPLES);

	entry->rec = (struct tio_record){ .cpu = cpu, .seq = seq, .end_ns = end_ns };
	return &entry->rec;
}

static void assert_ascends(bool wanted)
{
	record_order_free(&read.ascent);
	for (size_t i = 0; i < read.nentries; i++)
		record_order_add(&read.ascent, &read.entries[i]->rec);
	assert_int_equal(model_ascends(&read), wanted);
	model_free(&read);
	read = (struct model){ 0 };
}

static void ascending(void **state)
{
	assert_ascends(false);
	/* CPUs and kinds each by themselves; a number may be missing */
	add(1, 4, 100);
	add(0, 9, 50);
	add(1, 5, 40)->kind = TRACE_IRQOFF_KIND_SOFT;
	add(1, 7, 100);
	add(0, 0, 30)->open = true;
	assert_ascends(true);
	add(1, 4, 100);
	add(1, 4, 101);
	assert_ascends(false);
	add(1, 4, 100);
	add(1, 5, 99);
	assert_ascends(false);
	/* what no module tells */
	add(0, ~0ULL, 100);
	assert_ascends(false);
	add(0, 0, 100)->kind = TRACE_IRQOFF_KIND_SOFT + 1;
	assert_ascends(false);
	add(BRIEF_CPUS, 0, 100);
	assert_ascends(false);
	/* one was not noted */
	add(0, 0, 100);
	read.nread++;
	assert_ascends(false);
}

/* records that lie near where they belong, or far away */
static void sorted(void **state)
{
	for (unsigned int far = 1; far <= 1024; far *= 4) {
		for (__u64 i = 0; i < 1000; i++)
			add(i % 7, i, (i + i * 389 % far) * 1000);
		model_sort(&read);
		for (size_t i = 1; i < read.nentries; i++) {
			const struct tio_record *rec = &read.entries[i]->rec, *before;

			before = &read.entries[i - 1]->rec;
			assert_true(before->end_ns < rec->end_ns ||
				    (before->end_ns == rec->end_ns && before->cpu <= rec->cpu));
		}
		model_free(&read);
		read = (struct model){ 0 };
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(histograms_of_all_cpus),
		cmocka_unit_test(ascending),
		cmocka_unit_test(sorted),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
