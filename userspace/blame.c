// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet waits for the CPU that serves it, so a stall explains a delay that it covers. What
 * may be left is what is usual, and the work on the packets that waited as well.
 */
#include "blame.h"

static __u64 earlier(__u64 at_ns, __u64 by_ns)
{
	return at_ns > by_ns ? at_ns - by_ns : 0;
}

/**
 * blame_wait() - did stalls hold a reply up?
 * @blame: the result; of a reply that stalls explain in part only, the one that covers most
 * @suspects: the stalls, sorted
 * @slow: the reply, which came
 * @clock: of its log
 * @room: for cover_find()
 *
 * A request meets one node after another, so each node is asked on its own.
 *
 * Return: true where the stalls of one node explain it.
 */
bool blame_wait(struct blame *blame, const struct suspects *suspects, const struct slow *slow,
		const struct log_clock *clock, struct cover_room *room)
{
	__u64 from_ns = log_clock_node_ns(clock, slow->reply->sent_ns);
	__u64 to_ns = log_clock_node_ns(clock, slow->reply->came_ns);
	__u64 need_ns = slow_need_ns(slow);

	*blame = (struct blame){ 0 };
	for (unsigned int node = 0; node < suspects->nnodes; node++) {
		struct cover cover;

		cover_find(&cover, suspects, node, earlier(from_ns, clock->error_ns),
			   to_ns + clock->error_ns, room);
		if (cover.longest && cover.all_ns >= need_ns) {
			blame->suspect = cover.longest;
			blame->together = cover.one_ns < need_ns;
			blame->covered_ns = blame->together ? cover.all_ns : cover.one_ns;
			return true;
		}
		if (cover.one_ns > blame->covered_ns)
			*blame = (struct blame){
				.suspect = cover.longest, .covered_ns = cover.one_ns,
			};
	}
	return false;
}

/**
 * blame_loss() - was a packet on its way in while a CPU was stalled?
 * @blame: the result
 * @suspects: the stalls, sorted
 * @slow: the reply, which was lost or came after its request was sent again
 * @clock: of its log
 * @over_ns: a stall as long as that may overflow a queue
 * @room: for cover_find()
 *
 * Return: true where there was such a stall.
 */
bool blame_loss(struct blame *blame, const struct suspects *suspects, const struct slow *slow,
		const struct log_clock *clock, __u64 over_ns, struct cover_room *room)
{
	__u64 sent_ns = log_clock_node_ns(clock, slow->reply->sent_ns);

	*blame = (struct blame){ 0 };
	for (unsigned int node = 0; node < suspects->nnodes; node++) {
		struct cover cover;

		cover_find(&cover, suspects, node, earlier(sent_ns, clock->error_ns),
			   sent_ns + slow->base_ns + clock->error_ns + 1, room);
		if (!cover.longest || cover.longest->max_ns < over_ns)
			continue;
		*blame = (struct blame){
			.suspect = cover.longest, .covered_ns = cover.one_ns,
		};
		return true;
	}
	return false;
}
