/* SPDX-License-Identifier: GPL-2.0-only */
/* A profile of an agent's captures, made by irqoff export, one at a time. */
#ifndef _IRQOFF_PROFILE_H
#define _IRQOFF_PROFILE_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

struct profile {
	pid_t pid;		/* 0: none is being made */
	bool done;		/* it is for profile_take() */
	int out, err;		/* what it printed; -1: nothing */
	__u64 end_ns;		/* it is killed then (monotonic clock) */
	bool late;		/* it was */
	char *why;		/* there is none; NULL: there is one */
	char *lacks;		/* which captures could not be read whole; NULL: all could */
	const char *directory;
	unsigned int seconds;
	bool again;		/* it is made a second time */
};

void profile_start(struct profile *profile, const char *directory, unsigned int seconds);
void profile_reap(struct profile *profile);
void profile_limit(struct profile *profile, __u64 now_ns);
char *profile_take(struct profile *profile, int *fd, char **lacks);
void profile_stop(struct profile *profile);

#endif /* _IRQOFF_PROFILE_H */
