/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Follows the module: each record once and in order, what was lost, other instances and
 * other settings. No input and no output: it is told when there is something new, asks a
 * source for it, and hands it to its observers.
 */
#ifndef _IRQOFF_FOLLOW_H
#define _IRQOFF_FOLLOW_H

#include "model/model.h"
#include "source/observers.h"

/* what a source may answer besides an exit status: the module is not there any more */
#define FOLLOW_GONE	(-1)

#define FOLLOW_NEVER	(~0ULL)

/* how long a record waits at least until it is handed on, see follow.c */
#define FOLLOW_SETTLE_NS	30000000ULL
#define FOLLOW_SETTLE_MOST_NS	500000000ULL

/* how far apart looks are at most in a flood, see pace() */
#define FOLLOW_FLOOD_NS		250000000ULL

/* a CPU's records are wanted from this number on */
struct cursor {
	__u32 cpu;
	__u64 seq;
};

/* where somebody else ended who followed the same load of the module */
struct resume {
	__u64 instance;		/* 0: nobody did */
	struct cursor *cursors;	/* by CPU */
	size_t ncursors;
};

/* each returns an exit status, or FOLLOW_GONE, and adds to the model */
struct follow_source {
	void *context;
	int (*config)(void *context, struct model *model);
	int (*counters)(void *context, struct model *model);
	/* not for the follower itself, but for its observers */
	int (*histograms)(void *context, struct model *model);
	/* from these cursors on, of other CPUs all, by CPU and number; and the open stalls */
	int (*records)(void *context, const struct cursor *cursors, size_t ncursors,
		       struct model *model);
};

/* a CPU whose records are followed */
struct followed {
	__u32 cpu;
	__u64 next;		/* the number that is handed on next */
	__u64 from;		/* the number that is asked for: older ones are for links */
	__u64 produced;		/* the number that the next look may find first */
	__u64 lost_from;	/* what is missing below is not lost to this follower */
};

/* an open stall that was handed on */
struct followed_open {
	__u32 cpu;
	__u8 kind;
	__u64 start_ns;
};

struct follow {
	struct follow_source source;
	struct observers observers;
	bool old;		/* begin with the records that are there */
	struct resume resume;	/* begin there, if it is of the module's present load */
	bool want_open;		/* hand on stalls that have not ended, once */
	__u64 open_ns;		/* but only those that have lasted so long */

	bool begun;
	__u64 instance;
	__u64 generation;
	bool enabled;		/* as the settings said last */
	struct followed *cpus;
	size_t ncpus;
	struct followed_open *open;
	size_t nopen;
	__u64 due_ns;		/* when follow_read() is to be called; FOLLOW_NEVER */
	__u64 looked_ns;	/* when it was called last */
	__u64 pace_ns;		/* how long records may wait from then on */
	__u64 seen;		/* records handed on */
	__u64 lost;		/* records that could not be */
};

__u64 resume_seq(const struct resume *resume, __u32 cpu);
void resume_raise(struct resume *resume, __u32 cpu, __u64 seq);
void resume_free(struct resume *resume);

int follow_begin(struct follow *follow, __u64 now_ns);
void follow_wake(struct follow *follow, const struct wake *wake, __u64 now_ns);
void follow_missed(struct follow *follow, __u64 now_ns);
int follow_read(struct follow *follow, __u64 now_ns, bool last);
void follow_reached(const struct follow *follow, struct resume *resume);
void follow_free(struct follow *follow);

#endif /* _IRQOFF_FOLLOW_H */
