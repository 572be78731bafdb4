// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "serve/captures.h"

/**
 * captures_first() - the oldest capture that can have stalls that ended since a time. Pure.
 * @row: an agent's captures
 * @since: seconds since 1970
 *
 * A capture has no stall that ended after the next one was begun. It may have older ones than
 * its name says, which the module had kept until then.
 */
size_t captures_first(const struct rotation *row, time_t since)
{
	size_t i = 0;

	while (i + 1 < row->count && rotation_time(row->names[i + 1]) < since)
		i++;
	return i;
}

/* the agent has made it, and written nothing yet */
static bool is_empty(const char *path)
{
	struct stat status;

	return !stat(path, &status) && !status.st_size;
}

static void drop_first(struct rotation *row, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(row->names[i]);
	row->count -= count;
	memmove(row->names, row->names + count, row->count * sizeof(*row->names));
}

/**
 * captures_since() - list these captures
 * @row: the result, the oldest first; ends with rotation_free() whatever is returned
 * @directory: that an agent writes to
 * @since: seconds since 1970
 *
 * Return: NULL, or why they are not known: a sentence without its full stop, to be freed.
 */
char *captures_since(struct rotation *row, const char *directory, time_t since)
{
	char *path;
	int ret;

	*row = (struct rotation){ 0 };
	if (access(directory, R_OK | X_OK))
		return print_text("could not open %s: %s", directory, strerror(errno));
	path = print_text("%s/stalls", directory);
	ret = rotation_read(path, row);
	free(path);
	if (ret)
		return print_text("could not open %s", directory);
	if (row->count)
		drop_first(row, captures_first(row, since));
	if (row->count && is_empty(row->names[row->count - 1]))
		free(row->names[--row->count]);
	return NULL;
}
