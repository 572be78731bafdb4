// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "terminal/columns.h"

static const struct column *find(const struct column *all, const char *name, size_t len)
{
	for (; all->name; all++)
		if (strlen(all->name) == len && !strncmp(all->name, name, len))
			return all;
	return NULL;
}

bool columns_have(const struct columns *columns, const char *name)
{
	for (unsigned int i = 0; i < columns->count; i++)
		if (!strcmp(columns->wanted[i]->name, name))
			return true;
	return false;
}

/* wants the columns of a list as well; returns false where one is no column's name */
static bool add(struct columns *columns, const struct column *all, const char *list)
{
	for (;;) {
		size_t len = strcspn(list, ",");
		const struct column *column = find(all, list, len);

		if (!column)
			return false;
		if (!columns_have(columns, column->name) && columns->count < COLUMNS_MOST)
			columns->wanted[columns->count++] = column;
		if (!list[len])
			return true;
		list += len + 1;
	}
}

static int no_such_column(const struct column *all, const char *list)
{
	char names[512] = "";

	for (size_t len = 0; all->name && len < sizeof(names); all++)
		len += snprintf(names + len, sizeof(names) - len, "%s%s", len ? ", " : "",
				all->name);
	return misuse("-o takes a list of %s, not '%s'", names, list);
}

/**
 * columns_select() - take the value of -o
 * @columns: the result
 * @all: the columns that there are
 * @defaults: names of those that are shown unless something else is wanted
 * @list: the value: names, or + and names to add to the defaults; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int columns_select(struct columns *columns, const struct column *all, const char *defaults,
		   const char *list)
{
	*columns = (struct columns){ 0 };
	if (!list || *list == '+')
		add(columns, all, defaults);
	if (list && !add(columns, all, list + (*list == '+')))
		return no_such_column(all, list);
	return EXIT_DONE;
}
