/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a follower: sleeps until the kernel tells of something, a signal comes, the reader of
 * the output goes, or a moment has come that was set before.
 */
#ifndef _IRQOFF_LOOP_H
#define _IRQOFF_LOOP_H

#include <poll.h>

#include "source.h"

struct knobs;
struct listener;

/* what whoever follows is told, besides the follower's sink; any of them may be NULL */
struct loop_calls {
	/*
	 * The module is there, and the follower asks it next. Returns an exit status, or
	 * FOLLOW_GONE.
	 */
	int (*found)(void *context);
	/* it has seen enough */
	bool (*done)(void *context);
	/* the module was unloaded */
	void (*gone)(void *context);
	/* child processes may have ended */
	void (*child)(void *context);
	/* the loop ends: records are about to be read for the last time */
	void (*ending)(void *context);
	/* the wall clock was set */
	void (*clock_set)(void *context);
	/*
	 * Something of its own may be due. Returns an exit status, and in @next_ns, if it is
	 * earlier, when that will be the case again (monotonic clock). @last: the loop ends.
	 */
	int (*due)(void *context, __u64 now_ns, bool last, __u64 *next_ns);
};

enum { LOOP_NETLINK, LOOP_SIGNALS, LOOP_OUTPUT, LOOP_CLOCK, LOOP_FDS };

struct loop {
	/* set by the caller */
	struct follow *follow;	/* its sink is set */
	const struct loop_calls *calls;
	void *context;		/* of the calls */
	bool waits;		/* the module may be loaded later */
	/* set whenever the module comes; watching stops with the loop. NULL: nothing is set */
	const struct knobs *knobs;
	const char *knobs_file;	/* where they are from */
	bool to_stdout;		/* it ends when standard output has lost its reader */
	__u64 end_ns;		/* and then, of the monotonic clock; FOLLOW_NEVER */

	struct following following;
	struct listener *listener;
	struct pollfd fds[LOOP_FDS];
	const char *state;	/* that the service manager was told last; NULL: another one */
	__u64 next_ns;		/* when something is due besides the follower's */
	bool stop;		/* a signal, or the time is over */
	bool over;		/* nothing is read any more */
	bool missed;
	bool came;
};

int loop_open(struct loop *loop);
int loop_run(struct loop *loop);
void loop_close(struct loop *loop);

#endif /* _IRQOFF_LOOP_H */
