// SPDX-License-Identifier: GPL-2.0-only
#include <linux/interrupt.h>
#include <linux/string.h>

#include "arch/clock.h"
#include "state/handlers.h"
#include "suite.h"

/* handler time, in cycles, from which each handler is noted */
#define NOTE_FROM	1000000

static const struct tio_vector timer = { .tracepoint = "local_timer_entry" };
static const struct tio_vector work = { .tracepoint = "irq_work_entry" };
static struct irqaction card = { .irq = 24, .name = "eth0-rx-0" };

#define TIMER	((unsigned long)&timer)
#define WORK	((unsigned long)&work)
#define CARD	((unsigned long)&card | TIO_HANDLER_ACTION)

/* does what the exit of an interrupt does */
static void returned(struct tio_handled *handled, unsigned long handler, u64 cycles)
{
	handled->exit = tio_cycles();
	tio_handled_add(handled, handler, cycles);
	if (handled->cycles >= handled->note_from)
		tio_handled_note(handled, handler, cycles);
}

static struct tio_handlers sum_of(const struct tio_handled *handled)
{
	struct tio_handlers sum;

	tio_handled_sum(handled, U64_MAX >> 23, &sum);
	return sum;
}

static void names(struct kunit *test)
{
	struct tio_irq irq;

	tio_irq_describe(&irq, TIMER);
	KUNIT_EXPECT_STREQ(test, irq.name, "local_timer");
	EXPECT_INT(test, irq.number, TIO_NO_IRQ);
	tio_irq_describe(&irq, CARD);
	KUNIT_EXPECT_STREQ(test, irq.name, "eth0-rx-0");
	EXPECT_INT(test, irq.number, 24);
}

static void one_long(struct kunit *test)
{
	struct tio_handled handled = { .note_from = NOTE_FROM };
	struct tio_handlers sum;

	returned(&handled, TIMER, 10000);
	returned(&handled, CARD, 5000000);
	returned(&handled, TIMER, 10000);
	sum = sum_of(&handled);
	EXPECT_NUM(test, sum.ns, 5020000);
	EXPECT_NUM(test, sum.number, 3);
	EXPECT_NUM(test, sum.longest_ns, 5000000);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, sum.irq);
	KUNIT_EXPECT_STREQ(test, sum.irq->name, "eth0-rx-0");
}

/* many handlers of one interrupt, and one longer handler of another */
static void storm(struct kunit *test)
{
	struct tio_handled handled = { .note_from = NOTE_FROM };
	struct tio_handlers sum;
	unsigned int i;

	for (i = 0; i < 1000; i++)
		returned(&handled, i % 3 ? CARD : TIMER, 100000);
	returned(&handled, WORK, 2000000);
	sum = sum_of(&handled);
	EXPECT_NUM(test, sum.number, 1001);
	EXPECT_NUM(test, sum.longest_ns, 0);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, sum.irq);
	KUNIT_EXPECT_STREQ(test, sum.irq->name, "eth0-rx-0");
}

static void no_majority(struct kunit *test)
{
	const unsigned long handlers[] = { TIMER, WORK, CARD };
	struct tio_handled handled = { .note_from = NOTE_FROM };
	unsigned int i;

	for (i = 0; i < 3000; i++)
		returned(&handled, handlers[i % 3], 10000);
	KUNIT_EXPECT_TRUE(test, !sum_of(&handled).irq);
}

/* handlers before a beat do not count after it */
static void forgotten(struct kunit *test)
{
	struct tio_handled handled = { .note_from = NOTE_FROM };
	struct tio_handlers sum;

	returned(&handled, CARD, 500000000);
	tio_handled_forget(&handled);
	handled.longest = 0;
	returned(&handled, TIMER, 3000000);
	returned(&handled, WORK, 1000000);
	sum = sum_of(&handled);
	EXPECT_NUM(test, sum.ns, 4000000);
	EXPECT_NUM(test, sum.number, 2);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, sum.irq);
	KUNIT_EXPECT_STREQ(test, sum.irq->name, "local_timer");
}

/* in any order, the interrupt that is named had more than half of the time */
static void any_order(struct kunit *test)
{
	const unsigned long handlers[] = { TIMER, WORK, CARD };
	static const char * const words[] = { "local_timer", "irq_work", "eth0-rx-0" };
	struct rnd_state rnd;
	unsigned int round, i;

	prandom_seed_state(&rnd, SEED);
	for (round = 0; round < 1000; round++) {
		struct tio_handled handled = { .note_from = NOTE_FROM };
		u64 cycles[3] = { }, all = 0;
		struct tio_handlers sum;

		for (i = 0; i < 200; i++) {
			unsigned int which = below(&rnd, 3 + round % 4) % 3;
			u64 took = below(&rnd, 100000);

			returned(&handled, handlers[which], took);
			cycles[which] += took;
			all += took;
		}
		sum = sum_of(&handled);
		EXPECT_NUM_IN(test, sum.ns, all, round);
		for (i = 0; i < 3; i++) {
			bool named = sum.irq && !strcmp(sum.irq->name, words[i]);

			KUNIT_EXPECT_TRUE(test, !named || cycles[i] > all / 2);
			/* an interrupt with by far the most time is always named */
			KUNIT_EXPECT_TRUE(test, named || cycles[i] < all / 4 * 3);
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(names),
	KUNIT_CASE(one_long),
	KUNIT_CASE(storm),
	KUNIT_CASE(no_majority),
	KUNIT_CASE(forgotten),
	KUNIT_CASE(any_order),
	{ }
};

TIO_SUITE("handlers", "what trace_irqoff keeps of interrupt handlers");
