// SPDX-License-Identifier: GPL-2.0-only
/*
 * A packet is lost where later ones were replied to and its own reply has not come for long.
 * It is told as lost then, so the replies are not in the order of their times. Should the
 * reply come even later, the lost one becomes that reply in its place.
 *
 * Tools number packets from 0 or 1, mostly in 16 bits. Numbers that go back though the packet
 * was sent later, or that go on faster than packets are sent, are of another run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "base/units.h"
#include "replies/reply_sequence.h"

/* no stall that a machine survives holds up a reply for longer, and few networks do */
#define PATIENCE_NS	(10 * NSEC_PER_SEC)
#define PATIENCE	4	/* in the usual time between packets */

#define ROW_MOST	32767	/* a longer row of missing packets is another run */
#define ROW_SHORT	16	/* a shorter one is believed whatever the time */
#define APART_LEAST	3	/* so many tell the usual time between packets */
#define APART_MOST_NS	(86400 * NSEC_PER_SEC)

/* by so much may a late reply seem to have been sent later than it was */
#define INACCURATE_NS	(100 * NSEC_PER_MSEC)

static int compare_ns(const void *a, const void *b)
{
	const __u64 *one = a, *other = b;

	return *one < *other ? -1 : *one > *other;
}

/**
 * sequence_apart() - the usual time between packets
 * @sequence: the target's packets
 *
 * Return: the median, because a few packets are sent late.
 */
__u64 sequence_apart(const struct sequence *sequence)
{
	size_t count = sequence->napart < APART_KEPT ? sequence->napart : APART_KEPT;
	__u64 sorted[APART_KEPT];

	if (!count)
		return sequence->usual_ns ? sequence->usual_ns : NSEC_PER_SEC;
	memcpy(sorted, sequence->apart_ns, sizeof(sorted));
	qsort(sorted, count, sizeof(*sorted), compare_ns);
	return sorted[count / 2];
}

static void note_apart(struct sequence *sequence, __u64 ns)
{
	if (ns <= APART_MOST_NS)
		sequence->apart_ns[sequence->napart++ % APART_KEPT] = ns;
}

static void give_up(struct sequence *sequence, struct replies *replies)
{
	struct missing *row = &sequence->missing[sequence->given_up++];
	__u64 apart_ns = sequence_apart(sequence);

	row->index = replies->count;
	for (__u64 seq = row->first; seq <= row->last && !replies_too_many(replies); seq++) {
		__u64 sent_ns = missing_estimate(row, seq, apart_ns);

		replies_add(replies, &(struct reply){
			.kind = sequence->kind,
			.lost = true,
			.sent_ns = sent_ns,
			.unsure_ns = missing_unsure(row, sent_ns, apart_ns),
			.target = sequence->target,
			.seq = seq,
			.line = row->line,
		});
		row->given++;
	}
}

static void give_up_old(struct sequence *sequence, struct replies *replies, __u64 now_ns)
{
	__u64 patience_ns;

	if (sequence->given_up == sequence->nmissing)
		return;
	patience_ns = PATIENCE * sequence_apart(sequence);
	if (patience_ns < PATIENCE_NS)
		patience_ns = PATIENCE_NS;
	while (sequence->given_up < sequence->nmissing &&
	       now_ns > sequence->missing[sequence->given_up].right_ns + patience_ns)
		give_up(sequence, replies);
}

static struct missing *insert(struct sequence *sequence, size_t at)
{
	sequence->missing = grow(sequence->missing, sequence->nmissing,
				 sizeof(*sequence->missing));
	memmove(&sequence->missing[at + 1], &sequence->missing[at],
		(sequence->nmissing++ - at) * sizeof(*sequence->missing));
	return &sequence->missing[at];
}

/* the first row that does not end before @seq */
static size_t place_of(const struct sequence *sequence, __u64 seq)
{
	return lower_bound(0, sequence->nmissing, i, sequence->missing[i].last < seq);
}

static struct missing *row_of(const struct sequence *sequence, __u64 seq)
{
	size_t at = place_of(sequence, seq);

	return at < sequence->nmissing && sequence->missing[at].first <= seq ?
	       &sequence->missing[at] : NULL;
}

/* parts the row before and behind a reply that came late */
static void fill(struct sequence *sequence, size_t at, __u64 seq, __u64 sent_ns)
{
	struct missing left = sequence->missing[at], right = left;

	left.last = seq - 1;
	left.right_ns = sent_ns;
	right.first = seq + 1;
	right.left_ns = sent_ns;
	if (left.first < seq && right.last > seq) {
		sequence->missing[at] = left;
		*insert(sequence, at + 1) = right;
	} else if (left.first < seq || right.last > seq) {
		sequence->missing[at] = left.first < seq ? left : right;
	} else {
		memmove(&sequence->missing[at], &sequence->missing[at + 1],
			(--sequence->nmissing - at) * sizeof(*sequence->missing));
	}
}

