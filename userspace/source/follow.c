// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record is handed on some 40 ms after its stall ended, not at once. The module tells it
 * a tick later how much a hypervisor took, which decides its class. And who waited for
 * whom, or stalled together with whom, shows only when the other CPUs' records are there as
 * well. So a record waits until it is settled, and is read again then, together with those
 * that ended not long before.
 */
#include <stdlib.h>

#include "base/say.h"
#include "base/units.h"
#include "source/follow.h"

/* beats that may pass until the module takes the slow path, which tells records of steal */
#define SLOW_BEATS	64

/* how long after its end nothing is added to what a record says */
static __u64 settle_ns(const struct tio_record *rec)
{
	__u64 slow_ns = SLOW_BEATS * rec->period_ns, ns;

	if (slow_ns > rec->threshold_ns / 2)
		slow_ns = rec->threshold_ns / 2;
	ns = FOLLOW_SETTLE_NS + slow_ns + rec->period_ns;
	return ns < FOLLOW_SETTLE_MOST_NS ? ns : FOLLOW_SETTLE_MOST_NS;
}

static __u64 earlier(__u64 a, __u64 b)
{
	return a < b ? a : b;
}

static __u64 later(__u64 a, __u64 b)
{
	return a > b ? a : b;
}

static struct followed *find_cpu(struct follow *follow, __u32 cpu)
{
	for (size_t i = 0; i < follow->ncpus; i++)
		if (follow->cpus[i].cpu == cpu)
			return &follow->cpus[i];
	follow->cpus = grow(follow->cpus, follow->ncpus, sizeof(*follow->cpus));
	follow->cpus[follow->ncpus] = (struct followed){ .cpu = cpu };
	return &follow->cpus[follow->ncpus++];
}

static void due_by(struct follow *follow, __u64 at_ns)
{
	if (at_ns < follow->due_ns)
		follow->due_ns = at_ns;
}

/* @model has the settings; is it another load of the module than before? */
static bool other_instance(const struct follow *follow, const struct model *model)
{
	return !follow->begun || model->config.instance != follow->instance;
}

/* where the records of a CPU begin that has made @produced */
static void begin_cpu(struct follow *follow, __u32 number, __u64 produced)
{
	bool resumed = follow->resume.instance && follow->resume.instance == follow->instance;
	struct followed *cpu = find_cpu(follow, number);

	/* a CPU that nobody had watched then had no record */
	if (resumed)
		produced = earlier(produced, resume_seq(&follow->resume, number));
	cpu->lost_from = produced;
	cpu->next = follow->old && !resumed ? 0 : produced;
	cpu->from = cpu->next;
	cpu->produced = cpu->next;
}

/*
 * A follower's first instance begins now, with what is there or where somebody else ended;
 * each later one whole.
 */
static int begin_instance(struct follow *follow, struct model *model)
{
	bool first = !follow->begun;
	int ret;

	follow->ncpus = 0;
	follow->nopen = 0;
	follow->instance = model->config.instance;
	if (first) {
		ret = follow->source.counters(follow->source.context, model);
		if (ret)
			return ret;
		for (size_t i = 0; i < model->ncounters; i++)
			begin_cpu(follow, model->counters[i].cpu, model->counters[i].produced);
	}
	follow->begun = true;
	follow->generation = model->config.generation;
	if (first)
		observers_settings(&follow->observers, &model->config);
	else
		observers_instance(&follow->observers, &model->config);
	return EXIT_DONE;
}

/* reads settings, and tells the observers where they are others */
static int look_at_config(struct follow *follow, struct model *model)
{
	int ret = follow->source.config(follow->source.context, model);

	if (ret)
		return ret;
	follow->enabled = model->config.enabled;
	if (other_instance(follow, model))
		return begin_instance(follow, model);
	if (model->config.generation == follow->generation)
		return EXIT_DONE;
	follow->generation = model->config.generation;
	observers_settings(&follow->observers, &model->config);
	return EXIT_DONE;
}

/**
 * follow_begin() - begin, or go on with a module that was loaded again
 * @follow: source, observers, and what is wanted are set
 * @now_ns: the monotonic clock
 *
 * Whoever wakes the follower listens already, so that nothing falls in between.
 *
 * Return: an exit status, or FOLLOW_GONE.
 */
int follow_begin(struct follow *follow, __u64 now_ns)
{
	struct model model = { 0 };
	int ret;

	follow->due_ns = FOLLOW_NEVER;
	ret = look_at_config(follow, &model);
	model_free(&model);
	/* to what came meanwhile, and what was there before the first wake-up */
	if (!ret)
		follow_missed(follow, now_ns);
	return ret;
}

