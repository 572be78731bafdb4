/* SPDX-License-Identifier: GPL-2.0-only */
/* What `irqoff serve` is asked for; irqoff-serve, which has its own package, does it. */
#ifndef _IRQOFF_SERVE_H
#define _IRQOFF_SERVE_H

#include "base/address.h"
#include "cli/commands.h"

struct serve {
	struct address address;
	bool typed;		/* the address was */
	const char *state;	/* the agent's counters */
	const char *directory;	/* its captures */
};

int serve_parse(struct serve *serve, const struct command *command, int argc, char **argv,
		bool *done);

#endif /* _IRQOFF_SERVE_H */
