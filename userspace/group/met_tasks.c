// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "group/met_tasks.h"

static void add_task(struct met_tasks *tasks, __u64 id)
{
	size_t at = lower_bound(0, tasks->count, i, tasks->all[i] < id);

	if (at < tasks->count && tasks->all[at] == id)
		return;
	if (tasks->count == MET_TASKS_MOST) {
		tasks->more = true;
		return;
	}
	tasks->all = grow(tasks->all, tasks->count, sizeof(*tasks->all));
	memmove(&tasks->all[at + 1], &tasks->all[at],
		(tasks->count - at) * sizeof(*tasks->all));
	tasks->all[at] = id;
	tasks->count++;
}

/* of the record's own time, the part that the samples speak for which met its culprit */
static __u64 part_of(const struct entry *entry)
{
	__u64 met_ns = 0, all_ns = 0;

	for (unsigned int i = 0; i < entry->rec.nsamples; i++) {
		__u64 ns = tio_sample_share(&entry->rec, i);

		all_ns += ns;
		if (entry->found.met & 1U << i)
			met_ns += ns;
	}
	if (!all_ns || met_ns == all_ns)
		return entry_own_ns(entry);
	return (double)met_ns / all_ns * entry_own_ns(entry);
}

/* is "a;" one of "b;a;"? */
static bool has_function(const char *list, const char *function, size_t len)
{
	for (; list && *list; list = strchr(list, ';') + 1)
		if (!strncmp(list, function, len))
			return true;
	return false;
}

/* of the functions of all samples so far, those that these samples were taken in, too */
static void keep_functions(struct met_tasks *tasks, const char *met_in)
{
	char *kept = tasks->met_in;

	if (!tasks->samples) {
		tasks->met_in = copy_text(met_in ?: "");
		return;
	}
	for (char *at = tasks->met_in; *at;) {
		size_t len = strchr(at, ';') + 1 - at;

		if (has_function(met_in, at, len)) {
			memmove(kept, at, len);
			kept += len;
		}
		at += len;
	}
	*kept = '\0';
}

/**
 * met_tasks_add() - add the tasks that a record blames
 * @all: those of its group; NULL: none so far
 * @packed: the record; nothing is added where it blames no task
 * @place: its node: pids are those of a node
 */
void met_tasks_add(struct met_tasks **all, struct entry *packed, unsigned int place)
{
	struct entry room, *entry;
	struct met_tasks *tasks;

	if (!packed->found.met || !packed->found.culprit)
		return;
	if (!*all)
		*all = alloc(1, sizeof(**all));
	tasks = *all;
	entry = entry_open(&room, packed);
	keep_functions(tasks, entry->found.met_in);
	for (unsigned int i = 0; i < entry->rec.nsamples; i++) {
		const struct tio_sample *sample = &entry->rec.samples[i];

		if (!(entry->found.met & 1U << i))
			continue;
		add_task(tasks, (__u64)place << 32 | sample->pid);
		if (!tasks->samples) {
			tasks->policy = sample->policy;
			tasks->prio = sample->prio;
		} else if (sample->policy != tasks->policy || sample->prio != tasks->prio) {
			tasks->policy = 0;
			tasks->prio = 0;
		}
		tasks->samples++;
		if (sample->flags & TRACE_IRQOFF_F_USER)
			tasks->user = true;
		else
			tasks->kernel = true;
	}
	tasks->ns += part_of(entry);
}

/**
 * met_tasks_of() - the tasks of a group in the form of those of a record
 * @met: the result
 * @tasks: those of the group; NULL: none
 * @best: the record that stands for it
 *
 * Return: false where the group blames no task.
 */
bool met_tasks_of(struct met *met, const struct met_tasks *tasks, const struct entry *best)
{
	if (!tasks)
		return false;
	*met = (struct met){
		.sample = entry_naming_sample(best),
		.kthread = best->found.runs_for == RUNS_FOR_KTHREAD,
		.user = tasks->user,
		.kernel = tasks->kernel,
		.more = tasks->more,
		.policy = tasks->policy,
		.prio = tasks->prio,
		.tasks = tasks->count,
		.count = tasks->samples,
		.ns = tasks->ns,
	};
	had_cpu_name(met->comm, met->sample, met->kthread);
	return true;
}

/**
 * met_tasks_in() - the function that all samples of a group were taken in
 * @tasks: those of the group; NULL: none
 *
 * Return: the innermost one, to be freed; NULL where there is none.
 */
char *met_tasks_in(const struct met_tasks *tasks)
{
	if (!tasks || !*tasks->met_in)
		return NULL;
	return print_text("%.*s", (int)strcspn(tasks->met_in, ";"), tasks->met_in);
}

void met_tasks_free(struct met_tasks *tasks)
{
	if (!tasks)
		return;
	free(tasks->met_in);
	free(tasks->all);
	free(tasks);
}
