// SPDX-License-Identifier: GPL-2.0-only
/* Did the CPU not run? By samples that came late, by the kernel's count, and by ends. */
#include <linux/kernel.h>

#include "example.h"

static void late_samples(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, 0);
	struct tio_sample *sample = rec->samples;

	/* a sample in time counts, however little of the stall is left */
	sample->at_ns = rec->end_ns;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	/* taken when interrupts were on again but before the beat ran: the end decides */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->end);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	/* a sample that took half of the stall to come, which ended at once; then more than half */
	sample->delay_ns = rec->min_ns / 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	EXPECT_INT(test, judged(rec).suspected, TIO_CLASS_HARDIRQ_OFF);
	sample->delay_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	/* of most of the stall it does not say whether the CPU ran */
	sample->delay_ns = TIO_PROMPT_NS + 1;
	sample->at_ns = 999 * MS + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	EXPECT_INT(test, judged(rec).suspected, TIO_CLASS_HARDIRQ_OFF);
	sample->flags |= TRACE_IRQOFF_F_HARDIRQ;
	sample->handler_ns = 20 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	EXPECT_INT(test, judged(rec).suspected, TIO_CLASS_HARDIRQ_LONG);
	sample->handler_ns = 0;
	/* the stall went on for 1 ms, so the sampled state decides */
	sample->at_ns--;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags |= TRACE_IRQOFF_F_IDLE;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	/* the idle loop polls: late, it is no evidence, unless a softirq ran on top of it */
	sample->flags = TRACE_IRQOFF_F_ASKED | TRACE_IRQOFF_F_IDLE_LOOP;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	sample->flags |= TRACE_IRQOFF_F_SERVING_SOFTIRQ;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->flags = TRACE_IRQOFF_F_ASKED | TRACE_IRQOFF_F_IDLE;
	/* interrupts were on, so the CPU did not run, even if the stall went on */
	sample->flags |= TRACE_IRQOFF_F_IRQS_ON;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	/* the stall went on, but for less time than the CPU had not run */
	sample->flags = TRACE_IRQOFF_F_ASKED;
	sample->delay_ns = MS + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	EXPECT_INT(test, judged(rec).suspected, TIO_CLASS_HARDIRQ_OFF);
	/* the requester had not run either, and then the stall ended at once */
	sample->delay_ns = 0;
	sample->flags |= TRACE_IRQOFF_F_ASKER_LATE;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	sample->at_ns++;
	rec->end.flags = TRACE_IRQOFF_F_IRQS_ON;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	rec->end.flags = END;
	/* the stall went on, but had mostly been a handler, in which the CPU was stolen */
	sample->at_ns--;
	rec->end.handler_ns = rec->min_ns / 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->end.handler_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	/* the sample is in that handler, or it is in time */
	sample->flags |= TRACE_IRQOFF_F_HARDIRQ;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	sample->flags = TRACE_IRQOFF_F_ASKED;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->end.handler_ns = 0;
	/* a late sample counts from its request on, not from the sample before it */
	rec->nsamples = 2;
	sample[0].at_ns = 970 * MS;
	sample[0].flags = TRACE_IRQOFF_F_ASKED;
	sample[1] = sample[0];
	sample[1].at_ns = rec->end_ns;
	sample[1].delay_ns = 21 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
}

/* the kernel counts that a hypervisor had the CPU */
static void steal(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, END);

	/* half of the stall, then one nanosecond more; 1 stands for none */
	rec->steal = rec->min_ns / 2 + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	rec->steal++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	/* whatever handlers ran, even of NMIs, and however many */
	rec->end.handler_ns = rec->min_ns;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	rec->nmi_ns = rec->min_ns;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	KUNIT_EXPECT_FALSE(test, judged(rec).nmi);
	rec->handlers = 100;
	rec->handler_ns = rec->min_ns;
	rec->end.handler_ns = 0;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);

	/* a sample in time says only that the CPU ran then */
	rec = hard_sample(test, 0);
	rec->steal = rec->min_ns / 2 + 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	KUNIT_EXPECT_STREQ(test, evidence_of(rec), "sample");
	/* one that came late is evidence that the count cannot refute: firmware is not in it */
	rec->steal = 1;
	rec->samples[0].delay_ns = 31 * MS;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	/* but for the part of the stall that it took: the end decides about the rest */
	rec->samples[0].at_ns = rec->end_ns;
	rec->samples[0].delay_ns = rec->min_ns / 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->end);
	rec->samples[0].delay_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	rec->samples[0].delay_ns--;
	rec->steal = 0;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_UNKNOWN);
	/* of softirqs it says nothing */
	rec = soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 0);
	rec->steal = rec->min_ns + 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_SOFTIRQ_OFF);
}

