/* SPDX-License-Identifier: GPL-2.0-only */
/* Parses the agent's file of settings, which administrators write. */
#ifndef _IRQOFF_AGENT_SETTINGS_H
#define _IRQOFF_AGENT_SETTINGS_H

#include "base/netns.h"
#include "model/knob_words.h"

/* netns several times, and each of the others once */
#define SETTINGS_OPTIONS	(6 + NETNS_MOST)

/* what the file says of recording */
struct settings_option {
	int option;		/* of `irqoff agent` */
	const char *value;	/* NULL where it takes none */
	unsigned int line;
};

struct settings {
	char *text;		/* all words point into it */
	struct knobs knobs;	/* enable is always given: 1 unless the file says no */
	struct settings_option options[SETTINGS_OPTIONS];
	size_t noptions;
};

int settings_parse(struct settings *settings, const char *file, const char *text);
int settings_read(struct settings *settings, const char *file);
void settings_free(struct settings *settings);

#endif /* _IRQOFF_AGENT_SETTINGS_H */
