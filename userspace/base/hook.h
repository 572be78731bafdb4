/* SPDX-License-Identifier: GPL-2.0-only */
/* A command that is run for a stall: one at a time, and not too often. */
#ifndef _IRQOFF_HOOK_H
#define _IRQOFF_HOOK_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

struct hook {
	const char *command;	/* for the shell */
	__u64 every_ns;		/* from one start to the next, at least */
	pid_t pid;		/* 0: none runs */
	bool ran;
	__u64 ran_ns;		/* when it was started last */
	__u64 held;		/* stalls for which it was not, since then */
};

bool hook_ready(const struct hook *hook, __u64 now_ns);
void hook_run(struct hook *hook, const char *input, size_t len, __u64 now_ns);
void hook_hold(struct hook *hook);
void hook_ended(struct hook *hook);
void hook_tell(const struct hook *hook);

#endif /* _IRQOFF_HOOK_H */
