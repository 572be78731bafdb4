// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the kernel do one thing for very many objects at once, with interrupts off.
 *
 * herd threads COUNT   a process of so many threads exits
 * herd children COUNT  a process exits, and its children get another parent
 * herd signalled COUNT for 3 s one CPU signals so many processes, which reads tasklist_lock, and
 *                      another one forks, which writes it
 * herd timers COUNT    so many timers of timerfd_create() expire at one moment
 * herd watchers COUNT  so many epolls are woken by a write to one eventfd
 * herd movers COUNT    a process of so many threads moves to another cgroup
 * herd cgroups COUNT   so many tasks sleep, each in a cgroup of its own; once there is something in
 *                      /tmp/herd, SIGUSR1 has each run for a moment
 * herd events COUNT    a task opens so many perf events, each of which is scheduled anew with all
 * herd crowd COUNT     a process of so many threads does what each line of its standard input says,
 *                      and answers with a line:
 *                        rusage  the times of all threads are summed up
 *                        ignore  COUNT signals that wait are dropped
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK	16384

/* what is made is there, and the machine at rest */
static void settle(void)
{
	sleep(1);
}

static void *wait_for_ever(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

static void make_threads(unsigned int count)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (unsigned int i = 0; i < count; i++) {
		errno = pthread_create(&thread, &attr, wait_for_ever, NULL);
		if (errno)
			err(1, "thread %u", i);
	}
	settle();
}

static void threads(unsigned int count)
{
	make_threads(count);
	_exit(0);
}

static void movers(unsigned int count)
{
	static const char group[] = "/sys/fs/cgroup/herd";
	int fd;

	make_threads(count);
	if (mkdir(group, 0755) && errno != EEXIST)
		err(1, "%s", group);
	fd = open("/sys/fs/cgroup/herd/cgroup.procs", O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1)
		err(1, "%s", group);
	/* that the threads exit is another stall */
	sleep(5);
	_exit(0);
}

static void sum_up_threads(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		err(1, "getrusage");
}

static void drop_signals(unsigned int count)
{
	const union sigval value = { 0 };

	/* each thread was made with it blocked */
	for (unsigned int i = 0; i < count; i++)
		if (sigqueue(getpid(), SIGRTMIN, value))
			err(1, "signal %u", i);
	if (signal(SIGRTMIN, SIG_IGN) == SIG_ERR || signal(SIGRTMIN, SIG_DFL) == SIG_ERR)
		err(1, "signal");
}

static void crowd(unsigned int count)
{
	const struct rlimit signals = { count + 100, count + 100 };
	sigset_t blocked;
	char line[32];

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGRTMIN);
	if (sigprocmask(SIG_BLOCK, &blocked, NULL) || setrlimit(RLIMIT_SIGPENDING, &signals))
		err(1, "signals");
	make_threads(count);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (!strcmp(line, "rusage\n"))
			sum_up_threads();
		else if (!strcmp(line, "ignore\n"))
			drop_signals(count);
		else
			errx(2, "unknown: %s", line);
		puts("done");
		fflush(stdout);
	}
}

static void events(unsigned int count)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
	};

	for (unsigned int i = 0; i < count; i++)
		if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0)
			err(1, "event %u", i);
}

static int child(void *unused)
{
	/* so that none is left over */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	wait_for_ever(unused);
	return 0;
}

/* they share this process's memory, which would not suffice for copies */
static void children(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		char *stack = malloc(STACK);

		if (!stack || clone(child, stack + STACK, CLONE_VM | SIGCHLD, NULL) < 0)
			err(1, "child %u", i);
	}
	settle();
	_exit(0);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(1, "CPU %d", cpu);
}

static int signaller(void *unused)
{
	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run_on(1);
	/* signal 0 asks only whether they may be signalled */
	for (;;)
		kill(-1, 0);
	return 0;
}

static int ends(void *unused)
{
	(void)unused;
	return 0;
}

