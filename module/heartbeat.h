/* SPDX-License-Identifier: GPL-2.0-only */
/* The per-CPU heartbeats and what they measure. */
#ifndef _TIO_HEARTBEAT_H
#define _TIO_HEARTBEAT_H

#include "cpu.h"
#include "cycles.h"
#include "park.h"
#include "softirqs.h"

/*
 * One beat in so many, or in fewer where the threshold is few periods, looks at
 * other CPUs; one in so many is timed, so that watching the cost costs nothing.
 */
#define TIO_COST_EVERY	64

void tio_heartbeat_setup(struct tio_cpu *cpu);
void tio_heartbeat_begin(struct tio_cpu *cpu, u64 now_ns, u64 due_ns);
void tio_heartbeat_arm(struct tio_cpu *cpu, u64 due_ns);
void tio_heartbeat_stop(struct tio_cpu *cpu, u64 now_ns);

void tio_heartbeat_resume(struct tio_cpu *cpu, u64 now_ns);
void tio_heartbeat_pause(struct tio_cpu *cpu);
void tio_heartbeat_softirq_run(bool exit);
void tio_heartbeat_look(struct tio_cpu *cpu);
void tio_heartbeat_irq_end(struct tio_cpu *cpu, u64 cycles);

/*
 * Both run for every softirq: nothing is waiting for them almost always, and
 * then they may cost a store, two loads and two branches.
 */
static inline void tio_heartbeat_softirq_entry(unsigned int number)
{
	raw_cpu_write(tio_cpu.softirq, number + 1);
	tio_softirqs_begin(number);
	if (unlikely(raw_cpu_read(tio_cpu.parked)))
		tio_park_softirq_begins();
	if (unlikely(raw_cpu_read(tio_cpu.stall.soft_due_ns)))
		tio_heartbeat_softirq_run(false);
}

static inline void tio_heartbeat_softirq_exit(void)
{
	raw_cpu_write(tio_cpu.softirq, 0);
	if (unlikely(raw_cpu_read(tio_cpu.stall.soft_due_ns)))
		tio_heartbeat_softirq_run(true);
	if (unlikely(raw_cpu_read(tio_cpu.resumed_for_softirq)))
		tio_park_softirq_ended();
}

/* both run for every interrupt, with interrupts off */
static inline void tio_heartbeat_irq_entry(unsigned long handler)
{
	if (raw_cpu_read(tio_cpu.armed)) {
		raw_cpu_write(tio_cpu.handler, handler);
		raw_cpu_write(tio_cpu.irq_entry, tio_cycles());
	}
}

static inline void tio_heartbeat_irq_exit(void)
{
	struct tio_cpu *cpu = raw_cpu_ptr(&tio_cpu);
	u64 cycles;

	if (!cpu->irq_entry)
		return;
	cpu->handled.exit = tio_cycles();
	cycles = cpu->handled.exit - cpu->irq_entry;
	WRITE_ONCE(cpu->irq_entry, 0);
	tio_handled_add(&cpu->handled, cpu->handler, cycles);
	if (unlikely(cpu->handled.cycles >= cpu->handled.look_from))
		tio_heartbeat_irq_end(cpu, cycles);
}

#endif /* _TIO_HEARTBEAT_H */
