/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Runs a follower: sleeps until the kernel tells of something, a signal comes, the reader of
 * the output goes, or a moment has come that was set before.
 */
#ifndef _IRQOFF_LOOP_H
#define _IRQOFF_LOOP_H

#include <poll.h>

#include "source/source.h"

struct knobs;
struct listener;

enum { LOOP_NETLINK, LOOP_SIGNALS, LOOP_OUTPUT, LOOP_CLOCK, LOOP_FDS };

struct loop {
	/* set by the caller */
	struct follow *follow;	/* its observers are added */
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
