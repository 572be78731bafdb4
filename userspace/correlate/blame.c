// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet waits for the CPU that serves it, so a stall explains a delay that it covers. What
 * may be left is what is usual, and the work on the packets that waited as well.
 */
#include "base/say.h"
#include "base/units.h"
#include "correlate/blame.h"

static __u64 earlier(__u64 at_ns, __u64 by_ns)
{
	return at_ns > by_ns ? at_ns - by_ns : 0;
}

/* a request meets one node after another, so each node is asked on its own */
static bool find_wait(struct blame *blame, struct blaming *blaming, const struct slow *slow)
{
	const struct log_clock *clock = blaming->clock;
	__u64 from_ns = log_clock_node_ns(clock, slow->reply->sent_ns);
	__u64 to_ns = log_clock_node_ns(clock, slow->reply->came_ns);
	__u64 need_ns = slow_need_ns(slow);

	for (unsigned int node = 0; node < blaming->suspects->nnodes; node++) {
		struct cover cover;

		cover_find(&cover, blaming->suspects, node, earlier(from_ns, clock->error_ns),
			   to_ns + clock->error_ns, &blaming->room);
		if (cover.longest && cover.all_ns >= need_ns) {
			blame->suspect = cover.longest;
			blame->together = cover.one_ns < need_ns;
			blame->covered_ns = blame->together ? cover.all_ns : cover.one_ns;
			blame->probable = cover.sure_ns < need_ns;
			return true;
		}
		if (cover.one_ns > blame->covered_ns) {
			blame->suspect = cover.longest;
			blame->covered_ns = cover.one_ns;
		}
	}
	return false;
}

/* was the packet on its way in while a CPU was stalled? */
static bool find_loss(struct blame *blame, const struct blaming *blaming, const struct slow *slow)
{
	const struct log_clock *clock = blaming->clock;
	__u64 sent_ns = log_clock_node_ns(clock, slow->reply->sent_ns);
	const struct candidate *longest = NULL;

	/* nobody says that it is one; of a request that may have been sent at any time */
	if (slow->reply->untold || (slow->reply->kind == REPLY_REQUEST && slow->reply->unsure_ns))
		return false;
	for (unsigned int node = 0; node < blaming->suspects->nnodes; node++) {
		const struct candidate *suspect =
			cover_moment(blaming->suspects, node, earlier(sent_ns, clock->error_ns),
				     sent_ns + slow->base_ns + clock->error_ns);

		if (suspect && suspect->max_ns >= blaming->over_ns &&
		    (!longest || suspect->max_ns > longest->max_ns))
			longest = suspect;
	}
	if (!longest)
		return false;
	*blame = (struct blame){ .suspect = longest, .loss = true, .probable = true };
	return true;
}

/* the second at which TCP seems to have sent it again; 0: none */
unsigned int blame_resent(const struct blaming *blaming, const struct slow *slow)
{
	return slow->reply->kind == REPLY_REQUEST ?
	       resend_second(slow_excess_ns(slow), blaming->syn_linear) : 0;
}

/**
 * blame_find() - is a stall to blame for a slow reply?
 * @blame: the result; of a reply that stalls explain in part only, the one that covers most
 * @blaming: what is known besides
 * @slow: the reply
 *
 * Return: true where stalls of one node cover its time, or it was lost and one went on.
 */
bool blame_find(struct blame *blame, struct blaming *blaming, const struct slow *slow)
{
	*blame = (struct blame){ 0 };
	if (slow->reply->lost)
		return find_loss(blame, blaming, slow);
	if (find_wait(blame, blaming, slow))
		return true;
	if (!blame_resent(blaming, slow) || !find_loss(blame, blaming, slow))
		return false;
	blame->resent_s = blame_resent(blaming, slow);
	return true;
}

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
