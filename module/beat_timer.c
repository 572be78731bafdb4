// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hrtimer.h>

#include "beat_timer.h"
#include "buddy.h"
#include "compat/hrtimer_bases.h"
#include "irq_count.h"
#include "recorder.h"
#include "softirqs.h"
#include "steal.h"

/**
 * tio_beat_timer_arm() - let the next beat run at another moment
 * @cpu: this CPU
 * @due_ns: that moment
 *
 * Context: interrupts off.
 */
void tio_beat_timer_arm(struct tio_cpu *cpu, u64 due_ns)
{
	WRITE_ONCE(cpu->beat.due_ns, due_ns);
	hrtimer_start(&cpu->beat_timer, ns_to_ktime(due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * tio_beat_timer_begin() - beat from now on
 * @cpu: this CPU, of which no stall is open at this moment
 * @now_ns: now
 * @due_ns: the first beat
 *
 * Context: interrupts off.
 */
void tio_beat_timer_begin(struct tio_cpu *cpu, u64 now_ns, u64 due_ns)
{
	tio_stall_start(&cpu->stall, now_ns, tio_softirqs_on(cpu));
	cpu->heartbeat.untraced_irqs = tio_untraced_irqs();
	cpu->heartbeat.irq_entry = 0;
	cpu->heartbeat.later_irq = false;
	tio_handled_forget(&cpu->handled);
	tio_recorder_note_packets(cpu);
	tio_steal_note(cpu);
	WRITE_ONCE(cpu->beat.due_ns, due_ns);
	/* who sees that it is not paused sees when the beat is due */
	smp_store_release(&cpu->beat.paused, false);
	/* and so does who sees that it is armed; both pair with walks and readers */
	smp_store_release(&cpu->beat.armed, true);
	tio_beat_timer_slow_from(cpu);
	tio_beat_timer_arm(cpu, due_ns);
	/* only now is the timer surely on this CPU's base */
	tio_beat_timer_hung(cpu);
	tio_buddy_note(cpu);
}

/**
 * tio_beat_timer_resume() - arm a beat that is paused
 * @cpu: this CPU
 * @now_ns: now
 *
 * Context: interrupts off; the CPU was idle until now.
 */
void tio_beat_timer_resume(struct tio_cpu *cpu, u64 now_ns)
{
	tio_beat_timer_begin(cpu, now_ns, now_ns + cpu->timing.period_ns);
	/* a softirq that runs now was raised a moment ago */
	tio_stall_soft_on(&cpu->stall, now_ns);
}

/**
 * tio_beat_timer_paused() - the timer is not armed any more, until it is resumed
 * @cpu: this CPU, idle and without an open stall
 *
 * Context: interrupts off.
 */
void tio_beat_timer_paused(struct tio_cpu *cpu)
{
	WRITE_ONCE(cpu->beat.paused, true);
	WRITE_ONCE(cpu->beat.due_ns, TIO_NEVER_NS);
	tio_beat_timer_slow_from(cpu);
	tio_recorder_note_packets(cpu);
	tio_steal_note(cpu);
	tio_buddy_paused(cpu);
}

/**
 * tio_beat_timer_cancel() - pause a beat that is armed
 * @cpu: this CPU, idle and without an open stall
 *
 * A beat that is due already stays, and pauses itself.
 *
 * Context: interrupts off.
 */
void tio_beat_timer_cancel(struct tio_cpu *cpu)
{
	if (hrtimer_try_to_cancel(&cpu->beat_timer) == 1)
		tio_beat_timer_paused(cpu);
}

/**
 * tio_beat_timer_end() - beat no more
 * @cpu: this CPU
 *
 * Other CPUs neither look at it nor request samples from now on. beat.due_ns keeps
 * the moment of the beat that does not run, for tio_heartbeat_stop().
 *
 * Context: interrupts off.
 */
void tio_beat_timer_end(struct tio_cpu *cpu)
{
	WRITE_ONCE(cpu->beat.armed, false);
	WRITE_ONCE(cpu->beat.paused, false);
	tio_buddy_note(cpu);
	/* the beat cannot be running: it and this are on one CPU, interrupts off */
	hrtimer_try_to_cancel(&cpu->beat_timer);
}

/**
 * tio_beat_timer_hung() - has this CPU's hrtimer_interrupt() given up since the last call?
 * @cpu: this CPU
 *
 * hrtimer_interrupt() that is not done with expired timers after three passes puts
 * the next event off by as long as it took, at most 100 ms, with interrupts on
 * (kernel/time/hrtimer.c).
 *
 * Context: interrupts off.
 * Return: true when it has.
 */
bool tio_beat_timer_hung(struct tio_cpu *cpu)
{
	u32 hangs = cpu->beat_timer.base->cpu_base->nr_hangs;
	bool more = hangs != cpu->beat.hangs;

	cpu->beat.hangs = hangs;
	return more;
}

/**
 * tio_beat_timer_slow_from() - recompute when handler exit takes the slow path
 * @cpu: this CPU
 *
 * The probe compares handler time with this one number. It is called by whatever
 * changes the number's reasons.
 *
 * Context: interrupts off.
 */
void tio_beat_timer_slow_from(struct tio_cpu *cpu)
{
	cpu->handled.slow_from = cpu->beat.paused || cpu->stall.hard_due_ns ||
				 cpu->cost_limit.asked_at ?
				 0 : cpu->handled.note_from;
}
