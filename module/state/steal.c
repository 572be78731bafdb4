// SPDX-License-Identifier: GPL-2.0-only
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kernel_stat.h>
#include <linux/string.h>

#include "arch/beneath.h"
#include "compat/coarse_clock.h"
#include "state/cpu.h"
#include "state/ring.h"
#include "state/steal.h"

/*
 * Steal of some CPU was more than 0 once, so the kernel counts it. Without a hypervisor, and
 * with one that does not tell, it stays 0 for ever.
 */
static bool counted __read_mostly;

/* the kernel's count of this CPU */
static u64 count(void)
{
	u64 ns = kcpustat_this_cpu->cpustat[CPUTIME_STEAL];

	if (ns && !READ_ONCE(counted))
		WRITE_ONCE(counted, true);
	return ns;
}

/*
 * Grows at each tick, whatever the kernel takes its time for. The time in interrupts and
 * softirqs also grows between ticks (CONFIG_IRQ_TIME_ACCOUNTING).
 */
static u64 ticks(void)
{
	const u64 *stat = kcpustat_this_cpu->cpustat;
	u64 ns = 0;
	int i;

	for (i = 0; i < NR_STATS; i++)
		if (i != CPUTIME_IRQ && i != CPUTIME_SOFTIRQ)
			ns += stat[i];
	return ns;
}

/**
 * tio_steal_reset() - the CPU is about to be watched
 * @cpu: this CPU
 *
 * Context: interrupts off.
 */
void tio_steal_reset(struct tio_cpu *cpu)
{
	cpu->steal.waits = 0;
}

/**
 * tio_steal_note() - what is stolen from now on may be of the next stall
 * @cpu: this CPU, with no hard stall open
 *
 * Context: interrupts off.
 */
void tio_steal_note(struct tio_cpu *cpu)
{
	cpu->steal.noted_ns = count();
	cpu->steal.noted_smis = tio_smis();
	/* does not read the hardware's clock */
	cpu->steal.noted_at_ns = ktime_get_coarse_ns();
}

/* from what was noted to the stall's begin, at most */
static u64 lead_of(const struct tio_steal *steal, const struct tio_record *rec)
{
	u64 from_ns = rec->end_ns - rec->max_ns;

	return from_ns > steal->noted_at_ns ? from_ns - steal->noted_at_ns : 0;
}

static u64 slack_of(const struct tio_record *rec)
{
	return rec->threshold_ns + 2 * TICK_NSEC;
}

/**
 * tio_steal_smis() - how often firmware had the CPU in a hard stall
 * @cpu: this CPU
 * @rec: the record, with its bounds
 *
 * Context: interrupts off.
 * Return: system management interrupts, + 1; 0: not counted, or nobody knows when they came.
 */
u32 tio_steal_smis(const struct tio_cpu *cpu, const struct tio_record *rec)
{
	const struct tio_steal *steal = &cpu->steal;
	u64 before = steal->noted_smis, now = tio_smis();

	/* a suspend resets the count */
	if (before == TIO_NO_SMIS || now == TIO_NO_SMIS || now < before)
		return 0;
	if (now > before && lead_of(steal, rec) > slack_of(rec))
		return 0;
	return now - before + 1;
}

/**
 * tio_steal_await() - a hard stall has been recorded; it is to be told what was stolen
 * @cpu: this CPU
 * @rec: the record
 *
 * Context: interrupts off.
 */
void tio_steal_await(struct tio_cpu *cpu, const struct tio_record *rec)
{
	struct tio_steal *steal = &cpu->steal;

	if (steal->waits == TIO_STEAL_WAITS) {
		steal->waits--;
		memmove(&steal->wait[0], &steal->wait[1],
			steal->waits * sizeof(steal->wait[0]));
	}
	steal->wait[steal->waits++] = (struct tio_steal_wait) {
		.seq = rec->seq,
		.before_ns = steal->noted_ns,
		.ticks = ticks(),
		.min_ns = rec->min_ns,
		.end_ns = rec->end_ns,
		.lead_ns = lead_of(steal, rec),
		.slack_ns = slack_of(rec),
	};
}

/*
 * Tells the records that wait, if the kernel has counted since they were made. Not inline:
 * every slow beat would save and restore its registers.
 */
static noinline void tell(struct tio_cpu *cpu, u64 now_ns)
{
	struct tio_steal *steal = &cpu->steal;
	u64 ns = count(), at = ticks(), grown_ns;
	u32 i, left = 0;

	for (i = 0; i < steal->waits; i++) {
		const struct tio_steal_wait *wait = &steal->wait[i];

		if (wait->ticks == at)
			steal->wait[left++] = *wait;
		else if (READ_ONCE(counted) && tio_steal_grown(wait, ns, now_ns, &grown_ns))
			tio_ring_amend(cpu->ring, wait->seq, grown_ns);
	}
	steal->waits = left;
}

/**
 * tio_steal_beat() - a beat on the slow path
 * @cpu: this CPU
 * @now_ns: now
 *
 * Context: the heartbeat.
 */
void tio_steal_beat(struct tio_cpu *cpu, u64 now_ns)
{
	if (unlikely(cpu->steal.waits))
		tell(cpu, now_ns);
	if (!cpu->stall.hard_due_ns)
		tio_steal_note(cpu);
}