static void signalled(unsigned int count)
{
	char *stack = malloc(STACK);
	time_t until;

	for (unsigned int i = 0; i < count; i++) {
		char *own = malloc(STACK);

		if (!own || clone(child, own + STACK, CLONE_VM | SIGCHLD, NULL) < 0)
			err(1, "child %u", i);
	}
	settle();
	run_on(0);
	if (!stack || clone(signaller, (char *)malloc(STACK) + STACK, CLONE_VM | SIGCHLD, NULL) < 0)
		err(1, "signaller");
	for (until = time(NULL) + 3; time(NULL) < until;) {
		pid_t pid = clone(ends, stack + STACK, CLONE_VM | SIGCHLD, NULL);

		if (pid < 0)
			err(1, "clone");
		waitpid(pid, NULL, 0);
	}
	_exit(0);
}

static int opened;

static int wait_until_opened(void *unused)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!__atomic_load_n(&opened, __ATOMIC_RELAXED))
		syscall(SYS_futex, &opened, FUTEX_WAIT, 0, NULL, NULL, 0);
	wait_for_ever(unused);
	return 0;
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(1, "%s", path);
	close(fd);
}

static void cgroups(unsigned int count)
{
	char path[64], pid[16];
	sigset_t asked;
	int signal;

	sigemptyset(&asked);
	sigaddset(&asked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &asked, NULL);
	write_file("/sys/fs/cgroup/cgroup.subtree_control", "+cpu");
	if (mkdir("/sys/fs/cgroup/herd", 0755) && errno != EEXIST)
		err(1, "mkdir");
	write_file("/sys/fs/cgroup/herd/cgroup.subtree_control", "+cpu");
	for (unsigned int i = 0; i < count; i++) {
		char *stack = malloc(STACK);
		int child;

		snprintf(path, sizeof(path), "/sys/fs/cgroup/herd/%u", i);
		if (mkdir(path, 0755) && errno != EEXIST)
			err(1, "%s", path);
		child = !stack ? -1 :
			clone(wait_until_opened, stack + STACK, CLONE_VM | SIGCHLD, NULL);
		if (child < 0)
			err(1, "child %u", i);
		snprintf(pid, sizeof(pid), "%d", child);
		strcat(path, "/cgroup.procs");
		write_file(path, pid);
	}
	write_file("/tmp/herd", "ready");
	sigwait(&asked, &signal);
	__atomic_store_n(&opened, 1, __ATOMIC_RELAXED);
	syscall(SYS_futex, &opened, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	wait_for_ever(NULL);
}

static void timers(unsigned int count)
{
	int *fds = calloc(count, sizeof(*fds));
	struct itimerspec at = { 0 };

	if (!fds)
		err(1, "calloc");
	for (unsigned int i = 0; i < count; i++) {
		fds[i] = timerfd_create(CLOCK_MONOTONIC, 0);
		if (fds[i] < 0)
			err(1, "timer %u", i);
	}
	clock_gettime(CLOCK_MONOTONIC, &at.it_value);
	at.it_value.tv_sec += 2;
	for (unsigned int i = 0; i < count; i++)
		if (timerfd_settime(fds[i], TFD_TIMER_ABSTIME, &at, NULL))
			err(1, "timer %u", i);
	sleep(3);
}

static void watchers(unsigned int count)
{
	struct epoll_event event = { .events = EPOLLIN };
	int watched = eventfd(0, 0);

	for (unsigned int i = 0; i < count; i++) {
		int epoll = epoll_create1(0);

		if (epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, watched, &event))
			err(1, "epoll %u", i);
	}
	settle();
	if (eventfd_write(watched, 1))
		err(1, "eventfd");
}

static const struct {
	const char *name;
	void (*run)(unsigned int count);
} herds[] = {
	{ "threads", threads },
	{ "children", children },
	{ "signalled", signalled },
	{ "timers", timers },
	{ "watchers", watchers },
	{ "movers", movers },
	{ "cgroups", cgroups },
	{ "events", events },
	{ "crowd", crowd },
};

int main(int argc, char **argv)
{
	unsigned int count = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	const struct rlimit files = { count + 100, count + 100 };

	if (!count)
		errx(2, "usage: herd KIND COUNT");
	if (setrlimit(RLIMIT_NOFILE, &files))
		err(1, "setrlimit");
	for (unsigned int i = 0; i < sizeof(herds) / sizeof(*herds); i++) {
		if (!strcmp(argv[1], herds[i].name)) {
			herds[i].run(count);
			return 0;
		}
	}
	errx(2, "unknown: %s", argv[1]);
}
