// SPDX-License-Identifier: GPL-2.0-only
/*
 * The heartbeat is a pinned hrtimer, in hard interrupt context on PREEMPT_RT as
 * well. All of this runs on the CPU that it is about. It takes no lock, allocates
 * nothing and prints nothing. (It queues work where watching has to stop by itself.)
 */
#include <linux/interrupt.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/irq_regs.h>

#include "arch/clock.h"
#include "arch/irq_count.h"
#include "detect/beat_timer.h"
#include "detect/buddy.h"
#include "detect/cost_limit.h"
#include "detect/heartbeat.h"
#include "detect/idle.h"
#include "record/meanwhile.h"
#include "record/nmi_sample.h"
#include "record/recorder.h"
#include "state/published.h"
#include "state/softirqs.h"
#include "state/steal.h"

static void (*take_up)(void) __read_mostly;

/*
 * Bottom halves are disabled and nothing is pending, so nothing would run when they
 * are enabled again, and show that. An expired soft hrtimer raises HRTIMER_SOFTIRQ
 * within this very interrupt. A tasklet would not do: while one is pending, kernels
 * before 6.9 run at interrupt exit even what had been left to ksoftirqd
 * (SOFTIRQ_NOW_MASK), and watching would cure what it watches.
 */
static void nudge(struct tio_cpu *cpu)
{
	hrtimer_start(&cpu->heartbeat_nudge, 0, HRTIMER_MODE_REL_PINNED_SOFT);
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

/* a beat, whatever it finds */
static noinline void any_beat(struct tio_cpu *cpu, u64 now_ns)
{
	struct pt_regs *regs = get_irq_regs();
	struct hrtimer *timer = &cpu->beat_timer;
	u64 entry = cpu->irq.entry;
	bool on = tio_softirqs_on(cpu);
	struct tio_beat beat = {
		.due_ns = cpu->beat.due_ns,
		.now_ns = now_ns,
		.entry_ns = entry ? now_ns - tio_cycles_to_ns(tio_cycles() - entry) :
				    0,
		.softirqs_on = on,
		.silent = !on && tio_softirqs_silent(),
		.again = entry && entry == cpu->heartbeat.irq_entry,
	};
	struct tio_outcome out;

	cpu->heartbeat.irq_entry = entry;
	hrtimer_forward(timer, ns_to_ktime(now_ns),
			ns_to_ktime(cpu->timing.period_ns));
	beat.next_ns = ktime_to_ns(hrtimer_get_expires(timer));

	if (!cpu->stall.hard_due_ns)
		cpu->heartbeat.later_irq = ran_since(cpu, now_ns, beat.due_ns);
	tio_recorder_note_waiting(cpu, tio_softirqs_waiting(cpu) & BIT(NET_RX_SOFTIRQ));
	if (!on && !cpu->stall.soft_due_ns)
		tio_stall_soft_on(&cpu->stall, tio_softirqs_await(cpu, now_ns) ?:
					       cpu->stall.soft_on_ns);
	tio_stall_beat(&cpu->stall, &cpu->timing, &beat, &out);

	if (out.hard_ended)
		tio_recorder_end_hard(cpu, &out, regs, now_ns, TRACE_IRQOFF_END_BEAT, false);
	else if (!cpu->stall.hard_due_ns)
		tio_handled_forget(&cpu->handled);
	if (out.soft_ended)
		tio_recorder_end_soft(cpu, &out, regs, now_ns, TRACE_IRQOFF_END_BEAT);
	if (out.sample_soft)
		tio_recorder_sample_soft(cpu, regs, now_ns);
	if (out.nudge)
		nudge(cpu);

	/*
	 * What took time must not make this beat expire again at once. After three
	 * times the kernel would put off everybody's timers (beat_plan.c, hung()).
	 */
	if (out.sample_soft || out.hard_ended || out.soft_ended)
		hrtimer_forward(timer,
				ktime_add_ns(ktime_get(),
					     cpu->timing.period_ns / 2),
				ns_to_ktime(cpu->timing.period_ns));
	tio_beat_timer_slow_from(cpu);
	WRITE_ONCE(cpu->counters.beats, cpu->counters.beats + 1);
}

/**
 * tio_heartbeat_irq_end() - the end of an interrupt handler on the slow path
 * @cpu: this CPU
 * @cycles: how long the handler took
 *
 * Context: hard interrupt.
 */
void tio_heartbeat_irq_end(struct tio_cpu *cpu, u64 cycles)
{
	u64 now_ns;

	if (cpu->cost_limit.asked_at)
		tio_cost_limit_irq_end(cpu, cycles);
	if (tio_is_paused(cpu)) {
		tio_idle_tell_nmi(cpu);
		/* no beat comes between two handlers: each is judged alone */
		tio_handled_forget(&cpu->handled);
		tio_handled_add(&cpu->handled, cpu->irq.handler, cycles);
		if (!tio_idle_irq_end(cpu, cycles))
			return;
	}
	tio_handled_note(&cpu->handled, cpu->irq.handler, cycles);
	if (cycles < cpu->handled.note_from && !cpu->stall.hard_due_ns &&
	    cpu->beat.mode == TIO_BEAT_RUNS)
		return;
	now_ns = ktime_get_ns();
	cpu->heartbeat.irq_entry = 0;
	tio_beat_timer_irq_end(cpu, get_irq_regs(), now_ns - tio_cycles_to_ns(cycles), now_ns,
			       !tio_idle_over());
	tio_idle_irq_told(cpu);
}

/*
 * Reads what changes slowly, and counts what this beat cost. A buddy walk took
 * @walk_ns. Walks are more frequent than timed beats, so only one beat's share of
 * it counts.
 */
static noinline void measure(struct tio_cpu *cpu, u64 now_ns, u64 walk_ns)
{
	u64 ns;

	tio_beat_timer_note_hangs(cpu);
	tio_nmi_sample_irq(cpu);
	cpu->heartbeat.untraced_irqs = tio_untraced_irqs();
	ns = ktime_get_ns() - now_ns - walk_ns +
	     div_u64(walk_ns, cpu->heartbeat.slow_mask + 1);
	WRITE_ONCE(cpu->counters.cost_ns, cpu->counters.cost_ns + ns);
	WRITE_ONCE(cpu->counters.cost_beats, cpu->counters.cost_beats + 1);
	tio_cost_limit_beat(cpu, now_ns);
}

/*
 * The fast path, which nearly all beats take: in time, softirqs can run, the CPU is
 * not idle. Returns false, and changes nothing, where one of these does not hold.
 */
static __always_inline bool fast_beat(struct tio_cpu *cpu, u64 now_ns)
{
	u64 next_ns = ktime_to_ns(hrtimer_get_expires(&cpu->beat_timer)) +
		      cpu->timing.period_ns;
	u64 entry = cpu->irq.entry;

	if (unlikely(!entry || entry == cpu->heartbeat.irq_entry ||
		     !tio_softirqs_on(cpu) || is_idle_task(current) ||
		     now_ns >= next_ns ||
		     !tio_stall_fast(&cpu->stall, now_ns, now_ns -
				     tio_few_cycles_to_ns(tio_cycles() - entry))))
		return false;
	cpu->heartbeat.irq_entry = entry;
	tio_handled_forget(&cpu->handled);
	WRITE_ONCE(cpu->counters.beats, cpu->counters.beats + 1);
	/* the same as hrtimer_forward() would set */
	hrtimer_set_expires(&cpu->beat_timer, ns_to_ktime(next_ns));
	WRITE_ONCE(cpu->beat.due_ns, next_ns);
	return true;
}

static noinline enum hrtimer_restart slow_path(struct tio_cpu *cpu, u64 now_ns)
{
	bool timed, late, fast;
	u64 walk_cycles = 0;

	/* a stop that was published while the CPU was stuck ends its stall */
	if (unlikely(cpu->watch.generation != tio_published_generation())) {
		take_up();
		if (!tio_is_watched(cpu))
			return HRTIMER_NORESTART;
	}
	cpu->heartbeat.traced = cpu->irq.entry;
	/* lent: the end of this interrupt lets it run again */
	if (unlikely(cpu->beat.mode != TIO_BEAT_RUNS)) {
		if (!cpu->irq.entry)
			tio_beat_timer_irq_end(cpu, get_irq_regs(), now_ns, now_ns, false);
		return HRTIMER_NORESTART;
	}
	late = now_ns > cpu->beat.due_ns + cpu->timing.threshold_ns / 2;
	fast = fast_beat(cpu, now_ns);
	if (!fast)
		any_beat(cpu, now_ns);
	timed = cpu->counters.beats % TIO_COST_EVERY == 0;
	if (late || !(cpu->counters.beats & cpu->heartbeat.slow_mask)) {
		if (timed)
			walk_cycles = tio_cycles();
		tio_buddy_walk(cpu, now_ns, late);
		if (timed)
			walk_cycles = tio_cycles() - walk_cycles;
	}
	if (unlikely(cpu->heartbeat.answered_ns != READ_ONCE(tio_meanwhile_asked_ns)))
		tio_meanwhile_answer(cpu, now_ns);
	tio_recorder_note_packets(cpu);
	tio_steal_beat(cpu, now_ns);
	if (timed)
		measure(cpu, now_ns, tio_cycles_to_ns(walk_cycles));
	if (fast)
		return HRTIMER_RESTART;
	if (is_idle_task(current) && tio_softirqs_on(cpu) && tio_idle_may_pause()) {
		tio_beat_timer_paused(cpu);
		return HRTIMER_NORESTART;
	}
	WRITE_ONCE(cpu->beat.due_ns, ktime_to_ns(hrtimer_get_expires(&cpu->beat_timer)));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart heartbeat(struct hrtimer *timer)
{
	struct tio_cpu *cpu = container_of(timer, struct tio_cpu, beat_timer);
	u64 now_ns = ktime_get_ns();

	if (likely((cpu->counters.beats + 1) & cpu->heartbeat.slow_mask &&
		   fast_beat(cpu, now_ns)))
		return HRTIMER_RESTART;
	return slow_path(cpu, now_ns);
}

/**
 * tio_heartbeat_softirq() - a softirq begins or ends while a softirq stall is open
 * @exit: it ends
 *
 * Context: softirq.
 */
void tio_heartbeat_softirq(bool exit)
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
		tio_recorder_end_soft(cpu, &out, NULL, now_ns,
				      exit ? TRACE_IRQOFF_END_SOFTIRQ_EXIT :
					     TRACE_IRQOFF_END_SOFTIRQ_ENTRY);
	}
	local_irq_restore(flags);
}

