// SPDX-License-Identifier: GPL-2.0-only
/* Finds the files of known causes. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/program.h"
#include "base/say.h"
#include "causes/causes.h"

#define VARIABLE	"IRQOFF_CAUSES"
#define OWN_ROWS	"/etc/trace-irqoff/causes.d"
#define FILE_MOST	0x100000

static void refuse(struct causes *causes, const char *path, const char *why)
{
	causes->refused++;
	note("%s is left out: %s", path, why);
}

static void open_file(struct causes *causes, const char *path)
{
	char *text = alloc(FILE_MOST + 1, 1), *wrong = NULL;
	FILE *in = fopen(path, "re");
	size_t len = in ? fread(text, 1, FILE_MOST, in) : 0;

	if (!in || ferror(in))
		refuse(causes, path, strerror(errno));
	else if (len == FILE_MOST)
		refuse(causes, path, "it is too large");
	else if (strlen(text) != len)
		refuse(causes, path, "it is no text");
	else
		wrong = causes_add(causes, path, text);
	if (wrong)
		note("%s; the file is left out", wrong);
	if (in)
		fclose(in);
	free(wrong);
	free(text);
}

static int is_json(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return *entry->d_name != '.' && len > strlen(".json") &&
	       !strcmp(entry->d_name + len - strlen(".json"), ".json");
}

static int by_name(const struct dirent **left, const struct dirent **right)
{
	return strcmp((*left)->d_name, (*right)->d_name);
}

/* the files NAME.json of a directory, in the order of their names */
static void open_directory(struct causes *causes, const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_json, by_name);

	if (count < 0) {
		refuse(causes, path, strerror(errno));
		return;
	}
	for (int i = 0; i < count; i++) {
		char *file = print_text("%s/%s", path, entries[i]->d_name);

		open_file(causes, file);
		free(file);
		free(entries[i]);
	}
	free(entries);
}

/* returns whether there is such a file or directory */
static bool open_path(struct causes *causes, const char *path)
{
	struct stat status;

	if (stat(path, &status)) {
		if (errno == ENOENT)
			return false;
		refuse(causes, path, strerror(errno));
	} else if (S_ISDIR(status.st_mode)) {
		open_directory(causes, path);
	} else {
		open_file(causes, path);
	}
	return true;
}

/* below the prefix that the program is installed in; to be freed */
static char *shared_path(char directory[PATH_MAX])
{
	cut_name(directory);
	return print_text("%s/share/trace-irqoff/causes.json", directory);
}

/* where it is installed, or beside the program where it is built */
static void open_shipped(struct causes *causes)
{
	char directory[PATH_MAX], *beside, *shared;

	if (!program_directory(directory))
		return;
	beside = print_text("%s/causes.json", directory);
	shared = shared_path(directory);
	if (!open_path(causes, shared))
		open_path(causes, beside);
	free(shared);
	free(beside);
}

/**
 * causes_missing() - why no file of causes was found
 *
 * Return: a sentence without its full stop, to be freed.
 */
char *causes_missing(void)
{
	const char *list = getenv(VARIABLE);
	char directory[PATH_MAX], *shared, *text;

	if (list && !*list)
		return copy_text(VARIABLE " is empty, so no cause is known");
	if (list)
		return print_text(VARIABLE " is '%s', and no file of causes is there", list);
	if (!program_directory(directory))
		return copy_text("no known causes were found");
	shared = shared_path(directory);
	text = print_text("no known causes were found; those that come with irqoff belong in %s",
			  shared);
	free(shared);
	return text;
}

/**
 * causes_lacking() - what an answer lacks where files of causes are not there
 * @causes: what was read
 *
 * Return: a sentence without its full stop, to be freed; NULL: nothing is lacking.
 */
char *causes_lacking(const struct causes *causes)
{
	if (!causes->refused)
		return causes->nfiles ? NULL : causes_missing();
	if (!causes->nfiles)
		return copy_text("no file of known causes could be read");
	return print_text("%u %s left out", causes->refused,
			  causes->refused == 1 ? "file of known causes is" :
						 "files of known causes are");
}

/* PATH[:PATH]...; a path that is not there is an error of whoever set it */
static void open_list(struct causes *causes, const char *list)
{
	char *copy = copy_text(list), *rest = copy, *path;

	while ((path = strsep(&rest, ":")))
		if (*path && !open_path(causes, path))
			refuse(causes, path, strerror(ENOENT));
	free(copy);
}

/**
 * causes_open() - read the known causes: one's own, and those that came with irqoff
 * @causes: the result; ends with causes_free()
 *
 * IRQOFF_CAUSES names files and directories to read in the place of these. What cannot be
 * read is left out, after saying why.
 */
void causes_open(struct causes *causes)
{
	const char *list = getenv(VARIABLE);

	*causes = (struct causes){ 0 };
	if (list) {
		open_list(causes, list);
		return;
	}
	open_path(causes, OWN_ROWS);
	open_shipped(causes);
}
