// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "capture/rotation.h"

#define SUFFIX		".irqoff"
#define STAMP		"YYYYMMDDTHHMMSSZ"

/* the names of rotated files are this, a dash, the time, and the suffix */
static char *stem_of(const char *path)
{
	char *stem = copy_text(path);
	size_t len = strlen(stem);

	if (len > strlen(SUFFIX) && !strcmp(stem + len - strlen(SUFFIX), SUFFIX))
		stem[len - strlen(SUFFIX)] = '\0';
	return stem;
}

/* the name of the file that begins then; to be freed */
char *rotation_name(const char *path, time_t at)
{
	char stamp[sizeof(STAMP) + 16], *stem = stem_of(path), *name;
	struct tm utc;

	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", gmtime_r(&at, &utc));
	name = print_text("%s-%s%s", stem, stamp, SUFFIX);
	free(stem);
	return name;
}

static bool is_stamp(const char *text)
{
	static const char form[] = STAMP;

	for (size_t i = 0; i < strlen(form); i++)
		if (strchr("TZ", form[i]) ? text[i] != form[i] : text[i] < '0' || text[i] > '9')
			return false;
	return !strcmp(text + strlen(form), SUFFIX);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void rotation_free(struct rotation *row)
{
	for (size_t i = 0; i < row->count; i++)
		free(row->names[i]);
	free(row->names);
}

/**
 * rotation_read() - find the files of a row
 * @path: the name that theirs are made of, with or without its suffix
 * @row: the result; ends with rotation_free() whatever is returned
 *
 * Return: an exit status.
 */
int rotation_read(const char *path, struct rotation *row)
{
	char *stem = stem_of(path), *slash = strrchr(stem, '/');
	size_t len = slash ? slash + 1 - stem : 0, base_len = strlen(stem + len);
	char *dir_name = len ? print_text("%.*s", (int)len, stem) : copy_text(".");
	DIR *dir = opendir(dir_name);
	struct dirent *found;
	int ret = EXIT_DONE;

	*row = (struct rotation){ 0 };
	if (!dir)
		ret = failed("could not open %s: %s", dir_name, strerror(errno));
	while (dir && (found = readdir(dir))) {
		if (strncmp(found->d_name, stem + len, base_len) ||
		    found->d_name[base_len] != '-' || !is_stamp(found->d_name + base_len + 1))
			continue;
		row->names = grow(row->names, row->count, sizeof(*row->names));
		row->names[row->count++] = print_text("%.*s%s", (int)len, stem, found->d_name);
	}
	if (row->count)
		qsort(row->names, row->count, sizeof(*row->names), by_name);
	if (dir)
		closedir(dir);
	free(dir_name);
	free(stem);
	return ret;
}

/* how long the part of a name is that all files of its row have; 0: it is of no row */
static size_t common_len(const char *name)
{
	size_t len = strlen(name), end = strlen(STAMP SUFFIX);

	if (len <= end || name[len - end - 1] != '-' || !is_stamp(name + len - end))
		return 0;
	return len - end;
}

/**
 * rotation_same() - are two names those of files of one row?
 * @name: a path
 * @other: another one
 */
bool rotation_same(const char *name, const char *other)
{
	size_t len = common_len(name);

	return len && len == common_len(other) && !strncmp(name, other, len);
}

/* the time in the name of a file of a row */
time_t rotation_time(const char *name)
{
	struct tm utc = { 0 };

	strptime(name + strlen(name) - strlen(STAMP SUFFIX), "%Y%m%dT%H%M%SZ", &utc);
	return timegm(&utc);
}
