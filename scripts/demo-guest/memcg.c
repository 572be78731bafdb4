// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes dying memory cgroups, as a node collects them when short-lived containers leave page
 * cache behind.
 *
 * memcg make FILE COUNT    creates COUNT cgroups in turn, charges one page of FILE (in a tmpfs) to
 *                          each, and removes them
 * memcg read FILE ROUNDS   in each round maps and unmaps all of FILE, which changes every cgroup's
 *                          counters, and then reads the root's memory.stat, for which the kernel
 *                          has to sum those counters
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT "/sys/fs/cgroup"

static long page;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s", path);
	close(fd);
}

static void charge_one(int file, int i)
{
	char path[64], procs[80];

	snprintf(path, sizeof(path), ROOT "/demo%d", i);
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", path);
	if (mkdir(path, 0755))
		err(1, "%s", path);
	put(procs, "0");
	if (pwrite(file, "x", 1, i * page) != 1)
		err(1, "tmpfs file");
	put(ROOT "/cgroup.procs", "0");
	/* A cgroup stays busy for a moment after its last process has left. */
	while (rmdir(path)) {
		if (errno != EBUSY)
			err(1, "%s", path);
		usleep(100);
	}
}

static void make(int file, int count)
{
	int i;

	put(ROOT "/cgroup.subtree_control", "+memory");
	for (i = 0; i < count; i++) {
		charge_one(file, i);
		if (i % 1000 == 999)
			printf("  %d cgroups\n", i + 1);
	}
}

static void dirty(int file)
{
	struct stat st;
	void *map;

	if (fstat(file, &st))
		err(1, "fstat");
	map = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
	if (map == MAP_FAILED)
		err(1, "mmap");
	munmap(map, st.st_size);
}

static void read_stat(void)
{
	static char text[65536];
	int fd = open(ROOT "/memory.stat", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text)) <= 0)
		err(1, ROOT "/memory.stat");
	close(fd);
}

static void read_rounds(int file, int rounds)
{
	while (rounds-- > 0) {
		dirty(file);
		read_stat();
		usleep(200000);
	}
}

int main(int argc, char **argv)
{
	int file;

	if (argc != 4 || (strcmp(argv[1], "make") && strcmp(argv[1], "read")))
		errx(2, "usage: memcg make FILE COUNT | memcg read FILE ROUNDS");

	setvbuf(stdout, NULL, _IOLBF, 0);
	page = sysconf(_SC_PAGESIZE);
	file = open(argv[2], O_CREAT | O_RDWR, 0600);
	if (file < 0)
		err(1, "%s", argv[2]);
	if (!strcmp(argv[1], "make"))
		make(file, atoi(argv[3]));
	else
		read_rounds(file, atoi(argv[3]));
	return 0;
}
