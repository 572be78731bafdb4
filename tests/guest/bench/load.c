// SPDX-License-Identifier: GPL-2.0-only
/*
 * load syscall|pipe COUNT: makes COUNT system calls that do nothing, or sends COUNT messages
 * back and forth between two processes on one CPU. Prints the time as "ns=".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void syscalls(long count)
{
	while (count--)
		syscall(SYS_getppid);
}

static void echo(int from, int to, long count)
{
	char byte;

	while (count-- && read(from, &byte, 1) == 1)
		if (write(to, &byte, 1) != 1)
			_exit(1);
	_exit(0);
}

static int pingpong(long count)
{
	int there[2], back[2];
	char byte = 0;
	int status = 1;

	if (pipe(there) || pipe(back))
		return 1;
	switch (fork()) {
	case -1:
		return 1;
	case 0:
		echo(there[0], back[1], count);
	}
	while (count--)
		if (write(there[1], &byte, 1) != 1 ||
		    read(back[0], &byte, 1) != 1)
			return 1;
	wait(&status);
	return status;
}

int main(int argc, char **argv)
{
	long count = argc == 3 ? atol(argv[2]) : 0;
	long long from = now();
	int status = 0;

	if (count <= 0)
		return 2;
	if (!strcmp(argv[1], "syscall"))
		syscalls(count);
	else if (!strcmp(argv[1], "pipe"))
		status = pingpong(count);
	else
		return 2;
	printf("ns=%lld laps=%ld\n", now() - from, count);
	return status;
}
