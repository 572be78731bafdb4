// SPDX-License-Identifier: GPL-2.0-only
/*
 * steal PID THREAD OTHER COUNT STOP_MS RUN_MS: stops one thread of QEMU, found by its name,
 * COUNT times, as an overcommitted host does. Runs on the host. SIGSTOP would stop all of
 * QEMU. So would stopping the thread while it holds the lock of all devices; such a thread is
 * resumed at once and stopped a little later. STOP_MS and RUN_MS are numbers, or ranges such
 * as 30-100 to draw from. For each stop, prints in microseconds for how long the OTHER thread
 * waited for a CPU, for how long it ran, and from when to when the stop lasted.
 */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* within this time the main thread, which serves the guest's timers, needs the lock */
#define SETTLE_MS	2

static pid_t find_thread(const char *pid, const char *name)
{
	char path[64], comm[64];
	struct dirent *entry;
	pid_t found = 0;
	FILE *file;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%.16s/task", pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while (!found && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%.16s/task/%.16s/comm", pid, entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(comm, sizeof(comm), file) && !strncmp(comm, name, strlen(name)))
			found = atoi(entry->d_name);
		fclose(file);
	}
	closedir(dir);
	return found;
}

struct times {
	unsigned long long ran_ns;
	unsigned long long waited_ns;	/* ready to run without running */
	unsigned long long at_ns;
};

static void times_of(const char *pid, pid_t thread, struct times *times)
{
	struct timespec now;
	char path[64];
	FILE *file;

	clock_gettime(CLOCK_MONOTONIC, &now);
	memset(times, 0, sizeof(*times));
	times->at_ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
	snprintf(path, sizeof(path), "/proc/%.16s/task/%d/schedstat", pid, thread);
	file = fopen(path, "r");
	if (!file)
		return;
	if (fscanf(file, "%llu %llu", &times->ran_ns, &times->waited_ns) != 2)
		memset(times, 0, sizeof(*times));
	fclose(file);
}

/* is QEMU's main thread waiting for a lock? */
static bool main_waits(const char *pid)
{
	char path[64];
	long number;
	FILE *file;
	bool waits;

	snprintf(path, sizeof(path), "/proc/%.16s/task/%.16s/syscall", pid, pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	waits = fscanf(file, "%ld", &number) == 1 && number == SYS_futex;
	fclose(file);
	return waits;
}

static void sleep_ms(long ms)
{
	struct timespec left = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

/* "60", or one of "30-100" */
static long draw(const char *range)
{
	const char *dash = strchr(range, '-');
	long from = atol(range);

	return dash ? from + random() % (atol(dash + 1) - from + 1) : from;
}

/* stops the thread; returns whether it holds the lock, -1 if ptrace(2) fails */
static int stop(const char *pid, pid_t thread)
{
	if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) ||
	    waitpid(thread, NULL, __WALL) != thread)
		return -1;
	sleep_ms(SETTLE_MS);
	return main_waits(pid);
}

static int die(const char *what)
{
	fprintf(stderr, "steal: %s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	struct times from, to;
	pid_t thread, other;
	int count;

	if (argc != 7) {
		fprintf(stderr, "usage: steal PID THREAD OTHER COUNT STOP_MS RUN_MS\n");
		return 2;
	}
	thread = find_thread(argv[1], argv[2]);
	other = find_thread(argv[1], argv[3]);
	if (!thread || !other)
		return die("no such thread");
	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL))
		return die("PTRACE_SEIZE");
	srandom(time(NULL));
	for (count = atoi(argv[4]); count; count--) {
		int held;

		while ((held = stop(argv[1], thread)) > 0) {
			if (ptrace(PTRACE_CONT, thread, NULL, NULL))
				return die("PTRACE_CONT");
			sleep_ms(SETTLE_MS);
		}
		if (held < 0)
			return die("PTRACE_INTERRUPT");
		times_of(argv[1], other, &from);
		sleep_ms(draw(argv[5]) - SETTLE_MS);
		times_of(argv[1], other, &to);
		printf("%llu %llu %llu %llu\n", (to.waited_ns - from.waited_ns) / 1000,
		       (to.ran_ns - from.ran_ns) / 1000, from.at_ns / 1000, to.at_ns / 1000);
		if (ptrace(PTRACE_CONT, thread, NULL, NULL))
			return die("PTRACE_CONT");
		sleep_ms(draw(argv[6]));
	}
	return 0;
}
