// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/say.h"
#include "terminal/pager.h"

static pid_t pager;
static void (*was_interrupted)(int);

/* where there is no such program, what is printed appears all the same */
static char *with_fallback(const char *command)
{
	int word = strcspn(command, " \t\n;|&<>()$`'\"=");
	char *whole;

	if (command[word] == '=' ||
	    asprintf(&whole, "command -v %.*s > /dev/null || exec cat; %s", word, command,
		     command) < 0)
		return copy_text(command);
	return whole;
}

static void run(const char *command, int input)
{
	/* quit if it fits the screen, keep colours, leave the screen as it is: as git has it */
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	dup2(input, STDIN_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, was_interrupted);
	execl("/bin/sh", "sh", "-c", with_fallback(command), NULL);
	_exit(127);
}

/**
 * pager_open() - send what is printed from now on through a pager
 * @command: for the shell
 *
 * Where that cannot be, nothing changes.
 */
void pager_open(const char *command)
{
	int ends[2];

	fflush(stdout);
	if (pipe(ends))
		return;
	/* less goes on after ^C, and has the terminal until it is left */
	was_interrupted = signal(SIGINT, SIG_IGN);
	pager = fork();
	if (!pager) {
		close(ends[1]);
		run(command, ends[0]);
	}
	close(ends[0]);
	if (pager > 0) {
		dup2(ends[1], STDOUT_FILENO);
		/* whoever leaves the pager early has seen enough */
		signal(SIGPIPE, SIG_IGN);
	} else {
		signal(SIGINT, was_interrupted);
		pager = 0;
	}
	close(ends[1]);
}

/**
 * pager_close() - wait until the pager has been left
 *
 * Return: true where there was one, which took all of the output that it wanted.
 */
bool pager_close(void)
{
	if (!pager)
		return false;
	fclose(stdout);
	waitpid(pager, NULL, 0);
	pager = 0;
	return true;
}
