// SPDX-License-Identifier: GPL-2.0-only
/* The limits of settings, and the sentences that state them. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/knobs.h"
#include "suite.h"

static void defaults_are_allowed(struct kunit *test)
{
	u32 *knobs = test->priv;

	KUNIT_EXPECT_TRUE(test, !tio_knobs_refuse(knobs));
	EXPECT_NUM(test, knobs[TIO_KNOB_ENABLE], 0);
	EXPECT_NUM(test, knobs[TIO_KNOB_THRESHOLD_US], 10000);
	EXPECT_NUM(test, knobs[TIO_KNOB_PERIOD_US], 1000);
	EXPECT_NUM(test, knobs[TIO_KNOB_RING_RECORDS], 64);
}

/* KUNIT_EXPECT_STREQ() dereferences its operands, but NULL means "allowed" */
static void expect_rule(struct kunit *test, const u32 *knobs, const char *rule)
{
	const char *broken = tio_knobs_refuse(knobs);

	KUNIT_EXPECT_STREQ(test, broken ?: "allowed", rule);
}

static void limits(struct kunit *test)
{
	u32 *knobs = test->priv;
	unsigned int i;

	/* valid with every period */
	knobs[TIO_KNOB_THRESHOLD_US] = tio_knobs[TIO_KNOB_THRESHOLD_US].max;
	for (i = 0; i < TIO_KNOBS; i++) {
		const struct tio_knob_desc *desc = &tio_knobs[i];
		u32 kept = knobs[i];

		knobs[i] = desc->max;
		expect_rule(test, knobs, "allowed");
		knobs[i] = desc->max + 1;
		expect_rule(test, knobs, desc->rule);
		knobs[i] = U32_MAX;
		expect_rule(test, knobs, desc->rule);
		if (desc->min) {
			knobs[i] = desc->min - 1;
			expect_rule(test, knobs, desc->rule);
			knobs[i] = 0;
			expect_rule(test, knobs, desc->rule);
		}
		knobs[i] = kept;
	}
	for (i = 0; i < TIO_KNOBS; i++)
		knobs[i] = tio_knobs[i].min;
	expect_rule(test, knobs, "allowed");
	EXPECT_NUM(test, knobs[TIO_KNOB_THRESHOLD_US], 100);
	EXPECT_NUM(test, knobs[TIO_KNOB_PERIOD_US], 50);
	EXPECT_NUM(test, knobs[TIO_KNOB_RING_RECORDS], 2);
}

static void two_periods(struct kunit *test)
{
	static const char rule[] = "threshold_us must be at least two times period_us";
	u32 *knobs = test->priv;

	knobs[TIO_KNOB_PERIOD_US] = 5000;
	expect_rule(test, knobs, "allowed");
	knobs[TIO_KNOB_PERIOD_US] = 5001;
	expect_rule(test, knobs, rule);
	knobs[TIO_KNOB_PERIOD_US] = tio_knobs[TIO_KNOB_PERIOD_US].min;
	knobs[TIO_KNOB_THRESHOLD_US] = tio_knobs[TIO_KNOB_THRESHOLD_US].min;
	expect_rule(test, knobs, "allowed");
	knobs[TIO_KNOB_PERIOD_US]++;
	expect_rule(test, knobs, rule);
}

/* the sentence states the same numbers that are enforced */
static void rules_tell_the_limits(struct kunit *test)
{
	char wanted[64];
	unsigned int i, word;

	for (i = 0; i < TIO_KNOBS; i++) {
		const struct tio_knob_desc *desc = &tio_knobs[i];

		for (word = desc->min; desc->words && word <= desc->max; word++) {
			/* an old word, which is taken and not listed */
			if (i == TIO_KNOB_NMI && word == TRACE_IRQOFF_NMI_COUNTER)
				continue;
			KUNIT_EXPECT_TRUE_MSG(test, strstr(desc->rule, desc->words[word]),
					      "\"%s\" lacks %s", desc->rule,
					      desc->words[word]);
		}
		if (desc->words)
			continue;
		snprintf(wanted, sizeof(wanted), "%s takes %u %s %u", desc->name, desc->min,
			 i == TIO_KNOB_ENABLE ? "or" : "to", desc->max);
		KUNIT_EXPECT_TRUE_MSG(test, strstarts(desc->rule, wanted),
				      "\"%s\" does not begin with \"%s\"", desc->rule, wanted);
	}
}

static int setup(struct kunit *test)
{
	static const u32 defaults[TIO_KNOBS] = TIO_KNOBS_DEFAULT;

	test->priv = kunit_kzalloc(test, sizeof(defaults), GFP_KERNEL);
	if (!test->priv)
		return -ENOMEM;
	memcpy(test->priv, defaults, sizeof(defaults));
	return 0;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(defaults_are_allowed),
	KUNIT_CASE(limits),
	KUNIT_CASE(two_periods),
	KUNIT_CASE(rules_tell_the_limits),
	{ }
};

TIO_SUITE("knobs", "trace_irqoff's knobs", .init = setup);
