// SPDX-License-Identifier: GPL-2.0-only
/*
 * steal PID THREAD COUNT STOP_MS RUN_MS: stops one thread of a process, by its
 * name, so many times, as a host does that has too little to give. SIGSTOP would
 * stop the whole of QEMU. Runs on the host.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

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

static void sleep_ms(long ms)
{
	struct timespec left = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}

static int die(const char *what)
{
	fprintf(stderr, "steal: %s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	pid_t thread;
	int count;

	if (argc != 6) {
		fprintf(stderr, "usage: steal PID THREAD COUNT STOP_MS RUN_MS\n");
		return 2;
	}
	thread = find_thread(argv[1], argv[2]);
	if (!thread)
		return die("no such thread");
	if (ptrace(PTRACE_SEIZE, thread, NULL, NULL))
		return die("PTRACE_SEIZE");
	for (count = atoi(argv[3]); count; count--) {
		if (ptrace(PTRACE_INTERRUPT, thread, NULL, NULL))
			return die("PTRACE_INTERRUPT");
		if (waitpid(thread, NULL, __WALL) != thread)
			return die("waitpid");
		sleep_ms(atol(argv[4]));
		if (ptrace(PTRACE_CONT, thread, NULL, NULL))
			return die("PTRACE_CONT");
		sleep_ms(atol(argv[5]));
	}
	return 0;
}
