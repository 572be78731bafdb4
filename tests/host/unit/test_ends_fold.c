// SPDX-License-Identifier: GPL-2.0-only
/* Which handlers that were seen only at their end are counted with those that were sampled. */
#include "fixture.h"

#include "group/summary.h"

static struct model model;

static int end(void **state)
{
	(void)state;
	model_free(&model);
	model = (struct model){ 0 };
	return 0;
}

static void judge(struct entry *entry, enum tio_evidence evidence, const char *culprit)
{
	bool sampled = evidence == TIO_EVIDENCE_SAMPLE;
	struct tio_sample *sample = sampled ? &entry->rec.samples[0] : &entry->rec.end;

	sample->irq = (struct tio_irq){ .number = TIO_NO_IRQ, .name = "local_timer" };
	entry->found.verdict = (struct tio_verdict){
		.class = TIO_CLASS_HARDIRQ_LONG,
		.evidence = evidence,
		.sample = sampled ? 0 : TIO_END,
	};
	entry->found.culprit_by = sampled ? CULPRIT_BY_DISPATCH : CULPRIT_BY_INTERRUPT;
	entry->found.culprit = copy_text(culprit);
}

static struct entry *add_sampled(__u64 at_ms, const char *culprit)
{
	struct entry *entry = add_asked(&model, 1, model.nentries, at_ms * MS, 20 * MS,
					TRACE_IRQOFF_F_HARDIRQ);

	judge(entry, TIO_EVIDENCE_SAMPLE, culprit);
	return entry;
}

static struct entry *add_end(__u64 at_ms)
{
	struct entry *entry = add_hard(&model, 1, model.nentries, at_ms * MS, 20 * MS);

	judge(entry, TIO_EVIDENCE_END, "(interrupt local_timer)");
	return entry;
}

/* of a timer that comes every 100 ms: ten that were sampled, and three that were not */
static void add_series(void)
{
	static const unsigned int sampled[] = { 0, 1, 2, 4, 5, 7, 8, 9, 11, 12 };
	static const unsigned int ends[] = { 3, 6, 10 };

	end(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(sampled); i++)
		add_sampled(1000 + 100 * sampled[i], "sched_cfs_period_timer");
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		add_end(1000 + 100 * ends[i]);
}

static void assert_folded(size_t rows, __u64 folded, __u64 count)
{
	struct summary summary;

	summary_build(&summary, &model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, rows);
	assert_string_equal(summary.groups[0].best->found.culprit, "sched_cfs_period_timer");
	assert_int_equal(summary.groups[0].folded, folded);
	assert_int_equal(summary.groups[0].count, count);
	summary_free(&summary);
}

