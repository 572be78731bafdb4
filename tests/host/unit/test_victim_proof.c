// SPDX-License-Identifier: GPL-2.0-only
/* When a link is more than probable. */
#include "waiters.h"

/* CPU 1 waits; only CPU 0 has interrupts off; CPU 3 has lost records */
static struct entry *add_answer(void)
{
	struct entry *victim = add_soft_waiter(1, 0, END + MS, 36 * MS, AT_CALL_MANY);

	add_holder(0, 7, END, 40 * MS);
	add_holder(1, 1, 980 * MS, 20 * MS);
	add_soft(model, 2, 0, END, 40 * MS, TRACE_IRQOFF_F_BH_OFF);
	model->counters[3].lost = 4;
	add_holder(3, 4, 100 * MS, 40 * MS);
	return victim;
}

static void by_elimination(void **state)
{
	struct entry *victim = add_answer();

	assert_judged(victim, "0:7");
	/* records that these two CPUs lost do not matter */
	model->counters[0].lost = 7;
	model->counters[1].cleared = 7;
	assert_judged(victim, "0:7");
	/* CPU 0 did not run, so it did not answer either */
	victim->rec.samples[0].at_ns += MS;
	victim->found.waits_for->rec.samples[0].delay_ns = 30 * MS;
	judge();
	assert_int_equal(victim->found.waits_for->found.verdict.class, TIO_CLASS_STOLEN);
	assert_waits_for(victim, "0:7");
}

static void not_eliminated(void **state)
{
	struct entry *victim = add_answer(), *other = add_holder(2, 1, END - MS, 30 * MS);

	assert_judged(victim, "0:7?");
	/* it may have begun in time; it has not ended; it was over; it had not begun */
	other->rec.min_ns = 23 * MS;
	other->rec.max_ns = 25 * MS;
	assert_judged(victim, "0:7?");
	other->rec.open = true;
	assert_judged(victim, "0:7?");
	other->rec.max_ns = 24 * MS - 1;
	other->rec.min_ns = 23 * MS;
	assert_judged(victim, "0:7");
	other->rec.open = false;
	other->rec.end_ns = 960 * MS;
	assert_judged(victim, "0:7");
	/*
	 * a stall may have no record: not watched, not watched then, no longer
	 * watched, not kept
	 */
	strcpy(model->config.watched, "0-2");
	assert_judged(victim, "0:7?");
	strcpy(model->config.watched, "0-3");
	model->config.enabled_ns = END;
	assert_judged(victim, "0:7?");
	model->config.enabled_ns = 0;
	model->config.enabled = false;
	assert_judged(victim, "0:7?");
	model->config.enabled = true;
	model->counters[2].lost = 1;
	other->rec.end_ns = END;
	other->rec.kind = TRACE_IRQOFF_KIND_SOFT;
	assert_judged(victim, "0:7?");
	model->counters[2].lost = 0;
	model->counters[2].cleared = 1;
	assert_judged(victim, "0:7?");
	model->counters[2].cleared = 0;
	assert_judged(victim, "0:7");
	/* not watched yet; not read */
	model->config.behind = copy_text("3");
	assert_judged(victim, "0:7?");
	*model->config.behind = '\0';
	assert_judged(victim, "0:7");
	model_add_busy(model, 2, false, 5);
	assert_judged(victim, "0:7?");
	model->nbusy = 0;
	assert_judged(victim, "0:7");
	/* left out; cut off with a CPU's last ones; not counted */
	model->received.contradictory = 1;
	assert_judged(victim, "0:7?");
	model->received.contradictory = 0;
	model->received.damaged = true;
	model->recorded_ns = 1;
	assert_judged(victim, "0:7?");
	model->received.damaged = false;
	assert_judged(victim, "0:7");
	model->received.no_counters = true;
	assert_judged(victim, "0:7?");
	model->received.no_counters = false;
	assert_judged(victim, "0:7");
	/* it goes on long after the answer must have come */
	victim->rec.end_ns = END + 3 * MS;
	victim->rec.min_ns = 38 * MS;
	assert_judged(victim, "0:7?");
}

/* a CPU with interrupts on answers; stop_machine() waits for more than an answer */
static void not_by_ipi(void **state)
{
	struct entry *victim = add_soft_waiter(1, 0, END, 36 * MS, AT_CALL_MANY);
	struct entry *holder = add_soft(model, 0, 0, END, 40 * MS, TRACE_IRQOFF_F_BH_OFF);

	assert_judged(victim, "");
	set_stack(&victim->rec.samples[0], AT_CPU_STOP + 1, 0ULL);
	assert_judged(victim, "0:0?");
	holder->rec.kind = TRACE_IRQOFF_KIND_HARD;
	assert_judged(victim, "0:0?");
}

/* a chain of links is as certain as its weakest link */
static void chain_of_proved(void **state)
{
	struct entry *victim = add_soft_waiter(1, 0, END, 30 * MS, AT_CALL_MANY);
	struct entry *middle = add_waiter(0, 0, END, 30 * MS, AT_SLOWPATH);
	struct entry *holder = add_soft(model, 2, 0, END, 30 * MS, TRACE_IRQOFF_F_BH_OFF);

	assert_judged(victim, "2:0?");
	assert_waits_for(middle, "2:0?");
	/*
	 * the lock's holder has no record, so the one that the other waits for is not
	 * certainly it
	 */
	holder->rec.min_ns = 10 * MS;
	assert_judged(victim, "0:0");
	assert_waits_for(middle, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_waiters(by_elimination),
		test_waiters(not_eliminated),
		test_waiters(not_by_ipi),
		test_waiters(chain_of_proved),
	};

	return cmocka_run_group_tests_name("victim_proof", tests, NULL, NULL);
}
