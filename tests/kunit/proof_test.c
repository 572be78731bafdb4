// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the same evidence says on each kind of machine. Whether the CPU ran is known on bare
 * metal, where only firmware has it besides, and where the kernel counts what a hypervisor
 * takes. Elsewhere it takes a sample.
 */
#include <linux/kernel.h>

#include "example.h"

enum machine {
	COUNTED,		/* bare metal that counts SMIs; none came */
	SMI,			/* bare metal that counts SMIs; one came */
	BARE,			/* bare metal that counts none: AMD, arm64 */
	STEAL,			/* a guest, and the kernel counted that nothing was stolen */
	GUEST,			/* a guest, and steal is not known */
	OLD,			/* what runs beneath the kernel is not known */
	MACHINES
};

static void on(struct tio_record *rec, enum machine machine)
{
	static const enum tio_beneath beneath[MACHINES] = {
		[COUNTED]	= TIO_BENEATH_FIRMWARE,
		[SMI]		= TIO_BENEATH_FIRMWARE,
		[BARE]		= TIO_BENEATH_FIRMWARE,
		[STEAL]		= TIO_BENEATH_HYPERVISOR,
		[GUEST]		= TIO_BENEATH_HYPERVISOR,
		[OLD]		= TIO_BENEATH_UNKNOWN,
	};

	rec->beneath = beneath[machine];
	rec->smis = machine == COUNTED ? 1 : machine == SMI ? 2 : 0;
	rec->steal = machine == STEAL;
}

static struct tio_record *section_end(struct kunit *test)
{
	return hard_end(test, END);
}

static struct tio_record *handler_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, TRACE_IRQOFF_F_IRQS_ON);

	rec->end.handler_ns = 30 * MS;
	rec->handler_ns = 30 * MS;
	return rec;
}

static struct tio_record *nmi_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, TRACE_IRQOFF_F_IRQS_ON);

	rec->nmi_ns = 30 * MS;
	return rec;
}

static struct tio_record *storm_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, TRACE_IRQOFF_F_IRQS_ON);

	rec->handlers = 100;
	rec->handler_ns = 30 * MS;
	return rec;
}

static struct tio_record *prompt(struct kunit *test)
{
	return hard_sample(test, 0);
}

static struct tio_record *prompt_handler(struct kunit *test)
{
	return hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);
}

/* the NMI came at once, but the beat did not, for 30 ms more */
static struct tio_record *prompt_irqs_on(struct kunit *test)
{
	return hard_sample(test, TRACE_IRQOFF_F_IRQS_ON);
}

/* from its request on the CPU did nothing else; then the stall was over */
static struct tio_record *late(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, 0);

	rec->samples[0].at_ns = rec->end_ns;
	rec->samples[0].delay_ns = 30 * MS;
	rec->end.flags = TRACE_IRQOFF_F_IRQS_ON;
	return rec;
}

static struct tio_record *late_handler(struct kunit *test)
{
	struct tio_record *rec = late(test);

	rec->samples[0].flags |= TRACE_IRQOFF_F_HARDIRQ;
	return rec;
}

static struct tio_record *late_irqs_on(struct kunit *test)
{
	struct tio_record *rec = late(test);

	rec->samples[0].flags |= TRACE_IRQOFF_F_IRQS_ON;
	return rec;
}

static struct tio_record *late_in_idle_loop(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, TRACE_IRQOFF_F_IDLE_LOOP);

	rec->samples[0].delay_ns = 5 * MS;
	return rec;
}

/* and so was the requester */
static struct tio_record *both_late(struct kunit *test)
{
	struct tio_record *rec = late(test);

	rec->samples[0].flags |= TRACE_IRQOFF_F_ASKER_LATE;
	return rec;
}

/* the requester was late, but came before the section was over for long */
static struct tio_record *late_requester(struct kunit *test)
{
	return hard_sample(test, TRACE_IRQOFF_F_ASKER_LATE);
}

static struct tio_record *both_late_by_end(struct kunit *test)
{
	return hard_end(test, TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_ASKER_LATE);
}

