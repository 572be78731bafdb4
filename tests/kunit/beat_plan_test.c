// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that idles and works, breadth-first through every order of events: sections and
 * handlers of any length, on top of anything; timers that are late, and put off; sleeps with
 * interrupts on and off; a host that takes the CPU; watching that stops and starts. For each
 * section with interrupts off the walk asks: if it was long, has it a record? And of each
 * record: is it true?
 *
 * The CPU is a model of kernel/sched/idle.c, kernel/time/hrtimer.c and kernel/time/tick-sched.c.
 * What is tested is module/core/beat_plan.c and module/core/stall.c. The few lines between them and
 * the kernel (heartbeat.c, idle.c, beat_timer.c) are written once more here, as glue_*().
 */
#include <linux/overflow.h>
#include <linux/vmalloc.h>

#include "idle_world.h"

static void wrong(struct walk *walk, const char *what)
{
	if (!walk->failed)
		print_path(walk);
	walk->failed = true;
	KUNIT_EXPECT_TRUE_MSG(walk->test, false, "%s", what);
}

static bool in_handler(const struct world *world)
{
	return world->top == TIMER || world->top == DEVICE;
}

static bool irqs_on(const struct world *world)
{
	if (world->top == SOFTIRQ)
		return true;
	return world->top == NOTHING &&
	       (world->place == TASK || world->place == FRESH || world->place == ASLEEP ||
		world->place == AGAIN);
}

static bool idle(const struct world *world)
{
	return world->place >= FRESH && world->place <= AGAIN_OFF;
}

/* a section of one kind begins */
static void section_begins(struct world *world)
{
	world->section = world->now;
	world->blind = world->hardware > world->now;
	if (!world->off) {
		world->off = true;
		world->off_since = world->now;
	}
}

static void section_ends(struct walk *walk, struct world *world)
{
	u64 length = world->now - world->section;

	/* while the kernel puts timers off no beat can tell: BLIND SPOTS in irqoff(8) */
	if (length >= walk->threshold + walk->period) {
		if (world->blind) {
			walk->blind++;
		} else {
			walk->sections++;
			world->owed = true;
			world->owed_length = max(world->owed_length, length);
		}
	}
	world->section = 0;
}

/* the module has told of a hard stall */
static void told(struct walk *walk, struct world *world, const struct tio_outcome *out)
{
	u64 longest = world->off ? world->now - world->off_since : 0;

	if (!out->record_hard)
		return;
	walk->records++;
	if (out->hard.min_ns > longest * UNIT)
		wrong(walk, "a record's lower bound is longer than the stall");
	if (world->section && !world->owed && !world->blind &&
	    out->hard.max_ns < (world->now - world->section) * UNIT)
		wrong(walk, "a record's upper bound is shorter than the stall");
	if (world->owed && out->hard.max_ns < world->owed_length * UNIT)
		wrong(walk, "a record's upper bound is shorter than the stall before it");
	world->owed = false;
	world->owed_length = 0;
	/* of a section that goes on the rest may be short */
	if (world->section)
		world->section = world->now;
}

/* interrupts are on, and none is pending */
static void is_on(struct walk *walk, struct world *world)
{
	if (world->owed)
		wrong(walk, "a long stall has no record");
	world->owed = false;
	world->owed_length = 0;
	world->off = false;
}

static void glue_do(struct walk *walk, struct world *world, const struct tio_beat_todo *todo)
{
	if (todo->hard_ended)
		told(walk, world, &todo->out);
	if (todo->arm_ns) {
		world->armed = true;
		world->ours = units(todo->arm_ns);
	}
}

static bool glue_rests(const struct world *world)
{
	return !world->stall.hard_due_ns;
}

static u64 glue_awake(const struct world *world)
{
	return world->fresh ? 0 : ns_of(world->awake);
}

