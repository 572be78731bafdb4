// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <json-c/linkhash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "model/cgroup.h"
#include "model/labels.h"

/*
 * What a handle may be that is a cgroup's id: the kernel's FILEID_KERNFS, and its
 * FILEID_INO32_GEN, which kernels before v5.5, and RHEL 8 up to 8.8, know instead. An id is the
 * number of an inode and, in its upper half, how often that was used. All kernels that know the
 * first one take the second one as well.
 */
static const int handle_types[] = { 0xfe, 1 };

struct mount {
	int fd;			/* -1: there is none */
	char *point;
};

struct known {
	__u64 id;
	struct cgroup cgroup;
	bool v1;
};

struct cgroups {
	struct mount unified;
	struct mount memory;	/* v1 */
	struct lh_table *known;
};

static unsigned long hash_known(const void *key)
{
	const struct known *known = key;

	/* the upper half of an id counts how often the lower half was used */
	return known->id ^ known->id >> 32;
}

static int same_known(const void *a, const void *b)
{
	const struct known *left = a, *right = b;

	return left->id == right->id && left->v1 == right->v1;
}

static void free_known(struct lh_entry *entry)
{
	struct known *known = lh_entry_v(entry);

	if (known->cgroup.text != known->cgroup.path)
		free(known->cgroup.text);
	free(known->cgroup.path);
	free(known->cgroup.container);
	free(known);
}

/* the character that three octal digits stand for, -1 where there are none */
static int octal(const char *text)
{
	if (strspn(text, "01234567") < 3 || *text > '3')
		return -1;
	return (text[0] - '0') << 6 | (text[1] - '0') << 3 | (text[2] - '0');
}

/* mountinfo writes blanks and backslashes in octal */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++, to++) {
		int code = *text == '\\' ? octal(text + 1) : -1;

		*to = code < 0 ? *text : code;
		if (code >= 0)
			text += 3;
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
	char point[4096], type[32], options[1024];
	char *dash = strstr(line, " - ");

	if (!dash || sscanf(line, "%*s %*s %*s %*s %4095s", point) != 1 ||
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

static struct lh_table *nothing_known(void)
{
	return or_exit(lh_table_new(64, free_known, hash_known, same_known));
}

/**
 * cgroups_read() - find the cgroup file systems
 * @mountinfo: as /proc/self/mountinfo; NULL: could not be opened
 *
 * Return: what cgroups_find() needs. Without a mount it finds no paths.
 */
struct cgroups *cgroups_read(FILE *mountinfo)
{
	struct cgroups *cgroups = alloc(1, sizeof(*cgroups));
	char *line = NULL;
	size_t room = 0;

	cgroups->known = nothing_known();
	cgroups->unified.fd = -1;
	cgroups->memory.fd = -1;
	while (mountinfo && getline(&line, &room, mountinfo) > 0)
		read_mount(cgroups, line);
	free(line);
	return cgroups;
}

/**
 * cgroups_open() - find the cgroup file systems by the path of mountinfo
 * @mountinfo_path: /proc/self/mountinfo
 *
 * Return: as cgroups_read().
 */
struct cgroups *cgroups_open(const char *mountinfo_path)
{
	FILE *file = fopen(mountinfo_path, "re");
	struct cgroups *cgroups = cgroups_read(file);

	if (file)
		fclose(file);
	return cgroups;
}

static void close_mount(struct mount *mount)
{
	if (mount->fd >= 0)
		close(mount->fd);
	free(mount->point);
}

/**
 * cgroups_renew() - forget what was found, because it may be another by now
 * @cgroups: opened if it is NULL; keeps its file systems, as a node with many pods has a
 *	thousand lines of mountinfo
 * @mountinfo_path: as of cgroups_open()
 */
void cgroups_renew(struct cgroups **cgroups, const char *mountinfo_path)
{
	if (!*cgroups) {
		*cgroups = cgroups_open(mountinfo_path);
		return;
	}
	lh_table_free((*cgroups)->known);
	(*cgroups)->known = nothing_known();
}

void cgroups_close(struct cgroups *cgroups)
{
	if (!cgroups)
		return;
	lh_table_free(cgroups->known);
	close_mount(&cgroups->unified);
	close_mount(&cgroups->memory);
	free(cgroups);
}

/* In a cgroup namespace the mount shows part of the tree only. Outside of it nothing has a path. */
static const char *below(const struct mount *mount, const char *path)
{
	size_t len = strlen(mount->point);

	if (strncmp(path, mount->point, len))
		return NULL;
	if (!path[len])
		return "/";
	return path[len] == '/' ? path + len : NULL;
}

/* the path of a cgroup that is open, below its mount; NULL where it lies outside */
static char *path_of(const struct mount *mount, int fd)
{
	char link[64], target[4096];
	const char *path;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, target, sizeof(target) - 1);
	if (len < 0)
		return NULL;
	target[len] = '\0';
	path = below(mount, target);
	return path ? printable(copy_text(path)) : NULL;
}

/* -1, with ESTALE: no cgroup has the id, or the kernel does not know this type */
static int open_as(const struct mount *mount, __u64 id, int type)
{
	union {
		struct file_handle handle;
		char room[sizeof(struct file_handle) + sizeof(id)];
	} handle = { .handle = { .handle_bytes = sizeof(id), .handle_type = type } };

	memcpy(handle.handle.f_handle, &id, sizeof(id));
	return open_by_handle_at(mount->fd, &handle.handle, O_PATH | O_CLOEXEC);
}

static int open_cgroup(const struct mount *mount, __u64 id)
{
	int fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(handle_types); i++) {
		fd = open_as(mount, id, handle_types[i]);
		if (fd >= 0 || errno != ESTALE)
			break;
	}
	return fd;
}

