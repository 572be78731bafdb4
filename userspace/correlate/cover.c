// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/say.h"
#include "correlate/cover.h"

static void take(struct cover_room *room, const struct candidate *suspect, __u64 from_ns,
		 __u64 to_ns)
{
	__u64 begin_ns = suspect->end_ns - suspect->max_ns;
	__u64 sure_ns = suspect->end_ns - suspect->min_ns;

	if (begin_ns >= to_ns || suspect->end_ns <= from_ns)
		return;
	if (room->count == room->room) {
		room->room = room->room ? 2 * room->room : 16;
		room->pieces = or_exit(realloc(room->pieces, room->room * sizeof(*room->pieces)));
	}
	room->pieces[room->count++] = (struct piece){
		.suspect = suspect,
		.from_ns = begin_ns > from_ns ? begin_ns : from_ns,
		.to_ns = suspect->end_ns < to_ns ? suspect->end_ns : to_ns,
		.sure_ns = sure_ns > from_ns ? sure_ns : from_ns,
	};
}

static int by_cpu(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	if (left->suspect->cpu != right->suspect->cpu)
		return left->suspect->cpu < right->suspect->cpu ? -1 : 1;
	return (left->from_ns > right->from_ns) - (left->from_ns < right->from_ns);
}

static int by_begin(const void *a, const void *b)
{
	const struct piece *left = a, *right = b;

	return (left->from_ns > right->from_ns) - (left->from_ns < right->from_ns);
}

/* the time that pieces cover, which are sorted by their begin */
static __u64 covered(const struct piece *pieces, size_t count)
{
	__u64 sum_ns = 0, to_ns = 0;

	for (size_t i = 0; i < count; i++) {
		__u64 from_ns = pieces[i].from_ns > to_ns ? pieces[i].from_ns : to_ns;

		if (pieces[i].to_ns <= from_ns)
			continue;
		sum_ns += pieces[i].to_ns - from_ns;
		to_ns = pieces[i].to_ns;
	}
	return sum_ns;
}

static void take_cpu(struct cover *cover, const struct piece *pieces, size_t count)
{
	__u64 one_ns = covered(pieces, count), longest_ns = 0;

	if (one_ns <= cover->one_ns)
		return;
	cover->one_ns = one_ns;
	for (size_t i = 0; i < count; i++) {
		if (pieces[i].to_ns - pieces[i].from_ns > longest_ns) {
			longest_ns = pieces[i].to_ns - pieces[i].from_ns;
			cover->longest = pieces[i].suspect;
		}
	}
}

/**
 * cover_find() - how much of a wait do stalls cover?
 * @cover: the result
 * @suspects: the stalls, sorted
 * @node: of this node
 * @from_ns: when the wait began, by the node's wall clock
 * @to_ns: when it ended
 * @room: of the caller, zeroed at first, for cover_room_free()
 *
 * A stall may cover as much as its upper bound, and surely covers as much as its lower one.
 */
void cover_find(struct cover *cover, const struct candidates *suspects, unsigned int node,
		__u64 from_ns, __u64 to_ns, struct cover_room *room)
{
	size_t first = 0, behind = suspects->firsts[node + 1];

	*cover = (struct cover){ 0 };
	room->count = 0;
	for (size_t i = candidates_from(suspects, node, from_ns); i < behind; i++) {
		if (suspects->all[i].end_ns > to_ns + suspects->longest_ns)
			break;
		take(room, &suspects->all[i], from_ns, to_ns);
	}
	if (!room->count)
		return;
	qsort(room->pieces, room->count, sizeof(*room->pieces), by_cpu);
	for (size_t i = 1; i <= room->count; i++) {
		if (i < room->count &&
		    room->pieces[i].suspect->cpu == room->pieces[first].suspect->cpu)
			continue;
		take_cpu(cover, &room->pieces[first], i - first);
		first = i;
	}
	qsort(room->pieces, room->count, sizeof(*room->pieces), by_begin);
	cover->all_ns = covered(room->pieces, room->count);
	for (size_t i = 0; i < room->count; i++)
		room->pieces[i].from_ns = room->pieces[i].sure_ns;
	qsort(room->pieces, room->count, sizeof(*room->pieces), by_begin);
	cover->sure_ns = covered(room->pieces, room->count);
}

/**
 * cover_moment() - which stall went on at a moment?
 * @suspects: the stalls, sorted
 * @node: of this node
 * @from_ns: the moment, by the node's wall clock
 * @to_ns: its end
 *
 * Return: the longest, by its upper bound; NULL: none did.
 */
const struct candidate *cover_moment(const struct candidates *suspects, unsigned int node,
				     __u64 from_ns, __u64 to_ns)
{
	const struct candidate *longest = NULL;
	size_t behind = suspects->firsts[node + 1];

	for (size_t i = candidates_from(suspects, node, from_ns); i < behind; i++) {
		const struct candidate *suspect = &suspects->all[i];

		if (suspect->end_ns > to_ns + suspects->longest_ns)
			break;
		if (suspect->end_ns - suspect->max_ns <= to_ns &&
		    (!longest || suspect->max_ns > longest->max_ns))
			longest = suspect;
	}
	return longest;
}

void cover_room_free(struct cover_room *room)
{
	free(room->pieces);
	*room = (struct cover_room){ 0 };
}
