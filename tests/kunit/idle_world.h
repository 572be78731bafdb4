/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The states of a CPU that idles and works, and the walk through all that can be reached:
 * breadth-first, so that what is wrong is shown by the shortest way to it.
 */
#ifndef _TIO_IDLE_WORLD_H
#define _TIO_IDLE_WORLD_H

#include "core/beat_plan.h"
#include "suite.h"

/* the unit of time; hrtimer_interrupt() puts timers off by 4 at most */
#define UNIT		(TIO_HANG_MAX_NS / 4)

/* longer sections bring nothing new, nor do more that follow each other without a pause */
#define LONGEST		6
#define LONGEST_ROW	7

/* what is older than this is as old as this */
#define OLD		20

/* what lies further ahead does not come */
#define NEVER		60

#ifdef __KERNEL__
#define STATES		50000	/* 5 s with KASAN in an emulator */
#else
#define STATES		40000000
#endif

enum place {
	TASK,		/* a task, interrupts on */
	TASK_OFF,
	SWITCH,		/* to the idle task, before the tracepoint; interrupts off */
	SWITCHED,	/* behind it; interrupts off */
	FRESH,		/* the idle task before its first sleep, interrupts on */
	FRESH_OFF,	/* on its way into that sleep, interrupts off */
	ASLEEP,		/* a pending interrupt wakes it */
	WOKE,		/* behind the sleep; interrupts off */
	AGAIN,		/* interrupts on for a moment, before the next sleep */
	AGAIN_OFF,	/* on its way into that */
	BACK,		/* the switch from the idle task; interrupts off */
	PLACES
};

static const char * const place_names[PLACES] = {
	"task", "task-off", "switch", "switched", "fresh", "fresh-off", "asleep", "woke", "again",
	"again-off", "back",
};

enum top {
	NOTHING,	/* what runs on top of the place */
	TIMER,		/* hrtimer_interrupt() */
	DEVICE,		/* another handler */
	SOFTIRQ,	/* interrupts on */
};

static const char * const top_names[] = { "", "+timer", "+device", "+softirq" };

/* all times are absolute, in UNIT, and packed relative to now */
struct world {
	u8 place, top;
	bool resched;		/* the idle task knows that it is to be left */
	bool armed, ticks;	/* our timer; the kernel's tick */
	bool device;		/* an interrupt is pending */
	bool beaten;		/* the beat has run in this handler */
	bool hung;		/* hrtimer_interrupt() has given up since the plan looked */
	bool fresh;		/* idle.c: the idle task has not slept yet */
	bool off;		/* truth: no interrupt was taken since off_since */
	bool blind;		/* the kernel put timers off as the section began */
	bool owed;		/* a long section has ended, and has no record yet */
	u64 now;
	u64 ours, tick;		/* when these are due */
	u64 own;		/* when ours was due as it was lent */
	u64 hardware;		/* no timer's interrupt comes before */
	u64 entry;		/* of the handler */
	u64 awake;		/* idle.c: since when it is awake after a sleep; 0: it sleeps */
	u64 off_since;
	u64 section;		/* since when interrupts are off for one reason; 0: they are on */
	u64 owed_length;
	struct tio_beat_plan plan;
	struct tio_stall stall;
};

struct packed {
	u8 bytes[28];
	u32 parent;
};

struct walk {
	struct kunit *test;
	struct tio_timing timing;
	u64 period, threshold, tick;
	struct packed *states;
	u32 *seen;		/* indices into states, + 1, by hash */
	u32 nseen;		/* a power of 2 */
	u32 count, at;
	u64 records, sections, blind;
	bool failed, full;
};

static u8 rel(const struct world *world, u64 at)
{
	if (!at)
		return 0;
	if (at >= world->now + NEVER)
		return 255;
	return at + OLD > world->now ? at + OLD - world->now : 1;
}

static u64 absolute(u8 packed)
{
	/* now is 1000 */
	return !packed ? 0 : packed == 255 ? 1000000 : 1000 - OLD + packed;
}

static u64 units(u64 ns)
{
	return ns == TIO_NEVER_NS ? 1000000 : ns / UNIT;
}

static u64 ns_of(u64 at)
{
	return at >= 1000000 ? TIO_NEVER_NS : at * UNIT;
}