/* the beat runs: heartbeat.c, slow_path() */
static void glue_beat(struct walk *walk, struct world *world)
{
	u64 next = world->ours;
	struct tio_beat beat = {
		.due_ns = world->plan.due_ns,
		.now_ns = ns_of(world->now),
		.entry_ns = ns_of(world->entry),
		.softirqs_on = true,
		.again = world->beaten,
	};
	struct tio_outcome out;

	/* the handler's end judges, and resumes it */
	if (world->plan.mode == TIO_BEAT_BORROWED) {
		world->armed = false;
		return;
	}
	while (next <= world->now)
		next += walk->period;
	beat.next_ns = ns_of(next);
	tio_stall_beat(&world->stall, &walk->timing, &beat, &out);
	if (out.hard_ended)
		told(walk, world, &out);
	world->beaten = true;
	world->ours = next;
	if (idle(world) && !world->resched && glue_rests(world) && !world->fresh) {
		tio_beat_plan_pause(&world->plan);
		world->armed = false;
		if (world->awake)
			world->awake = world->now;
		return;
	}
	world->plan.due_ns = ns_of(next);
}

/* heartbeat.c, tio_heartbeat_irq_end() */
static void glue_irq_end(struct walk *walk, struct world *world)
{
	struct tio_irq_end irq = {
		.entry_ns = ns_of(world->entry),
		.timed = true,
		.now_ns = ns_of(world->now),
		.hangs = world->hung,
		.put_off = true,
		.awake_ns = glue_awake(world),
		.idle = idle(world) && !world->resched,
		.softirqs_on = true,
	};
	struct tio_beat_todo todo;

	if (world->plan.mode == TIO_BEAT_OFF)
		return;
	if (world->plan.mode == TIO_BEAT_RUNS && world->now == world->entry &&
	    !world->stall.hard_due_ns)
		return;
	tio_beat_plan_irq_end(&world->plan, &world->stall, &walk->timing, &irq, &todo);
	world->hung = false;
	world->plan.hangs = 0;
	glue_do(walk, world, &todo);
	if (world->plan.mode == TIO_BEAT_PAUSED && world->awake)
		world->awake = world->now;
}

/* idle.c, tio_idle_switch() */
static void glue_switch(struct walk *walk, struct world *world, bool credit)
{
	world->fresh = true;
	if (world->plan.mode == TIO_BEAT_BORROWED)
		world->armed = false;
	if (world->plan.mode != TIO_BEAT_RUNS || !credit || !glue_rests(world) ||
	    tio_beat_plan_overdue(&world->plan, ns_of(world->now)))
		return;
	if (!tio_beat_plan_lends(&walk->timing, ns_of(walk->tick)))
		return;
	tio_beat_plan_lend(&world->plan, &world->stall, ns_of(world->now), ns_of(walk->tick));
	world->own = world->ours;
	world->armed = false;
}

/* idle.c, tio_idle_sleep() */
static void glue_sleep(struct walk *walk, struct world *world, bool credit)
{
	struct tio_beat_todo todo;

	if (world->plan.mode == TIO_BEAT_RUNS) {
		if (credit && glue_rests(world) && !world->resched &&
		    !tio_beat_plan_overdue(&world->plan, ns_of(world->now))) {
			tio_beat_plan_pause(&world->plan);
			world->armed = false;
		}
	} else if (world->plan.mode != TIO_BEAT_OFF) {
		tio_beat_plan_sleep(&world->plan, &world->stall, &walk->timing,
				    ns_of(world->now), glue_awake(world), &todo);
		glue_do(walk, world, &todo);
	}
	world->fresh = false;
	world->awake = 0;
}

/* idle.c, tio_idle_leave() */
static void glue_leave(struct walk *walk, struct world *world)
{
	struct tio_beat_todo todo;

	if (world->plan.mode != TIO_BEAT_BORROWED && world->plan.mode != TIO_BEAT_PAUSED)
		return;
	tio_beat_plan_leave(&world->plan, &world->stall, &walk->timing, ns_of(world->now),
			    ns_of(world->own), glue_awake(world), &todo);
	glue_do(walk, world, &todo);
}