/**
 * tio_heartbeat_set_timing() - how often beats take the slow path by now
 * @cpu: this CPU, with the settings in force in its timing
 *
 * Walks are on the slow path: one each half threshold at least. So are beats that
 * are timed.
 *
 * Context: interrupts off.
 */
void tio_heartbeat_set_timing(struct tio_cpu *cpu)
{
	u64 beats = div64_u64(cpu->timing.threshold_ns, 2 * cpu->timing.period_ns);

	beats = clamp_t(u64, beats, 1, TIO_COST_EVERY);
	cpu->heartbeat.timing_mask = rounddown_pow_of_two(beats) - 1;
	if (cpu->beat.mode != TIO_BEAT_BORROWED)
		cpu->heartbeat.slow_mask = cpu->heartbeat.timing_mask;
}

/**
 * tio_heartbeat_stop() - beat no more, and end what is open
 * @cpu: this CPU
 * @now_ns: now
 *
 * A beat that is due but has not run is taken for the last one.
 *
 * Context: interrupts off.
 */
void tio_heartbeat_stop(struct tio_cpu *cpu, u64 now_ns)
{
	struct tio_stall *stall = &cpu->stall;
	struct tio_outcome out;

	tio_beat_timer_end(cpu, now_ns);
	hrtimer_try_to_cancel(&cpu->heartbeat_nudge);
	if (stall->soft_due_ns) {
		tio_stall_softirq(stall, &cpu->timing, now_ns, &out);
		tio_recorder_end_soft(cpu, &out, NULL, now_ns, TRACE_IRQOFF_END_STOP);
	}
}

/**
 * tio_heartbeat_init() - set up a CPU's timers
 * @cpu: any CPU
 * @new_settings: what beats call where other settings are published than they know
 *
 * Context: module init.
 */
void tio_heartbeat_init(struct tio_cpu *cpu, void (*new_settings)(void))
{
	take_up = new_settings;
	hrtimer_setup(&cpu->beat_timer, heartbeat, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	hrtimer_setup(&cpu->heartbeat_nudge, nudged, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_SOFT);
}
