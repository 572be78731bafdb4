/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests to the module. Those that return an int return an exit status; before a bad
 * one they print on standard error what went wrong and what to do.
 */
#ifndef _IRQOFF_SOURCE_H
#define _IRQOFF_SOURCE_H

#include "model/knob_words.h"
#include "model/model.h"
#include "source/follow.h"

struct messages;
struct nl_sock;
struct source;

/* a source that a follower asks */
struct following {
	struct source *source;	/* NULL: the module is not there */
	struct messages *messages;	/* gets each answer as it was received; or NULL */
	bool names;		/* ask the kernel for the names of addresses */
	bool skew_told;
};

struct source *source_on(struct nl_sock *socket, int family);
bool source_absent(void);
char *source_absent_reason(void);
int source_open(struct source **source);
void source_keep(struct source *source, struct messages *messages);
void source_close(struct source *source);

int source_config(struct source *source, struct model *model);

/* source_follow.c */
struct follow_source source_follow(struct following *following);
int source_group(struct source *source, int *group);

int source_records(struct source *source, struct model *model, bool names);
int source_counters(struct source *source, struct model *model);
int source_histograms(struct source *source, struct model *model);
int source_set(struct source *source, const struct knobs *knobs);
int source_clear(struct source *source);

#endif /* _IRQOFF_SOURCE_H */
