// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sample of a stall in which ksoftirqd waits meets whoever has the CPU. Tasks of one name and
 * cgroup are one: a process may have thousands of threads, each of which runs for a moment.
 */
#include <string.h>

#include "capture/strip.h"
#include "judge/had_cpu.h"
#include "names/stack_functions.h"

#define KSOFTIRQD	"ksoftirqd/"

/* whom a sample met */
enum whom {
	WHOM_TASK,
	WHOM_KTHREAD,
	WHOM_NOBODY,		/* none that could have let ksoftirqd run */
	WHOM_OTHERS,		/* an interrupt or a softirq: the task beneath it did not run */
};

static bool is_stripped(const struct tio_sample *sample)
{
	return !strcmp(sample->comm, STRIPPED_COMM);
}

/* any task may have its name, but not its stack */
static bool is_ksoftirqd(const struct tio_sample *sample, const struct trace *trace)
{
	if (strncmp(sample->comm, KSOFTIRQD, strlen(KSOFTIRQD)) && !is_stripped(sample))
		return false;
	for (int i = 0; i < trace->nsteps; i++) {
		const struct function *function = trace->steps[i].function;

		if (function->core && !strcmp(function->name, "smpboot_thread_fn"))
			return true;
	}
	return false;
}

static enum whom whom(const struct symbols *symbols, const struct entry *entry,
		      const struct tio_sample *sample)
{
	struct trace trace;

	if (sample->flags & (TRACE_IRQOFF_F_HARDIRQ | TRACE_IRQOFF_F_SERVING_SOFTIRQ))
		return WHOM_OTHERS;
	if (sample->flags & (TRACE_IRQOFF_F_IDLE | TRACE_IRQOFF_F_IDLE_LOOP) || !*sample->comm)
		return WHOM_NOBODY;
	if (sample->flags & TRACE_IRQOFF_F_USER)
		return WHOM_TASK;
	trace_of(&trace, symbols, entry, sample);
	if (!trace.nsteps || is_ksoftirqd(sample, &trace))
		return WHOM_NOBODY;
	for (int i = 0; i < trace.nsteps; i++)
		if (trace.steps[i].function->kthread)
			return WHOM_KTHREAD;
	return WHOM_TASK;
}

/**
 * had_cpu_name() - the name under which a task is counted
 * @comm: the result; "" where it is not known
 * @sample: met the task
 * @kthread: it is a thread of the kernel: "kworker/0:1" and "kworker/1:0" are one kind
 */
void had_cpu_name(char comm[TIO_COMM_LEN], const struct tio_sample *sample, bool kthread)
{
	memset(comm, 0, TIO_COMM_LEN);
	if (!is_stripped(sample))
		memcpy(comm, sample->comm, TIO_COMM_LEN - 1);
	if (kthread)
		comm[strcspn(comm, "/")] = '\0';
}

/* cgroups are looked up once records are judged */
static bool same_cgroup(const struct tio_sample *a, const struct tio_sample *b)
{
	return a->cgroup_id == b->cgroup_id &&
	       !((a->flags ^ b->flags) & TRACE_IRQOFF_F_CGROUP_V1);
}

/* those of the sample's name and cgroup */
static struct met *met_of(struct had_cpu *had, const struct tio_sample *sample, bool kthread)
{
	char comm[TIO_COMM_LEN];
	struct met *met;

	had_cpu_name(comm, sample, kthread);
	for (unsigned int i = 0; i < had->count; i++) {
		met = &had->all[i];
		if (met->kthread == kthread && !strcmp(met->comm, comm) &&
		    same_cgroup(met->sample, sample))
			return met;
	}
	met = &had->all[had->count++];
	*met = (struct met){
		.sample = sample,
		.kthread = kthread,
		.policy = sample->policy,
		.prio = sample->prio,
	};
	memcpy(met->comm, comm, sizeof(comm));
	return met;
}

/* did an earlier one of these samples meet the same task? */
static bool met_before(const struct met *met, const struct tio_record *rec, unsigned int i)
{
	for (unsigned int k = 0; k < i; k++)
		if (met->samples & 1U << k && rec->samples[k].pid == rec->samples[i].pid)
			return true;
	return false;
}

static void add(struct met *met, const struct tio_record *rec, unsigned int i)
{
	const struct tio_sample *sample = &rec->samples[i];
	__u64 ns = tio_sample_share(rec, i);

	met->tasks += !met_before(met, rec, i);
	if (ns > tio_sample_share(rec, met->sample - rec->samples))
		met->sample = sample;
	if (sample->flags & TRACE_IRQOFF_F_USER)
		met->user = true;
	else
		met->kernel = true;
	if (sample->policy != met->policy || sample->prio != met->prio) {
		met->policy = 0;
		met->prio = 0;
	}
	met->samples |= 1U << i;
	met->count++;
	met->ns += ns;
}

/* by time; among equals those that were met first */
static void sort(struct had_cpu *had)
{
	for (unsigned int i = 1; i < had->count; i++) {
		struct met met = had->all[i];
		unsigned int k = i;

		for (; k && had->all[k - 1].ns < met.ns; k--)
			had->all[k] = had->all[k - 1];
		had->all[k] = met;
	}
}

/**
 * had_cpu_find() - whom the samples of a stall met
 * @had: the result
 * @symbols: names
 * @entry: a record in which ksoftirqd waited; not packed
 */
void had_cpu_find(struct had_cpu *had, const struct symbols *symbols, const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;

	*had = (struct had_cpu){ 0 };
	for (unsigned int i = 0; i < rec->nsamples; i++) {
		const struct tio_sample *sample = &rec->samples[i];
		enum whom who = whom(symbols, entry, sample);
		__u64 ns = tio_sample_share(rec, i);

		had->ns += ns;
		if (who == WHOM_NOBODY)
			had->nobody_ns += ns;
		else if (who != WHOM_OTHERS)
			add(met_of(had, sample, who == WHOM_KTHREAD), rec, i);
	}
	sort(had);
}

/**
 * had_cpu_most() - the tasks that are to blame
 * @had: from had_cpu_find()
 *
 * Return: those with the most time; NULL where there are none, and where nobody, the idle task
 * or ksoftirqd had the CPU for longer.
 */
const struct met *had_cpu_most(const struct had_cpu *had)
{
	const struct met *most = &had->all[0];

	return had->count && most->ns >= had->nobody_ns ? most : NULL;
}