/* idle.c, tio_idle_wake() */
static void glue_wake(struct walk *walk, struct world *world)
{
	if (world->resched)
		glue_leave(walk, world);
	world->fresh = world->resched;
	world->awake = world->now;
}

/* idle.c, tio_idle_softirq_ended() */
static void glue_softirq_ended(struct world *world, bool credit)
{
	if (world->plan.mode != TIO_BEAT_RUNS || !credit || !glue_rests(world) ||
	    world->resched || world->fresh ||
	    tio_beat_plan_overdue(&world->plan, ns_of(world->now)))
		return;
	tio_beat_plan_pause(&world->plan);
	world->armed = false;
	if (world->awake)
		world->awake = world->now;
}

static void glue_restart(struct walk *walk, struct world *world)
{
	u64 now_ns = ns_of(world->now);
	struct tio_beat_todo todo;

	tio_beat_plan_stop(&world->plan, &world->stall, &walk->timing, now_ns,
			   glue_awake(world), &todo);
	world->armed = false;
	glue_do(walk, world, &todo);
	/* whether it has slept is not known */
	world->fresh = true;
	tio_beat_plan_start(&world->plan, &world->stall, now_ns,
			    now_ns + walk->timing.period_ns, world->hung, true, &todo);
	glue_do(walk, world, &todo);
}

static void passes(struct walk *walk, struct world world)
{
	if (irqs_on(&world))
		is_on(walk, &world);
	else if (world.now - world.off_since >= LONGEST_ROW)
		return;
	world.now++;
	reach(walk, &world);
}

/* the host has the CPU for a while, whatever the CPU does */
static void host_takes(struct walk *walk, struct world world)
{
	bool on = !world.section;

	if (world.place == ASLEEP && world.top == NOTHING)
		return;
	if (world.off && world.now - world.off_since > 2)
		return;
	if (on)
		section_begins(&world);
	world.now += walk->threshold + walk->period;
	if (on)
		section_ends(walk, &world);
	reach(walk, &world);
}

static void interrupt(struct walk *walk, struct world world, enum top which)
{
	section_begins(&world);
	world.top = which;
	world.entry = world.now;
	world.beaten = false;
	if (which == DEVICE)
		world.device = false;
	reach(walk, &world);
}

static bool timer_due(const struct world *world)
{
	return (world->armed && world->ours <= world->now) ||
	       (world->ticks && world->tick <= world->now);
}

static void to(struct walk *walk, struct world world, enum place place)
{
	bool were_on = irqs_on(&world);

	world.place = place;
	if (were_on && !irqs_on(&world))
		section_begins(&world);
	else if (!were_on && irqs_on(&world))
		section_ends(walk, &world);
	reach(walk, &world);
}

/* the idle task goes to sleep */
static void sleeps(struct walk *walk, struct world world, bool credit, bool stop_tick)
{
	glue_sleep(walk, &world, credit);
	section_ends(walk, &world);
	if (stop_tick)
		world.ticks = false;
	world.place = ASLEEP;
	reach(walk, &world);
}

static void handler_ends(struct walk *walk, struct world world, bool resched)
{
	world.resched = world.resched || (idle(&world) && resched);
	glue_irq_end(walk, &world);
	section_ends(walk, &world);
	world.top = NOTHING;
	if (world.place >= TASK_OFF && !irqs_on(&world))
		section_begins(&world);
	reach(walk, &world);
	/* softirqs on top of an idle CPU: those on others do not change the plan */
	if (idle(&world)) {
		glue_leave(walk, &world);
		world.top = SOFTIRQ;
		reach(walk, &world);
	}
}

