// SPDX-License-Identifier: GPL-2.0-only
/*
 * starts: has the module watch (CONFIG_SET with ENABLE), asking again as long as the answer is
 * EINPROGRESS, and prints how many microseconds the longest answer took, how many all of it,
 * and the last answer's error, or 0.
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"

static long long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

int main(void)
{
	const unsigned char on = 1;
	unsigned short family;
	long long began_us, asked_us, longest_us = 0;
	struct nlmsgerr *answer;

	family = open_family();
	began_us = now_us();
	do {
		asked_us = now_us();
		ask(family, TRACE_IRQOFF_CMD_CONFIG_SET, NLM_F_ACK, TRACE_IRQOFF_A_ENABLE, &on, 1);
		if (now_us() - asked_us > longest_us)
			longest_us = now_us() - asked_us;
		answer = NLMSG_DATA((struct nlmsghdr *)reply);
	} while (answer->error == -EINPROGRESS && !usleep(1000));
	printf("%lld %lld %d\n", longest_us, now_us() - began_us, -answer->error);
	return 0;
}
