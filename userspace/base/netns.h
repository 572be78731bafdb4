/* SPDX-License-Identifier: GPL-2.0-only */
/* Network namespaces whose counters are wanted besides those of one's own. */
#ifndef _IRQOFF_NETNS_H
#define _IRQOFF_NETNS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#define NETNS_MOST	16

struct netns_one {
	const char *value;	/* a name in NETNS_DIR, or the number of a process */
	bool process;
	__u64 inode;		/* a process that has it no more is another one, or has left */
};

struct netns {
	bool all;		/* all that have a name, at each visit */
	struct netns_one some[NETNS_MOST];
	size_t nsome;
};

int netns_want(struct netns *netns, const char *value, bool config);
void netns_visit(const struct netns *netns,
		 void (*visit)(void *context, const char *value, __u64 inode), void *context);

#endif /* _IRQOFF_NETNS_H */