static void at_the_same_times(void **state)
{
	struct regularity regularity;
	struct summary summary;
	struct group *group;

	(void)state;
	add_series();
	assert_folded(1, 3, 13);
	summary_build(&summary, &model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	group = &summary.groups[0];
	assert_int_equal(group->sampled, 10);
	assert_int_equal(group->total_ns, 13 * 20 * MS);
	assert_int_equal(cost_sum(&group->cost).max_ns, 13 * 21 * MS);
	assert_int_equal(group->seen.count, 13);
	assert_string_equal(summary_evidence_name(group), "both");
	summary_regularity(group, &regularity);
	assert_int_equal(regularity.of, 13);
	assert_int_equal(regularity.agree, 13);
	summary_free(&summary);
}

/* whatever may make it another timer's: nothing is folded */
static void may_be_another(void **state)
{
	(void)state;
	/* its time */
	add_series();
	add_end(1430);
	assert_folded(2, 0, 10);
	/* its length */
	add_series();
	add_end(2300)->rec.min_ns = 21 * MS;
	assert_folded(2, 0, 10);
	/* its CPU */
	add_series();
	add_end(2300)->rec.cpu = 0;
	assert_folded(2, 0, 10);
	/* its interrupt */
	add_series();
	strcpy(add_end(2300)->rec.end.irq.name, "irq_work");
	assert_folded(2, 0, 10);
	/* it was very many handlers */
	add_series();
	add_end(2300)->found.verdict.storm = true;
	assert_folded(2, 0, 10);
}

/* a sample that met another function in the same interrupt, wherever */
static void another_was_sampled(void **state)
{
	struct entry *entry;

	(void)state;
	add_series();
	entry = add_sampled(2350, "tick_sched_timer");
	assert_folded(3, 0, 10);
	strcpy(entry->rec.samples[0].irq.name, "irq_work");
	assert_folded(2, 3, 13);
	/* it is not known in which interrupt */
	*entry->rec.samples[0].irq.name = '\0';
	assert_folded(3, 0, 10);
}

/* four do not tell a period */
static void too_few(void **state)
{
	(void)state;
	end(NULL);
	for (unsigned int i = 0; i < 4; i++)
		add_sampled(1000 + 100 * i, "sched_cfs_period_timer");
	add_end(1400);
	assert_folded(2, 0, 4);
	add_sampled(1500, "sched_cfs_period_timer");
	add_sampled(1600, "sched_cfs_period_timer");
	add_sampled(1700, "sched_cfs_period_timer");
	assert_folded(1, 1, 8);
}

/* times of other nodes say nothing, and other keys are asked for to tell these apart */
static void other_nodes_and_keys(void **state)
{
	struct summary summary;

	(void)state;
	add_series();
	summary_begin(&summary, SUMMARY_BY_DEFAULT);
	for (unsigned int node = 0; node < 2; node++)
		summary_add(&summary, &model, node);
	summary_end(&summary, SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, 2);
	summary_free(&summary);
	summary_build(&summary, &model, 1U << SUMMARY_CULPRIT, SUMMARY_TOTAL);
	assert_int_equal(summary.ngroups, 2);
	summary_free(&summary);
}

#define test(name)	cmocka_unit_test_teardown(name, end)

/* a stall of do_exit() with a rwlock, which it waited for or had */
static struct entry *add_rwlock(__u64 at_ms, __u64 min_ms, enum tio_evidence evidence,
				const char *lock)
{
	struct entry *entry = add_asked(&model, 1, model.nentries, at_ms * MS, min_ms * MS, 0);

	judge(entry, evidence, "do_exit");
	entry->found.verdict.class = TIO_CLASS_HARDIRQ_OFF;
	entry->found.rwlock = TRACE_IRQOFF_LOCK_WRITE;
	if (!lock)
		return entry;
	entry->found.waiter = entry->found.culprit;
	entry->found.culprit = NULL;
	entry->found.lock = copy_text(lock);
	return entry;
}

#define WAIT	"(waits for tasklist_lock, write)"

/* two waits that were sampled, and two ends */
static struct entry *add_waits(void)
{
	end(NULL);
	add_rwlock(1000, 20, TIO_EVIDENCE_SAMPLE, WAIT);
	add_rwlock(1100, 16, TIO_EVIDENCE_SAMPLE, WAIT);
	add_rwlock(1200, 12, TIO_EVIDENCE_END, NULL);
	return add_rwlock(1300, 25, TIO_EVIDENCE_END, NULL);
}

static void assert_waits(size_t rows, __u64 folded)
{
	struct summary summary;

	summary_build(&summary, &model, SUMMARY_BY_DEFAULT, SUMMARY_COUNT);
	assert_int_equal(summary.ngroups, rows);
	for (size_t i = 0; i < rows; i++) {
		const struct group *group = &summary.groups[i];

		if (!group->best->found.lock || strcmp(group->best->found.lock, WAIT))
			continue;
		assert_int_equal(group->folded, folded);
		assert_int_equal(group->count, 2 + folded);
		assert_int_equal(group->sampled, 2);
		assert_int_equal(group->waiters->all[0].stalls, 2 + folded);
	}
	summary_free(&summary);
}

static void releases_of_a_lock(void **state)
{
	struct entry *last = add_waits();

	(void)state;
	assert_waits(1, 2);
	/* it may have had the lock itself for so long */
	last->rec.min_ns++;
	assert_waits(2, 0);
	/* it had another lock, or that one another way */
	add_waits()->found.rwlock = TRACE_IRQOFF_LOCK_NONE;
	assert_waits(2, 0);
	last = add_waits();
	last->found.rwlock = TRACE_IRQOFF_LOCK_READ;
	model.entries[2]->found.rwlock = TRACE_IRQOFF_LOCK_READ;
	assert_waits(2, 0);
	/* a caller may be the one */
	last = add_waits();
	last->found.or_caller = true;
	model.entries[2]->found.or_caller = true;
	assert_waits(2, 0);
	/* who waits is another function */
	add_waits();
	for (size_t i = 0; i < 2; i++)
		strcpy(model.entries[i]->found.waiter, "do_fork");
	assert_waits(2, 0);
}

static void of_one_lock(void **state)
{
	struct entry *held;

	(void)state;
	/* a sample met it having one */
	add_waits();
	held = add_rwlock(1400, 20, TIO_EVIDENCE_SAMPLE, NULL);
	held->found.verdict.class = TIO_CLASS_SOFTIRQ_OFF;
	assert_waits(3, 0);
	/* it waits for two */
	add_waits();
	add_rwlock(1400, 30, TIO_EVIDENCE_SAMPLE, "(waits for css_set_lock, write)");
	assert_waits(3, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(at_the_same_times),
		test(releases_of_a_lock),
		test(of_one_lock),
		test(may_be_another),
		test(another_was_sampled),
		test(too_few),
		test(other_nodes_and_keys),
	};

	return cmocka_run_group_tests_name("ends_fold", tests, NULL, NULL);
}
