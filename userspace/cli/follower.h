/* SPDX-License-Identifier: GPL-2.0-only */
/* Follows the module and records what it tells: what `record` and `agent` have in common. */
#ifndef _IRQOFF_FOLLOWER_H
#define _IRQOFF_FOLLOWER_H

#include "agent/recording.h"
#include "source/loop.h"

struct recorder {
	struct recording recording;
	struct follow follow;
	struct loop loop;
	const char *directory;	/* of the files, made if it is not there; or NULL */
	struct agent_outputs *outputs;	/* an agent's; NULL: there are none */
	bool config;		/* a file has the options, which have no dashes there */
	__u64 for_ns;		/* it ends after that time; 0: when it is told to */
};

void recorder_init(struct recorder *recorder);
const char *recorder_dashes(const struct recorder *recorder);
int recorder_option(struct recorder *recorder, int option, const char *value);
int recorder_run(struct recorder *recorder);

#endif /* _IRQOFF_FOLLOWER_H */