/* adds a reply whose number is below the highest one; false: it came before */
static bool take_late(struct sequence *sequence, struct replies *replies,
		      const struct reply *reply)
{
	size_t at = place_of(sequence, reply->seq);
	struct missing *row = row_of(sequence, reply->seq);
	struct reply *lost;

	if (!row)
		return false;
	if (at < sequence->given_up) {
		if (reply->seq - row->first >= row->given)
			return false;
		lost = &replies->all[row->index + (reply->seq - row->first)];
		if (!lost->lost)
			return false;
		*lost = *reply;
		replies->lost--;
		return true;
	}
	fill(sequence, at, reply->seq, reply->sent_ns);
	replies_add(replies, reply);
	return true;
}

static void miss(struct sequence *sequence, __u64 first, __u64 last, __u64 right_ns)
{
	*insert(sequence, sequence->nmissing) = (struct missing){
		.first = first,
		.last = last,
		.left_ns = sequence->begun ? sequence->highest_ns : 0,
		.right_ns = right_ns,
		.line = sequence->line,
	};
}

/* can so many packets have been sent since the last reply's? */
static bool goes_on(const struct sequence *sequence, const struct reply *reply)
{
	__u64 steps = reply->seq - sequence->highest, span_ns;

	if (steps <= ROW_SHORT)
		return true;
	if (steps > ROW_MOST || sequence->napart < APART_LEAST ||
	    reply->sent_ns < sequence->highest_ns)
		return false;
	span_ns = reply->sent_ns - sequence->highest_ns;
	return span_ns >= steps * sequence_apart(sequence) / 4;
}

static bool is_other_run(const struct sequence *sequence, const struct replies *replies,
			 const struct reply *reply)
{
	if (!sequence->begun)
		return false;
	if (reply->seq > sequence->highest)
		return !goes_on(sequence, reply);
	return reply->sent_ns > sequence->highest_ns + INACCURATE_NS + replies->grain_ns;
}

static void begin_run(struct sequence *sequence)
{
	sequence->begun = false;
	sequence->has_first = false;
	sequence->first = 0;
	sequence->sent = 0;
	sequence->unanswered = 0;
	sequence->nmissing = 0;
	sequence->given_up = 0;
}

/**
 * sequence_number() - undo the wrapping of a packet's number
 * @sequence: the target's packets
 * @seq: the number in the log
 *
 * Return: the number that is nearest to the one of the last reply.
 */
__u64 sequence_number(const struct sequence *sequence, __u64 seq)
{
	__s64 apart = (__s16)(seq - sequence->highest);

	if (!sequence->begun || !sequence->wraps ||
	    (apart < 0 && (__u64)-apart > sequence->highest))
		return seq;
	return sequence->highest + apart;
}

/* the first reply of a run: those before it are lost where the run's first number is known */
static void take_first(struct sequence *sequence, const struct reply *reply)
{
	if (sequence->has_first && reply->seq > sequence->first &&
	    reply->seq - sequence->first <= ROW_MOST)
		miss(sequence, sequence->first, reply->seq - 1, reply->sent_ns);
	sequence->begun = true;
}

static void take_next(struct sequence *sequence, const struct reply *reply)
{
	__u64 steps = reply->seq - sequence->highest;

	if (reply->sent_ns >= sequence->highest_ns)
		note_apart(sequence, (reply->sent_ns - sequence->highest_ns) / steps);
	if (steps > 1)
		miss(sequence, sequence->highest + 1, reply->seq - 1, reply->sent_ns);
}

/* takes up the number of a reply; true: it is not below the highest one */
static bool advance(struct sequence *sequence, struct replies *replies, struct reply *reply)
{
	reply->seq = sequence_number(sequence, reply->seq);
	if (is_other_run(sequence, replies, reply)) {
		sequence_end(sequence, replies);
		if (sequence->wraps)
			reply->seq &= 0xffff;
	}
	sequence->line = reply->line;
	if (sequence->begun && reply->seq <= sequence->highest)
		return false;
	if (sequence->begun)
		take_next(sequence, reply);
	else
		take_first(sequence, reply);
	sequence->highest = reply->seq;
	sequence->highest_ns = reply->sent_ns;
	return true;
}

/**
 * sequence_reply() - add a reply
 * @sequence: the target's packets
 * @replies: where it goes, after those that are lost by now
 * @reply: its seq is as the log has it
 *
 * Return: false where it came before.
 */
bool sequence_reply(struct sequence *sequence, struct replies *replies, const struct reply *reply)
{
	struct reply taken = *reply;
	bool added;

	if (advance(sequence, replies, &taken))
		added = replies_add(replies, &taken);
	else
		added = take_late(sequence, replies, &taken);
	if (reply->came_ns - reply->sent_ns > sequence->slowest_ns)
		sequence->slowest_ns = reply->came_ns - reply->sent_ns;
	give_up_old(sequence, replies, reply->came_ns);
	return added;
}

/**
 * sequence_pass() - note that a reply came of which nobody knows how long it took
 * @sequence: the target's packets
 * @replies: where those go that are lost by now
 * @reply: when it came, also as when it was sent
 */
