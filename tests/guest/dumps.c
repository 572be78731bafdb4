// SPDX-License-Identifier: GPL-2.0-only
/*
 * dumps [COMMAND]: asks for the histograms of all CPUs, writes COMMAND to /proc/trace_irqoff before
 * it takes the rest of the answer, and prints how many messages there were of CPUs, and how many
 * messages say that the dump was interrupted.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "ask.h"

static void tell_module(const char *command)
{
	int fd = open("/proc/trace_irqoff", O_WRONLY);

	if (fd < 0 || write(fd, command, strlen(command)) < 0)
		err(2, "/proc/trace_irqoff");
	close(fd);
}

int main(int argc, char **argv)
{
	unsigned int cpus = 0, interrupted = 0;
	unsigned short family = open_family();
	bool done = false;

	send_request(family, TRACE_IRQOFF_CMD_HISTOGRAM_GET, NLM_F_DUMP, 0, NULL, 0);
	if (argc > 1)
		tell_module(argv[1]);
	while (!done) {
		struct nlmsghdr *message = (void *)reply;
		ssize_t len = receive();

		for (; NLMSG_OK(message, len); message = NLMSG_NEXT(message, len)) {
			if (message->nlmsg_type == NLMSG_ERROR)
				errx(2, "the request was refused");
			done |= message->nlmsg_type == NLMSG_DONE;
			cpus += message->nlmsg_type == family;
			interrupted += !!(message->nlmsg_flags & NLM_F_DUMP_INTR);
		}
	}
	printf("%u %u\n", cpus, interrupted);
	return 0;
}
