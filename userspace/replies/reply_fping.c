// SPDX-License-Identifier: GPL-2.0-only
/*
 * fping with -c or -l. It prints a line for each packet: the reply, or that it did not come
 * in time. A reply that comes later than that is not printed any more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "replies/reply_format.h"

#define SUM		" : xmt/rcv/%"
#define SEND_ERROR	" error while sending ping: "

/* "host (10.0.0.2)   " without the address and the blanks that align the colons */
static void name_target(struct reply_log *log, char *name)
{
	name[strcspn(name, " ")] = '\0';
	log->target = replies_target(log->replies, name);
}

static struct sequence *packets(struct reply_log *log)
{
	return log_sequence(log, REPLY_ECHO, false);
}

/* "64 bytes, 0.05 ms (0.05 avg, 0% loss)" */
static int take_reply(struct reply_log *log, char *name, struct reply *reply, const char *text,
		      __u64 grain_ns)
{
	const char *took = strstr(text, " bytes, ");
	__u64 took_ns;

	if (!took || !line_ms(took + strlen(" bytes, "), &took_ns))
		return LINE_FOREIGN;
	if (!reply->came_ns)
		return failed("%s: line %u has no time of day; 'fping -D' prints it", log->name,
			      log->line);
	reply->sent_ns = reply->came_ns - took_ns;
	name_target(log, name);
	log_grain(log, grain_ns);
	log_packet(log, packets(log), reply);
	return EXIT_DONE;
}

/* "[07:00:01]", which goes before the sums of -Q */
static bool is_clock(const char *line)
{
	static const char shape[] = "[00:00:00]";
	size_t i;

	for (i = 0; i < strlen(shape); i++)
		if (shape[i] == '0' ? line[i] < '0' || line[i] > '9' : line[i] != shape[i])
			return false;
	return !line[i];
}

/* "3 targets", "0.03 ms (min round trip time)", as -s prints them */
static bool is_total(const char *line)
{
	static const char * const totals[] = {
		" targets", " alive", " unreachable", " unknown addresses",
		" timeouts (waiting for response)", " ICMP Echos sent",
		" ICMP Echo Replies received", " other ICMP received",
		" ms (min round trip time)", " ms (avg round trip time)",
		" ms (max round trip time)", " sec (elapsed real time)",
	};
	size_t len = strspn(line, "0123456789.");

	for (size_t i = 0; len && i < ARRAY_SIZE(totals); i++)
		if (!strcmp(line + len, totals[i]))
			return true;
	return false;
}

/* "10.0.0.2: error while sending ping: ..." has no number, and is of the next packet */
static int take_error(struct reply_log *log, char *line)
{
	char *end = strstr(line, SEND_ERROR);

	if (end > line && end[-1] == ':')
		end--;
	*end = '\0';
	name_target(log, line);
	sequence_unsent(packets(log), log->line);
	return EXIT_DONE;
}

/* "10.0.0.2 : xmt/rcv/%loss = 4/2/50%, ...", and of -C "10.0.0.2 : 0.05 - 0.04 -" */
static int take_sum(struct reply_log *log, char *line)
{
	const char *text = strstr(line, SUM), *sum = text ? strstr(text, " = ") : NULL;
	__u64 count = 0;

	if (sum) {
		if (!line_number(sum + strlen(" = "), &count))
			return LINE_FOREIGN;
	} else {
		text = strstr(line, " :");
		if (!text || text[2 + strspn(text + 2, "0123456789.e+- ")])
			return LINE_FOREIGN;
		for (const char *at = text + 2; (at = strchr(at, ' ')); at++)
			count++;
	}
	if (!count)
		return EXIT_DONE;
	name_target(log, line);
	sequence_sent(packets(log), count - 1, log->line);
	return EXIT_DONE;
}

/* what else fping prints, once it is known that fping does */
static int take_other(struct reply_log *log, char *line)
{
	if (log->take != fping_take)
		return LINE_FOREIGN;
	if (strstr(line, SEND_ERROR))
		return take_error(log, line);
	if (line_begins(line, "ICMP ") || strstr(line, " : duplicate for [") ||
	    is_clock(line) || is_total(line))
		return EXIT_DONE;
	return take_sum(log, line);
}

int fping_take(struct reply_log *log, char *line, __u64 now_ns)
{
	__u64 stamp_ns, grain_ns = log->stamp_grain_ns ? log->stamp_grain_ns : 1;
	char *name = line_stamp(line, &stamp_ns, &grain_ns);
	char *colon = strstr(name, " : ["), *text;
	struct reply reply = { .came_ns = stamp_ns ? stamp_ns : now_ns };

	if (!colon || colon == name || !line_number(colon + strlen(" : ["), &reply.seq))
		return take_other(log, name);
	text = strstr(colon, "], ");
	if (!text)
		return LINE_FOREIGN;
	if (!line_begins(text, "], timed out"))
		return take_reply(log, name, &reply, text, grain_ns);
	name_target(log, name);
	sequence_lost(packets(log), reply.seq, log->line);
	return EXIT_DONE;
}

/*
 * The packets to a target that never replied. @rounds: those to one that did, by index, which are
 * @apart_ns apart
 */
static void add_silent(struct replies *replies, const struct sequence *sequence,
		       const size_t *rounds, size_t nrounds, __u64 apart_ns)
{
	__u64 known = sequence->sent - 1;

	/* the last one may have been on its way */
	known = known > sequence->unanswered ? known : sequence->unanswered;
	for (size_t i = 0; i < nrounds && known > sequence->first &&
	     !replies_too_many(replies); i++) {
		struct reply lost = replies->all[rounds[i]];

		if (lost.seq < sequence->first || lost.seq >= known)
			continue;
		lost.target = sequence->target;
		lost.lost = true;
		lost.came_ns = 0;
		lost.unsure_ns += apart_ns;
		lost.line = sequence->line;
		replies_add(replies, &lost);
	}
}

/**
 * fping_end() - add the packets to targets that never replied
 * @log: a log of any format, whose other packets have all been added
 *
 * fping sends each target a packet before it sends any target the next one. So a packet was
 * sent in the round of the packet with the same number to a target that did reply.
 */
void fping_end(struct reply_log *log)
{
	struct replies *replies = log->replies;
	size_t *rounds, nrounds = 0;
	unsigned int beside;

	if (log->take != fping_take || replies->count == log->first_reply)
		return;
	beside = replies->all[log->first_reply].target;
	rounds = alloc(replies->count - log->first_reply, sizeof(*rounds));
	for (size_t i = log->first_reply; i < replies->count; i++)
		if (replies->all[i].target == beside)
			rounds[nrounds++] = i;
	for (size_t i = 0; i < log->nsequences; i++)
		if (log->sequences[i].sent)
			add_silent(replies, &log->sequences[i], rounds, nrounds,
				   sequence_apart(&log->sequences[beside]));
	free(rounds);
}
