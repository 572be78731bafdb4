/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom to blame for a stall, and what that function was busy in. */
#ifndef _IRQOFF_CULPRIT_H
#define _IRQOFF_CULPRIT_H

#include "model/model.h"
#include "names/symbols.h"

/* who is blamed where nothing but the tracer's own code was met */
#define CULPRIT_TRACER	"(trace_irqoff)"

/* a section whose samples share no function, and of which none has most of the time */
#define CULPRIT_MANY	"(many functions)"

/* a task whose name is not known; of one whose name is, "(task NAME)" */
#define CULPRIT_TASK	"(task)"

void culprit_forget(struct entry *entry);
void culprit_find(const struct symbols *symbols, struct entry *entry);
bool culprit_is_many(const struct entry *entry);
const char *culprit_step(const struct symbols *symbols, const struct entry *entry, int step,
			 bool *jumped);
const char *culprit_by_name(enum culprit_by by);

#endif /* _IRQOFF_CULPRIT_H */
