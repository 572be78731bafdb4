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
		/* PREEMPT_RT: whoever runs, another one has them off */
		{ TRACE_IRQOFF_F_BH_HELD, 8, TIO_CLASS_SOFTIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_HELD | TRACE_IRQOFF_F_IDLE, 8, TIO_CLASS_SOFTIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_HELD | TRACE_IRQOFF_F_SERVING_SOFTIRQ, 8,
		  TIO_CLASS_SOFTIRQ_LONG },
		{ TRACE_IRQOFF_F_BH_HELD, 0, TIO_CLASS_UNKNOWN },
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

/* one for which another CPU asked when the stall was as long as the threshold */
static struct tio_record hard_sample(__u32 flags)
{
	struct tio_record rec = hard_end(END);

	rec.nsamples = 1;
	rec.samples[0].flags = flags | TRACE_IRQOFF_F_ASKED;
	rec.samples[0].at_ns = 970 * MS;
	rec.samples[0].delay_ns = TIO_PROMPT_NS;
	rec.samples[0].irq.number = TIO_NO_IRQ;
	return rec;
}

static void hard_stalls_by_a_sample(void **state)
{
	static const struct {
		__u32 flags;
		enum tio_class class;
	} cases[] = {
		{ 0, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_BH_OFF, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_SERVING_SOFTIRQ, TIO_CLASS_HARDIRQ_OFF },
		/* some idle states; a softirq on top of the idle task */
		{ TRACE_IRQOFF_F_IDLE, TIO_CLASS_UNKNOWN },
		{ TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_OFF },
		/* no tracepoint told of the handler */
		{ TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ,
		  TIO_CLASS_HARDIRQ_LONG },
		{ TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_IDLE, TIO_CLASS_HARDIRQ_LONG },
		/* nothing kept the beat from running but that the CPU did not */
		{ TRACE_IRQOFF_F_IRQS_ON, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_USER, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_IDLE, TIO_CLASS_STOLEN },
		{ TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_HARDIRQ, TIO_CLASS_STOLEN },
		/* all were stopped, and then it went on */
		{ TRACE_IRQOFF_F_ASKER_LATE, TIO_CLASS_HARDIRQ_OFF },
		{ TRACE_IRQOFF_F_ASKER_LATE | TRACE_IRQOFF_F_HARDIRQ,
		  TIO_CLASS_HARDIRQ_LONG },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tio_record rec = hard_sample(cases[i].flags);

		assert_string_equal(tio_class_name(tio_classify(&rec)),
				    tio_class_name(cases[i].class));
		assert_string_equal(tio_evidence_name(&rec), "sample");
		/* whatever the end has to say, and while it goes on */
		rec.end.flags = TRACE_IRQOFF_F_USER;
		assert_int_equal(tio_classify(&rec), cases[i].class);
		rec.open = true;
		assert_int_equal(tio_classify(&rec), cases[i].class);
	}
}

static void handlers_by_their_end(void **state)
{
	struct tio_record rec = hard_end(TRACE_IRQOFF_F_USER);

	(void)state;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
	/* one that took more than half of the stall, whatever it came upon */
	rec.end.handler_ns = rec.min_ns / 2;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
	rec.end.handler_ns++;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	assert_string_equal(tio_evidence_name(&rec), "end");
	assert_false(tio_storm(&rec));
	/* the CPU that was to ask did not run either */
	rec.end.flags |= TRACE_IRQOFF_F_ASKER_LATE;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	rec.end.flags = TRACE_IRQOFF_F_USER;
	/* without tracepoints that is not known */
	rec.handler_known = false;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);

	/* a storm: many that took as much together */
	rec = hard_end(TRACE_IRQOFF_F_USER);
	rec.handler_ns = rec.min_ns / 2 + 1;
	rec.handlers = 16;
	assert_true(tio_storm(&rec));
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	rec.handlers--;
	assert_false(tio_storm(&rec));
	rec.handlers++;
	rec.handler_ns--;
	assert_false(tio_storm(&rec));
	/* in one of which a sample says as much as in a long one */
	rec.handler_ns++;
	rec.nsamples = 1;
	rec.samples[0].flags = TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_ASKED;
	rec.samples[0].at_ns = 970 * MS;
	rec.samples[0].handler_ns = 1000;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[0]);
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	/* as does one between two of them; one that came late is stolen as ever */
	rec.samples[0].flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_ASKED;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	rec.samples[0].delay_ns = TIO_PROMPT_NS + 1;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	rec.kind = TRACE_IRQOFF_KIND_SOFT;
	assert_false(tio_storm(&rec));
}

