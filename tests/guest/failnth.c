// SPDX-License-Identifier: GPL-2.0-only
/*
 * failnth N SYSCALL COMMAND [ARGUMENT]...
 *
 * Runs COMMAND and makes one of the kernel's allocations for it fail: the Nth since it entered
 * its first SYSCALL. Needs a kernel with fault injection; the caller sets it up in
 * /sys/kernel/debug/fail*. Prints the result to file descriptor 3:
 *
 *	failnth: injected|spared|not reached status=STATUS
 *
 * "spared" means that COMMAND ended before its Nth allocation. STATUS is COMMAND's exit
 * status, or 128 plus the number of the signal that ended it. Only COMMAND's first thread
 * counts.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct { const char *name; unsigned long long number; } calls[] = {
	{ "finit_module", SYS_finit_module },
	{ "init_module", SYS_init_module },
	{ "openat", SYS_openat },
	{ "socket", SYS_socket },
	{ "write", SYS_write },
};

static unsigned long long call;

static void parse_call(const char *word)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (!strcmp(word, calls[i].name)) {
			call = calls[i].number;
			return;
		}
	}
	errx(255, "unknown system call '%s'", word);
}

static int open_nth(pid_t pid, int flags)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/fail-nth", pid);
	fd = open(path, flags);
	if (fd < 0)
		err(255, "%s", path);
	return fd;
}

/* is the process entering SYSCALL? */
static int reached(pid_t pid)
{
	struct __ptrace_syscall_info info;

	if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, (void *)sizeof(info), &info) < 0)
		err(255, "PTRACE_GET_SYSCALL_INFO");
	return info.op == PTRACE_SYSCALL_INFO_ENTRY && info.entry.nr == call;
}

static void arm(pid_t pid, const char *n)
{
	int fd = open_nth(pid, O_WRONLY);

	if (write(fd, n, strlen(n)) < 0)
		err(255, "fail-nth");
	close(fd);
}

/* true if no failure was injected: fail-nth has not counted down to 0 */
static int spared(pid_t pid)
{
	char left[16] = "";
	int fd = open_nth(pid, O_RDONLY);

	if (read(fd, left, sizeof(left) - 1) < 0)
		err(255, "fail-nth");
	close(fd);
	return atoi(left) != 0;
}

static pid_t start(char **argv)
{
	pid_t pid = fork();

	if (pid < 0)
		err(255, "fork");
	if (pid)
		return pid;
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) || raise(SIGSTOP))
		err(255, "PTRACE_TRACEME");
	execvp(*argv, argv);
	err(127, "%s", *argv);
}

int main(int argc, char **argv)
{
	const char *verdict = "not reached";
	int status, armed = 0;
	void *signal_nr = NULL;
	pid_t pid;

	if (argc < 4)
		errx(255, "usage: failnth N SYSCALL COMMAND [ARGUMENT]...");
	parse_call(argv[2]);
	pid = start(argv + 3);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC |
		   PTRACE_O_EXITKILL))
		err(255, "PTRACE_SETOPTIONS");

	for (;;) {
		if (ptrace(armed ? PTRACE_CONT : PTRACE_SYSCALL, pid, NULL, signal_nr))
			err(255, "ptrace");
		if (waitpid(pid, &status, 0) != pid)
			err(255, "waitpid");
		if (!WIFSTOPPED(status))
			break;
		signal_nr = NULL;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
			if (!armed && reached(pid)) {
				arm(pid, argv[1]);
				armed = 1;
			}
		} else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
			if (armed)
				verdict = spared(pid) ? "spared" : "injected";
		} else if (status >> 16 == 0) {
			signal_nr = (void *)(long)WSTOPSIG(status);
		}
	}
	dprintf(3, "failnth: %s status=%d\n", verdict,
		WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
	return 0;
}
