/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How much of a hard stall a hypervisor had the CPU, as the kernel counts it (steal, proc(5)).
 * The kernel counts at its ticks only, so a record is told after the next tick. And how often
 * firmware had it, as the CPU counts.
 */
#ifndef _TIO_STEAL_H
#define _TIO_STEAL_H

#include <linux/types.h>

struct tio_cpu;
struct tio_record;

/* so many records wait for a tick at most; when there are more the oldest is not told */
#define TIO_STEAL_WAITS	4

/* a record that waits */
struct tio_steal_wait {
	__u64 seq;
	__u64 before_ns;	/* the kernel's count before the stall */
	__u64 ticks;		/* what the kernel had counted of all kinds at its end */
	__u64 min_ns;
	__u64 end_ns;
	__u64 lead_ns;		/* from the count before it to its beginning, at most */
	__u64 slack_ns;		/* the count speaks for the stall if it covers no more besides */
};

/* steal.c: the CPU's count, and the records that wait */
struct tio_steal {
	__u64 noted_ns;		/* the count while no hard stall was open */
	__u64 noted_smis;	/* tio_smis() then */
	__u64 noted_at_ns;	/* when these were read, or a tick earlier */
	__u32 waits;
	struct tio_steal_wait wait[TIO_STEAL_WAITS];
};

/**
 * tio_steal_grown() - how much was stolen of a stall
 * @wait: its record
 * @count_ns: the kernel's count, after a tick
 * @now_ns: when that was read
 * @grown_ns: the result: so much at most
 *
 * The count covers some time before and after the stall. Where it covers too much of that,
 * only a small growth says something: that the CPU ran.
 *
 * Context: any.
 * Return: false where the growth does not say whether the CPU ran.
 */
static inline bool tio_steal_grown(const struct tio_steal_wait *wait, __u64 count_ns,
				   __u64 now_ns, __u64 *grown_ns)
{
	*grown_ns = count_ns > wait->before_ns ? count_ns - wait->before_ns : 0;
	return *grown_ns <= wait->min_ns / 2 ||
	       (wait->lead_ns <= wait->slack_ns && now_ns <= wait->end_ns + wait->slack_ns);
}

void tio_steal_reset(struct tio_cpu *cpu);
void tio_steal_note(struct tio_cpu *cpu);
u32 tio_steal_smis(const struct tio_cpu *cpu, const struct tio_record *rec);
void tio_steal_await(struct tio_cpu *cpu, const struct tio_record *rec);
void tio_steal_beat(struct tio_cpu *cpu, u64 now_ns);

#endif /* _TIO_STEAL_H */
