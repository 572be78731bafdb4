// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/say.h"
#include "correlate/log_names.h"

/**
 * log_names_add() - a log that was read
 * @names: the logs
 * @name: its name, which stays
 * @behind: the number of replies of all logs so far
 */
void log_names_add(struct log_names *names, const char *name, size_t behind)
{
	names->names = grow(names->names, names->count, sizeof(*names->names));
	names->behind = grow(names->behind, names->count, sizeof(*names->behind));
	names->names[names->count] = name;
	names->behind[names->count++] = behind;
}

/* the name of the log that has the reply with this index */
const char *log_name(const struct log_names *names, size_t reply)
{
	for (size_t i = 0; i < names->count; i++)
		if (reply < names->behind[i])
			return names->names[i];
	return NULL;
}

void log_names_free(struct log_names *names)
{
	free(names->names);
	free(names->behind);
	*names = (struct log_names){ 0 };
}
