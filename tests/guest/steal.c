// SPDX-License-Identifier: GPL-2.0-only
/*
 * steal PID THREADS OTHER COUNT STOP_MS RUN_MS [SHARED]: stops threads of QEMU, found by their
 * names, COUNT times, as an overcommitted host does. Of several THREADS, separated by commas,
 * some or all are stopped together, at random. Runs on the host, and ends early where QEMU
 * does. SIGSTOP would stop all of QEMU. So would stopping a thread while it holds the lock of
 * all devices; such threads are resumed at once and stopped a little later. STOP_MS and RUN_MS
 * are numbers, or ranges such as 30-100 to draw from. For each stop, prints in microseconds for
 * how long the OTHER thread waited for a CPU, for how long it ran, and from when to when the
 * stop lasted. The file SHARED gets a 64-bit number for each of the guest's CPUs: for how many
 * nanoseconds its thread was stopped or waited for a CPU, as a hypervisor tells its guest.
 *
 * steal PID - SHARED: stops nothing, and only tells until QEMU ends.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

#define CPUS	64	/* of the guest, at most */
#define SHARED_SIZE	4096

static struct cpu {
	pid_t thread;
	unsigned long long stolen_ns;	/* in stops that are over */
} cpus[CPUS];

static int ncpus;
static unsigned long long *shared;	/* NULL: nobody is told */

static void tell(const char *pid)
{
	struct times times;

	for (int i = 0; shared && i < ncpus; i++) {
		times_of(pid, cpus[i].thread, &times);
		/* not read: the thread is about to end */
		if (times.ran_ns)
			__atomic_store_n(&shared[i], cpus[i].stolen_ns + times.waited_ns,
					 __ATOMIC_RELAXED);
	}
}

static void find_cpus(const char *pid)
{
	char name[24];

	for (; ncpus < CPUS; ncpus++) {
		snprintf(name, sizeof(name), "CPU %d/", ncpus);
		cpus[ncpus].thread = find_thread(pid, name);
		if (!cpus[ncpus].thread)
			return;
	}
}

/* a hypervisor tells as it resumes a CPU; here each millisecond has to do */
static void sleep_ms(const char *pid, long ms)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	for (; ms > 0; ms--) {
		until.tv_nsec += 1000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			until.tv_sec++;
		}
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
			;
		tell(pid);
	}
}

/* "60", or one of "30-100" */
static long draw(const char *range)
{
	const char *dash = strchr(range, '-');
	long from = atol(range);

	return dash ? from + random() % (atol(dash + 1) - from + 1) : from;
}

/* the threads that are stopped now and then */
static pid_t threads[CPUS];
static int nthreads;

static bool stop_thread(pid_t thread)
{
	return !ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) &&
	       waitpid(thread, NULL, __WALL) == thread;
}

/* stops threads, a bit each; returns whether one of them holds the lock, -1 if ptrace(2) fails */
static int stop(const char *pid, unsigned long which)
{
	for (int i = 0; i < nthreads; i++)
		if (which & 1UL << i && !stop_thread(threads[i]))
			return -1;
	sleep_ms(pid, SETTLE_MS);
	return main_waits(pid);
}

/* resumes them; their CPUs are told before they run */
static bool resume(const char *pid, unsigned long which, unsigned long long stopped_ns)
{
	struct times now;

	times_of(pid, threads[0], &now);
	for (int i = 0; i < nthreads; i++)
		for (int k = 0; which & 1UL << i && k < ncpus; k++)
			if (cpus[k].thread == threads[i])
				cpus[k].stolen_ns += now.at_ns - stopped_ns;
	tell(pid);
	for (int i = 0; i < nthreads; i++)
		if (which & 1UL << i && ptrace(PTRACE_CONT, threads[i], NULL, NULL))
			return false;
	return true;
}

/* ends at once, and well, where QEMU has ended */
static int die(const char *what)
{
	if (errno == ESRCH || errno == ECHILD)
		return 0;
	fprintf(stderr, "steal: %s: %s\n", what, strerror(errno));
	return 1;
}

static bool find_threads(const char *pid, char *names)
{
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		pid_t thread = find_thread(pid, name);

		if (!thread || nthreads == CPUS || ptrace(PTRACE_SEIZE, thread, NULL, NULL))
			return false;
		threads[nthreads++] = thread;
	}
	return nthreads;
}

static bool share(const char *path)
{
	int file = open(path, O_RDWR);

	if (file < 0)
		return false;
	shared = mmap(NULL, SHARED_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	return shared != MAP_FAILED;
}

static int only_tell(const char *pid)
{
	while (!kill(atoi(pid), 0))
		sleep_ms(pid, 100);
	return 0;
}

int main(int argc, char **argv)
{
	const struct sched_param first = { .sched_priority = 1 };
	const bool tells = argc == 4 && !strcmp(argv[2], "-");
	const char *pid = argv[1];
	struct times from, to;
	pid_t other;
	int count;

	if (argc != 7 && argc != 8 && !tells) {
		fprintf(stderr, "usage: steal PID THREADS OTHER COUNT STOP_MS RUN_MS [SHARED]\n"
				"       steal PID - SHARED\n");
		return 2;
	}
	if (tells) {
		find_cpus(pid);
		if (!share(argv[3]))
			return die(argv[3]);
		sched_setscheduler(0, SCHED_FIFO, &first);
		return only_tell(pid);
	}
	other = find_thread(pid, argv[3]);
	if (!other || !find_threads(pid, argv[2])) {
		fprintf(stderr, "steal: no such thread, or it cannot be traced\n");
		return 1;
	}
	find_cpus(pid);
	if (argc == 8 && !share(argv[7]))
		return die(argv[7]);
	/* it tells what the guest's CPUs wait for; without the right to do so it may be late */
	sched_setscheduler(0, SCHED_FIFO, &first);
	srandom(time(NULL));
	for (count = atoi(argv[4]); count; count--) {
		const unsigned long which = 1 + random() % ((1UL << nthreads) - 1);
		struct times stopped;
		int held;

		for (;;) {
			times_of(pid, other, &stopped);
			held = stop(pid, which);
			if (held <= 0)
				break;
			if (!resume(pid, which, stopped.at_ns))
				return die("PTRACE_CONT");
			sleep_ms(pid, SETTLE_MS);
		}
		if (held < 0)
			return die("PTRACE_INTERRUPT");
		times_of(pid, other, &from);
		sleep_ms(pid, draw(argv[5]) - SETTLE_MS);
		times_of(pid, other, &to);
		printf("%llu %llu %llu %llu\n", (to.waited_ns - from.waited_ns) / 1000,
		       (to.ran_ns - from.ran_ns) / 1000, from.at_ns / 1000, to.at_ns / 1000);
		if (!resume(pid, which, stopped.at_ns))
			return die("PTRACE_CONT");
		sleep_ms(pid, draw(argv[6]));
	}
	return 0;
}
