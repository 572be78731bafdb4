// SPDX-License-Identifier: GPL-2.0-only
/* Checks requests of every shape against the family's policy, and reads settings from them. */
#include <linux/kernel.h>
#include <linux/slab.h>

#include "message.h"

/* the attributes of requests: the tables of module/report/request.c again */
static const struct {
	int type;
	int len;	/* -1: any */
} known[] = {
	{ TRACE_IRQOFF_A_ENABLE, 1 },
	{ TRACE_IRQOFF_A_THRESHOLD_US, 4 },
	{ TRACE_IRQOFF_A_PERIOD_US, 4 },
	{ TRACE_IRQOFF_A_RING_RECORDS, 4 },
	{ TRACE_IRQOFF_A_NAMES, 0 },
	{ TRACE_IRQOFF_A_CPUS, -1 },
	{ TRACE_IRQOFF_A_CURSOR, -1 },
};

static int known_len(int type)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].type == type)
			return known[i].len;
	return -2;
}

static void put_u32(struct kunit *test, int type, u32 value)
{
	put(test, type, sizeof(value), &value);
}

/* expects a refusal that blames the first attribute of the message */
static void expect_refused(struct kunit *test, u64 at)
{
	struct fixture *fix = test->priv;

	KUNIT_EXPECT_LT_MSG(test, parse(fix), 0, "in case %llu", at);
	KUNIT_EXPECT_TRUE_MSG(test, fix->extack.bad_attr == (void *)fix->skb->data,
			      "in case %llu: another attribute is blamed", at);
	KUNIT_EXPECT_TRUE_MSG(test, fix->extack._msg, "in case %llu: no reason given", at);
}

static void all_settings(struct kunit *test)
{
	struct fixture *fix = begin(test);
	u8 enable = 1;

	put(test, TRACE_IRQOFF_A_ENABLE, sizeof(enable), &enable);
	put_u32(test, TRACE_IRQOFF_A_THRESHOLD_US, 20000);
	put_u32(test, TRACE_IRQOFF_A_PERIOD_US, 2000);
	put_u32(test, TRACE_IRQOFF_A_RING_RECORDS, 128);
	put(test, TRACE_IRQOFF_A_CPUS, 4, "all");
	KUNIT_ASSERT_EQ(test, parse(fix), 0);
	EXPECT_INT(test, tio_request_settings(&fix->settings, fix->tb), 0);
	EXPECT_NUM(test, fix->settings.knobs[TIO_KNOB_ENABLE], 1);
	EXPECT_NUM(test, fix->settings.knobs[TIO_KNOB_THRESHOLD_US], 20000);
	EXPECT_NUM(test, fix->settings.knobs[TIO_KNOB_PERIOD_US], 2000);
	EXPECT_NUM(test, fix->settings.knobs[TIO_KNOB_RING_RECORDS], 128);
	EXPECT_INT(test, fix->settings.cpus_mode, TIO_CPUS_ALL);
}

/* a setting that a request does not have stays the same */
static void missing_settings(struct kunit *test)
{
	struct fixture *fix = begin(test);
	struct tio_settings *before;

	before = kunit_kzalloc(test, sizeof(*before), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, before);
	*before = fix->settings;
	KUNIT_ASSERT_EQ(test, parse(fix), 0);
	EXPECT_INT(test, tio_request_settings(&fix->settings, fix->tb), 0);
	EXPECT_INT(test, memcmp(before, &fix->settings, sizeof(*before)), 0);

	begin(test);
	put_u32(test, TRACE_IRQOFF_A_PERIOD_US, 500);
	KUNIT_ASSERT_EQ(test, parse(fix), 0);
	EXPECT_INT(test, tio_request_settings(&fix->settings, fix->tb), 0);
	EXPECT_NUM(test, fix->settings.knobs[TIO_KNOB_PERIOD_US], 500);
	before->knobs[TIO_KNOB_PERIOD_US] = 500;
	EXPECT_INT(test, memcmp(before, &fix->settings, sizeof(*before)), 0);
}

static void short_and_long(struct kunit *test)
{
	static const u8 zeroes[16];
	unsigned int i;
	int len;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (known[i].len < 0)
			continue;
		for (len = 0; len <= sizeof(zeroes); len++) {
			struct fixture *fix = begin(test);

			put(test, known[i].type, len, zeroes);
			if (len == known[i].len)
				EXPECT_INT_IN(test, parse(fix), 0, i);
			else
				expect_refused(test, i * 100 + len);
		}
	}
}

/* attributes of answers, and numbers of no attribute */
static void unknown_types(struct kunit *test)
{
	static const u8 zeroes[8];
	int type;

	for (type = 0; type <= TRACE_IRQOFF_A_MAX + 300; type++) {
		if (known_len(type) != -2)
			continue;
		begin(test);
		put(test, type, sizeof(zeroes), zeroes);
		expect_refused(test, type);
	}
	begin(test);
	put(test, NLA_TYPE_MASK, sizeof(zeroes), zeroes);
	expect_refused(test, NLA_TYPE_MASK);
}