static struct tio_record *both_late_section(struct kunit *test)
{
	return hard_end(test, END | TRACE_IRQOFF_F_ASKER_LATE);
}

/* little of the stall was left, but the sample says nothing of most of it */
static struct tio_record *late_handler_end(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, TRACE_IRQOFF_F_HARDIRQ);

	rec->samples[0].at_ns = 999 * MS + 1;
	rec->samples[0].delay_ns = TIO_PROMPT_NS + 1;
	rec->samples[0].handler_ns = 29 * MS;
	rec->end.handler_ns = 30 * MS;
	rec->handler_ns = 30 * MS;
	rec->end.flags = TRACE_IRQOFF_F_IRQS_ON;
	return rec;
}

/* the stall went on for longer than the sample had taken */
static struct tio_record *late_early(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, 0);

	rec->samples[0].delay_ns = 5 * MS;
	rec->samples[0].regs = 1;
	return rec;
}

static struct tio_record *two_late(struct kunit *test)
{
	struct tio_record *rec = late_early(test);

	rec->nsamples = 2;
	rec->samples[0].delay_ns = rec->min_ns / 16;
	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns = 995 * MS;
	return rec;
}

static struct tio_record *two_late_ran(struct kunit *test)
{
	struct tio_record *rec = two_late(test);

	rec->samples[1].regs = 2;
	return rec;
}

/* the sample that decides came in time, but another one took more than an eighth of the time */
static struct tio_record *prompt_then_late(struct kunit *test)
{
	struct tio_record *rec = two_late(test);

	rec->samples[0].delay_ns = 0;
	rec->samples[1].delay_ns = rec->min_ns / 8 + 1;
	return rec;
}

/* the CPU ran in between, but did not for more than an eighth of the time */
static struct tio_record *two_later(struct kunit *test)
{
	struct tio_record *rec = two_late_ran(test);

	rec->samples[1].delay_ns = rec->min_ns / 8 - rec->samples[0].delay_ns + 1;
	return rec;
}

/* what ran in between may have been its way out of the section */
static struct tio_record *two_late_then_on(struct kunit *test)
{
	struct tio_record *rec = two_late_ran(test);

	rec->samples[1].flags |= TRACE_IRQOFF_F_IRQS_ON;
	return rec;
}

static struct tio_record *storm_sample(struct kunit *test)
{
	struct tio_record *rec = hard_sample(test, TRACE_IRQOFF_F_IRQS_ON);

	rec->handlers = 100;
	rec->handler_ns = 30 * MS;
	return rec;
}

static struct tio_record *open_end(struct kunit *test)
{
	struct tio_record *rec = hard_end(test, 0);

	rec->open = 1;
	return rec;
}

static struct tio_record *open_sample(struct kunit *test)
{
	struct tio_record *rec = prompt(test);

	rec->open = 1;
	return rec;
}

static struct tio_record *softirqs(struct kunit *test)
{
	return soft_sample(test, TRACE_IRQOFF_F_BH_OFF, 0);
}

/* it took no interrupts for more than a quarter of the time */
static struct tio_record *softirqs_late(struct kunit *test)
{
	struct tio_record *rec = softirqs(test);

	rec->late_ns = rec->min_ns / 4 + 1;
	rec->threshold_ns = rec->min_ns / 2;
	return rec;
}

/* what is left of it is two stalls long */
static struct tio_record *softirqs_half_late(struct kunit *test)
{
	struct tio_record *rec = softirqs(test);

	rec->late_ns = rec->min_ns / 2;
	rec->threshold_ns = rec->min_ns / 4;
	return rec;
}

static struct tio_record *softirqs_half_late_short(struct kunit *test)
{
	struct tio_record *rec = softirqs_half_late(test);

	rec->threshold_ns++;
	return rec;
}

static struct tio_record *softirqs_mostly_late(struct kunit *test)
{
	struct tio_record *rec = softirqs_half_late(test);

	rec->late_ns++;
	rec->threshold_ns = MS;
	return rec;
}

