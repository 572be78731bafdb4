/* SPDX-License-Identifier: GPL-2.0-only */
/* On whose behalf the culprits of stalls ran. */
#ifndef _IRQOFF_ON_BEHALF_H
#define _IRQOFF_ON_BEHALF_H

#include <stdbool.h>

#include "model/model.h"
#include "terminal/columns.h"

/* longer than the name of any system call */
#define OPERATION_LEN	32

/* of a function's name as much as a line has room for */
#define HANDLER_LEN	48

/* so many tasks of a group are kept; one with more than 1/BEHALF_MOST of its time is among them */
#define BEHALF_MOST	32

/*
 * A task in a system call, or all threads of the kernel of one kind; most are in no call and in no
 * pod, and need no room for them.
 */
struct who {
	char comm[TIO_COMM_LEN];
	bool kthread;
	char texts[];	/* the system call, the pod and the container's id, a NUL behind each */
};

/* whose task it was, as far as that is one in all records; 0: it is not, or is not known */
struct process {
	unsigned int place;	/* the node whose pids these are */
	__u32 pid;		/* of the task */
	__u32 tgid;		/* of its process */
	__u32 threads;		/* the most that the process had */
	__u32 parent;		/* of the process */
	char parent_comm[TIO_COMM_LEN];	/* "" where @parent is 0 */
	char *handler;		/* what served its system calls; NULL: not known to be one */
};

struct behalf {
	struct who *who;
	struct process process;
	__u64 ns;
	__u64 surplus_ns;	/* what of @ns may be that of others */
};

struct behalves {
	struct behalf *all;
	size_t count;
};

struct trace;

const char *behalf_operation(const struct trace *trace);
void behalf_find(const struct symbols *symbols, struct entry *entry);
void behalf_add(struct behalves *behalves, const struct entry *entry, unsigned int place);
const struct behalf *behalf_most(const struct behalves *behalves);
__u64 behalf_ns(const struct behalf *behalf);
const char *behalf_call(const struct behalf *behalf);
const char *behalf_pod(const struct behalf *behalf);
const char *behalf_container(const struct behalf *behalf);
const char *behalf_print(char buf[CELL_LEN], const struct behalf *behalf);
char *behalf_text(const struct behalf *behalf);
void behalf_free(struct behalves *behalves);

#endif /* _IRQOFF_ON_BEHALF_H */
