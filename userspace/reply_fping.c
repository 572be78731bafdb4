// SPDX-License-Identifier: GPL-2.0-only
/*
 * fping with -c or -l. It prints a line for each packet: the reply, or that it did not come
 * in time. A reply that comes later than that is not printed any more.
 */
#include <string.h>

#include "reply_format.h"
#include "say.h"

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

/* "host : xmt/rcv/%loss = 3/3/0%", "ICMP Host Unreachable from 10.0.0.1 for ICMP Echo sent to" */
static int take_other(struct reply_log *log, const char *line)
{
	if (log->take == fping_take &&
	    (strstr(line, " : xmt/rcv/%") || line_begins(line, "ICMP ")))
		return EXIT_DONE;
	return LINE_FOREIGN;
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
