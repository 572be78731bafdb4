// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "core/settings.h"
#include "suite.h"

/* a value that no text below sets, nor any CPU list */
#define UNTOUCHED	77777

static void numbers(struct kunit *test)
{
	static const struct {
		const char *text;
		u32 value;
	} table[] = {
		{ "0", 0 }, { "1", 1 }, { "10000", 10000 }, { "10000\n", 10000 },
		{ "0x10", 16 }, { "010", 8 }, { "+5", 5 }, { "4294967295", U32_MAX },
	};
	static const char * const none[] = {
		NULL, "", "\n", " ", "-1", "-0x1", " 1", "1 ", "1\n\n", "1 2", "1,2", "1.5",
		"1e3", "10us", "x", "0x", "09", "4294967296", "18446744073709551617", "on",
	};
	unsigned int i;
	u32 value;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		value = UNTOUCHED;
		EXPECT_INT_IN(test, tio_knob_parse(TIO_KNOB_PERIOD_US, table[i].text, &value),
			      0, i);
		EXPECT_NUM_IN(test, value, table[i].value, i);
	}
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		value = UNTOUCHED;
		EXPECT_INT_IN(test, tio_knob_parse(TIO_KNOB_PERIOD_US, none[i], &value),
			      -EINVAL, i);
		EXPECT_NUM_IN(test, value, UNTOUCHED, i);
	}
}

static void measures(struct kunit *test)
{
	static const struct {
		enum tio_knob knob;
		const char *text;
		u32 value;
		const char *printed;	/* NULL: as it was typed */
	} table[] = {
		{ TIO_KNOB_PERIOD_US, "500us", 500, NULL },
		{ TIO_KNOB_PERIOD_US, "1ms", 1000, NULL },
		{ TIO_KNOB_PERIOD_US, "1.5ms\n", 1500, "1500us" },
		{ TIO_KNOB_THRESHOLD_US, "10ms", 10000, NULL },
		{ TIO_KNOB_THRESHOLD_US, "2000000ns", 2000, "2ms" },
		{ TIO_KNOB_THRESHOLD_US, "0.000001s", 1, "1us" },
		{ TIO_KNOB_THRESHOLD_US, "60s", 60000000, NULL },
		{ TIO_KNOB_THRESHOLD_US, "4294.967295s", U32_MAX, "4294967295us" },
		{ TIO_KNOB_MAX_COST_PPM, "6%", 60000, NULL },
		{ TIO_KNOB_MAX_COST_PPM, "0.25%\n", 2500, "0.25%" },
		{ TIO_KNOB_MAX_COST_PPM, "0.0001%", 1, NULL },
		{ TIO_KNOB_MAX_COST_PPM, "100%", 1000000, NULL },
		{ TIO_KNOB_MAX_COST_PPM, "none", 0, NULL },
		{ TIO_KNOB_MAX_COST_PPM, "0", 0, "none" },
	};
	static const struct {
		enum tio_knob knob;
		const char *text;
	} none[] = {
		{ TIO_KNOB_PERIOD_US, NULL }, { TIO_KNOB_PERIOD_US, "" },
		{ TIO_KNOB_PERIOD_US, "\n" }, { TIO_KNOB_PERIOD_US, "1000" },
		{ TIO_KNOB_PERIOD_US, "1 ms" }, { TIO_KNOB_PERIOD_US, "ms" },
		{ TIO_KNOB_PERIOD_US, "-1ms" }, { TIO_KNOB_PERIOD_US, "1.ms" },
		{ TIO_KNOB_PERIOD_US, ".5ms" }, { TIO_KNOB_PERIOD_US, "1.2.3ms" },
		{ TIO_KNOB_PERIOD_US, "1ms\n\n" }, { TIO_KNOB_PERIOD_US, "1.0001us" },
		{ TIO_KNOB_PERIOD_US, "1ns" }, { TIO_KNOB_PERIOD_US, "1x" },
		/* mostly a slip for ms */
		{ TIO_KNOB_PERIOD_US, "1m" }, { TIO_KNOB_THRESHOLD_US, "1h" },
		{ TIO_KNOB_PERIOD_US, "4294.967296s" },
		{ TIO_KNOB_PERIOD_US, "99999999999999999999s" },
		{ TIO_KNOB_PERIOD_US, "6%" }, { TIO_KNOB_MAX_COST_PPM, "6" },
		{ TIO_KNOB_MAX_COST_PPM, "%" }, { TIO_KNOB_MAX_COST_PPM, "0.00001%" },
		{ TIO_KNOB_MAX_COST_PPM, "6ms" }, { TIO_KNOB_MAX_COST_PPM, NULL },
		{ TIO_KNOB_MAX_COST_PPM, "1000000%" },
	};
	char printed[32], wanted[32];
	unsigned int i;
	u32 value;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		value = UNTOUCHED;
		EXPECT_INT_IN(test, tio_knob_parse_measure(table[i].knob, table[i].text, &value),
			      0, i);
		EXPECT_NUM_IN(test, value, table[i].value, i);
		snprintf(wanted, sizeof(wanted), "%s", table[i].printed ?: table[i].text);
		tio_knob_print_measure(table[i].knob, value, printed, sizeof(printed));
		KUNIT_EXPECT_STREQ(test, printed, wanted);
	}
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		value = UNTOUCHED;
		KUNIT_EXPECT_EQ_MSG(test,
				    tio_knob_parse_measure(none[i].knob, none[i].text, &value),
				    -EINVAL, "of \"%s\"", none[i].text ?: "(null)");
		EXPECT_NUM_IN(test, value, UNTOUCHED, i);
	}
}

