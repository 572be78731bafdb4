// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cgroup.h"
#include "say.h"
#include "words.h"

#define HANDLE_TYPE	0xfe	/* the kernel's FILEID_KERNFS: the handle is the id */

struct mount {
	int fd;			/* -1: there is none */
	char *point;
};

struct known {
	__u64 id;
	bool v1;
	char *path;
};

struct cgroups {
	struct mount unified;
	struct mount memory;	/* v1 */
	struct known *known;
	size_t nknown;
};

/* mountinfo writes blanks and backslashes in octal */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++, to++) {
		unsigned int code;

		if (*text == '\\' && sscanf(text + 1, "%3o", &code) == 1) {
			*to = code;
			text += 3;
		} else {
			*to = *text;
		}
	}
	*to = '\0';
}

static void take_mount(struct mount *mount, const char *point)
{
	if (mount->fd >= 0)
		return;
	mount->fd = open(point, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (mount->fd >= 0)
		mount->point = copy_text(point);
}

/* "36 35 98:0 /root /point options - type source superoptions", optional fields before the dash */
static void read_mount(struct cgroups *cgroups, char *line)
{
	char root[4096], point[4096], type[32], options[1024];
	char *dash = strstr(line, " - ");

	if (!dash || sscanf(line, "%*s %*s %*s %4095s %4095s", root, point) != 2 ||
	    sscanf(dash, " - %31s %*s %1023s", type, options) != 2)
		return;
	unescape(point);
	if (!strcmp(type, "cgroup2"))
		take_mount(&cgroups->unified, point);
	if (!strcmp(type, "cgroup")) {
		char *rest = options, *option;

		while ((option = strsep(&rest, ",")))
			if (!strcmp(option, "memory"))
				take_mount(&cgroups->memory, point);
	}
}

/**
 * cgroups_open() - find the cgroup file systems
 * @mountinfo_path: /proc/self/mountinfo
 *
 * Return: what cgroups_path() needs; ids stay ids where nothing is mounted.
 */
struct cgroups *cgroups_open(const char *mountinfo_path)
{
	struct cgroups *cgroups = alloc(1, sizeof(*cgroups));
	FILE *file = fopen(mountinfo_path, "re");
	char *line = NULL;
	size_t room = 0;

	cgroups->unified.fd = -1;
	cgroups->memory.fd = -1;
	if (!file)
		return cgroups;
	while (getline(&line, &room, file) > 0)
		read_mount(cgroups, line);
	free(line);
	fclose(file);
	return cgroups;
}

static void close_mount(struct mount *mount)
{
	if (mount->fd >= 0)
		close(mount->fd);
	free(mount->point);
}

void cgroups_close(struct cgroups *cgroups)
{
	if (!cgroups)
		return;
	for (size_t i = 0; i < cgroups->nknown; i++)
		free(cgroups->known[i].path);
	free(cgroups->known);
	close_mount(&cgroups->unified);
	close_mount(&cgroups->memory);
	free(cgroups);
}

/* In a cgroup namespace the mount shows a part only, and what is outside of it has no path. */
static const char *below(const struct mount *mount, const char *path)
{
	size_t len = strlen(mount->point);

	if (strncmp(path, mount->point, len))
		return NULL;
	if (!path[len])
		return "/";
	return path[len] == '/' ? path + len : NULL;
}

static char *resolve(const struct mount *mount, __u64 id)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} handle = { .handle = { .handle_bytes = sizeof(id), .handle_type = HANDLE_TYPE } };
	char link[64], target[4096];
	const char *path;
	ssize_t len;
	int fd;

	if (mount->fd < 0)
		return NULL;
	memcpy(handle.handle.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(mount->fd, &handle.handle, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, target, sizeof(target) - 1);
	close(fd);
	if (len < 0)
		return NULL;
	target[len] = '\0';
	path = below(mount, target);
	return path ? printable(copy_text(path)) : NULL;
}

/**
 * cgroups_path() - a cgroup's path below its mount point
 * @cgroups: from cgroups_open()
 * @id: the cgroup's id, 0 where it is not known
 * @v1: it is one of the version 1 memory hierarchy
 *
 * Return: the path, "cgroup:ID" where there is none to be seen, NULL for 0.
 * Lives as long as @cgroups.
 */
const char *cgroups_path(struct cgroups *cgroups, __u64 id, bool v1)
{
	struct known *known;
	char text[32];

	if (!id)
		return NULL;
	for (size_t i = 0; i < cgroups->nknown; i++)
		if (cgroups->known[i].id == id && cgroups->known[i].v1 == v1)
			return cgroups->known[i].path;

	cgroups->known = grow(cgroups->known, cgroups->nknown, sizeof(*known));
	known = &cgroups->known[cgroups->nknown++];
	*known = (struct known){ .id = id, .v1 = v1 };
	known->path = resolve(v1 ? &cgroups->memory : &cgroups->unified, id);
	if (!known->path) {
		snprintf(text, sizeof(text), "cgroup:%llu", id);
		known->path = copy_text(text);
	}
	return known->path;
}
