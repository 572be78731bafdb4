/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who is told what a follower finds, and what its loop hears: in the order in which they were
 * added.
 */
#ifndef _IRQOFF_OBSERVERS_H
#define _IRQOFF_OBSERVERS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct config;
struct model;

/* any of them may be NULL */
struct observer_calls {
	/*
	 * The module is there, and the follower asks it next. Returns an exit status, or
	 * FOLLOW_GONE.
	 */
	int (*found)(void *context);
	/* records are about to be read: names of code have to be as old as that */
	void (*before)(void *context);
	/*
	 * Records and open stalls, in the order of their messages: those without "context" are
	 * handed on. Returns an exit status.
	 */
	int (*records)(void *context, struct model *model);
	void (*lost)(void *context, __u32 cpu, __u64 count);
	/* another load of the module is followed from here on */
	void (*instance)(void *context, const struct config *config);
	/* settings have changed, or the CPUs that are watched have */
	void (*settings)(void *context, const struct config *config);
	/* the module was unloaded */
	void (*gone)(void *context);
	/* child processes may have ended */
	void (*child)(void *context);
	/* the wall clock was set */
	void (*clock_set)(void *context);
	/* it has seen enough: the loop ends */
	bool (*done)(void *context);
	/* the loop ends: records are about to be read for the last time */
	void (*ending)(void *context);
	/*
	 * Something of its own may be due. Returns an exit status, and in @next_ns, if it is
	 * earlier, when that will be the case again (monotonic clock). @last: the loop ends.
	 */
	int (*due)(void *context, __u64 now_ns, bool last, __u64 *next_ns);
};

#define OBSERVERS_MOST	2

struct observers {
	struct {
		const struct observer_calls *calls;
		void *context;
	} all[OBSERVERS_MOST];
	size_t count;
};

void observers_add(struct observers *observers, const struct observer_calls *calls,
		   void *context);

/*
 * Each calls a function of all that have it. The first answer but 0 is that of all, and those
 * behind are not asked; but due() is called of all.
 */
int observers_found(const struct observers *observers);
void observers_before(const struct observers *observers);
int observers_records(const struct observers *observers, struct model *model);
void observers_lost(const struct observers *observers, __u32 cpu, __u64 count);
void observers_instance(const struct observers *observers, const struct config *config);
void observers_settings(const struct observers *observers, const struct config *config);
void observers_gone(const struct observers *observers);
void observers_child(const struct observers *observers);
void observers_clock_set(const struct observers *observers);
bool observers_done(const struct observers *observers);
void observers_ending(const struct observers *observers);
int observers_due(const struct observers *observers, __u64 now_ns, bool last, __u64 *next_ns);
bool observers_have_clock_set(const struct observers *observers);

#endif /* _IRQOFF_OBSERVERS_H */
