// SPDX-License-Identifier: GPL-2.0-only
/* Which runs of NMI handlers belong to one stall: those since a beat could last run. */
#include <linux/kernel.h>
#include <linux/module.h>

#include "state/nmi_time.h"
#include "suite.h"

/* a CPU whose beat is due at @due_ns and was in time at @on_ns */
static struct tio_nmi_run run(u64 on_ns, u64 due_ns, u64 end_ns, u64 ns)
{
	return (struct tio_nmi_run) {
		.handler = ns,
		.ns = ns,
		.end_ns = end_ns,
		.id = due_ns,
		.on_ns = on_ns,
	};
}

static void one_stall(struct kunit *test)
{
	struct tio_nmi_time time = { };
	struct tio_nmi_run next;

	next = run(100 * MS, 101 * MS, 105 * MS, 5 * MS);
	tio_nmi_time_add(&time, &next);
	next = run(100 * MS, 101 * MS, 115 * MS, 9 * MS);
	tio_nmi_time_add(&time, &next);
	EXPECT_NUM(test, time.ns, 14 * MS);
	EXPECT_NUM(test, time.handler, 9 * MS);
	EXPECT_NUM(test, time.end_ns, 115 * MS);
	/* the late beat has run, and its interrupt goes on: the beat's next moment is set */
	next = run(100 * MS, 117 * MS, 118 * MS, MS);
	next.open = true;
	tio_nmi_time_add(&time, &next);
	EXPECT_NUM(test, time.ns, 15 * MS);
	EXPECT_NUM(test, time.handler, 9 * MS);
}

/* many NMIs, each between two beats in time */
static void not_those_before(struct kunit *test)
{
	struct tio_nmi_time time = { };
	struct tio_nmi_run next;
	u64 at;

	for (at = 100; at < 164; at++) {
		next = run(at * MS, (at + 1) * MS, at * MS + MS / 2, MS / 4);
		tio_nmi_time_add(&time, &next);
		EXPECT_NUM_IN(test, time.ns, MS / 4, at);
	}
	/* the first one of a stall comes after the late beat */
	next = run(164 * MS, 190 * MS, 190 * MS, MS / 8);
	next.open = true;
	tio_nmi_time_add(&time, &next);
	EXPECT_NUM(test, time.ns, MS / 8);
	EXPECT_NUM(test, time.handler, MS / 8);
}

/* no beat runs on an idle CPU: its last one was long ago */
static void on_an_idle_cpu(struct kunit *test)
{
	struct tio_nmi_time time = { };
	struct tio_nmi_run next;
	u64 at;

	/* 0: no handler of an interrupt runs */
	for (at = 200; at < 300; at++) {
		next = run(100 * MS, at % 2 ? at : 0, at * MS, MS / 4);
		tio_nmi_time_add(&time, &next);
		EXPECT_NUM_IN(test, time.ns, MS / 4, at);
	}
	/* two in one handler */
	next = run(100 * MS, 299, 310 * MS, MS / 2);
	tio_nmi_time_add(&time, &next);
	EXPECT_NUM(test, time.ns, 3 * MS / 4);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(one_stall),
	KUNIT_CASE(not_those_before),
	KUNIT_CASE(on_an_idle_cpu),
	{ }
};

TIO_SUITE("nmi_time", "the time that trace_irqoff finds NMI handlers took");
