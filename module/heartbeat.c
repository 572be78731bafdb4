// SPDX-License-Identifier: GPL-2.0-only
/*
 * A pinned hrtimer a CPU, in hard interrupt context on PREEMPT_RT as well. All
 * of this runs on the CPU it is about, takes no lock, allocates nothing and
 * prints nothing.
 */
#include <linux/interrupt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/irq_regs.h>

#include "asked.h"
#include "compat/hrtimer_bases.h"
#include "ended.h"
#include "heartbeat.h"
#include "interrupts.h"
#include "park.h"
#include "patrol.h"
#include "recorder.h"
#include "sample.h"
#include "softirqs.h"

/*
 * Bottom halves are disabled and nothing is pending, so nothing would run when
 * they come back. An expired soft hrtimer raises HRTIMER_SOFTIRQ within this
 * very interrupt. Not a tasklet: while one of those is pending, interrupt exit
 * runs even what had been left to ksoftirqd (SOFTIRQ_NOW_MASK, kernels before
 * 6.9), and watching would cure what it watches.
 */
static void nudge(struct tio_cpu *cpu)
{
	hrtimer_start(&cpu->nudge, 0, HRTIMER_MODE_REL_PINNED_SOFT);
}

static enum hrtimer_restart nudged(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

/* has a handler returned since @due_ns, other than the one that runs? */
static bool ran_since(const struct tio_cpu *cpu, u64 now_ns, u64 due_ns)
{
	return now_ns > due_ns &&
	       tio_cycles_to_ns(tio_cycles() - cpu->handled.exit) < now_ns - due_ns;
}

/**
 * tio_heartbeat_look() - from when on to look at the end of each handler
 * @cpu: this CPU
 *
 * All of that is one number, because every interrupt asks. Whatever changes one
 * of its reasons calls this.
 *
 * Context: interrupts off.
 */
void tio_heartbeat_look(struct tio_cpu *cpu)
{
	cpu->handled.look_from = cpu->parked || cpu->stall.hard_due_ns ?
			 0 : cpu->handled.note_from;
}

/* a beat, whatever it finds */
static noinline void whole_beat(struct tio_cpu *cpu, u64 now_ns)
{
	struct pt_regs *regs = get_irq_regs();
	struct hrtimer *timer = &cpu->beat;
	u64 entry = cpu->irq_entry;
	bool on = tio_softirqs_on(cpu);
	struct tio_beat beat = {
		.due_ns = cpu->due_ns,
		.now_ns = now_ns,
		.entry_ns = entry ? now_ns - tio_cycles_to_ns(tio_cycles() - entry) :
				    0,
		.softirqs_on = on,
		.silent = !on && tio_softirqs_silent(),
		.again = entry && entry == cpu->beat_entry,
	};
	struct tio_outcome out;

	cpu->beat_entry = entry;
	hrtimer_forward(timer, ns_to_ktime(now_ns),
			ns_to_ktime(cpu->timing.period_ns));
	beat.next_ns = ktime_to_ns(hrtimer_get_expires(timer));

	if (!cpu->stall.hard_due_ns)
		cpu->second = ran_since(cpu, now_ns, beat.due_ns);
	cpu->net.waited |= !!(tio_softirqs_waiting(cpu) & BIT(NET_RX_SOFTIRQ));
	if (!on && !cpu->stall.soft_due_ns)
		cpu->stall.soft_on_ns = tio_softirqs_await(cpu, now_ns) ?:
					cpu->stall.soft_on_ns;
	tio_stall_beat(&cpu->stall, &cpu->timing, &beat, &out);

	if (out.hard_ended)
		tio_ended_hard(cpu, &out, regs, now_ns, false);
	else if (!cpu->stall.hard_due_ns)
		tio_handled_forget(&cpu->handled);
	if (out.soft_ended)
		tio_ended_soft(cpu, &out, regs, now_ns, TRACE_IRQOFF_END_BEAT);
	if (out.sample_soft)
		tio_sample_soft(cpu, regs, now_ns);
	if (out.nudge)
		nudge(cpu);

	/*
	 * What took time must not make this beat expire again at once: three
	 * times so, and the kernel puts off everybody's timers.
	 */
	if (out.sample_soft || out.hard_ended || out.soft_ended)
		hrtimer_forward(timer,
				ktime_add_ns(ktime_get(),
					     cpu->timing.period_ns / 2),
				ns_to_ktime(cpu->timing.period_ns));
	tio_heartbeat_look(cpu);
	WRITE_ONCE(cpu->beats, cpu->beats + 1);
}

/*
 * hrtimer_interrupt() that does not get done with expired timers after three
 * passes puts the next event off by as long as it took, at most 100 ms, with
 * interrupts on (kernel/time/hrtimer.c). Until then no beat is due.
 */
#define HANG_MAX_NS	(100 * NSEC_PER_MSEC)

static bool hung(struct tio_cpu *cpu)
{
	u32 hangs = cpu->beat.base->cpu_base->nr_hangs;
	bool more = hangs != cpu->hangs;

	cpu->hangs = hangs;
	return more;
}

/*
 * A handler on top of an idle CPU, whose beat is parked. Interrupts were on when
 * it was called, so its own times are the bounds.
 */
static void parked_irq_end(struct tio_cpu *cpu, u64 entry_ns, u64 now_ns)
{
	struct tio_outcome out;

	if (unlikely(now_ns - entry_ns >= cpu->timing.period_ns &&
		     tio_cycles_steady())) {
		cpu->stall.hard_on_ns = entry_ns;
		cpu->second = false;
		tio_stall_late(&cpu->stall, entry_ns);
		tio_stall_irq_exit(&cpu->stall, &cpu->timing, now_ns, &out);
		tio_ended_hard(cpu, &out, get_irq_regs(), now_ns, true);
	}
	if (tio_park_over())
		tio_heartbeat_resume(cpu, now_ns);
}

/**
 * tio_heartbeat_irq_end() - an interrupt handler returns that calls for a look
 * @cpu: this CPU
 * @cycles: how long it took
 *
 * Context: hard interrupt.
 */
void tio_heartbeat_irq_end(struct tio_cpu *cpu, u64 cycles)
{
	struct tio_outcome out;
	u64 now_ns, entry_ns;
	bool gave_up;

	if (cpu->parked) {
		/* each stands for itself: no beat comes between them */
		tio_handled_forget(&cpu->handled);
		tio_handled_add(&cpu->handled, cpu->handler, cycles);
		if (cycles < cpu->handled.note_from && !tio_park_over())
			return;
	}
	tio_handled_note(&cpu->handled, cpu->handler, cycles);
	if (cycles < cpu->handled.note_from && !cpu->stall.hard_due_ns &&
	    !cpu->parked)
		return;
	now_ns = ktime_get_ns();
	entry_ns = now_ns - tio_cycles_to_ns(cycles);
	gave_up = hung(cpu);
	cpu->beat_entry = 0;
	if (cpu->parked) {
		parked_irq_end(cpu, entry_ns, now_ns);
		return;
	}
	if (unlikely(gave_up)) {
		/* a beat that fell due in here will come late for it */
		if (now_ns > cpu->due_ns && !cpu->stall.hard_due_ns) {
			cpu->second = false;
			tio_stall_late(&cpu->stall, cpu->due_ns);
		}
		WRITE_ONCE(cpu->due_ns,
			   max(cpu->due_ns,
			       now_ns + min_t(u64, now_ns - entry_ns,
					      HANG_MAX_NS)));
	}
	if (unlikely(cpu->stall.hard_due_ns)) {
		tio_stall_irq_exit(&cpu->stall, &cpu->timing, now_ns, &out);
		tio_ended_hard(cpu, &out, get_irq_regs(), now_ns, true);
	}
	tio_heartbeat_look(cpu);
}

/* the beat is not armed any more */
static void parked(struct tio_cpu *cpu)
{
	WRITE_ONCE(cpu->parked, true);
	WRITE_ONCE(cpu->due_ns, TIO_NEVER_NS);
	tio_heartbeat_look(cpu);
	tio_packets_before(cpu);
	if (cpu->guards)
		tio_patrol_guard(cpu);
}

/* what is looked at now and then only; @walk_ns: of a walk, had more often */
static noinline void look_around(struct tio_cpu *cpu, u64 now_ns, u64 walk_ns)
{
	u64 ns;

	hung(cpu);
	tio_asked_settle(cpu);
	cpu->unseen_irqs = tio_unseen_irqs();
	ns = ktime_get_ns() - now_ns - walk_ns +
	     div_u64(walk_ns, cpu->other_mask + 1);
	WRITE_ONCE(cpu->cost_ns, cpu->cost_ns + ns);
	WRITE_ONCE(cpu->cost_beats, cpu->cost_beats + 1);
}

/*
 * A beat as nearly all are, in as few instructions as can be: in time, softirqs
 * can run, the CPU is not idle. Otherwise nothing is done yet.
 */
static __always_inline bool quiet_beat(struct tio_cpu *cpu, u64 now_ns)
{
	u64 next_ns = ktime_to_ns(hrtimer_get_expires(&cpu->beat)) +
		      cpu->timing.period_ns;
	u64 entry = cpu->irq_entry;

	if (unlikely(!entry || entry == cpu->beat_entry || !tio_softirqs_on(cpu) ||
		     is_idle_task(current) || now_ns >= next_ns ||
		     !tio_stall_quiet(&cpu->stall, now_ns, now_ns -
				      tio_few_cycles_to_ns(tio_cycles() - entry))))
		return false;
	cpu->beat_entry = entry;
	tio_handled_forget(&cpu->handled);
	WRITE_ONCE(cpu->beats, cpu->beats + 1);
	/* what hrtimer_forward() comes to */
	hrtimer_set_expires(&cpu->beat, ns_to_ktime(next_ns));
	WRITE_ONCE(cpu->due_ns, next_ns);
	return true;
}

static noinline enum hrtimer_restart other_beat(struct tio_cpu *cpu, u64 now_ns)
{
	bool late = now_ns > cpu->due_ns + cpu->timing.threshold_ns / 2;
	bool quiet = quiet_beat(cpu, now_ns);
	u64 walk_ns = 0;

	if (!quiet)
		whole_beat(cpu, now_ns);
	if (late || !(cpu->beats & cpu->other_mask)) {
		walk_ns = ktime_get_ns();
		tio_patrol_walk(cpu, now_ns, late);
		walk_ns = ktime_get_ns() - walk_ns;
	}
	tio_packets_before(cpu);
	if (cpu->beats % TIO_COST_EVERY == 0)
		look_around(cpu, now_ns, walk_ns);
	if (quiet)
		return HRTIMER_RESTART;
	if (is_idle_task(current) && tio_softirqs_on(cpu) && tio_park_wanted()) {
		parked(cpu);
		return HRTIMER_NORESTART;
	}
	WRITE_ONCE(cpu->due_ns, ktime_to_ns(hrtimer_get_expires(&cpu->beat)));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart heartbeat(struct hrtimer *timer)
{
	struct tio_cpu *cpu = container_of(timer, struct tio_cpu, beat);
	u64 now_ns = ktime_get_ns();

	if (likely((cpu->beats + 1) & cpu->other_mask &&
		   quiet_beat(cpu, now_ns)))
		return HRTIMER_RESTART;
	return other_beat(cpu, now_ns);
}

/**
 * tio_heartbeat_softirq_run() - a softirq begins or ends while one is waited for
 * @exit: it ends
 *
 * Context: softirq.
 */
void tio_heartbeat_softirq_run(bool exit)
{
	struct tio_outcome out;
	struct tio_cpu *cpu;
	unsigned long flags;
	u64 now_ns;

	local_irq_save(flags);
	cpu = this_cpu_ptr(&tio_cpu);
	if (cpu->stall.soft_due_ns && tio_softirqs_go_on(cpu, exit)) {
		now_ns = ktime_get_ns();
		tio_stall_softirq(&cpu->stall, &cpu->timing, now_ns, &out);
		tio_ended_soft(cpu, &out, NULL, now_ns,
			       exit ? TRACE_IRQOFF_END_SOFTIRQ_EXIT :
				      TRACE_IRQOFF_END_SOFTIRQ_ENTRY);
	}
	local_irq_restore(flags);
}

/**
 * tio_heartbeat_arm() - beat next at another moment
 * @cpu: this CPU
 * @due_ns: that moment
 *
 * Context: interrupts off.
 */
void tio_heartbeat_arm(struct tio_cpu *cpu, u64 due_ns)
{
	WRITE_ONCE(cpu->due_ns, due_ns);
	hrtimer_start(&cpu->beat, ns_to_ktime(due_ns),
		      HRTIMER_MODE_ABS_PINNED_HARD);
}

/**
 * tio_heartbeat_begin() - beat from now on
 * @cpu: this CPU, in order at this moment
 * @now_ns: now
 * @due_ns: the first beat
 *
 * Context: interrupts off.
 */
void tio_heartbeat_begin(struct tio_cpu *cpu, u64 now_ns, u64 due_ns)
{
	tio_stall_start(&cpu->stall, now_ns, tio_softirqs_on(cpu));
	cpu->unseen_irqs = tio_unseen_irqs();
	cpu->beat_entry = 0;
	tio_handled_forget(&cpu->handled);
	tio_packets_before(cpu);
	cpu->second = false;
	hung(cpu);
	WRITE_ONCE(cpu->parked, false);
	tio_heartbeat_look(cpu);
	cpu->resumed_for_softirq = false;
	tio_heartbeat_arm(cpu, due_ns);
}

/**
 * tio_heartbeat_resume() - arm a parked CPU's beat
 * @cpu: this CPU
 * @now_ns: now
 *
 * Context: interrupts off; the CPU was idle until now.
 */
void tio_heartbeat_resume(struct tio_cpu *cpu, u64 now_ns)
{
	tio_heartbeat_begin(cpu, now_ns, now_ns + cpu->timing.period_ns);
	/* a softirq that runs by now was raised a moment ago */
	cpu->stall.soft_on_ns = now_ns;
}

/**
 * tio_heartbeat_pause() - take back a beat that is armed
 * @cpu: this CPU, idle and with nothing open
 *
 * Context: interrupts off. A beat that is due stays, and parks itself.
 */
void tio_heartbeat_pause(struct tio_cpu *cpu)
{
	if (hrtimer_try_to_cancel(&cpu->beat) == 1)
		parked(cpu);
}

/**
 * tio_heartbeat_stop() - beat no more
 * @cpu: this CPU
 * @now_ns: now
 *
 * Ends what is open. A beat that is due but has not run yet is the last one.
 *
 * Context: interrupts off.
 */
void tio_heartbeat_stop(struct tio_cpu *cpu, u64 now_ns)
{
	struct tio_stall *stall = &cpu->stall;
	struct tio_outcome out;

	/* the beat cannot be running: it and this are on one CPU, irqs off */
	hrtimer_try_to_cancel(&cpu->beat);
	hrtimer_try_to_cancel(&cpu->nudge);
	if (now_ns > cpu->due_ns) {
		tio_stall_late(stall, cpu->due_ns);
		tio_stall_irq_exit(stall, &cpu->timing, now_ns, &out);
		tio_ended_hard(cpu, &out, NULL, now_ns, false);
	}
	if (stall->soft_due_ns) {
		tio_stall_softirq(stall, &cpu->timing, now_ns, &out);
		tio_ended_soft(cpu, &out, NULL, now_ns, TRACE_IRQOFF_END_STOP);
	}
}

/**
 * tio_heartbeat_setup() - what a CPU needs to beat
 * @cpu: any CPU
 */
void tio_heartbeat_setup(struct tio_cpu *cpu)
{
	hrtimer_setup(&cpu->beat, heartbeat, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_setup(&cpu->nudge, nudged, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_SOFT);
}
