// SPDX-License-Identifier: GPL-2.0-only
/*
 * iputils' ping. With -D, lines begin with the time at which ping printed them; "time" ends
 * as the kernel received the reply, which is a little earlier. Other pings are read as they
 * print.
 */
#include <string.h>

#include "base/say.h"
#include "replies/reply_format.h"

#define FIRST		1	/* number of the first packet */
#define NAME_MOST	256
#define SENT		" packets transmitted, "
#define DIGITS		"0123456789"
#define BSD_SILENCE	"Request timeout for icmp_seq "

/* up to one of @ends, which are not part of names */
static void name_target(struct reply_log *log, const char *text, const char *ends)
{
	char name[NAME_MOST];
	size_t len = strcspn(text, ends);

	fill_text(name, len < sizeof(name) ? len + 1 : sizeof(name), text);
	log->target = replies_target(log->replies, name);
}

static struct sequence *packets(struct reply_log *log)
{
	return log_sequence(log, REPLY_ECHO, true);
}

/* " Zeit=0,2 ms" */
static bool has_ms(const char *line)
{
	while ((line = strchr(line, '='))) {
		line++;
		if (line_begins(line + strspn(line, "0123456789.,"), " ms"))
			return true;
	}
	return false;
}

/* "64 Bytes von 10.0.0.2: icmp_seq=1 ttl=64 Zeit=0,2 ms"; the lines of hping3 have "len=" */
static bool is_translated(const char *line)
{
	return line_value(line, "icmp_seq=") && (line_value(line, "ttl=") || has_ms(line)) &&
	       !line_value(line, "len=");
}

static int refuse_translated(const struct reply_log *log)
{
	return failed("%s: line %u is of a ping that speaks another language; "
		      "run it as LC_ALL=C ping -D ...", log->name, log->line);
}

/* "PING host (10.0.0.2) 56(84) bytes of data.", "PING ::1(::1) 56 data bytes" */
static int begin(struct reply_log *log, const char *line)
{
	name_target(log, line + strlen("PING "), " (");
	log->has_host = true;
	sequence_begin(packets(log), log->replies, FIRST);
	return EXIT_DONE;
}

/* "from host (10.0.0.2): icmp_seq=1", and without the name; "from fe80::1%eth0: icmp_seq=1" */
static void name_sender(struct reply_log *log, const char *from)
{
	char name[NAME_MOST], *colon;

	if (log->has_host)
		return;
	fill_text(name, sizeof(name), from);
	colon = strstr(name, ": ");
	if (colon)
		*colon = '\0';
	name_target(log, name, " ");
}

static int take_reply(struct reply_log *log, const char *from, __u64 came_ns, __u64 grain_ns)
{
	const char *seq = line_value(from, "icmp_seq="), *time = line_value(from, "time=");
	const char *below = line_value(from, "time<");
	struct reply reply = { .came_ns = came_ns };
	__u64 took_ns;

	if (!seq)
		seq = line_value(from, "seq=");
	if (!seq || !line_number(seq, &reply.seq))
		return LINE_FOREIGN;
	/* what came twice, or is damaged, says nothing */
	if (strstr(seq, "DUP!") || strstr(seq, "BAD CHECKSUM"))
		return EXIT_DONE;
	if (!time)
		time = below;
	if (time ? time[strcspn(time, " ,")] == ',' : has_ms(seq))
		return refuse_translated(log);
	/* one that is too short holds no time */
	if (!time || !line_ms(time, &took_ns))
		return LINE_UNTOLD;
	/* the most that "time<1 ms" can be, which is less than 1 ms */
	if (time == below && took_ns)
		took_ns--;
	if (!came_ns)
		return failed("%s: line %u has no time of day; 'ping -D' prints it", log->name,
			      log->line);
	reply.sent_ns = came_ns - took_ns;
	name_sender(log, from);
	log_grain(log, grain_ns);
	log_packet(log, packets(log), &reply);
	return EXIT_DONE;
}

/* "From 10.0.0.1 icmp_seq=3 Destination Host Unreachable" */
static int take_error(struct reply_log *log, const char *line)
{
	const char *seq = line_value(line, "icmp_seq=");
	__u64 number;

	if (!seq || !line_number(seq, &number))
		return LINE_FOREIGN;
	/* it has been sent on */
	if (log_knows_target(log) && !strstr(seq, "Redirect"))
		sequence_lost(packets(log), number, log->line);
	return EXIT_DONE;
}

/* "no answer yet for icmp_seq=3" is printed as the next one is sent; @seq may be NULL */
static int take_silence(struct reply_log *log, const char *seq)
{
	__u64 number;

	if (!seq || !line_number(seq, &number))
		return LINE_FOREIGN;
	if (log_knows_target(log))
		sequence_sent(packets(log), number + 1, log->line);
	return EXIT_DONE;
}

/* "ping: sendmsg: Network is unreachable"; other pings have sendto */
static int take_unsent(struct reply_log *log)
{
	if (log_knows_target(log))
		sequence_unsent(packets(log), log->line);
	return EXIT_DONE;
}

/* "3 packets transmitted, 2 received, 33% packet loss, time 405ms" */
static int take_sum(struct reply_log *log, const char *line)
{
	__u64 count;

	if (!line_number(line, &count) || !line_begins(line + strspn(line, DIGITS), SENT))
		return LINE_FOREIGN;
	if (log_knows_target(log))
		sequence_sent(packets(log), count, log->line);
	return EXIT_DONE;
}

/* "2/3 packets, 33% loss, min/avg/ewma/max = ...", on SIGQUIT */
static bool is_interim(const char *line)
{
	const char *slash = line + strspn(line, DIGITS);

	return slash != line && *slash == '/' &&
	       line_begins(slash + 1 + strspn(slash + 1, DIGITS), " packets, ");
}

/* what else ping prints, once it is known that ping does */
static int take_other(struct reply_log *log, const char *line)
{
	static const char * const own[] = {
		"--- ", "rtt ", "round-trip ", "pipe ", "RR:", "TS:", "\t",
		"WARNING: time of day goes back", "Warning: time of day goes back",
		"ping: Warning: time of day goes back",
		/* one that is too long has a line of its own, or is missing */
		"ping: local error: ",
		/* the dump that follows looks like comments */
		"wrong data byte #", "cp:", "dp:",
	};

	if (log->take != ping_take)
		return LINE_FOREIGN;
	if (strstr(line, SENT))
		return take_sum(log, line);
	if (strstr(line, ": sendmsg: ") || strstr(line, ": sendto: "))
		return take_unsent(log);
	if (is_interim(line))
		return EXIT_DONE;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (line_begins(line, own[i]))
			return EXIT_DONE;
	return LINE_FOREIGN;
}

int ping_take(struct reply_log *log, char *line, __u64 now_ns)
{
	__u64 stamp_ns, grain_ns = log->stamp_grain_ns ? log->stamp_grain_ns : 1;
	char *rest = line_stamp(line, &stamp_ns, &grain_ns);
	const char *from = strstr(rest, " bytes from ");

	if (line_begins(rest, "PING "))
		return begin(log, rest);
	if (from)
		return take_reply(log, from + strlen(" bytes from "),
				  stamp_ns ? stamp_ns : now_ns, grain_ns);
	if (line_begins(rest, "From "))
		return take_error(log, rest);
	if (line_begins(rest, "no answer yet for "))
		return take_silence(log, line_value(rest, "icmp_seq="));
	if (line_begins(rest, BSD_SILENCE))
		return take_silence(log, rest + strlen(BSD_SILENCE));
	if (is_translated(rest))
		return refuse_translated(log);
	return take_other(log, rest);
}
