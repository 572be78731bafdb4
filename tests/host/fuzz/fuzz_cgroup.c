// SPDX-License-Identifier: GPL-2.0-only
/* /proc/self/mountinfo, and paths of cgroups, which any user who makes a cgroup chooses. */
#include "fuzz.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "model/cgroup.h"
#include "model/container.h"
#include "model/labels.h"

int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags);

/* replaces the C library's function: every id is the mount point itself */
int open_by_handle_at(int mount_fd, struct file_handle *handle, int flags)
{
	(void)handle;
	return openat(mount_fd, ".", flags);
}

static void mounts(struct input piece)
{
	FILE *file = file_of(piece);
	struct cgroups *cgroups = cgroups_read(file);

	fclose(file);
	for (int v1 = 0; v1 < 2; v1++) {
		const struct cgroup *cgroup = cgroups_find(cgroups, 42, v1);

		promise(cgroup && cgroup->path && cgroup->text);
	}
	cgroups_close(cgroups);
}

static void check(const struct container *container)
{
	size_t pod = strlen(container->pod), id = strlen(container->id);

	promise(!pod || pod == 32 || pod == CONTAINER_POD_LEN);
	promise(strspn(container->pod, "0123456789abcdef-") == pod);
	promise(!id || id == CONTAINER_ID_LEN);
	promise(strspn(container->id, "0123456789abcdef") == id);
}

static void path(struct input piece)
{
	char *text = text_of(piece);
	size_t len = strlen(text);
	struct container container;
	char *again;

	container_find(&container, text);
	check(&container);
	printable(text);
	promise(strlen(text) == len);
	for (size_t i = 0; i < len; i++)
		promise((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
	again = strdup(text);
	promise(!strcmp(printable(again), text));
	free(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };

	path(take_until(&input, BETWEEN));
	mounts(input);
	return 0;
}