static struct tio_record *softirqs_hardly_late(struct kunit *test)
{
	struct tio_record *rec = softirqs(test);

	rec->late_ns = rec->min_ns / 4;
	return rec;
}

#define UNKNOWN	TIO_CLASS_UNKNOWN
#define OFF	TIO_CLASS_HARDIRQ_OFF
#define LONG	TIO_CLASS_HARDIRQ_LONG
#define STOLEN	TIO_CLASS_STOLEN
#define SOFT	TIO_CLASS_SOFTIRQ_OFF

/* suspected, and unknown */
#define DOUBT(class) (-(class))

static const struct {
	const char *name;
	struct tio_record *(*make)(struct kunit *test);
	int class[MACHINES];
} evidence[] = {
	/* COUNTED, SMI, BARE, STEAL, GUEST, OLD */
	{ "section_end", section_end,
	  { OFF, DOUBT(OFF), OFF, OFF, DOUBT(OFF), OFF } },
	{ "handler_end", handler_end,
	  { LONG, DOUBT(LONG), LONG, LONG, DOUBT(LONG), LONG } },
	{ "nmi_end", nmi_end,
	  { LONG, DOUBT(LONG), LONG, LONG, DOUBT(LONG), LONG } },
	{ "storm_end", storm_end,
	  { LONG, DOUBT(LONG), LONG, LONG, DOUBT(LONG), LONG } },
	{ "storm_sample", storm_sample,
	  { LONG, LONG, LONG, LONG, DOUBT(LONG), LONG } },
	{ "prompt", prompt,
	  { OFF, OFF, OFF, OFF, OFF, OFF } },
	{ "prompt_handler", prompt_handler,
	  { LONG, LONG, LONG, LONG, LONG, LONG } },
	{ "prompt_irqs_on", prompt_irqs_on,
	  { UNKNOWN, UNKNOWN, UNKNOWN, STOLEN, STOLEN, STOLEN } },
	{ "late", late,
	  { OFF, OFF, OFF, STOLEN, STOLEN, STOLEN } },
	{ "late_handler", late_handler,
	  { LONG, LONG, LONG, STOLEN, STOLEN, STOLEN } },
	{ "late_handler_end", late_handler_end,
	  { LONG, LONG, LONG, LONG, DOUBT(LONG), DOUBT(LONG) } },
	{ "late_irqs_on", late_irqs_on,
	  { OFF, DOUBT(OFF), DOUBT(OFF), STOLEN, STOLEN, STOLEN } },
	{ "late_in_idle_loop", late_in_idle_loop,
	  { OFF, OFF, OFF, UNKNOWN, UNKNOWN, UNKNOWN } },
	{ "both_late", both_late,
	  { OFF, STOLEN, DOUBT(OFF), STOLEN, STOLEN, STOLEN } },
	{ "late_requester", late_requester,
	  { OFF, OFF, OFF, OFF, OFF, OFF } },
	{ "both_late_by_end", both_late_by_end,
	  { UNKNOWN, STOLEN, UNKNOWN, UNKNOWN, STOLEN, STOLEN } },
	{ "both_late_section", both_late_section,
	  { OFF, UNKNOWN, UNKNOWN, OFF, UNKNOWN, UNKNOWN } },
	{ "late_early", late_early,
	  { OFF, OFF, OFF, OFF, DOUBT(OFF), OFF } },
	{ "two_late", two_late,
	  { OFF, OFF, OFF, OFF, DOUBT(OFF), OFF } },
	{ "two_late_ran", two_late_ran,
	  { OFF, OFF, OFF, OFF, OFF, OFF } },
	{ "two_late_then_on", two_late_then_on,
	  { OFF, OFF, OFF, OFF, DOUBT(OFF), OFF } },
	{ "prompt_then_late", prompt_then_late,
	  { OFF, OFF, OFF, DOUBT(OFF), DOUBT(OFF), OFF } },
	{ "two_later", two_later,
	  { OFF, OFF, OFF, DOUBT(OFF), DOUBT(OFF), OFF } },
	{ "open_end", open_end,
	  { UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN } },
	{ "open_sample", open_sample,
	  { OFF, OFF, OFF, OFF, OFF, OFF } },
	{ "softirqs", softirqs,
	  { SOFT, SOFT, SOFT, SOFT, SOFT, SOFT } },
	{ "softirqs_late", softirqs_late,
	  { SOFT, SOFT, SOFT, DOUBT(SOFT), DOUBT(SOFT), SOFT } },
	{ "softirqs_half_late", softirqs_half_late,
	  { SOFT, SOFT, SOFT, SOFT, SOFT, SOFT } },
	{ "softirqs_half_late_short", softirqs_half_late_short,
	  { SOFT, SOFT, SOFT, DOUBT(SOFT), DOUBT(SOFT), SOFT } },
	{ "softirqs_mostly_late", softirqs_mostly_late,
	  { SOFT, SOFT, SOFT, DOUBT(SOFT), DOUBT(SOFT), SOFT } },
	{ "softirqs_hardly_late", softirqs_hardly_late,
	  { SOFT, SOFT, SOFT, SOFT, SOFT, SOFT } },
};