/**
 * follow_wake() - the module says that there is something new
 * @follow: the follower
 * @wake: what it says
 * @now_ns: the monotonic clock
 */
void follow_wake(struct follow *follow, const struct wake *wake, __u64 now_ns)
{
	if (wake->instance != follow->instance || wake->generation != follow->generation)
		due_by(follow, now_ns);
	for (size_t i = 0; i < wake->nnews; i++) {
		const struct news *news = &wake->news[i];

		if (news->produced > find_cpu(follow, news->cpu)->next)
			due_by(follow, later(now_ns + FOLLOW_SETTLE_NS,
					     follow->looked_ns + follow->pace_ns));
		if (news->open && follow->want_open)
			due_by(follow, now_ns + follow->open_ns);
	}
}

/**
 * follow_missed() - wake-ups may have been lost, so look after everything
 * @follow: the follower
 * @now_ns: the monotonic clock
 */
void follow_missed(struct follow *follow, __u64 now_ns)
{
	due_by(follow, now_ns);
}

static void count_lost(struct follow *follow, const struct followed *cpu, __u64 seq)
{
	__u64 from = cpu->next > cpu->lost_from ? cpu->next : cpu->lost_from;

	if (seq <= from)
		return;
	follow->lost += seq - from;
	observers_lost(&follow->observers, cpu->cpu, seq - from);
}

/* how one look at the records goes on */
struct look {
	__u64 now_ns;		/* the module's clock */
	bool last;		/* nothing waits any longer */
	__u64 wait_ns;		/* until the next record is settled; FOLLOW_NEVER */
	__u64 open_ns;		/* until the next open stall is long enough; FOLLOW_NEVER */
	size_t handed;		/* records and open stalls that are handed on */
	__u64 most;		/* records that a CPU had since the look before */
};

/*
 * A CPU's records come in the order of their numbers, which is that of their ends. One that
 * is not settled holds up the CPU's later ones.
 */
static void take_ended(struct follow *follow, struct look *look, struct entry *entry,
		       struct followed *cpu, bool *held)
{
	const struct tio_record *rec = &entry->rec;
	__u64 settled_ns = rec->end_ns + settle_ns(rec);

	entry->view.context = true;
	if (rec->seq < cpu->next)
		return;
	if (!look->last && settled_ns > look->now_ns) {
		if (!*held)
			look->wait_ns = earlier(look->wait_ns, settled_ns - look->now_ns);
		*held = true;
	}
	if (*held)
		return;
	count_lost(follow, cpu, rec->seq);
	cpu->next = rec->seq + 1;
	entry->view.context = false;
	follow->seen++;
	look->handed++;
}

/* records for links alone are read again for as long as a younger one may need them */
static void keep_context(struct followed *cpu, const struct tio_record *rec, __u64 now_ns)
{
	if (rec->seq < cpu->from && rec->end_ns + 2 * settle_ns(rec) > now_ns)
		cpu->from = rec->seq;
}

static bool was_handed_on(const struct follow *follow, const struct followed_open *stall)
{
	for (size_t i = 0; i < follow->nopen; i++) {
		const struct followed_open *other = &follow->open[i];

		if (other->cpu == stall->cpu && other->kind == stall->kind &&
		    other->start_ns == stall->start_ns)
			return true;
	}
	return false;
}

/* those that are open now take the place of those that were */
static void take_open(struct follow *follow, struct look *look, struct model *model)
{
	struct followed_open *now_open = NULL;
	size_t count = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];
		const struct followed_open stall = {
			.cpu = entry->rec.cpu,
			.kind = entry->rec.kind,
			.start_ns = entry->rec.end_ns - entry->rec.min_ns,
		};

		if (!entry->rec.open)
			continue;
		if (follow->want_open && entry->rec.min_ns < follow->open_ns) {
			entry->view.context = true;
			look->open_ns = earlier(look->open_ns,
						follow->open_ns - entry->rec.min_ns);
			continue;
		}
		entry->view.context = !follow->want_open || was_handed_on(follow, &stall);
		look->handed += !entry->view.context;
		now_open = grow(now_open, count, sizeof(*now_open));
		now_open[count++] = stall;
	}
	free(follow->open);
	follow->open = now_open;
	follow->nopen = count;
}

