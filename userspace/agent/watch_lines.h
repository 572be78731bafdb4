/* SPDX-License-Identifier: GPL-2.0-only */
/* Shows what a follower hands on, runs a command for it, and decides when that was all. */
#ifndef _IRQOFF_WATCH_LINES_H
#define _IRQOFF_WATCH_LINES_H

#include "base/hook.h"
#include "model/filter.h"
#include "names/names.h"
#include "source/follow.h"
#include "terminal/columns.h"
#include "terminal/screen.h"

struct cgroups;
struct source;

struct watch {
	/* what is wanted */
	struct filter filter;
	struct columns columns;
	bool json;		/* a line of JSON a stall */
	bool verbose;
	__u64 count;		/* end after so many stalls; 0: go on */
	__u64 fail_above_ns;	/* end at a stall that lasted longer; 0: at none */
	__u64 for_ns;		/* end after that time; 0: go on */
	__u64 until_ns;		/* end at that moment of the wall clock; ~0: go on */
	struct hook hook;	/* without a command: none */
	FILE *out;
	const char *mountinfo;
	struct names names;	/* their paths */
	struct cgroups *cgroups;	/* of cgroups_renew() */

	struct screen screen;
	struct machine machine;
	bool *hidden;		/* set where names have to come from the module */
	bool begun;
	bool gone;		/* the module is not loaded */
	__u64 shown;
	bool done;
	int status;		/* once it is done */
	bool unsure;		/* a stall may have passed unseen */
};

void watch_follow(struct watch *watch, struct follow *follow);
void watch_head(struct watch *watch);
int watch_end(struct watch *watch);

#endif /* _IRQOFF_WATCH_LINES_H */
