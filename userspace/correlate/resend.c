// SPDX-License-Identifier: GPL-2.0-only
#include "base/say.h"
#include "base/units.h"
#include "correlate/resend.h"

/* TCP_TIMEOUT_INIT is 1 s, and each timeout is twice the one before */
static const unsigned int doubled[] = { 1, 3, 7, 15, 31, 63, 127 };

/* with tcp_syn_linear_timeouts=4, the default from 6.5 on, the first ones are alike */
static const unsigned int alike[] = { 1, 2, 3, 4, 5, 7, 11, 19, 35, 67, 131 };

/* timers are late by an eighth at most (kernel/time/timer.c), never early but for the tick */
#define LATE_SHARE	8
#define EARLY_NS	(10 * NSEC_PER_MSEC)
#define LATE_NS		(20 * NSEC_PER_MSEC)

static unsigned int find(const unsigned int *seconds, unsigned int count, __u64 excess_ns)
{
	for (unsigned int i = 0; i < count; i++) {
		__u64 due_ns = seconds[i] * NSEC_PER_SEC;

		if (excess_ns + EARLY_NS >= due_ns &&
		    excess_ns <= due_ns + due_ns / LATE_SHARE + LATE_NS)
			return seconds[i];
	}
	return 0;
}

/**
 * resend_second() - did a SYN have to be sent again?
 * @excess_ns: by how much a connect took longer than usual
 * @linear: tcp_syn_linear_timeouts is in force
 *
 * Return: the second at which it was sent again and got through; 0: it took another time.
 */
unsigned int resend_second(__u64 excess_ns, bool linear)
{
	return linear ? find(alike, ARRAY_SIZE(alike), excess_ns) :
			find(doubled, ARRAY_SIZE(doubled), excess_ns);
}
