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
	unsigned int other;	/* of stalls that take two; cpu where there is no other */
	u64 length_ns;
	bool renamed;
	char comm[TASK_COMM_LEN];
	struct completion done;
};

struct span {
	u64 from_ns;
	u64 to_ns;
};

/* a gap between two clock readings; interrupts and what an emulator does take less */
#define GAP_NS	50000

/* the last stall; a nested one has a second section */
struct result {
	struct request req;
	const char *function;
	struct span inner;
	struct span outer;
	struct span nested_inner;
	struct span nested_outer;
	u64 waits_inner_ns;	/* of all CPUs that queued for it, added up */
	u64 waits_outer_ns;
	u64 gap_ns;	/* the longest time between two clock readings while it spun */
	u64 gaps_ns;	/* all of those that last GAP_NS or longer */
};

extern struct result result;

static inline u64 clock(void)
{
	return ktime_get_mono_fast_ns();
}

/* around() - a section with its outer reading; calls it directly, as real code does */
static __always_inline void around(void (*section)(u64 length_ns), u64 length_ns)
{
	result.outer.from_ns = clock();
	section(length_ns);
	result.outer.to_ns = clock();
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

/* busy.c */
void busy_work(struct span *span, u64 length_ns);
void busy_parts(struct span *span, u64 length_ns);

/* sections.c */
void make_irqoff(const struct request *req);
void make_irqlock(const struct request *req);
void make_irqdeep(const struct request *req);
void make_idle_wake(const struct request *req);

/* bottom_halves.c */
void make_bhoff(const struct request *req);
void make_bhdeep(const struct request *req);
void make_indirect(const struct request *req);
void make_copying(const struct request *req);
void make_nested(const struct request *req);

/* splits.c */
void make_irqcold(const struct request *req);
void make_irqinline(const struct request *req);
void make_irqopen(const struct request *req);
void make_irqclose(const struct request *req);
void make_bhopen(const struct request *req);

/* jumps.c */
void make_irqjump(const struct request *req);
void make_irqtail(const struct request *req);
void make_irqhand(const struct request *req);
void make_bhtail(const struct request *req);
void make_bhjump(const struct request *req);

/* locks.c */
void make_irqinner(const struct request *req);
void make_bhinner(const struct request *req);
void make_irqrelock(const struct request *req);
void make_bhrelock(const struct request *req);
void make_irqloop(const struct request *req);
void make_bhloop(const struct request *req);

/* handlers.c */
void handlers_init(void);
void handlers_forget(void);
void outer_end(void);
void make_irq_work(const struct request *req);
void make_irqipi(const struct request *req);
void make_hrtimer(const struct request *req);
void make_tasklet(const struct request *req);
void make_timer(const struct request *req);
void make_idle_timer(const struct request *req);
void make_idle_hrtimer(const struct request *req);
void make_irq_hang(const struct request *req);
void make_idle_hang(const struct request *req);

/* hogs.c */
void hogs_init(void);
void make_hog(const struct request *req);
void make_preempt(const struct request *req);
void make_bhleft(const struct request *req);

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

/* idling.c */
int idling_prepare(void);
void idling_exit(void);
void make_idle_before(const struct request *req);
void make_idle_behind(const struct request *req);
void make_idle_loop(const struct request *req);
void make_idle_irq(const struct request *req);
void make_idle_call(const struct request *req);

/* entering.c */
void make_entering(const struct request *req);

/* slow_beat.c */
void slow_beat_end(void);

/* slow_offline.c */
void slow_offline_end(void);

/* others.c */
void make_storm(const struct request *req);
void make_netrx(const struct request *req);
void make_short(const struct request *req);

/* together.c */
void make_irq_all(const struct request *req);
void make_irq_pair(const struct request *req);
void make_queue(const struct request *req);

/* pairs.c */
void make_convoy(const struct request *req);
void make_ipi_wait(const struct request *req);
void make_lockspin(const struct request *req);
void make_lockread(const struct request *req);
void make_lockwrite(const struct request *req);

/* kinds.c */
const struct kind *kind_find(const char *name);
void kind_make(const struct request *req);
void kinds_init(void);

#endif /* _STALL_KINDS_H */