static enum cgroup_state resolve(const struct mount *mount, __u64 id, char **path)
{
	bool gone;
	int fd;

	if (mount->fd < 0)
		return CGROUP_UNKNOWN;
	fd = open_cgroup(mount, id);
	/* any other error is about what the reader may do, not about the cgroup */
	if (fd < 0)
		return errno == ESTALE ? CGROUP_GONE : CGROUP_UNKNOWN;
	/* older kernels still open a removed cgroup while somebody else has it open */
	gone = faccessat(fd, "cgroup.procs", F_OK, 0) && errno == ENOENT;
	if (!gone)
		*path = path_of(mount, fd);
	close(fd);
	return gone ? CGROUP_GONE : *path ? CGROUP_FOUND : CGROUP_UNKNOWN;
}

/* the one that a path tells of, NULL where it is in none */
static struct container *container_of(const char *path)
{
	struct container container;

	container_find(&container, path);
	if (!*container.pod && !*container.id)
		return NULL;
	return memcpy(alloc(1, sizeof(container)), &container, sizeof(container));
}

/* @path is taken over; NULL: there is none, and @cgroup's state says why */
static void name_it(struct cgroup *cgroup, __u64 id, char *path)
{
	if (path)
		cgroup->container = container_of(path);
	cgroup->path = path ?: print_text("cgroup:%llu", id);
	cgroup->text = cgroup->path;
	if (cgroup->state == CGROUP_GONE)
		cgroup->text = print_text("%s (gone)", cgroup->path);
}

static struct known *find(struct cgroups *cgroups, __u64 id, bool v1)
{
	const struct known wanted = { .id = id, .v1 = v1 };
	struct known *known;

	return lh_table_lookup_ex(cgroups->known, &wanted, (void **)&known) ? known : NULL;
}

static struct known *add(struct cgroups *cgroups, __u64 id, bool v1)
{
	struct known *known = alloc(1, sizeof(*known));

	known->id = id;
	known->v1 = v1;
	if (lh_table_insert(cgroups->known, known, known))
		exit(failed("out of memory"));
	return known;
}

/**
 * cgroups_add() - add what was known of a cgroup elsewhere
 * @cgroups: from cgroups_read()
 * @id: the cgroup's id; one that is known already stays as it is
 * @v1: it belongs to the version 1 memory hierarchy
 * @state: why there is no path
 * @path: its path; NULL: none
 */
void cgroups_add(struct cgroups *cgroups, __u64 id, bool v1, enum cgroup_state state,
		 const char *path)
{
	struct known *known;

	if (find(cgroups, id, v1))
		return;
	known = add(cgroups, id, v1);
	known->cgroup.state = path ? CGROUP_FOUND : state;
	name_it(&known->cgroup, id, path ? printable(copy_text(path)) : NULL);
}

/**
 * cgroups_each() - go through the cgroups that were found or added
 * @cgroups: the cgroups
 * @call: called with each
 * @context: for @call
 */
void cgroups_each(struct cgroups *cgroups,
		  void (*call)(__u64 id, bool v1, const struct cgroup *cgroup, void *context),
		  void *context)
{
	struct lh_entry *entry;

	lh_foreach(cgroups->known, entry) {
		const struct known *known = lh_entry_v(entry);

		call(known->id, known->v1, &known->cgroup, context);
	}
}

/**
 * cgroups_find() - what is known of a cgroup
 * @cgroups: from cgroups_open()
 * @id: the cgroup's id, 0 where it is not known
 * @v1: it belongs to the version 1 memory hierarchy
 *
 * Return: the cgroup, NULL for 0. Lives as long as @cgroups.
 */
const struct cgroup *cgroups_find(struct cgroups *cgroups, __u64 id, bool v1)
{
	struct known *known;
	char *path = NULL;

	if (!id)
		return NULL;
	known = find(cgroups, id, v1);
	if (known)
		return &known->cgroup;
	known = add(cgroups, id, v1);
	known->cgroup.state = resolve(v1 ? &cgroups->memory : &cgroups->unified, id, &path);
	name_it(&known->cgroup, id, path);
	return &known->cgroup;
}

/**
 * cgroup_container() - the pod and the container that a cgroup belongs to
 * @cgroup: NULL: not known
 *
 * Return: them, "" each where there is none.
 */
const struct container *cgroup_container(const struct cgroup *cgroup)
{
	static const struct container none;

	return cgroup && cgroup->container ? cgroup->container : &none;
}