static void expand_handler(struct walk *walk, const struct world *world)
{
	struct world next = *world;
	int resched;

	if (world->now - world->entry < LONGEST)
		passes(walk, *world);
	if (world->top == DEVICE && world->now == world->entry) {
		glue_restart(walk, &next);
		reach(walk, &next);
		next = *world;
	}
	if (world->top == TIMER && timer_due(world)) {
		/* one pass: ours runs before the tick, or after it */
		if (world->armed && world->ours <= world->now)
			glue_beat(walk, &next);
		else
			while (next.tick <= next.now)
				next.tick += walk->tick;
		reach(walk, &next);
		/* it gives up; what that puts off by less than half a period nobody notices */
		if (world->now == world->entry)
			return;
		next = *world;
		next.hung = true;
		next.hardware = next.now + min(next.now - next.entry, 4ULL);
		for (resched = 0; resched < 2; resched++)
			handler_ends(walk, next, resched);
		return;
	}
	for (resched = 0; resched < 2; resched++)
		handler_ends(walk, *world, resched);
}

static void expand_softirq(struct walk *walk, const struct world *world)
{
	struct world next;
	int credit;

	passes(walk, *world);
	for (credit = 0; credit < 2; credit++) {
		next = *world;
		glue_softirq_ended(&next, credit);
		next.top = NOTHING;
		reach(walk, &next);
	}
}

static void back(struct walk *walk, struct world world)
{
	if (irqs_on(&world))
		section_begins(&world);
	world.place = BACK;
	/* tick_nohz_idle_exit() */
	if (!world.ticks) {
		world.ticks = true;
		world.tick = world.now + walk->tick;
	}
	reach(walk, &world);
}

static void expand_place(struct walk *walk, const struct world *world)
{
	struct world next = *world;
	int i;

	/* sections end somewhere */
	if (world->section ? world->now - world->section < LONGEST : world->place != AGAIN)
		passes(walk, *world);
	switch (world->place) {
	case TASK:
		to(walk, *world, TASK_OFF);
		to(walk, *world, SWITCH);
		break;
	case TASK_OFF:
		to(walk, *world, TASK);
		break;
	case SWITCH:
		for (i = 0; i < 2; i++) {
			next = *world;
			glue_switch(walk, &next, i);
			next.place = SWITCHED;
			reach(walk, &next);
		}
		break;
	case SWITCHED:
		to(walk, *world, FRESH);
		break;
	case FRESH:
		if (!world->resched)
			to(walk, *world, FRESH_OFF);
		next.resched = true;
		back(walk, next);
		break;
	case FRESH_OFF:
	case AGAIN_OFF:
		for (i = 0; i < 4; i++)
			sleeps(walk, *world, i & 1, i & 2);
		break;
	case ASLEEP:
		/* after an interrupt, or because the idle loop polls */
		for (i = world->resched; i < 2; i++) {
			next = *world;
			next.resched = i;
			glue_wake(walk, &next);
			if (next.resched)
				back(walk, next);
			else
				to(walk, next, AGAIN);
		}
		break;
	case WOKE:
		to(walk, *world, AGAIN);
		break;
	case AGAIN:
		if (!world->resched)
			to(walk, *world, AGAIN_OFF);
		/* another CPU woke a task, and sent no interrupt to one that polls */
		next.resched = true;
		back(walk, next);
		break;
	case BACK:
		next.resched = false;
		/*
		 * There is no task, so there is no switch. Where that was asked for only after
		 * the sleep, the loop begins anew unseen (docs/design/idle.md).
		 */
		if (next.fresh)
			to(walk, next, FRESH);
		glue_leave(walk, &next);
		next.place = TASK_OFF;
		reach(walk, &next);
		break;
	}
}

/* a state that sleeps with interrupts off ends before the interrupt that ends it */
static void wakes_off(struct walk *walk, struct world world)
{
	section_begins(&world);
	glue_wake(walk, &world);
	world.place = WOKE;
	reach(walk, &world);
}

