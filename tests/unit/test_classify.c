// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "classify.h"

#define END		(TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_AT_IRQ_ENABLE)

static struct tio_record hard_end(__u32 flags)
{
	return (struct tio_record){
		.kind = TRACE_IRQOFF_KIND_HARD,
		.min_ns = 40 * MS,
		.max_ns = 41 * MS,
		.end_ns = 1000 * MS,
		.threshold_ns = 10 * MS,
		.period_ns = MS,
		.handler_known = true,
		.end = { .flags = flags, .at_ns = 1000 * MS },
	};
}

static struct tio_record soft_sample(__u32 flags, __u32 pending)
{
	struct tio_record rec = hard_end(END);

	rec.kind = TRACE_IRQOFF_KIND_SOFT;
	rec.nsamples = 1;
	rec.samples[0].flags = flags;
	rec.samples[0].pending = pending;
	rec.samples[0].at_ns = 970 * MS;
	return rec;
}

static void hard_stalls_by_their_end(void **state)
{
	static const struct {
		__u32 flags;
		enum tio_class class;
	} cases[] = {
		{ END, TIO_CLASS_HARDIRQ_OFF },
		/* a softirq may turn interrupts off as well */
		{ END | TRACE_IRQOFF_F_SERVING_SOFTIRQ, TIO_CLASS_HARDIRQ_OFF },
		{ END | TRACE_IRQOFF_F_BH_OFF, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_IDLE, TIO_CLASS_UNKNOWN },
		/* a softirq that interrupted the idle task; the loop around softirqs */
		{ END | TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_OFF },
		{ END | TRACE_IRQOFF_F_SERVING_SOFTIRQ | TRACE_IRQOFF_F_SOFTIRQ_LOOP,
		  TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_USER, TIO_CLASS_UNKNOWN },
		{ END | TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_UNKNOWN },
		{ 0, TIO_CLASS_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tio_record rec = hard_end(cases[i].flags);

		assert_string_equal(tio_class_name(tio_classify(&rec)),
				    tio_class_name(cases[i].class));
	}
}

static void handlers_may_have_been_it(void **state)
{
	struct tio_record rec = hard_end(END);

	(void)state;
	/* all but the threshold is explained by handlers, then a nanosecond more */
	rec.handler_ns = 30 * MS;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	rec.handler_ns++;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);

	rec = hard_end(END);
	rec.handler_known = false;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);

	rec = hard_end(END);
	rec.unseen_irqs = 1;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
}

static void soft_stalls_by_a_sample(void **state)
{
	static const struct {
		__u32 flags;
		__u32 pending;
		enum tio_class class;
	} cases[] = {
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ, 0, TIO_CLASS_SOFTIRQ_LONG },
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ, 2, TIO_CLASS_SOFTIRQ_LONG },
		{ TRACE_IRQOFF_F_BH_OFF, 0, TIO_CLASS_SOFTIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_OFF, 2, TIO_CLASS_SOFTIRQ_OFF },
		/* serving counts more: both counts are up then */
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ | TRACE_IRQOFF_F_BH_OFF, 0,
		  TIO_CLASS_SOFTIRQ_LONG },
		{ 0, 8, TIO_CLASS_KSOFTIRQD_WAIT },
		{ TRACE_IRQOFF_F_USER, 8, TIO_CLASS_KSOFTIRQD_WAIT },
		{ 0, 0, TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ, 2, TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_BH_OFF, 0, TIO_CLASS_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tio_record rec = soft_sample(cases[i].flags, cases[i].pending);

		assert_string_equal(tio_class_name(tio_classify(&rec)),
				    tio_class_name(cases[i].class));
		/* the same while it goes on */
		rec.open = true;
		assert_int_equal(tio_classify(&rec), cases[i].class);
	}
}

static void names_are_no_evidence(void **state)
{
	struct tio_record rec = soft_sample(TRACE_IRQOFF_F_BH_OFF, 2);

	(void)state;
	strcpy(rec.samples[0].comm, "ksoftirqd/0");
	assert_int_equal(tio_classify(&rec), TIO_CLASS_SOFTIRQ_OFF);
	rec = hard_end(END);
	strcpy(rec.end.comm, "swapper/0");
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
}

static void without_samples(void **state)
{
	struct tio_record rec = hard_end(END);

	(void)state;
	assert_string_equal(tio_evidence_name(&rec), "end");
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.end);
	rec.kind = TRACE_IRQOFF_KIND_SOFT;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);

	rec.open = true;
	assert_string_equal(tio_evidence_name(&rec), "none");
	assert_null(tio_deciding_sample(&rec));
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
	rec.kind = TRACE_IRQOFF_KIND_HARD;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
}

static void the_longest_part_decides(void **state)
{
	struct tio_record rec = soft_sample(TRACE_IRQOFF_F_BH_OFF, 0);

	(void)state;
	assert_string_equal(tio_evidence_name(&rec), "sample");
	rec.nsamples = 2;
	rec.samples[1].flags = TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	/* began at 960: 961 to the first, then 30, then 9 */
	rec.samples[0].at_ns = 961 * MS;
	rec.samples[1].at_ns = 991 * MS;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[0]);
	assert_int_equal(tio_classify(&rec), TIO_CLASS_SOFTIRQ_OFF);
	rec.samples[1].at_ns = 975 * MS;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[1]);
	assert_int_equal(tio_classify(&rec), TIO_CLASS_SOFTIRQ_LONG);
	/* the first one speaks for the time before it: 20 against 20, the earlier one */
	rec.samples[0].at_ns = 979 * MS;
	rec.samples[1].at_ns = 980 * MS;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[0]);
}

static void bounds(void **state)
{
	(void)state;
	assert_false(tio_bounds_wide(10 * MS, 11 * MS + 200000, MS));
	assert_true(tio_bounds_wide(10 * MS, 11 * MS + 200001, MS));
	assert_false(tio_bounds_wide(10 * MS, 10 * MS, 0));
	/* no wrap-around when the upper one is the smaller one */
	assert_false(tio_bounds_wide(11 * MS, 10 * MS, MS));
}

static void class_names(void **state)
{
	(void)state;
	assert_string_equal(tio_class_name(TIO_CLASS_KSOFTIRQD_WAIT), "ksoftirqd-wait");
	assert_string_equal(tio_class_name(TIO_CLASSES), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hard_stalls_by_their_end),
		cmocka_unit_test(handlers_may_have_been_it),
		cmocka_unit_test(soft_stalls_by_a_sample),
		cmocka_unit_test(names_are_no_evidence),
		cmocka_unit_test(without_samples),
		cmocka_unit_test(the_longest_part_decides),
		cmocka_unit_test(bounds),
		cmocka_unit_test(class_names),
	};

	return cmocka_run_group_tests_name("classify", tests, NULL, NULL);
}