static void pack(const struct world *world, struct packed *packed)
{
	const struct tio_beat_plan *plan = &world->plan;
	const struct tio_stall *stall = &world->stall;
	bool in_handler = world->top == TIMER || world->top == DEVICE;
	u8 *to = packed->bytes;

	memset(packed, 0, sizeof(*packed));
	*to++ = world->place;
	*to++ = world->top;
	*to++ = world->resched | world->armed << 1 | world->ticks << 2 | world->device << 3 |
		world->beaten << 4 | world->hung << 5 | world->fresh << 6 | world->off << 7;
	*to++ = plan->mode | world->owed << 4 | world->blind << 5;
	*to++ = world->armed ? rel(world, world->ours) : 0;
	*to++ = world->ticks ? max(rel(world, world->tick), (u8)(OLD - 3)) : 0;
	*to++ = world->hardware > world->now ? rel(world, world->hardware) : 0;
	*to++ = in_handler ? rel(world, world->entry) : 0;
	*to++ = world->fresh || world->place < FRESH ? 0 : rel(world, world->awake);
	*to++ = world->off ? rel(world, world->off_since) : 0;
	*to++ = rel(world, world->section);
	*to++ = world->owed ? world->owed_length : 0;
	*to++ = rel(world, units(plan->due_ns));
	*to++ = units(plan->put_off_ns) > world->now ? rel(world, units(plan->put_off_ns)) : 0;
	*to++ = plan->mode == TIO_BEAT_BORROWED ? rel(world, world->own) : 0;
	*to++ = plan->mode == TIO_BEAT_BORROWED ? rel(world, units(plan->lent_ns)) : 0;
	*to++ = rel(world, units(stall->hard_on_ns));
	*to++ = rel(world, units(stall->hard_due_ns));
	*to++ = stall->hard_due_ns ? rel(world, units(stall->hard_from_ns)) : 0;
}

static void unpack(const struct packed *packed, struct world *world)
{
	const u8 *from = packed->bytes;
	u8 flags;

	*world = (struct world) { .now = 1000 };
	world->place = *from++;
	world->top = *from++;
	flags = *from++;
	world->resched = flags & 1;
	world->armed = flags & 2;
	world->ticks = flags & 4;
	world->device = flags & 8;
	world->beaten = flags & 16;
	world->hung = flags & 32;
	world->fresh = flags & 64;
	world->off = flags & 128;
	world->plan.mode = *from & 15;
	world->blind = *from & 32;
	world->owed = *from++ & 16;
	world->ours = absolute(*from++);
	world->tick = absolute(*from++);
	world->hardware = absolute(*from++);
	world->entry = absolute(*from++);
	world->awake = absolute(*from++);
	world->off_since = absolute(*from++);
	world->section = absolute(*from++);
	world->owed_length = *from++;
	world->plan.due_ns = ns_of(absolute(*from++));
	world->plan.put_off_ns = ns_of(absolute(*from++));
	world->own = absolute(*from++);
	world->plan.lent_ns = ns_of(absolute(*from++));
	world->stall.hard_on_ns = ns_of(absolute(*from++));
	world->stall.hard_due_ns = ns_of(absolute(*from++));
	world->stall.hard_from_ns = ns_of(absolute(*from++));
}

static void print_world(struct kunit *test, const struct world *world)
{
	kunit_info(test, "%s%s mode %u due %+d timer %+d tick %+d off %d section %d%s%s",
		   place_names[world->place], top_names[world->top], world->plan.mode,
		   (int)(units(world->plan.due_ns) - world->now),
		   world->armed ? (int)(world->ours - world->now) : NEVER,
		   world->ticks ? (int)(world->tick - world->now) : NEVER,
		   world->off ? (int)(world->now - world->off_since) : -1,
		   world->section ? (int)(world->now - world->section) : -1,
		   world->owed ? " owed" : "", world->resched ? " resched" : "");
}

/* how the walk came to what is wrong */
static void print_path(const struct walk *walk)
{
	static u32 path[4096];
	u32 at = walk->at, n = 0;

	for (; n < ARRAY_SIZE(path); at = walk->states[at].parent) {
		path[n++] = at;
		if (!at)
			break;
	}
	while (n--) {
		struct world world;

		unpack(&walk->states[path[n]], &world);
		print_world(walk->test, &world);
	}
}

static u32 hash(const struct packed *packed)
{
	u64 sum = 0xcbf29ce484222325ULL;
	unsigned int i;

	for (i = 0; i < sizeof(packed->bytes); i++)
		sum = (sum ^ packed->bytes[i]) * 0x100000001b3ULL;
	return sum ^ sum >> 32;
}

/* a state to go on from, unless it is known */
static void reach(struct walk *walk, const struct world *world)
{
	struct packed packed;
	u32 slot;

	pack(world, &packed);
	for (slot = hash(&packed);; slot++) {
		u32 *seen = &walk->seen[slot & (walk->nseen - 1)];

		if (!*seen) {
			if (walk->count == STATES) {
				walk->full = true;
				return;
			}
			packed.parent = walk->at;
			walk->states[walk->count++] = packed;
			*seen = walk->count;
			return;
		}
		if (!memcmp(walk->states[*seen - 1].bytes, packed.bytes, sizeof(packed.bytes)))
			return;
	}
}

#endif /* _TIO_IDLE_WORLD_H */
