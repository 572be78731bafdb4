// SPDX-License-Identifier: GPL-2.0-only
/* irqoff check: a node is called good only where somebody looked all the time. */
#include "fixture.h"

#include <errno.h>

#include "agent/health.h"

#define BOOT	"6421b76b-5162-47ac-a93e-b75cb5adba76"
#define S	(1000 * MS)

static struct tally tally;
static struct health_question question;

/* a node that was watched for an hour, without a stall */
static int begin(void **state)
{
	tally_begin(&tally, BOOT, "1");
	tally.running = true;
	tally.updated_ns = NOW_NS - 10 * S;
	tally.interval_ns = 60 * S;
	tally.online_cpus = 8;
	tally.module = (struct tally_module){
		.loaded = true, .enabled = true, .watched_cpus = 8,
		.watched_ns = NOW_NS - 3600 * S, .threshold_ns = 10 * MS,
	};
	question = (struct health_question){
		.now_ns = NOW_NS, .since_ns = 300 * S, .max_ns = 100 * MS, .boot_id = BOOT,
	};
	return 0;
}

static int end(void **state)
{
	tally_free(&tally);
	return 0;
}

static void stall(enum tio_class class, __u64 ms, __u64 ago_ns)
{
	longest_add(&tally.classes[class].longest,
		    &(struct longest_stall){ .end_ns = NOW_NS - ago_ns, .ns = ms * MS, .cpu = 3,
					     .seq = 124 });
}

static void assert_health(enum health wanted, const char *text)
{
	char said[HEALTH_LEN];

	assert_int_equal(health_ask(&tally, &question, said), wanted);
	assert_string_equal(said, text);
}

static void good(void **state)
{
	assert_health(HEALTH_GOOD, "no stall over 100 ms in 5 min 0 s on 8 CPUs");
	tally.module.watched_cpus = 6;
	assert_health(HEALTH_GOOD, "no stall over 100 ms in 5 min 0 s on 6 of 8 CPUs");
	tally.module.watched_cpus = 1;
	tally.online_cpus = 1;
	stall(TIO_CLASS_STOLEN, 100, 10 * S);
	stall(TIO_CLASS_STOLEN, 500, 301 * S);
	assert_health(HEALTH_GOOD, "no stall over 100 ms in 5 min 0 s on 1 CPU");
}

static void stalled(void **state)
{
	stall(TIO_CLASS_SOFTIRQ_LONG, 148, 40 * S);
	assert_health(HEALTH_STALLED, "stall of 148 ms, softirq-long, 40 s ago, record 3:124");
	stall(TIO_CLASS_STOLEN, 149, 50 * S);
	assert_health(HEALTH_STALLED, "stall of 149 ms, stolen, 50 s ago, record 3:124");
	question.classes = 1U << TIO_CLASS_SOFTIRQ_LONG;
	assert_health(HEALTH_STALLED, "stall of 148 ms, softirq-long, 40 s ago, record 3:124");
	/* that is certain whatever else is not */
	tally.running = false;
	assert_health(HEALTH_STALLED, "stall of 148 ms, softirq-long, 40 s ago, record 3:124");
	tally.running = true;
	question.classes = 1U << TIO_CLASS_HARDIRQ_OFF;
	assert_health(HEALTH_GOOD, "no stall over 100 ms in 5 min 0 s on 8 CPUs");
}

static void unknown(void **state)
{
	tally.lost_ns = NOW_NS - 301 * S;
	assert_health(HEALTH_GOOD, "no stall over 100 ms in 5 min 0 s on 8 CPUs");
	tally.lost_ns = NOW_NS - 120 * S;
	assert_health(HEALTH_UNKNOWN, "records were lost 2 min 0 s ago");
	tally.module.watched_ns = NOW_NS - 40 * S;
	assert_health(HEALTH_UNKNOWN,
		      "watching began or changed 40 s ago, and --since asks about 5 min 0 s");
	question.max_ns = 5 * MS;
	assert_health(HEALTH_UNKNOWN, "the threshold 10 ms is above the length 5 ms");
	tally.module.watched_cpus = 0;
	assert_health(HEALTH_UNKNOWN, "no CPU is watched");
	tally.updated_ns = NOW_NS - 1800 * S;
	assert_health(HEALTH_UNKNOWN, "irqoff agent has written nothing for 30 min 0 s");
	tally.module.enabled = false;
	assert_health(HEALTH_UNKNOWN, "the module trace_irqoff is not enabled");
	tally_gone(&tally, "0-3");
	assert_health(HEALTH_UNKNOWN, "the module trace_irqoff is not loaded");
	tally.running = false;
	assert_health(HEALTH_UNKNOWN, "irqoff agent has ended");
	tally.updated_ns = NOW_NS + 1;
	assert_health(HEALTH_UNKNOWN, "the counters are of a time that is yet to come");
	question.boot_id = "another";
	stall(TIO_CLASS_STOLEN, 500, 1 * S);
	assert_health(HEALTH_UNKNOWN, "the counters are of another boot");
}

