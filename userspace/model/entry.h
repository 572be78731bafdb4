/* SPDX-License-Identifier: GPL-2.0-only */
/* A record, what the reader worked out about it, and what it shows of it. */
#ifndef _IRQOFF_ENTRY_H
#define _IRQOFF_ENTRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "core/classify.h"
#include "core/record.h"
#include "model/cgroup.h"

/* an address as the kernel names it */
struct kernel_name {
	__u64 addr;
	const char *symbol;	/* in the model's pool */
};

/* what a CPU waits for when a sample meets it in a function that only waits */
enum wait {
	WAIT_NONE,
	WAIT_LOCK,
	WAIT_IPI,
	WAIT_STOP,		/* in stop_machine() */
};

/* the longest chain of stalls that wait for one another; a longer one is a circle */
#define WAITS_LONGEST_CHAIN	8

/* what names the culprit of a stall */
enum culprit_by {
	CULPRIT_BY_NOTHING,	/* nobody can be blamed */
	CULPRIT_BY_END,		/* the end of a section */
	CULPRIT_BY_DISPATCH,	/* a dispatcher that called it */
	CULPRIT_BY_SHARED,	/* several samples were taken in it */
	CULPRIT_BY_INTERRUPT,	/* what is known of interrupt and NMI handlers without a stack */
	CULPRIT_BY_LEAF,	/* the stack that speaks for the longest time, alone */
};

/* whom a culprit ran for */
enum runs_for {
	RUNS_FOR_NOBODY,	/* nobody that is known: an interrupt, a softirq, the idle task */
	RUNS_FOR_TASK,		/* the interrupted task, which called it */
	RUNS_FOR_KTHREAD,	/* likewise, and it is a thread of the kernel */
};

struct symbols;

/* what the reader worked out about a record */
struct entry_found {
	char *culprit;		/* NULL: nobody can be blamed */
	char *suspect;		/* of a suspected class: its culprit otherwise; NULL: none */
	char *busy_in;		/* what the culprit was busy in; NULL: not known */
	char *met_in;		/* of tasks: what all samples were in, from inside: "a;b;" */
	char *lock;		/* "(waits for NAME)" in the culprit's place; NULL: no such wait */
	char *waiter;		/* of @lock: who waited, as of a culprit; NULL: not known */
	char *candidate;	/* of @lock: the one who may have had it; NULL: none, or several */
	const char *operation;	/* the system call that it served; NULL: none, or not known */
	const char *handler;	/* what serves the message or file in that call; NULL: likewise */
	struct entry *holder;	/* the stall it waited for, which may have waited itself */
	struct entry *waits_for;	/* the stall that the wait goes back to; NULL: no victim */
	struct tio_verdict verdict;
	__u8 named_by;		/* the sample that names the culprit, + 1; 0: the deciding one */
	__u8 lock_by;		/* of @lock: the sample that waits, + 1; 0: the deciding one */
	__u8 culprit_by;	/* enum culprit_by */
	__u8 runs_for;		/* enum runs_for */
	__u8 met;		/* samples that met the task to blame, a bit each; 0: none is */
	__u8 waits[TIO_SAMPLES];	/* enum wait */
	/* enum trace_irqoff_lock: how a rwlock was wanted, or had until the end in its release */
	__u8 rwlock;
	__s8 way_from, way_to;	/* from one to the other in the stack that names the culprit */
	bool or_caller : 1;	/* one that calls the culprit may be to blame in its place */
	bool probable : 1;	/* waits_for is inferred, not proved */
	bool alone : 1;		/* CPUs stalled together, and no other section ended likewise */
	bool unlocks : 1;	/* its end lies in the release of a lock */
	bool waits_by_end : 1;	/* holder is inferred from the ends alone */
	bool shared : 1;	/* culprit and the other names lie in the model's pool */
};

/* what becomes of a record in what a command prints */
struct entry_view {
	bool dropped : 1;	/* by a filter */
	bool repeated : 1;	/* another capture had it as well, and it counts there */
	bool kept : 1;		/* it stands for a group */
	bool early : 1;		/* others of its time were overwritten: rates leave it out */
	bool context : 1;	/* of a follower: not handed on now, but for links */
};

/* a record as it was received, what the reader worked out about it, and what it shows of it */
struct entry {
	struct kernel_name *names;
	const struct symbols *symbols;	/* of a capture, names of its time; NULL: those of now */
	struct entry_found found;
	__u32 nnames;
	__u32 read;		/* how many records were read before */
	bool net_known : 1;	/* rec.net was sent */
	bool packed : 1;	/* rec, from handlers on, is for entry_record() alone */
	struct entry_view view;
	struct tio_record rec;	/* last: samples that it lacks have no memory */
};

enum tio_class entry_class(const struct entry *entry);
const struct tio_sample *entry_deciding_sample(const struct entry *entry);
const struct tio_sample *entry_waiting_sample(const struct entry *entry);
const struct tio_sample *entry_naming_sample(const struct entry *entry);
const struct cgroup *sample_cgroup(const struct tio_sample *sample);
void entry_share_names(struct entry *entry, struct pool *pool);
void entry_forget_names(struct entry *entry);
__u64 entry_own_ns(const struct entry *entry);
__u64 entry_slack_ns(const struct entry *entry);
__u64 entry_start_ns(const struct entry *entry);
void entry_free(struct entry *entry);
size_t entry_pack(struct entry *packed, const struct entry *whole, struct pool *pool);
struct entry *entry_open(struct entry *room, struct entry *entry);
void entry_close(struct entry *entry, const struct entry *whole);
const struct tio_record *entry_record(struct tio_record *room, const struct entry *entry);
const struct tio_sample *entry_sample(const struct entry *entry, unsigned int i);
__u64 entry_sampled_ns(const struct entry *entry, unsigned int i);

#endif /* _IRQOFF_ENTRY_H */