/* one that waited for the stall to end, as the beat did */
static void young_handlers_say_nothing(void **state)
{
	struct tio_record rec = hard_sample(TRACE_IRQOFF_F_HARDIRQ);

	(void)state;
	/* 10 ms after the stall began */
	rec.samples[0].handler_ns = 5 * MS;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	assert_string_equal(tio_evidence_name(&rec), "sample");
	rec.samples[0].handler_ns--;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.end);
	assert_string_equal(tio_evidence_name(&rec), "end");
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	rec.end.flags = TRACE_IRQOFF_F_USER;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
	rec.open = true;
	assert_null(tio_deciding_sample(&rec));
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);

	/* the same one later on, and one that says something though for a shorter time */
	rec = hard_sample(TRACE_IRQOFF_F_HARDIRQ);
	rec.nsamples = 2;
	rec.samples[1] = rec.samples[0];
	rec.samples[0].handler_ns = 2 * MS;
	rec.samples[1].at_ns = 980 * MS;
	rec.samples[1].handler_ns = 12 * MS;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[1]);
	rec.samples[0].flags = TRACE_IRQOFF_F_ASKED;
	rec.samples[1].at_ns = 971 * MS;
	rec.samples[1].handler_ns = MS;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[0]);
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);

	/* of softirqs a sample tells whatever it interrupted */
	rec = hard_sample(TRACE_IRQOFF_F_HARDIRQ);
	rec.kind = TRACE_IRQOFF_KIND_SOFT;
	rec.samples[0].handler_ns = 1;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[0]);
}

static void late_samples(void **state)
{
	struct tio_record rec = hard_sample(0);
	struct tio_sample *sample = &rec.samples[0];

	(void)state;
	/* in time, however short the rest */
	sample->at_ns = rec.end_ns;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	/* just as interrupts were turned on, before the beat ran: then the end tells */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	assert_ptr_equal(tio_deciding_sample(&rec), &rec.end);
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	/* late, and then it was over */
	sample->delay_ns++;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	sample->at_ns = 999 * MS + 1;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	sample->flags |= TRACE_IRQOFF_F_HARDIRQ;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	/* it went on for 1 ms, so by its state */
	sample->at_ns--;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags |= TRACE_IRQOFF_F_IDLE;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_UNKNOWN);
	/* which says that it did not run, for all that it may go on */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	/* it went on, but not for as long as it had not run */
	sample->flags = TRACE_IRQOFF_F_ASKED;
	sample->delay_ns = MS + 1;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	/* whoever asked had not run either, and then it was over */
	sample->delay_ns = 0;
	sample->flags |= TRACE_IRQOFF_F_ASKER_LATE;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	sample->at_ns++;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	/* it went on, but most of the time it had been in a handler, where it was stolen */
	sample->at_ns--;
	rec.end.handler_ns = rec.min_ns / 2;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	rec.end.handler_ns++;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
	/* or in that one still, or by a sample that came in time */
	sample->flags |= TRACE_IRQOFF_F_HARDIRQ;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_LONG);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_HARDIRQ_OFF);
	rec.end.handler_ns = 0;
	/* a late sample speaks from the asking on, not the one before it */
	rec.nsamples = 2;
	rec.samples[0].at_ns = 970 * MS;
	rec.samples[0].flags = TRACE_IRQOFF_F_ASKED;
	rec.samples[1] = rec.samples[0];
	rec.samples[1].at_ns = rec.end_ns;
	rec.samples[1].delay_ns = 21 * MS;
	assert_int_equal(tio_classify(&rec), TIO_CLASS_STOLEN);
}

static void the_longest_sample_of_hard_stalls(void **state)
{
	static const __u32 flags[] = { 0, TRACE_IRQOFF_F_HARDIRQ, TRACE_IRQOFF_F_IRQS_ON };
	static const enum tio_class classes[] = {
		TIO_CLASS_HARDIRQ_OFF, TIO_CLASS_HARDIRQ_LONG, TIO_CLASS_STOLEN,
	};

	(void)state;
	for (unsigned int longest = 0; longest < ARRAY_SIZE(flags); longest++) {
		struct tio_record rec = hard_sample(0);
		__u64 at_ns = 960 * MS;

		rec.nsamples = ARRAY_SIZE(flags);
		for (unsigned int i = 0; i < ARRAY_SIZE(flags); i++) {
			rec.samples[i] = rec.samples[0];
			rec.samples[i].flags = flags[i] | TRACE_IRQOFF_F_ASKED;
			rec.samples[i].at_ns = at_ns;
			at_ns += i == longest ? 20 * MS : 10 * MS;
		}
		assert_ptr_equal(tio_deciding_sample(&rec), &rec.samples[longest]);
		assert_int_equal(tio_classify(&rec), classes[longest]);
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
	assert_string_equal(tio_class_name(TIO_CLASS_HARDIRQ_LONG), "hardirq-long");
	assert_string_equal(tio_class_name(TIO_CLASS_STOLEN), "stolen");
	assert_string_equal(tio_class_name(TIO_CLASSES), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hard_stalls_by_their_end),
		cmocka_unit_test(handlers_may_have_been_it),
		cmocka_unit_test(soft_stalls_by_a_sample),
		cmocka_unit_test(hard_stalls_by_a_sample),
		cmocka_unit_test(young_handlers_say_nothing),
		cmocka_unit_test(handlers_by_their_end),
		cmocka_unit_test(late_samples),
		cmocka_unit_test(the_longest_sample_of_hard_stalls),
		cmocka_unit_test(names_are_no_evidence),
		cmocka_unit_test(without_samples),
		cmocka_unit_test(the_longest_part_decides),
		cmocka_unit_test(bounds),
		cmocka_unit_test(class_names),
	};

	return cmocka_run_group_tests_name("classify", tests, NULL, NULL);
}
