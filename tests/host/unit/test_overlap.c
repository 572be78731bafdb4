// SPDX-License-Identifier: GPL-2.0-only
/* Links among stalls that a file may have in any number, all at once. */
#include <time.h>

#include "waiters.h"

#include "judge/victim.h"

#define CPUS	5

static unsigned long long seed;

static __u64 below(__u64 most)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (seed >> 33) % most;
}

/* what tells which stall is waited for, asked of each one */
static int sample_at(const struct entry *entry, __u64 at_ns)
{
	int i = (int)entry->rec.nsamples - 1;

	while (i > 0 && entry->rec.samples[i].at_ns > at_ns)
		i--;
	return i;
}

static __u64 shared_ns(const struct entry *a, const struct entry *b)
{
	__u64 from_ns = entry_start_ns(a) > entry_start_ns(b) ? entry_start_ns(a) :
								entry_start_ns(b);
	__u64 to_ns = a->rec.end_ns < b->rec.end_ns ? a->rec.end_ns : b->rec.end_ns;

	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static const struct entry *holder_one_by_one(const struct entry *entry, enum wait wait)
{
	const struct tio_record *rec = &entry->rec;
	const __u64 slack_ns = rec->period_ns + TIO_BOUNDS_SLACK_NS;
	unsigned int first = entry->found.verdict.sample, last = first;
	const __u64 met_ns = rec->samples[first].at_ns;
	const struct entry *best = NULL;
	bool best_waits = false;
	__u64 to_ns;

	while (last + 1 < rec->nsamples && entry->found.waits[last + 1] == wait)
		last++;
	to_ns = (last + 1 < rec->nsamples ? rec->samples[last + 1].at_ns : rec->end_ns) + slack_ns;
	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *other = model->entries[i];
		int at = sample_at(other, met_ns);
		enum wait waits = at < 0 ? WAIT_NONE : other->found.waits[at];
		bool user = at >= 0 && other->rec.samples[at].flags & TRACE_IRQOFF_F_USER;
		bool is_waiting = waits != WAIT_NONE;

		if (other->rec.open || other->rec.cpu == rec->cpu ||
		    other->rec.end_ns < rec->samples[last].at_ns - slack_ns ||
		    other->rec.end_ns > to_ns || entry_start_ns(other) > met_ns ||
		    other->rec.end_ns < met_ns || shared_ns(entry, other) < rec->min_ns / 2 ||
		    waits == wait || (wait == WAIT_LOCK && user) ||
		    (wait == WAIT_IPI && other->rec.kind != TRACE_IRQOFF_KIND_HARD))
			continue;
		if (best && is_waiting > best_waits)
			continue;
		if (best && is_waiting == best_waits &&
		    shared_ns(entry, other) <= shared_ns(entry, best))
			continue;
		best = other;
		best_waits = is_waiting;
	}
	return best;
}

static bool is_unlocking(const struct entry *entry)
{
	return entry->rec.kind == TRACE_IRQOFF_KIND_HARD && !entry->rec.open &&
	       entry->found.verdict.class == TIO_CLASS_HARDIRQ_OFF && entry->found.unlocks;
}

static bool began_before(const struct entry *other, const struct entry *entry)
{
	return entry_start_ns(other) + entry->rec.max_ns <= entry->rec.end_ns;
}

static const struct entry *by_end_one_by_one(const struct entry *entry)
{
	const __u64 slack_ns = entry->rec.period_ns + TIO_BOUNDS_SLACK_NS;
	const struct entry *best = NULL;

	if (!is_unlocking(entry) || entry->found.verdict.evidence != TIO_EVIDENCE_END)
		return NULL;
	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *other = model->entries[i];

		if (is_unlocking(other) && other->rec.cpu != entry->rec.cpu &&
		    other->rec.end_ns >= entry->rec.end_ns - slack_ns &&
		    other->rec.end_ns <= entry->rec.end_ns + slack_ns &&
		    began_before(other, entry) && (!best || began_before(other, best)))
			best = other;
	}
	return best;
}

