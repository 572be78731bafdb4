// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command reads from a file in memory, not from a pipe: whether it reads or not, nobody
 * waits for it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hook.h"
#include "base/say.h"

/**
 * hook_ready() - may the command be run?
 * @hook: the command
 * @now_ns: the monotonic clock
 *
 * Return: false while it runs, or where it was started a short time ago.
 */
bool hook_ready(const struct hook *hook, __u64 now_ns)
{
	return !hook->pid && (!hook->ran || now_ns - hook->ran_ns >= hook->every_ns);
}

/* what it is to read; -1 where there is no memory */
static int input_of(const char *input, size_t len)
{
	int fd = memfd_create("irqoff", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	while (len) {
		ssize_t wrote = write(fd, input, len);

		if (wrote < 0) {
			close(fd);
			return -1;
		}
		input += wrote;
		len -= wrote;
	}
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static void become(const struct hook *hook, int input)
{
	char held[24];
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	snprintf(held, sizeof(held), "%llu", hook->held);
	setenv("IRQOFF_HELD_BACK", held, 1);
	if (dup2(input, STDIN_FILENO) == STDIN_FILENO)
		execl("/bin/sh", "sh", "-c", hook->command, NULL);
	_exit(127);
}

/**
 * hook_run() - start the command
 * @hook: it is hook_ready()
 * @input: what it reads
 * @len: of @input
 * @now_ns: the monotonic clock
 */
void hook_run(struct hook *hook, const char *input, size_t len, __u64 now_ns)
{
	int fd = input_of(input, len);

	hook_tell(hook);
	fflush(stdout);
	hook->ran = true;
	hook->ran_ns = now_ns;
	hook->pid = fd < 0 ? -1 : fork();
	if (!hook->pid)
		become(hook, fd);
	if (hook->pid < 0) {
		note("could not start the --exec command: %s", strerror(errno));
		hook->pid = 0;
	}
	if (fd >= 0)
		close(fd);
	hook->held = 0;
}

/* a stall for which the command is not run */
void hook_hold(struct hook *hook)
{
	hook->held++;
}

/**
 * hook_ended() - look whether the command has ended
 * @hook: the command
 */
void hook_ended(struct hook *hook)
{
	int status;

	if (!hook->pid || waitpid(hook->pid, &status, WNOHANG) != hook->pid)
		return;
	hook->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status))
		note("the --exec command exited with status %d", WEXITSTATUS(status));
	if (WIFSIGNALED(status))
		note("the --exec command was killed by signal %d", WTERMSIG(status));
}

/**
 * hook_tell() - say for how many stalls the command was not run
 * @hook: the command
 */
void hook_tell(const struct hook *hook)
{
	if (hook->held)
		note("%llu %s not passed to the --exec command; "
		     "it was running, or --exec-every was not over",
		     hook->held, hook->held == 1 ? "stall was" : "stalls were");
}