/* one that was not watched for long, but a CPU of it was */
static void no_moment_is_known(void **state)
{
	tally.module.watched_ns = 0;
	assert_health(HEALTH_UNKNOWN, "it is not known since when all CPUs are watched");
	tally.module.watched_ns = NOW_NS - 3600 * S;
	tally.classes[TIO_CLASS_STOLEN].longest.from_ns = NOW_NS - 200 * S;
	assert_health(HEALTH_UNKNOWN,
		      "there were too many stalls: only those of the last 3 min 20 s are known");
	question.since_ns = 100 * S;
	assert_health(HEALTH_GOOD, "no stall over 100 ms in 1 min 40 s on 8 CPUs");
}

/* node-problem-detector cuts a longer line */
static void fits(void **state)
{
	const __u64 long_ns = (9999 * 24 + 23) * 3600ULL * S;

	question.now_ns = 3 * long_ns;
	question.since_ns = 2 * long_ns;
	tally.updated_ns = question.now_ns;
	tally.module.watched_ns = question.now_ns - long_ns;
	assert_health(HEALTH_UNKNOWN,
		      "watching began or changed 9999 d 23 h ago, and --since asks about 19999 d 22 h");
	tally.module.watched_ns = 1;
	tally.classes[TIO_CLASS_STOLEN].longest.from_ns = question.now_ns - long_ns;
	assert_health(HEALTH_UNKNOWN,
		      "there were too many stalls: only those of the last 9999 d 23 h are known");
}

static void counters_that_cannot_be_read(void **state)
{
	char said[HEALTH_LEN];

	assert_int_equal(health_unread(-ENOENT, said), HEALTH_UNKNOWN);
	assert_string_equal(said,
			    "irqoff: no agent has run since boot: start one, or name its --state");
	assert_int_equal(health_unread(-EINVAL, said), HEALTH_UNKNOWN);
	assert_string_equal(said, "irqoff: the file is no state of an agent of this version");
	assert_int_equal(health_unread(-EACCES, said), HEALTH_UNKNOWN);
	assert_string_equal(said,
			    "irqoff: the state of irqoff agent cannot be read: Permission denied");
}

/* for as long as it goes on, however long that is, and while the agent lives */
static void goes_on(void **state)
{
	tally.open = alloc(2, sizeof(*tally.open));
	tally.nopen = 2;
	tally.open[0] = (struct tally_open){ 2, TIO_CLASS_HARDIRQ_OFF, NOW_NS - 400 * S };
	tally.open[1] = (struct tally_open){ 3, TIO_CLASS_SOFTIRQ_OFF, NOW_NS - 2 * S };
	assert_health(HEALTH_STALLED, "stall of 6 min 40 s goes on, hardirq-off, record 2:open");
	question.max_ns = 300 * S;
	assert_health(HEALTH_STALLED, "stall of 6 min 40 s goes on, hardirq-off, record 2:open");
	question.classes = 1U << TIO_CLASS_SOFTIRQ_OFF;
	assert_health(HEALTH_GOOD, "no stall over 300 s in 5 min 0 s on 8 CPUs");
	question.classes = 0;
	tally.updated_ns = NOW_NS - 1800 * S;
	assert_health(HEALTH_UNKNOWN, "irqoff agent has written nothing for 30 min 0 s");
}

#define test_health(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_health(good),
		test_health(stalled),
		test_health(goes_on),
		test_health(unknown),
		test_health(no_moment_is_known),
		test_health(fits),
		test_health(counters_that_cannot_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