static void expand(struct walk *walk, const struct world *world)
{
	struct world next = *world;
	bool timer = timer_due(world) && world->now >= world->hardware;

	if (walk->failed)
		return;
	if (in_handler(world)) {
		expand_handler(walk, world);
		return;
	}
	host_takes(walk, *world);
	if (irqs_on(world) && (timer || world->device)) {
		if (timer)
			interrupt(walk, *world, TIMER);
		if (world->device)
			interrupt(walk, *world, DEVICE);
		if (world->place == ASLEEP && world->top == NOTHING)
			wakes_off(walk, *world);
		return;
	}
	if (!world->device) {
		next.device = true;
		reach(walk, &next);
	}
	if (world->top == SOFTIRQ)
		expand_softirq(walk, world);
	else
		expand_place(walk, world);
}

static void walk_all(struct kunit *test, u64 period, u64 threshold, u64 tick)
{
	struct walk walk = {
		.test = test,
		.timing = { .period_ns = period * UNIT, .threshold_ns = threshold * UNIT },
		.period = period, .threshold = threshold, .tick = tick,
		.nseen = 1,
	};
	struct world world = { .now = 1000, .place = TASK, .ticks = true, .tick = 1000 + tick };
	struct tio_beat_todo todo;

	while (walk.nseen < 2 * STATES)
		walk.nseen *= 2;
	walk.states = vmalloc(array_size(STATES, sizeof(*walk.states)));
	walk.seen = vzalloc(array_size(walk.nseen, sizeof(*walk.seen)));
	if (walk.states && walk.seen) {
		tio_beat_plan_start(&world.plan, &world.stall, ns_of(world.now),
				    ns_of(world.now + period), 0, true, &todo);
		glue_do(&walk, &world, &todo);
		world.awake = world.now;
		reach(&walk, &world);
		for (; walk.at < walk.count && !walk.failed; walk.at++) {
			unpack(&walk.states[walk.at], &world);
			expand(&walk, &world);
		}
		kunit_info(test, "%u states%s: %llu records of %llu long sections, %llu in blind spots",
			   walk.count, walk.full ? " and more" : "", walk.records, walk.sections,
			   walk.blind);
		KUNIT_EXPECT_GT(test, walk.records, 100ull);
		KUNIT_EXPECT_GT(test, walk.sections, 100ull);
	} else {
		KUNIT_EXPECT_TRUE(test, false);
	}
	vfree(walk.states);
	vfree(walk.seen);
}

/*
 * Stalls are counted from 2 periods on and recorded from 4 on. The tick comes every 4, so
 * that it is at times too late to stand in for a beat.
 */
static void all_orders(struct kunit *test)
{
	walk_all(test, 1, 4, 4);
}

/* a guest was paused within a handler: its cycles ran on, its clock did not */
static void cycles_ran_on(struct kunit *test)
{
	struct tio_beat_plan plan = { .mode = TIO_BEAT_RUNS, .due_ns = 900000 };
	struct tio_stall stall = {
		.hard_on_ns = 1000, .hard_from_ns = 1000, .hard_due_ns = 2000,
	};
	const struct tio_timing timing = { .period_ns = 1000, .threshold_ns = 10000 };
	const struct tio_irq_end irq = { .timed = true, .entry_ns = 10, .now_ns = 50000 };
	struct tio_beat_todo todo;

	tio_beat_plan_irq_end(&plan, &stall, &timing, &irq, &todo);
	KUNIT_EXPECT_TRUE(test, todo.hard_ended);
	KUNIT_EXPECT_EQ(test, todo.out.hard.min_ns, 49000ULL);
	KUNIT_EXPECT_EQ(test, todo.out.hard.max_ns, 49000ULL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(all_orders),
	KUNIT_CASE(cycles_ran_on),
	{ }
};

TIO_SUITE("beat_plan", "when trace_irqoff's beats are due");