static void booleans(struct kunit *test)
{
	static const struct {
		const char *text;
		u32 value;
	} table[] = {
		{ "0", 0 }, { "1", 1 }, { "1\n", 1 }, { "n", 0 }, { "y", 1 }, { "N", 0 },
		{ "Y", 1 }, { "off", 0 }, { "on", 1 }, { NULL, 1 },
	};
	static const char * const none[] = { "", "\n", "2", "-1", " 1", "o", "x" };
	unsigned int i;
	u32 value;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		value = UNTOUCHED;
		EXPECT_INT_IN(test, tio_knob_parse(TIO_KNOB_ENABLE, table[i].text, &value),
			      0, i);
		EXPECT_NUM_IN(test, value, table[i].value, i);
	}
	for (i = 0; i < ARRAY_SIZE(none); i++) {
		value = UNTOUCHED;
		EXPECT_INT_IN(test, tio_knob_parse(TIO_KNOB_ENABLE, none[i], &value),
			      -EINVAL, i);
		EXPECT_NUM_IN(test, value, UNTOUCHED, i);
	}
}

static void cpus_by_word(struct kunit *test)
{
	static const struct {
		const char *text;
		enum tio_cpus_mode mode;
	} table[] = {
		{ "default", TIO_CPUS_DEFAULT }, { "all", TIO_CPUS_ALL },
		{ "all\n", TIO_CPUS_ALL }, { " default\t\n", TIO_CPUS_DEFAULT },
		{ "0", TIO_CPUS_LIST }, { " 0\n", TIO_CPUS_LIST }, { "0,0", TIO_CPUS_LIST },
		{ "0-0", TIO_CPUS_LIST }, { "0, 0", TIO_CPUS_LIST }, { "0-0:1/1", TIO_CPUS_LIST },
	};
	struct tio_settings *settings = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		settings->cpus_mode = UNTOUCHED;
		cpumask_clear(&settings->cpus);
		EXPECT_INT_IN(test, tio_cpus_parse(settings, table[i].text), 0, i);
		EXPECT_INT_IN(test, settings->cpus_mode, table[i].mode, i);
		EXPECT_NUM_IN(test, cpumask_weight(&settings->cpus),
			      table[i].mode == TIO_CPUS_LIST, i);
	}
}

