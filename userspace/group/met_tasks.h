/* SPDX-License-Identifier: GPL-2.0-only */
/* How many different tasks the samples of a group's stalls met, where tasks are to blame. */
#ifndef _IRQOFF_MET_TASKS_H
#define _IRQOFF_MET_TASKS_H

#include "judge/had_cpu.h"

/* so many tasks of a group are told from one another */
#define MET_TASKS_MOST	1024

struct met_tasks {
	__u64 *all;		/* sorted: a node's number and a pid each */
	unsigned int count;
	bool more;		/* there were others */
	bool user, kernel;	/* where they were met */
	__u8 policy, prio;	/* as of samples; 0 where these differ */
	__u64 samples;		/* number of those that met them */
	__u64 ns;		/* of the stalls' time, that they had the CPU for */
	char *met_in;		/* functions of all samples, from inside, "a;b;" */
};

void met_tasks_add(struct met_tasks **all, struct entry *packed, unsigned int place);
bool met_tasks_of(struct met *met, const struct met_tasks *tasks, const struct entry *best);
char *met_tasks_in(const struct met_tasks *tasks);
void met_tasks_free(struct met_tasks *tasks);

#endif /* _IRQOFF_MET_TASKS_H */
