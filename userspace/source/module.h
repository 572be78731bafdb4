/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether the module is there, and why it may not answer. */
#ifndef _IRQOFF_MODULE_H
#define _IRQOFF_MODULE_H

enum module_state {
	MODULE_ABSENT,
	MODULE_COMING,
	MODULE_LIVE,
	MODULE_GOING,
};

/* is this network namespace the one in which the module answers? */
enum netns {
	NETNS_UNKNOWN,
	NETNS_HOST,
	NETNS_OTHER,
};

enum module_state module_state(const char *sysfs);
const char *module_silence(enum module_state state, enum netns netns);

#endif /* _IRQOFF_MODULE_H */