static void cpus_refused(struct kunit *test)
{
	static const char * const none[] = {
		"", " ", "\n", ",", "-", "-1", "1-0", "0-", "x", "0x", "0x0", "Default", "ALL",
		"all,0", "0,all", "default,0", "0;1", "0-1-2", "0:1", "99999999", "0,99999999",
		"4294967296", "18446744073709551616", "N", "0-N", "none",
		"0\nx", "0\n0", "0\n99999999",
	};
	struct tio_settings *settings = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		settings->cpus_mode = UNTOUCHED;
		cpumask_clear(&settings->cpus);
		KUNIT_EXPECT_EQ_MSG(test, tio_cpus_parse(settings, none[i]), -EINVAL,
				    "of \"%s\"", none[i]);
		EXPECT_INT_IN(test, settings->cpus_mode, UNTOUCHED, i);
		KUNIT_EXPECT_TRUE(test, cpumask_empty(&settings->cpus));
	}
}

static void only_possible_cpus(struct kunit *test)
{
	struct tio_settings *settings = test->priv;
	unsigned int cpu;
	char text[16];

	for (cpu = 0; cpu < nr_cpu_ids + 70; cpu++) {
		bool possible = cpu < nr_cpu_ids && cpu_possible(cpu);

		cpumask_clear(&settings->cpus);
		snprintf(text, sizeof(text), "%u", cpu);
		EXPECT_INT_IN(test, tio_cpus_parse(settings, text), possible ? 0 : -EINVAL, cpu);
		EXPECT_NUM_IN(test, cpumask_weight(&settings->cpus), possible, cpu);
		if (possible)
			KUNIT_EXPECT_TRUE(test, cpumask_test_cpu(cpu, &settings->cpus));
	}
	/* one impossible CPU makes the whole list invalid */
	snprintf(text, sizeof(text), "0-%u", nr_cpu_ids);
	EXPECT_INT(test, tio_cpus_parse(settings, text), -EINVAL);
}

/* a list that is printed reads back the same */
static void cpus_printed(struct kunit *test)
{
	static const char * const words[] = { "default", "all", "0" };
	struct tio_settings *settings = test->priv;
	char *text = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	unsigned int i;
	int len;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		EXPECT_INT(test, tio_cpus_parse(settings, words[i]), 0);
		len = tio_cpus_print(settings, text, PAGE_SIZE);
		KUNIT_EXPECT_STREQ(test, text, words[i]);
		EXPECT_NUM(test, len, strlen(words[i]));
	}

	settings->cpus_mode = TIO_CPUS_LIST;
	cpumask_copy(&settings->cpus, cpu_possible_mask);
	tio_cpus_print(settings, text, PAGE_SIZE);
	cpumask_clear(&settings->cpus);
	EXPECT_INT(test, tio_cpus_parse(settings, text), 0);
	KUNIT_EXPECT_TRUE(test, cpumask_equal(&settings->cpus, cpu_possible_mask));

	/* truncated rather than written beyond its end */
	settings->cpus_mode = TIO_CPUS_DEFAULT;
	memset(text, 'x', 8);
	EXPECT_INT(test, tio_cpus_print(settings, text, 4), 3);
	KUNIT_EXPECT_STREQ(test, text, "def");
	EXPECT_INT(test, text[4], 'x');
}

static int setup(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct tio_settings), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static struct kunit_case cases[] = {
	KUNIT_CASE(numbers),
	KUNIT_CASE(measures),
	KUNIT_CASE(booleans),
	KUNIT_CASE(cpus_by_word),
	KUNIT_CASE(cpus_refused),
	KUNIT_CASE(only_possible_cpus),
	KUNIT_CASE(cpus_printed),
	{ }
};

TIO_SUITE("params", "trace_irqoff's parameters", .init = setup);
