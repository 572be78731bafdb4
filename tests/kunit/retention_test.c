// SPDX-License-Identifier: GPL-2.0-only
/* What is kept is compared with a model that knows every record ever written. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/retention.h"
#include "suite.h"

#define RECORDS		2000
#define MOST_SLOTS	64

struct made {
	struct tio_retention_rank rank;
	bool kept;
	bool cleared;
};

static struct made made[RECORDS];
static unsigned int number;
static u64 from;	/* records below are cleared */

static struct tio_retention keep;
static struct tio_kept kept[MOST_SLOTS + 1];
static u32 spare;

static void begin(u32 size)
{
	number = 0;
	from = 0;
	spare = 0;
	memset(made, 0, sizeof(made));
	tio_retention_begin(&keep, kept, size);
}

/* as tio_ring_commit() does */
static void record(const struct tio_retention_rank *rank)
{
	u32 slot = spare;

	made[number].rank = *rank;
	made[number].kept = true;
	tio_retention_hold(&keep, kept, from, slot, number, rank);
	spare = tio_retention_spare(&keep, kept, from, slot);
	if (kept[spare].seq != TIO_NO_SEQ)
		made[kept[spare].seq].kept = false;
	kept[spare].seq = TIO_NO_SEQ;
	kept[slot].seq = number++;
}

static void clear(void)
{
	unsigned int i;

	for (i = 0; i < number; i++)
		made[i].cleared = true;
	from = number;
}

static bool is_kept(unsigned int i)
{
	return made[i].kept && !made[i].cleared;
}

static bool is_doubtful(unsigned int i)
{
	return made[i].rank.class == TIO_CLASS_UNKNOWN ||
	       made[i].rank.class == TIO_CLASS_STOLEN;
}

/* the longest of its class since the last clear; of equal ones the newest */
static bool is_longest(unsigned int i)
{
	unsigned int j;

	for (j = from; j < number; j++)
		if (made[j].rank.class == made[i].rank.class &&
		    (made[j].rank.min_ns > made[i].rank.min_ns ||
		     (made[j].rank.min_ns == made[i].rank.min_ns && j > i)))
			return false;
	return true;
}

/* the newest of its key, and fewer than @keys other keys came after it */
static bool is_newest(unsigned int i, unsigned int keys)
{
	unsigned int j, k, later = 0;

	if (!made[i].rank.key)
		return false;
	for (j = i + 1; j < number; j++) {
		if (made[j].rank.key == made[i].rank.key)
			return false;
		for (k = j + 1; k < number && made[k].rank.key != made[j].rank.key; k++)
			;
		later += made[j].rank.key && k == number;
	}
	return later < keys;
}

static void check(struct kunit *test, u32 size, u64 at)
{
	unsigned int keys = min((u32)TIO_RETENTION_KEYS, size / TIO_RETENTION_SLOTS), i;
	unsigned int count = 0, slots = 0, doubtful = 0;

	for (i = 0; i < number; i++)
		count += is_kept(i);
	EXPECT_NUM_IN(test, count, min((u64)size, number - from), at);
	for (i = 0; i <= size; i++)
		slots += kept[i].seq != TIO_NO_SEQ && kept[i].seq >= from;
	EXPECT_NUM_IN(test, slots, count, at);
	if (number > from)
		KUNIT_EXPECT_TRUE_MSG(test, is_kept(number - 1), "the newest, at %llu", at);
	for (i = from; i < number; i++) {
		bool held = is_longest(i) || is_newest(i, keys);

		if (size >= TIO_RETENTION_LEAST && held)
			KUNIT_EXPECT_TRUE_MSG(test, is_kept(i), "record %u at %llu", i, at);
		doubtful += is_kept(i) && is_doubtful(i);
		if (size < TIO_RETENTION_LEAST)
			EXPECT_NUM_IN(test, is_kept(i), number - i <= size, at);
	}
	/* the longest of either class may be one more */
	if (size >= TIO_RETENTION_LEAST && count == size && number - from > 2 * size)
		KUNIT_EXPECT_LE(test, doubtful, size / TIO_RETENTION_DOUBTFUL + 2);
}

static void run(struct kunit *test, u32 size, unsigned int records, unsigned int clears)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, SEED + size);
	begin(size);
	while (number < records) {
		struct tio_retention_rank rank = {
			.class = below(&rnd, TIO_CLASSES),
			.key = below(&rnd, 24),
			.min_ns = below(&rnd, 100 * MS),
		};

		record(&rank);
		if (clears && !below(&rnd, clears))
			clear();
		if (number % 16 < 2)
			check(test, size, number);
	}
}

static void small_ones_keep_the_newest(struct kunit *test)
{
	run(test, 1, 200, 30);
	run(test, 2, 200, 30);
	run(test, TIO_RETENTION_LEAST - 1, 200, 30);
}

static void large_ones_keep_what_matters(struct kunit *test)
{
	run(test, TIO_RETENTION_LEAST, 600, 0);
	run(test, 33, 600, 0);
	run(test, MOST_SLOTS, 600, 0);
}

static void cleared(struct kunit *test)
{
	run(test, TIO_RETENTION_LEAST, 600, 50);
	run(test, MOST_SLOTS, 600, 150);
}

/* a long one, a rare one, and then a thousand others */
static void long_and_rare(struct kunit *test)
{
	struct tio_retention_rank rank = {
		.class = TIO_CLASS_SOFTIRQ_OFF, .key = 1, .min_ns = 300 * MS
	};
	unsigned int i;

	begin(MOST_SLOTS);
	record(&rank);
	rank = (struct tio_retention_rank){
		.class = TIO_CLASS_SOFTIRQ_OFF, .key = 2, .min_ns = 2 * MS
	};
	record(&rank);
	rank = (struct tio_retention_rank){
		.class = TIO_CLASS_SOFTIRQ_OFF, .key = 3, .min_ns = 3 * MS
	};
	for (i = 0; i < 1000; i++)
		record(&rank);
	KUNIT_EXPECT_TRUE(test, is_kept(0));
	KUNIT_EXPECT_TRUE(test, is_kept(1));
	KUNIT_EXPECT_FALSE(test, is_kept(2));
	for (i = 0; i < MOST_SLOTS - 2; i++)
		KUNIT_EXPECT_TRUE(test, is_kept(number - 1 - i));
}

/* those that blame nobody push none out that blames somebody, once they are too many */
static void stolen_ones_stay_few(struct kunit *test)
{
	struct tio_retention_rank rank = {
		.class = TIO_CLASS_HARDIRQ_OFF, .key = 1, .min_ns = 20 * MS
	};
	unsigned int i, count = 0;

	begin(MOST_SLOTS);
	for (i = 0; i < MOST_SLOTS; i++)
		record(&rank);
	rank = (struct tio_retention_rank){ .class = TIO_CLASS_STOLEN, .min_ns = 10 * MS };
	for (i = 0; i < 1000; i++)
		record(&rank);
	for (i = 0; i < MOST_SLOTS; i++)
		count += is_kept(i);
	EXPECT_NUM(test, count, MOST_SLOTS - MOST_SLOTS / TIO_RETENTION_DOUBTFUL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(small_ones_keep_the_newest),
	KUNIT_CASE(large_ones_keep_what_matters),
	KUNIT_CASE(cleared),
	KUNIT_CASE(long_and_rare),
	KUNIT_CASE(stolen_ones_stay_few),
	{ }
};

TIO_SUITE("retention", "which records a trace_irqoff ring keeps");
