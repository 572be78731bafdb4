// SPDX-License-Identifier: GPL-2.0-only
/*
 * kallsyms has ten megabytes, and reading it takes a tenth of a second. The list of modules
 * has a few kilobytes. The kernel's own code stays where it is; that of BPF programs,
 * which come and go as well, has the names that the module sends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "names/names.h"
#include "names/symbols.h"

/*
 * Without the counts of users, which change all the time, and without trace_irqoff itself:
 * its functions have the names that it sends, and it would be read twice for each load, while
 * it begins and after that. NULL where the list cannot be read.
 */
static char *list_of(const char *path)
{
	FILE *file = fopen(path, "re"), *list;
	char *line = NULL, *text = NULL;
	size_t room = 0, size;

	if (!file)
		return NULL;
	list = or_exit(open_memstream(&text, &size));
	while (getline(&line, &room, file) > 0) {
		char name[64], address[32];
		unsigned long long bytes;

		if (sscanf(line, "%63s %llu %*s %*s %*s %31s", name, &bytes, address) == 3 &&
		    strcmp(name, "trace_irqoff"))
			fprintf(list, "%s %llu %s\n", name, bytes, address);
	}
	free(line);
	fclose(file);
	if (fclose(list))
		exit(failed("out of memory"));
	return text;
}

/**
 * names_renew() - read the names where they may be others than when they were read last
 * @names: its paths are set
 */
void names_renew(struct names *names)
{
	char *list = list_of(names->modules);

	if (names->symbols && list && names->seen && !strcmp(list, names->seen)) {
		free(list);
		return;
	}
	names_free(names);
	names->seen = list;
	names->symbols = symbols_open(names->kallsyms, names->modules);
	names->reads++;
}

void names_free(struct names *names)
{
	symbols_close(names->symbols);
	free(names->seen);
	names->symbols = NULL;
	names->seen = NULL;
}
