/* SPDX-License-Identifier: GPL-2.0-only */
/* Which log a reply is from. */
#ifndef _IRQOFF_LOG_NAMES_H
#define _IRQOFF_LOG_NAMES_H

#include <stddef.h>

struct log_names {
	const char **names;
	size_t *behind;		/* index of the first reply that is not of it */
	size_t count;
};

void log_names_add(struct log_names *names, const char *name, size_t behind);
const char *log_name(const struct log_names *names, size_t reply);
void log_names_free(struct log_names *names);

#endif /* _IRQOFF_LOG_NAMES_H */