static void each_machine(struct kunit *test)
{
	unsigned int i, machine;

	for (i = 0; i < ARRAY_SIZE(evidence); i++) {
		for (machine = 0; machine < MACHINES; machine++) {
			struct tio_record *rec = evidence[i].make(test);
			struct tio_verdict verdict;
			int class;

			on(rec, machine);
			verdict = judged(rec);
			class = verdict.suspected ? DOUBT((int)verdict.suspected) :
						    (int)verdict.class;
			if (verdict.suspected)
				EXPECT_INT(test, verdict.class, UNKNOWN);
			KUNIT_EXPECT_EQ_MSG(test, class, evidence[i].class[machine],
					    "%s on machine %u", evidence[i].name, machine);
		}
	}
}

/* who holds interrupts off by this record; where @sure, that is proved */
static void expect_steal(struct kunit *test, struct tio_record *rec, u64 ns, int class, bool sure)
{
	struct tio_verdict verdict;

	on(rec, STEAL);
	rec->steal = ns + 1;
	verdict = judged(rec);
	EXPECT_INT(test, verdict.class, sure ? class : UNKNOWN);
	EXPECT_INT(test, verdict.suspected, sure ? UNKNOWN : class);
}

/* what a hypervisor had of a handler's time is not the handler's */
static void less_steal(struct kunit *test)
{
	struct tio_record *rec = handler_end(test);

	expect_steal(test, rec, 10 * MS - 1, LONG, false);
	expect_steal(test, rec, 10 * MS, UNKNOWN, false);
	/* nor does that make a storm of one that took most of it */
	rec->handlers = 100;
	rec->handler_ns = 40 * MS;
	KUNIT_EXPECT_FALSE(test, judged(rec).storm);
	rec = storm_end(test);
	expect_steal(test, rec, 10 * MS - 1, LONG, false);
	expect_steal(test, rec, 10 * MS, UNKNOWN, false);
}

/* the count does not tell all of what a hypervisor had, unless it is little */
static void little_steal(struct kunit *test)
{
	struct tio_record *(*const makes[])(struct kunit *test) = { section_end, late_early };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(makes); i++) {
		struct tio_record *rec = makes[i](test);
		u64 part_ns = rec->min_ns / 8;

		expect_steal(test, rec, part_ns, OFF, true);
		expect_steal(test, rec, part_ns + 1, OFF, false);
	}
}

/* it is also of the time before and behind the stall, in whose midst the CPU was seen to run */
static void half_steal(struct kunit *test)
{
	struct tio_record *rec = prompt(test);

	expect_steal(test, rec, rec->min_ns / 2, OFF, true);
	expect_steal(test, rec, rec->min_ns / 2 + 1, STOLEN, true);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(each_machine),
	KUNIT_CASE(less_steal),
	KUNIT_CASE(little_steal),
	KUNIT_CASE(half_steal),
	{ }
};

TIO_SUITE("proof", "what proves that a CPU ran", .init = example_setup);