static void expect_together(struct kunit *test, const struct tio_record *rec,
			    enum tio_class class, bool undecided)
{
	EXPECT_INT(test, class_of(rec), class);
	KUNIT_EXPECT_TRUE(test, judged(rec).undecided == undecided);
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->end);
}

/* the CPU that should have taken a sample was late itself, and both stalls ended at once */
static void stalled_together(struct kunit *test)
{
	static const u32 sampled[] = {
		0, TRACE_IRQOFF_F_IRQS_ON, TRACE_IRQOFF_F_HARDIRQ, TRACE_IRQOFF_F_BH_OFF,
	};
	struct tio_record *rec;
	unsigned int i;

	for (i = 0; i <= ARRAY_SIZE(sampled); i++) {
		/* it took no sample before the stall was over, or one in the last moment */
		if (i == ARRAY_SIZE(sampled)) {
			rec = hard_end(test, END | TRACE_IRQOFF_F_ASKER_LATE);
		} else {
			rec = hard_sample(test, sampled[i] | TRACE_IRQOFF_F_ASKER_LATE);
			rec->samples[0].at_ns = rec->end_ns - MS + 1;
		}
		expect_together(test, rec, TIO_CLASS_UNKNOWN, true);
		/* the kernel counts, and the CPU ran; or it did not */
		rec->steal = rec->min_ns / 2 + 1;
		expect_together(test, rec, TIO_CLASS_HARDIRQ_OFF, false);
		rec->steal++;
		expect_together(test, rec, TIO_CLASS_STOLEN, false);
		rec->steal = 0;
		/* handlers explain the stall; a stop may end anywhere */
		rec->handler_ns = 31 * MS;
		expect_together(test, rec, TIO_CLASS_STOLEN, false);
		rec->handler_ns = 0;
		rec->end.flags &= ~TRACE_IRQOFF_F_AT_IRQ_ENABLE;
		expect_together(test, rec, TIO_CLASS_STOLEN, false);
		/* and so may a stall that nothing was stolen of */
		rec->steal = 1;
		expect_together(test, rec, TIO_CLASS_UNKNOWN, false);
	}

	/* a sample that came late speaks for the time that it took, if that is most of it */
	rec = hard_sample(test, TRACE_IRQOFF_F_ASKER_LATE);
	rec->samples[0].at_ns = rec->end_ns;
	rec->samples[0].delay_ns = rec->min_ns / 2;
	expect_together(test, rec, TIO_CLASS_UNKNOWN, true);
	rec->samples[0].delay_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_STOLEN);
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->samples[0]);

	/* the stall went on after one in a handler, but no handler took half of the stall */
	rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_ASKER_LATE);
	rec->samples[0].at_ns = rec->end_ns - rec->min_ns / 2 + 1;
	expect_together(test, rec, TIO_CLASS_UNKNOWN, true);
	rec->end.flags &= ~TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	expect_together(test, rec, TIO_CLASS_STOLEN, false);
	rec->end.handler_ns = rec->min_ns / 2;
	expect_together(test, rec, TIO_CLASS_STOLEN, false);
	/* one did, or the sampled one may have: not all are timed, or it took the other half */
	rec->end.handler_ns++;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->end.handler_ns = 0;
	rec->untraced_irqs = 1;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->untraced_irqs = 0;
	rec->handler_known = 0;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	rec->handler_known = 1;
	rec->samples[0].at_ns--;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	/* its tracepoint shows that it had run for long */
	rec->samples[0].at_ns++;
	rec->samples[0].handler_ns = rec->min_ns / 2;
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_LONG);
	/* what is left of a short stall is little, even if it is more than half */
	rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_ASKER_LATE);
	rec->min_ns = MS;
	rec->samples[0].at_ns = rec->end_ns - MS + 1;
	rec->threshold_ns = MS / 2;
	expect_together(test, rec, TIO_CLASS_UNKNOWN, true);

	/* a sample in good time says more */
	rec = hard_sample(test, 0);
	rec->nsamples = 2;
	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns = rec->end_ns;
	rec->samples[1].flags |= TRACE_IRQOFF_F_ASKER_LATE;
	KUNIT_EXPECT_TRUE(test, decides(rec) == &rec->samples[0]);
	EXPECT_INT(test, class_of(rec), TIO_CLASS_HARDIRQ_OFF);
	KUNIT_EXPECT_FALSE(test, judged(rec).undecided);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(late_samples),
	KUNIT_CASE(steal),
	KUNIT_CASE(stalled_together),
	{ }
};

TIO_SUITE("stolen", "trace_irqoff's class stolen", .init = example_setup);
