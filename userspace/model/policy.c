// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>

#include "base/say.h"
#include "model/policy.h"

/* include/linux/sched/prio.h: real-time tasks have 0 to 98, others 100 to 139 */
#define MAX_RT_PRIO	100
#define DEFAULT_PRIO	120

/* include/uapi/linux/sched.h, by the names that sched_setscheduler(2) has for them */
static const char * const policies[] = {
	[0]	= "SCHED_OTHER",
	[1]	= "SCHED_FIFO",
	[2]	= "SCHED_RR",
	[3]	= "SCHED_BATCH",
	[5]	= "SCHED_IDLE",
	[6]	= "SCHED_DEADLINE",
	[7]	= "SCHED_EXT",
};

/**
 * policy_word() - the name of a policy
 * @policy: SCHED_* and 1, as samples have it
 *
 * Return: the name; NULL of 0, and of one that this reader does not know.
 */
const char *policy_word(unsigned int policy)
{
	return policy && policy <= ARRAY_SIZE(policies) ? policies[policy - 1] : NULL;
}

/**
 * policy_is_plain() - is that what every task has that nobody changed?
 * @policy: as samples have it
 * @prio: likewise
 */
bool policy_is_plain(unsigned int policy, unsigned int prio)
{
	return policy == 1 && prio == DEFAULT_PRIO + 1;
}

/**
 * policy_print() - "SCHED_FIFO 50", "SCHED_OTHER nice -5"
 * @buf: room
 * @policy: as samples have it
 * @prio: likewise
 *
 * A task may have a real-time priority that it inherits from one that waits for it.
 *
 * Return: @buf; "" where the policy is not known.
 */
const char *policy_print(char buf[UNITS_LEN], unsigned int policy, unsigned int prio)
{
	const char *word = policy_word(policy);
	int nice = (int)prio - 1 - DEFAULT_PRIO;

	if (!word)
		*buf = '\0';
	else if (!prio || !nice)
		snprintf(buf, UNITS_LEN, "%s", word);
	else if (prio - 1 < MAX_RT_PRIO)
		snprintf(buf, UNITS_LEN, "%s %u", word, MAX_RT_PRIO - prio);
	else
		snprintf(buf, UNITS_LEN, "%s nice %d", word, nice);
	return buf;
}