static void take_records(struct follow *follow, struct look *look, struct model *model)
{
	struct followed *cpu = NULL;
	bool held = false;
	__u64 before = 0;

	for (size_t i = 0; i < follow->ncpus; i++)
		follow->cpus[i].from = FOLLOW_NEVER;
	for (size_t i = 0; i < model->nentries; i++) {
		struct entry *entry = model->entries[i];

		if (entry->rec.open)
			continue;
		if (!cpu || cpu->cpu != entry->rec.cpu) {
			cpu = find_cpu(follow, entry->rec.cpu);
			before = cpu->produced;
			held = false;
		}
		take_ended(follow, look, entry, cpu, &held);
		keep_context(cpu, &entry->rec, look->now_ns);
		if (entry->rec.seq < cpu->produced)
			continue;
		look->most = later(look->most, entry->rec.seq + 1 - before);
		cpu->produced = entry->rec.seq + 1;
	}
	for (size_t i = 0; i < follow->ncpus; i++)
		if (follow->cpus[i].from > follow->cpus[i].next)
			follow->cpus[i].from = follow->cpus[i].next;
	take_open(follow, look, model);
	/* a CPU is in the midst of writing */
	if (model->nbusy)
		look->wait_ns = earlier(look->wait_ns, FOLLOW_SETTLE_NS);
}

static int ask_records(struct follow *follow, struct model *model)
{
	struct cursor *cursors = alloc(follow->ncpus, sizeof(*cursors));
	int ret;

	for (size_t i = 0; i < follow->ncpus; i++)
		cursors[i] = (struct cursor){ .cpu = follow->cpus[i].cpu,
					      .seq = follow->cpus[i].from };
	ret = follow->source.records(follow->source.context, cursors, follow->ncpus, model);
	free(cursors);
	return ret;
}

static int read_once(struct follow *follow, struct look *look, struct model *model)
{
	int ret;

	observers_before(&follow->observers);
	ret = look_at_config(follow, model);
	if (!ret)
		ret = ask_records(follow, model);
	if (ret)
		return ret;
	look->now_ns = model->config.now_ns;
	take_records(follow, look, model);
	return look->handed ? observers_records(&follow->observers, model) : EXIT_DONE;
}

/* a CPU has so many new records at each look: it is a flood */
#define FLOOD		4

/*
 * How long records may wait after this look. Each look reads those of the last 60 ms again,
 * so in a flood looks are as far apart as a CPU takes for an eighth of its ring. Of a full
 * ring a quarter is there for the newest records, whatever else it keeps.
 */
static __u64 pace(const struct follow *follow, const struct look *look, __u64 now_ns,
		  __u32 ring_records)
{
	/* after a pause the first look came soon after the first record */
	__u64 in_ns = earlier(now_ns - follow->looked_ns,
			      later(follow->pace_ns, FOLLOW_SETTLE_NS));

	if (look->most < FLOOD)
		return FOLLOW_SETTLE_NS;
	return later(earlier(in_ns * ring_records / 8 / look->most, FOLLOW_FLOOD_NS),
		     FOLLOW_SETTLE_NS);
}

/**
 * follow_read() - read what is new, and hand on what is settled
 * @follow: the follower
 * @now_ns: the monotonic clock
 * @last: there is no other time, so hand on everything
 *
 * It sets when it is to be called again.
 *
 * Return: an exit status, an observer's if that has one; or FOLLOW_GONE.
 */
int follow_read(struct follow *follow, __u64 now_ns, bool last)
{
	struct look look = { .wait_ns = FOLLOW_NEVER, .open_ns = FOLLOW_NEVER, .last = last };
	struct model model = { 0 };
	int ret;

	follow->due_ns = FOLLOW_NEVER;
	ret = read_once(follow, &look, &model);
	follow->pace_ns = pace(follow, &look, now_ns, model.config.ring_records);
	follow->looked_ns = now_ns;
	if (look.wait_ns != FOLLOW_NEVER)
		due_by(follow, now_ns + later(look.wait_ns, follow->pace_ns));
	if (look.open_ns != FOLLOW_NEVER)
		due_by(follow, now_ns + later(look.open_ns, FOLLOW_SETTLE_NS));
	model_free(&model);
	return ret;
}

/**
 * follow_reached() - how far records were handed on
 * @follow: the follower
 * @resume: its cursors are raised to that
 */
void follow_reached(const struct follow *follow, struct resume *resume)
{
	resume->instance = follow->instance;
	for (size_t i = 0; i < follow->ncpus; i++)
		resume_raise(resume, follow->cpus[i].cpu, follow->cpus[i].next);
}

void follow_free(struct follow *follow)
{
	free(follow->cpus);
	free(follow->open);
}