void sequence_pass(struct sequence *sequence, struct replies *replies, const struct reply *reply)
{
	struct reply taken = *reply;
	size_t at;

	if (advance(sequence, replies, &taken))
		return;
	at = place_of(sequence, taken.seq);
	if (at >= sequence->given_up && row_of(sequence, taken.seq))
		fill(sequence, at, taken.seq, taken.sent_ns);
}

/**
 * sequence_sent() - note that a packet was sent, whose reply may be on its way
 * @sequence: the target's packets
 * @seq: its number in the log
 * @line: the line that says so
 */
void sequence_sent(struct sequence *sequence, __u64 seq, unsigned int line)
{
	seq = sequence_number(sequence, seq);
	if (seq < sequence->sent)
		return;
	sequence->sent = seq + 1;
	sequence->line = line;
}

/**
 * sequence_lost() - note that no reply will come for a packet
 * @sequence: the target's packets
 * @seq: its number in the log
 * @line: the line that says so
 */
void sequence_lost(struct sequence *sequence, __u64 seq, unsigned int line)
{
	sequence_sent(sequence, seq, line);
	if (!sequence->begun && !sequence->has_first) {
		sequence->first = seq;
		sequence->has_first = true;
	}
	seq = sequence_number(sequence, seq);
	if (seq >= sequence->unanswered)
		sequence->unanswered = seq + 1;
}

/**
 * sequence_unsent() - note that the next packet could not be sent
 * @sequence: the target's packets
 * @line: the line that says so
 */
void sequence_unsent(struct sequence *sequence, unsigned int line)
{
	__u64 next = sequence->begun ? sequence->highest + 1 : sequence->first;

	sequence_lost(sequence, next > sequence->sent ? next : sequence->sent, line);
}

/**
 * sequence_estimate() - when a packet was sent that has no reply yet
 * @sequence: the target's packets
 * @seq: its number, not wrapped
 *
 * Return: 0 where there was a reply, or nothing is known of it.
 */
__u64 sequence_estimate(const struct sequence *sequence, __u64 seq)
{
	const struct missing *row = row_of(sequence, seq);

	return row ? missing_estimate(row, seq, sequence_apart(sequence)) : 0;
}

/* packets behind the last reply are lost, unless a reply may have been on its way */
static void miss_last(struct sequence *sequence)
{
	__u64 apart_ns = sequence_apart(sequence), end = sequence->sent, on_way;

	on_way = 1 + sequence->slowest_ns / (apart_ns ? apart_ns : 1);
	end = end > on_way ? end - on_way : 0;
	if (end < sequence->unanswered)
		end = sequence->unanswered;
	if (end <= sequence->highest + 1 || end - sequence->highest > ROW_MOST)
		return;
	miss(sequence, sequence->highest + 1, end - 1, 0);
}

/**
 * sequence_end() - no more replies come
 * @sequence: the target's packets; another run of them may begin
 * @replies: where those go that are lost
 */
void sequence_end(struct sequence *sequence, struct replies *replies)
{
	if (sequence->begun)
		miss_last(sequence);
	while (sequence->given_up < sequence->nmissing)
		give_up(sequence, replies);
	begin_run(sequence);
}

/**
 * sequence_begin() - another run begins
 * @sequence: the target's packets
 * @replies: where those of the run before go that are lost
 * @first: the number of its first packet
 */
void sequence_begin(struct sequence *sequence, struct replies *replies, __u64 first)
{
	sequence_end(sequence, replies);
	sequence->first = first;
	sequence->has_first = true;
}

/*
 * Packets are sent too late at times, never too early. So where the packets on both sides
 * do not agree on the usual time between packets, the earlier estimate holds.
 */
__u64 missing_estimate(const struct missing *row, __u64 seq, __u64 apart_ns)
{
	__u64 steps = row->last - row->first + 2, step = seq - row->first + 1;
	__u64 usual_ns = steps * apart_ns, span_ns, off_ns;
	__u64 left_ns = row->left_ns + step * apart_ns;
	__u64 right_ns = (steps - step) * apart_ns;

	right_ns = right_ns < row->right_ns ? row->right_ns - right_ns : 1;
	if (!row->left_ns)
		return right_ns;
	if (!row->right_ns)
		return left_ns;
	span_ns = row->right_ns > row->left_ns ? row->right_ns - row->left_ns : 0;
	off_ns = span_ns > usual_ns ? span_ns - usual_ns : usual_ns - span_ns;
	if (off_ns > apart_ns / 4 + usual_ns / 32)
		return left_ns < right_ns ? left_ns : right_ns;
	return row->left_ns + span_ns / steps * step + span_ns % steps * step / steps;
}

/* how far an estimate may be off: not beyond the neighbours, nor by more than is usual */
__u64 missing_unsure(const struct missing *row, __u64 sent_ns, __u64 apart_ns)
{
	__u64 left_ns = row->left_ns && row->left_ns < sent_ns ? sent_ns - row->left_ns : 0;
	__u64 right_ns = row->right_ns > sent_ns ? row->right_ns - sent_ns : 0;
	__u64 most_ns = left_ns > right_ns ? left_ns : right_ns;

	return most_ns < apart_ns ? most_ns : apart_ns;
}
