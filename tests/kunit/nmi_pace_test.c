// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/module.h>

#include "core/nmi_pace.h"
#include "suite.h"

#define PERIOD	5000000ULL

/* of a CPU of 2.5 GHz */
#define PERIOD_NS	(2 * MS)

/* an NMI @ns after the last one, in which the counter counted @ran */
static void come(struct tio_nmi_pace *pace, u64 ns, u64 ran)
{
	tio_nmi_pace_add(pace, PERIOD, pace->cycles + ran, pace->at_ns + ns);
}

static struct tio_nmi_pace begun(void)
{
	struct tio_nmi_pace pace = { };

	tio_nmi_pace_add(&pace, PERIOD, PERIOD, 1000 * MS);
	return pace;
}

static void nothing_known(struct kunit *test)
{
	struct tio_nmi_pace pace = { };

	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), U64_MAX);
	/* the first NMI says when the next one's cycles began */
	pace = begun();
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), U64_MAX);
	come(&pace, PERIOD_NS, PERIOD);
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), TIO_NMI_SLOWEST * PERIOD_NS);
}

/* the fastest counts; sleep, programs and a slower clock make it no longer */
static void fastest(struct kunit *test)
{
	struct tio_nmi_pace pace = begun();

	come(&pace, 7 * PERIOD_NS, PERIOD);
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), TIO_NMI_SLOWEST * 7 * PERIOD_NS);
	come(&pace, PERIOD_NS, PERIOD);
	come(&pace, 900 * MS, PERIOD);
	come(&pace, 2 * PERIOD_NS, PERIOD);
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), TIO_NMI_SLOWEST * PERIOD_NS);
}

/* one that was held up is followed by one that comes soon */
static void late_and_early(struct kunit *test)
{
	struct tio_nmi_pace pace = begun();
	unsigned int percent;

	come(&pace, PERIOD_NS, PERIOD);
	for (percent = 1; percent < 100; percent++) {
		u64 late_ns = PERIOD_NS * percent / 100, late = PERIOD * percent / 100;

		come(&pace, PERIOD_NS + late_ns, PERIOD + late);
		come(&pace, PERIOD_NS - late_ns, PERIOD - late);
		EXPECT_NUM_IN(test, tio_nmi_pace_grace(&pace), TIO_NMI_SLOWEST * PERIOD_NS,
			      percent);
	}
}

/* the counter did not count: another one had its turn, or the host had the CPU */
static void not_counted(struct kunit *test)
{
	struct tio_nmi_pace pace = begun();

	come(&pace, PERIOD_NS, 0);
	come(&pace, 0, PERIOD / 2 - 1);
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), U64_MAX);
	/* asleep for very long */
	come(&pace, 1000 * MS, PERIOD);
	come(&pace, 3600 * 1000 * MS, PERIOD);
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), U64_MAX);
}

/* a counter that jumped says nothing */
static void jumps(struct kunit *test)
{
	struct tio_nmi_pace pace = begun();

	come(&pace, PERIOD_NS, PERIOD);
	come(&pace, PERIOD_NS, 1ULL << 32);
	come(&pace, PERIOD_NS, 2 * PERIOD + 1);
	come(&pace, PERIOD_NS, -1ULL << 62);
	EXPECT_NUM(test, tio_nmi_pace_grace(&pace), TIO_NMI_SLOWEST * PERIOD_NS);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(nothing_known),
	KUNIT_CASE(fastest),
	KUNIT_CASE(late_and_early),
	KUNIT_CASE(not_counted),
	KUNIT_CASE(jumps),
	{ }
};

TIO_SUITE("nmi_pace", "trace_irqoff's pace of NMIs");
