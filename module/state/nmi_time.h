/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of a hard stall NMI handlers of others took. */
#ifndef _TIO_NMI_TIME_H
#define _TIO_NMI_TIME_H

#include <linux/types.h>

struct tio_cpu;
struct tio_record;

/* a handler that takes less does not count; those of perf take a few microseconds */
#define TIO_NMI_COUNT_NS	10000

/* what NMI handlers took since the last moment at which a beat could run */
struct tio_nmi_time {
	/* written in NMIs only; each one changes end_ns */
	__u64 end_ns;		/* when the last one returned */
	__u64 ns;
	__u64 id;		/* tio_stall_id() then */
	__u64 longest_ns;
	__u64 handler;		/* the one that took longest_ns */
};

/* one run of an NMI handler, and the CPU's state then */
struct tio_nmi_run {
	__u64 handler;
	__u64 ns;
	__u64 end_ns;
	__u64 id;		/* tio_stall_id() */
	__u64 on_ns;		/* the last moment at which interrupts were surely on */
	bool open;		/* a late beat has found a hard stall, which goes on */
};

/**
 * tio_nmi_time_add() - add a run to what is known so far
 * @time: that
 * @run: the run
 *
 * The sum begins anew where a beat has been able to run since the last run. Where no
 * stall was open, the beat was moved on then, or another interrupt is handled while the
 * beat is paused. An open stall began when interrupts were last on.
 *
 * Context: NMI.
 */
static inline void tio_nmi_time_add(struct tio_nmi_time *time, const struct tio_nmi_run *run)
{
	if (run->on_ns > time->end_ns || (!run->open && run->id != time->id)) {
		time->ns = 0;
		time->longest_ns = 0;
	}
	time->id = run->id;
	time->ns += run->ns;
	if (run->ns > time->longest_ns) {
		time->longest_ns = run->ns;
		time->handler = run->handler;
	}
	time->end_ns = run->end_ns;
}

bool tio_nmi_time_handled(void *handler, __u64 ns);
void tio_nmi_time_fill(const struct tio_cpu *cpu, struct tio_record *rec);

#endif /* _TIO_NMI_TIME_H */