static void nested_or_not(struct kunit *test)
{
	static const u8 zeroes[4];
	struct fixture *fix = begin(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (known[i].len < 0)
			continue;
		begin(test);
		put(test, known[i].type | NLA_F_NESTED, known[i].len, zeroes);
		expect_refused(test, i);
	}
	begin(test);
	put(test, TRACE_IRQOFF_A_CPUS | NLA_F_NESTED, 4, "all");
	expect_refused(test, TRACE_IRQOFF_A_CPUS);
	/* a nest without the nested flag, a nest too short for an attribute */
	begin(test);
	nla_nest_end(fix->skb, nla_nest_start_noflag(fix->skb, TRACE_IRQOFF_A_CURSOR));
	expect_refused(test, 0);
	begin(test);
	put(test, TRACE_IRQOFF_A_CURSOR | NLA_F_NESTED, 3, zeroes);
	expect_refused(test, 3);
}

static void cpus_text(struct kunit *test)
{
	struct fixture *fix = begin(test);
	char *text = kunit_kzalloc(test, PAGE_SIZE + 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	memset(text, '0', PAGE_SIZE);
	/* empty, without a terminator, longer than a page */
	put(test, TRACE_IRQOFF_A_CPUS, 0, text);
	expect_refused(test, 0);
	begin(test);
	put(test, TRACE_IRQOFF_A_CPUS, 3, "all");
	expect_refused(test, 3);
	begin(test);
	put(test, TRACE_IRQOFF_A_CPUS, PAGE_SIZE + 1, text);
	expect_refused(test, PAGE_SIZE + 1);

	/* the longest text allowed */
	text[PAGE_SIZE - 1] = '\0';
	begin(test);
	put(test, TRACE_IRQOFF_A_CPUS, PAGE_SIZE, text);
	EXPECT_INT(test, parse(fix), 0);
	EXPECT_INT(test, tio_request_settings(&fix->settings, fix->tb), 0);
	EXPECT_INT(test, fix->settings.cpus_mode, TIO_CPUS_LIST);

	/* text that is no CPU list: the settings stay the same */
	fix->settings = default_settings;
	begin(test);
	put(test, TRACE_IRQOFF_A_CPUS, 1, "");
	KUNIT_ASSERT_EQ(test, parse(fix), 0);
	EXPECT_INT(test, tio_request_settings(&fix->settings, fix->tb), -EINVAL);
	begin(test);
	put(test, TRACE_IRQOFF_A_CPUS, 11, "0-99999999");
	KUNIT_ASSERT_EQ(test, parse(fix), 0);
	EXPECT_INT(test, tio_request_settings(&fix->settings, fix->tb), -EINVAL);
	EXPECT_INT(test, fix->settings.cpus_mode, TIO_CPUS_DEFAULT);
}

/* right type and length, but a value that the knobs refuse */
static void out_of_range(struct kunit *test)
{
	static const struct { int attr; enum tio_knob knob; u32 value; } table[] = {
		{ TRACE_IRQOFF_A_ENABLE, TIO_KNOB_ENABLE, 2 },
		{ TRACE_IRQOFF_A_ENABLE, TIO_KNOB_ENABLE, 255 },
		{ TRACE_IRQOFF_A_THRESHOLD_US, TIO_KNOB_THRESHOLD_US, 0 },
		{ TRACE_IRQOFF_A_THRESHOLD_US, TIO_KNOB_THRESHOLD_US, 99 },
		{ TRACE_IRQOFF_A_THRESHOLD_US, TIO_KNOB_THRESHOLD_US, 60000001 },
		{ TRACE_IRQOFF_A_THRESHOLD_US, TIO_KNOB_THRESHOLD_US, U32_MAX },
		{ TRACE_IRQOFF_A_PERIOD_US, TIO_KNOB_PERIOD_US, 49 },
		{ TRACE_IRQOFF_A_PERIOD_US, TIO_KNOB_PERIOD_US, 1000001 },
		{ TRACE_IRQOFF_A_PERIOD_US, TIO_KNOB_PERIOD_US, U32_MAX },
		{ TRACE_IRQOFF_A_RING_RECORDS, TIO_KNOB_RING_RECORDS, 1 },
		{ TRACE_IRQOFF_A_RING_RECORDS, TIO_KNOB_RING_RECORDS, 4097 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		struct fixture *fix = begin(test);
		const char *broken;
		u8 byte = table[i].value;

		if (table[i].attr == TRACE_IRQOFF_A_ENABLE)
			put(test, table[i].attr, sizeof(byte), &byte);
		else
			put_u32(test, table[i].attr, table[i].value);
		KUNIT_ASSERT_EQ(test, parse(fix), 0);
		fix->settings = default_settings;
		EXPECT_INT_IN(test, tio_request_settings(&fix->settings, fix->tb), 0, i);
		broken = tio_knobs_refuse(fix->settings.knobs);
		KUNIT_EXPECT_STREQ(test, broken ?: "allowed", tio_knobs[table[i].knob].rule);
	}
}

/* wrong lengths in the headers */
static void broken_streams(struct kunit *test)
{
	struct fixture *fix;
	struct nlattr *attr;
	unsigned int i;

	for (i = 0; i < 16; i++) {
		fix = begin(test);
		put_u32(test, TRACE_IRQOFF_A_PERIOD_US, 1000);
		attr = (struct nlattr *)fix->skb->data;
		/* shorter than a header, then beyond the end of the message */
		attr->nla_len = i < NLA_HDRLEN ? i : 8 + i;
		EXPECT_INT_IN(test, parse(fix), -EINVAL, i);
	}
	for (i = 1; i < NLA_HDRLEN; i++) {
		fix = begin(test);
		put_u32(test, TRACE_IRQOFF_A_PERIOD_US, 1000);
		skb_put_zero(fix->skb, i);
		EXPECT_INT_IN(test, parse(fix), -EINVAL, i);
	}
}

#define ATTR_WORDS	6	/* a CURSOR of both */

static void put_head(u32 *word, int type, int len)
{
	struct nlattr *head = (struct nlattr *)word;

	head->nla_type = type;
	head->nla_len = NLA_HDRLEN + len;
}

/* makes a plausible attribute and returns its length in words */
static unsigned int random_attr(struct rnd_state *rnd, u32 *words)
{
	unsigned int i = below(rnd, ARRAY_SIZE(known)), j, count;
	int len = known[i].len >= 0 ? known[i].len : 4 * below(rnd, ATTR_WORDS);

	count = 1 + DIV_ROUND_UP(len, 4);
	for (j = 0; j < count; j++)
		words[j] = below(rnd, 2) ? prandom_u32_state(rnd) : 0;
	put_head(&words[0], known[i].type, len);
	if (known[i].type == TRACE_IRQOFF_A_CURSOR) {
		put_head(&words[0], TRACE_IRQOFF_A_CURSOR | NLA_F_NESTED, len);
		if (count == ATTR_WORDS) {
			put_head(&words[1], TRACE_IRQOFF_A_CPU, 4);
			put_head(&words[3], TRACE_IRQOFF_A_SEQ, 8);
		}
	}
	if (!below(rnd, 4))
		words[below(rnd, count)] ^= 1u << below(rnd, 32);
	return count;
}

/* whatever the message, each accepted attribute has the shape that the table allows */
static void random_messages(struct kunit *test)
{
	unsigned int i, accepted = 0, refused = 0, cursors = 0;
	struct fixture *fix = test->priv;
	struct rnd_state rnd;

	prandom_seed_state(&rnd, SEED);
	for (i = 0; i < 20000; i++) {
		unsigned int attrs = 1 + below(&rnd, 3), len = 0;
		u32 words[3 * ATTR_WORDS];
		u8 *message;
		int ret, type;

		while (attrs--)
			len += 4 * random_attr(&rnd, &words[len / 4]);
		if (!below(&rnd, 8))
			len -= 1 + below(&rnd, len - 1);
		/* allocated at its exact size, so that KASAN sees an access beyond it */
		message = kmemdup(words, len, GFP_KERNEL);
		KUNIT_ASSERT_TRUE(test, message);
		ret = nla_parse(fix->tb, TRACE_IRQOFF_A_MAX, (struct nlattr *)message, len,
				tio_request_policy, NULL);
		if (ret)
			refused++;
		else
			accepted++;
		for (type = 0; !ret && type <= TRACE_IRQOFF_A_MAX; type++) {
			const struct nlattr *attr = fix->tb[type];
			u32 cpu = 0;
			u64 seq;

			if (!attr)
				continue;
			if (known_len(type) != -1)
				EXPECT_INT_IN(test, nla_len(attr), known_len(type), i);
			else if (type == TRACE_IRQOFF_A_CPUS)
				KUNIT_EXPECT_TRUE(test, memchr(nla_data(attr), 0, nla_len(attr)));
			else if (!tio_request_cursor(attr, &cpu, &seq, NULL) && ++cursors)
				KUNIT_EXPECT_TRUE(test, cpu < nr_cpu_ids);
		}
		if (!ret)
			tio_request_settings(&fix->settings, fix->tb);
		kfree(message);
	}
	KUNIT_EXPECT_GT(test, accepted, 1000u);
	KUNIT_EXPECT_GT(test, refused, 1000u);
	KUNIT_EXPECT_GT(test, cursors, 100u);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(all_settings),
	KUNIT_CASE(missing_settings),
	KUNIT_CASE(short_and_long),
	KUNIT_CASE(unknown_types),
	KUNIT_CASE(nested_or_not),
	KUNIT_CASE(cpus_text),
	KUNIT_CASE(out_of_range),
	KUNIT_CASE(broken_streams),
	KUNIT_CASE(random_messages),
	{ }
};

TIO_SUITE("netlink", "trace_irqoff's netlink policy",
	  .init = message_setup, .exit = message_teardown);
