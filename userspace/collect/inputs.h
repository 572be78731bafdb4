/* SPDX-License-Identifier: GPL-2.0-only */
/* The captures that a command reads instead of the module. */
#ifndef _IRQOFF_INPUTS_H
#define _IRQOFF_INPUTS_H

#include <stdbool.h>

#include "collect/collect.h"

struct inputs {
	const char **paths;
	size_t count;		/* 0: the module is read */
};

/* what is done with each, or with the module's records; returns an exit status */
typedef int input_call(struct collection *collection, struct filter *filter, bool first,
		       void *context);

bool inputs_capture(const char *path);
bool inputs_have_stdin(const struct inputs *inputs);
bool inputs_have(const struct inputs *inputs, const char *path);
int inputs_unique(const struct inputs *inputs);
void inputs_add(struct inputs *inputs, const char *path);
int inputs_each(const struct inputs *inputs, struct filter *filter, input_call *call,
		void *context);
int records_each(const struct inputs *inputs, struct filter *filter, input_call *call,
		 void *context);
void inputs_free(struct inputs *inputs);

#endif /* _IRQOFF_INPUTS_H */
