// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <unistd.h>

#include "base/program.h"

/* cuts the last name off a path; returns whether there was one */
bool cut_name(char *path)
{
	char *end = strrchr(path, '/');

	if (end)
		*end = '\0';
	return end;
}

/* the directory that the program is in; returns whether that is known */
bool program_directory(char path[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX - 1);

	path[len < 0 ? 0 : len] = '\0';
	return cut_name(path);
}