static void set_waiting(struct tio_sample *sample)
{
	static const __u64 in[] = {
		AT_SLOWPATH, AT_CALL_MANY, AT_CPU_STOP, AT_MEMORY_STAT, AT_MEMORY_STAT
	};

	set_stack(sample, in[below(ARRAY_SIZE(in))] + 0x11, AT_MEMORY_STAT + 0x40,
		  AT_SYSCALL + 0x5d, 0ULL);
	if (!below(6))
		sample->flags |= TRACE_IRQOFF_F_USER;
}

/* of few moments, so that many are the same */
static void add_any(unsigned int number)
{
	const __u64 end_ns = END + below(40) * MS / 8, min_ns = (1 + below(30)) * MS / 2;
	const __u32 cpu = below(CPUS);
	struct entry *entry;

	switch (below(4)) {
	case 0:
		entry = add_hard(model, cpu, number, end_ns, min_ns);
		set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x80,
			  AT_SYSCALL + 0x5d, 0ULL);
		entry->rec.max_ns = min_ns + below(3) * MS;
		return;
	case 1:
		entry = add_soft_waiter(cpu, number, end_ns, min_ns, AT_SLOWPATH);
		break;
	default:
		entry = add_holder(cpu, number, end_ns, min_ns);
		break;
	}
	set_waiting(&entry->rec.samples[0]);
	for (unsigned int i = below(3); i; i--) {
		look_again(entry, end_ns - below(2 * min_ns + 1) / 2, AT_SLOWPATH);
		set_waiting(&entry->rec.samples[entry->rec.nsamples - 1]);
	}
	entry->rec.open = !below(20);
}

static size_t count_holders(void)
{
	size_t holders = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i], *wanted = NULL;
		enum wait wait = entry->found.waits_by_end ? WAIT_NONE : victim_wait(entry);

		if (wait != WAIT_NONE)
			wanted = holder_one_by_one(entry, wait);
		if (!wanted)
			wanted = by_end_one_by_one(entry);
		if (entry->found.holder != wanted)
			fail_msg("seed %llu, record %u:%llu", seed, entry->rec.cpu,
				 entry->rec.seq);
		holders += !!wanted;
	}
	return holders;
}

/* the same as by looking at each stall for each */
static void as_one_by_one(void **state)
{
	size_t holders = 0;

	for (unsigned int round = 0; round < 300; round++) {
		model_forget_entries(model);
		seed = round;
		for (unsigned int i = 2 + below(60); i; i--)
			add_any(i);
		judge();
		holders += count_holders();
	}
	assert_true(holders > 1000);
}

/* how long linking takes, by the time of a CPU */
static double seconds(void)
{
	clock_t from = clock();

	victim_link(model);
	return (double)(clock() - from) / CLOCKS_PER_SEC;
}

/* stalls that all overlap: of five CPUs four wait for a lock */
static double piled(unsigned int count)
{
	model_forget_entries(model);
	for (unsigned int i = 0; i < count; i++)
		if (i % CPUS)
			add_waiter(i % CPUS, i, END + i, 30 * MS, AT_SLOWPATH);
		else
			add_holder(0, i, END + i, 30 * MS);
	judge();
	assert_non_null(model->entries[count - 1]->found.holder);
	return seconds();
}

/* they all end in the release of a lock, and each began before those that ended before it */
static double piled_by_ends(unsigned int count)
{
	model_forget_entries(model);
	for (unsigned int i = 0; i < count; i++) {
		struct entry *entry = add_hard(model, i % CPUS, i, END + i, 30 * MS + 2 * i);

		set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x80, 0ULL);
		entry->rec.max_ns = entry->rec.min_ns;
	}
	judge();
	assert_non_null(model->entries[0]->found.holder);
	return seconds();
}

/* eight times as many take some ten times as long; looking at each for each takes 64 times */
static void assert_grows(double (*link)(unsigned int count))
{
	double few = link(2000), many = link(16000);

	if (many > 25 * few + 0.1)
		fail_msg("2000 take %.3f s, 16000 take %.3f s", few, many);
}

static void many_at_once(void **state)
{
	assert_grows(piled);
}

static void many_by_their_ends(void **state)
{
	assert_grows(piled_by_ends);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_waiters(as_one_by_one),
		test_waiters(many_at_once),
		test_waiters(many_by_their_ends),
	};

	return cmocka_run_group_tests_name("overlap", tests, NULL, NULL);
}
