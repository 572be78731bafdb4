// SPDX-License-Identifier: GPL-2.0-only
/*
 * A namespace is opened for each visit and closed after it: whoever keeps one open keeps
 * it, and its devices, after its pod has ended.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/nsfs.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/netns.h"
#include "base/say.h"
#include "base/units.h"

/* where ip-netns(8) and container runtimes give namespaces a name */
#define NETNS_DIR	"/run/netns"
#define OWN		"/proc/self/ns/net"

/* the descriptor of a namespace, or -1 with errno; EINVAL where it is none of the network */
static int open_one(const char *value, bool process, __u64 *inode)
{
	char path[PATH_MAX];
	struct stat found;
	int fd;

	snprintf(path, sizeof(path), process ? "/proc/%s/ns/net" : NETNS_DIR "/%s", value);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (ioctl(fd, NS_GET_NSTYPE) != CLONE_NEWNET || fstat(fd, &found)) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	*inode = found.st_ino;
	return fd;
}

/* may this program enter the namespace, and return? */
static bool may_enter(int fd)
{
	int home = open(OWN, O_RDONLY | O_CLOEXEC), error;
	bool may = home >= 0 && !setns(fd < 0 ? home : fd, CLONE_NEWNET) &&
		   !setns(home, CLONE_NEWNET);

	error = errno;
	if (home >= 0)
		close(home);
	errno = error;
	return may;
}

/* @typed: "--netns ", or a file's "netns=" */
static int refuse(const char *typed, const char *value, bool process)
{
	if (errno == EPERM)
		return failed("%s%s: entering a network namespace takes CAP_SYS_ADMIN", typed,
			      value);
	if (errno == ENOENT && process)
		return failed("%s%s: there is no process %s", typed, value, value);
	if (errno == ENOENT)
		return failed("%s%s: there is no " NETNS_DIR "/%s; ip netns lists the names", typed,
			      value, value);
	if (errno == EINVAL)
		return failed("%s%s: " NETNS_DIR "/%s is no network namespace", typed, value,
			      value);
	return failed("%s%s: %s", typed, value, strerror(errno));
}

/**
 * netns_want() - want the counters of a namespace, or of all
 * @netns: gets it
 * @value: a name, the number of a process, or "all"; stays as it is
 * @config: a file has it, where options have no dashes
 *
 * Return: an exit status.
 */
int netns_want(struct netns *netns, const char *value, bool config)
{
	const char *typed = config ? "netns=" : "--netns ", *option = config ? "netns" : "--netns";
	struct netns_one one = { .value = value };
	__u64 number;
	int fd, ret;

	if (!strcmp(value, "all")) {
		netns->all = true;
		return may_enter(-1) ? EXIT_DONE : refuse(typed, value, false);
	}
	if (netns->nsome == NETNS_MOST)
		return misuse("%s is there more than %d times; 'all' takes those with a name",
			      option, NETNS_MOST);
	if (!*value || *value == '.' || strchr(value, '/'))
		return misuse("%s takes a name in %s, a process's number, or all, not '%s'",
			      option, NETNS_DIR, value);
	one.process = parse_number(value, INT_MAX, &number);
	fd = open_one(value, one.process, &one.inode);
	ret = fd >= 0 && may_enter(fd) ? EXIT_DONE : refuse(typed, value, one.process);
	if (fd >= 0)
		close(fd);
	if (!ret)
		netns->some[netns->nsome++] = one;
	return ret;
}

/* one that is not there now is passed over */
struct visit {
	void (*visit)(void *context, const char *value, __u64 inode);
	void *context;
	int home;
};

static void visit_one(const struct visit *visit, const struct netns_one *one)
{
	__u64 inode;
	int fd = open_one(one->value, one->process, &inode);

	if (fd < 0)
		return;
	if ((!one->process || inode == one->inode) && !setns(fd, CLONE_NEWNET)) {
		visit->visit(visit->context, one->value, inode);
		if (setns(visit->home, CLONE_NEWNET))
			exit(failed("could not return to its own network namespace: %s",
				    strerror(errno)));
	}
	close(fd);
}

static void visit_all(const struct visit *visit)
{
	DIR *dir = opendir(NETNS_DIR);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const struct netns_one one = { .value = entry->d_name };

		if (entry->d_name[0] != '.')
			visit_one(visit, &one);
	}
	if (dir)
		closedir(dir);
}

/**
 * netns_visit() - enter each of the namespaces
 * @netns: which
 * @visit: is called in each, with what it was wanted by and its inode in nsfs, which tells
 *	namespaces of one name apart
 * @context: its first argument
 *
 * It needs CAP_SYS_ADMIN, and is for a program of one thread. Namespaces that are not there
 * any more, or not yet, are passed over.
 */
void netns_visit(const struct netns *netns,
		 void (*visit)(void *context, const char *value, __u64 inode), void *context)
{
	struct visit each = { .visit = visit, .context = context, .home = -1 };

	if (netns->all || netns->nsome)
		each.home = open(OWN, O_RDONLY | O_CLOEXEC);
	if (each.home < 0)
		return;
	for (size_t i = 0; i < netns->nsome; i++)
		if (netns->some[i].process || !netns->all)
			visit_one(&each, &netns->some[i]);
	if (netns->all)
		visit_all(&each);
	close(each.home);
}
