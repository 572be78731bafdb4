/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of stall that can be made. */
#ifndef _STALL_KINDS_H
#define _STALL_KINDS_H

#include <linux/completion.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/types.h>

struct request;

struct kind {
	const char *name;
	void (*make)(const struct request *req);
	const char *function;	/* the culprit */
	const char *renamed;	/* the same section by another name, or NULL */
	int (*prepare)(void);	/* runs before CPU hotplug is blocked; or NULL */
};

struct request {
	const struct kind *kind;
	unsigned int cpu;
	u64 length_ns;
	bool renamed;
	char comm[TASK_COMM_LEN];
	struct completion done;
};

struct span {
	u64 from_ns;
	u64 to_ns;
};

/* the last stall; a nested one has a second section */
struct result {
	struct request req;
	const char *function;
	struct span inner;
	struct span outer;
	struct span nested_inner;
	struct span nested_outer;
	u64 gap_ns;	/* the longest time between two clock readings while it spun */
};

extern struct result result;

static inline u64 clock(void)
{
	return ktime_get_mono_fast_ns();
}

static __always_inline void spin(struct span *span, u64 length_ns)
{
	u64 last_ns;

	span->from_ns = clock();
	span->to_ns = span->from_ns;
	do {
		cpu_relax();
		last_ns = span->to_ns;
		span->to_ns = clock();
		if (span->to_ns - last_ns > result.gap_ns)
			result.gap_ns = span->to_ns - last_ns;
	} while (span->to_ns - span->from_ns < length_ns);
}

/* for smp_call_function_single() */
static inline void nothing(void *unused)
{
}

/*
 * Keeps the compiler from merging two sections into one, and from a tail call that
 * would take the section off the stack.
 */
#define section_end(name)	({ asm volatile("# " name); })

/* waits.c */
void wait_begins(void);
void waits_forget(void);
void waits_end(void);
void waits_init(void);
void make_bhheld(const struct request *req);
void make_servehog(const struct request *req);

/* polled.c */
int idle_poll_prepare(void);
void make_idle_poll(const struct request *req);
void idle_poll_exit(void);

/* entering.c */
void make_entering(const struct request *req);

/* slow_beat.c */
void slow_beat_end(void);

/* others.c */
void make_storm(const struct request *req);
void make_netrx(const struct request *req);
void make_preempt(const struct request *req);
void make_short(const struct request *req);

/* pairs.c */
void make_convoy(const struct request *req);
void make_ipi_wait(const struct request *req);

const struct kind *kind_find(const char *name);
void make_irqoff(const struct request *req);
void outer_end(void);
void kind_make(const struct request *req);
void kinds_init(void);

#endif /* _STALL_KINDS_H */
