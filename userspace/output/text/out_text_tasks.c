// SPDX-License-Identifier: GPL-2.0-only
/* The tasks that had the CPU while ksoftirqd waited. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/policy.h"
#include "output/out.h"

/* digits of a pod's UID that tell it from the others of its node */
#define POD_SHORT_LEN	8

/**
 * text_task_place() - what tells tasks of one name apart, for a cell of a table
 * @buf: room
 * @cgroup: theirs; NULL: not known
 *
 * Return: @buf, with the pod, the container or the cgroup's own name; "" of the root.
 */
const char *text_task_place(char buf[CELL_LEN], const struct cgroup *cgroup)
{
	const struct container *container = cgroup_container(cgroup);
	const char *name;

	*buf = '\0';
	if (!cgroup)
		return buf;
	name = strrchr(cgroup->text, '/');
	if (*container->pod)
		snprintf(buf, CELL_LEN, "pod %.*s", POD_SHORT_LEN, container->pod);
	else if (*container->id)
		snprintf(buf, CELL_LEN, "container %.*s", CONTAINER_SHORT_LEN, container->id);
	else
		fill_text(buf, CELL_LEN, name ? name + 1 : cgroup->text);
	return buf;
}

/**
 * text_part() - ": 85 % of the time"
 * @buf: room
 * @ns: a part of the time
 * @all_ns: the time
 *
 * Return: @buf; "" where the part is the whole.
 */
const char *text_part(char buf[UNITS_LEN], __u64 ns, __u64 all_ns)
{
	*buf = '\0';
	if (ns < all_ns)
		snprintf(buf, UNITS_LEN, ": %.0f %% of the time", floor(100.0 * ns / all_ns));
	return buf;
}

/* ", pod 6ba7b810-9dad-11d1-80b4-00c04fd430c8, container 2f6b6e2b6f9d", ", cgroup /user.slice" */
static char *print_cgroup(const struct cgroup *cgroup)
{
	const struct container *container = cgroup_container(cgroup);
	bool pod = *container->pod, id = *container->id;

	if (!cgroup)
		return copy_text("");
	if (!pod && !id)
		/* one without a path is "cgroup:ID" */
		return print_text(", %s%s", *cgroup->text == '/' ? "cgroup " : "", cgroup->text);
	return print_text("%s%s%s%.*s", pod ? ", pod " : "", container->pod,
			  id ? ", container " : "", CONTAINER_SHORT_LEN, container->id);
}

/* what is known of a task by itself, and differs between those of one name and cgroup */
static char *print_alone(const struct met *met)
{
	if (met->tasks != 1 || met->more)
		return copy_text("");
	return print_text(", pid %u", met->sample->pid);
}

static const char *mode(const struct met *met)
{
	if (met->kthread)
		return met->tasks == 1 ? "kernel thread" : "kernel threads";
	if (met->user && met->kernel)
		return "user and kernel";
	return met->user ? "user" : "kernel";
}

/* "4 samples, " and ", all in do_exit": how far several samples agree */
static char *print_samples(const struct met *met)
{
	return met->count > 1 ? print_text("%llu samples, ", met->count) : copy_text("");
}

static char *print_shared(const struct met *met)
{
	bool shared = met->count > 1 && met->busy_in;

	return shared ? print_text(", all in %s", met->busy_in) : copy_text("");
}

/* ", SCHED_FIFO 50": only what somebody chose */
static char *print_policy(const struct met *met)
{
	char buf[UNITS_LEN];

	if (!met->policy || policy_is_plain(met->policy, met->prio))
		return copy_text("");
	return print_text(", %s", policy_print(buf, met->policy, met->prio));
}

/**
 * text_met() - "4 samples, 4 tasks of threads, all in do_exit, kernel, cgroup /: 92 % of the time"
 * @met: the tasks
 * @all_ns: the time of which they had a part
 *
 * Return: the text, to be freed.
 */
char *text_met(const struct met *met, __u64 all_ns)
{
	char *cgroup = print_cgroup(sample_cgroup(met->sample)), *alone = print_alone(met);
	char *samples = print_samples(met), *shared = print_shared(met), *text;
	char *policy = print_policy(met);
	char part[UNITS_LEN];

	text = print_text("%s%u%s %s%s%s%s%s%s, %s%s%s", samples, met->tasks,
			  met->more ? " or more" : "", met->tasks == 1 ? "task" : "tasks",
			  *met->comm ? " of " : "", met->comm, alone, policy, shared, mode(met),
			  cgroup, text_part(part, met->ns, all_ns));
	free(policy);
	free(shared);
	free(samples);
	free(alone);
	free(cgroup);
	return text;
}
