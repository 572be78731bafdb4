// SPDX-License-Identifier: GPL-2.0-only
/*
 * hping3 prints no time of day. Its round trips need care:
 *
 * It reads the seconds and the microseconds of the time from clocks that do not turn over at
 * the same moment, so some round trips of each second are a second too long. Packets are sent
 * in the order of their numbers, and replies are printed in the order in which they came;
 * what would not be so tells them.
 *
 * It remembers when it sent the last 400 packets. Of others it prints 0.0 ms. With --icmp
 * that is all of them once the number has wrapped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "replies/reply_format.h"

#define REMEMBERED	400
#define WRAP		65536
#define GRAIN_NS	(100 * NSEC_PER_USEC)	/* of round trips */

struct hping {
	unsigned int runs;
	bool told;		/* that round trips are missing */
	size_t suspects;	/* where the last replies are that took a second or more */
	size_t suspects_end;	/* 0: the last one took less */
};

static struct hping *state(struct reply_log *log)
{
	if (!log->hping)
		log->hping = alloc(1, sizeof(*log->hping));
	return log->hping;
}

/* "HPING 10.0.0.2 (eth0 10.0.0.2): S set, 40 headers + 0 data bytes" */
static int begin(struct reply_log *log)
{
	if (log->options.start_ns && state(log)->runs)
		return misuse("%s: line %u begins another run of hping3, and --start is of one",
			      log->name, log->line);
	state(log)->runs++;
	for (size_t i = 0; i < log->nsequences; i++)
		sequence_begin(&log->sequences[i], log->replies, 0);
	return EXIT_DONE;
}

static struct sequence *packets(struct reply_log *log, const char *line, bool icmp)
{
	const char *ip = line_value(line, "ip=");
	struct sequence *sequence;
	bool known;
	char *name;

	/* with -V, another line had it */
	if (ip || !log_knows_target(log)) {
		name = copy_text(ip ? ip : "");
		name[strcspn(name, " ")] = '\0';
		log->target = replies_target(log->replies, name);
		free(name);
	}
	known = log->target < log->nsequences;
	sequence = log_sequence(log, line_value(line, "flags=") ? REPLY_CONNECT : REPLY_ECHO, icmp);
	if (!known && state(log)->runs)
		sequence_begin(sequence, log->replies, 0);
	return sequence;
}

/* do --start and --interval say when packets were sent? */
static bool is_planned(const struct reply_log *log)
{
	return log->options.start_ns && log->options.interval_ns;
}

/* stamps count for nothing where times are planned */
static __u64 grain_of(const struct reply_log *log)
{
	return !is_planned(log) && log->stamp_grain_ns > GRAIN_NS ? log->stamp_grain_ns : GRAIN_NS;
}

/* a second too much of this round trip: the packet before it was sent later */
static void correct(const struct sequence *sequence, struct reply *reply)
{
	if (reply->came_ns - reply->sent_ns >= NSEC_PER_SEC && sequence->begun &&
	    reply->seq > sequence->highest &&
	    reply->sent_ns + NSEC_PER_SEC / 2 < sequence->highest_ns)
		reply->sent_ns += NSEC_PER_SEC;
}

/* a second too much of those before: this reply was printed after them, and came before */
static void correct_suspects(struct reply_log *log, const struct reply *reply)
{
	struct replies *replies = log->replies;

	for (size_t i = state(log)->suspects; i < state(log)->suspects_end; i++)
		if (reply->came_ns + NSEC_PER_SEC / 2 < replies->all[i].came_ns)
			replies->all[i].came_ns -= NSEC_PER_SEC;
	state(log)->suspects_end = 0;
}

/* the reply was added last, or before those that are lost */
static void suspect(struct reply_log *log, size_t at)
{
	if (at >= log->replies->count || log->replies->all[at].line != log->line)
		return;
	if (!state(log)->suspects_end)
		state(log)->suspects = at;
	state(log)->suspects_end = at + 1;
}

static void add(struct reply_log *log, struct sequence *sequence, struct reply *reply)
{
	bool slow = reply->came_ns - reply->sent_ns >= NSEC_PER_SEC;
	size_t at = log->replies->count;

	if (!is_planned(log))
		correct(sequence, reply);
	else if (!slow)
		correct_suspects(log, reply);
	log_grain(log, grain_of(log));
	log_packet(log, sequence, reply);
	if (is_planned(log) && slow)
		suspect(log, at);
}

/* sets both times; false: --start and --interval would be needed */
static bool set_times(struct reply_log *log, struct reply *reply, __u64 now_ns, __u64 took_ns)
{
	if (is_planned(log)) {
		reply->sent_ns = log->options.start_ns + reply->seq * log->options.interval_ns;
		reply->came_ns = reply->sent_ns + took_ns;
		return true;
	}
	reply->came_ns = now_ns;
	reply->sent_ns = now_ns - took_ns;
	return now_ns;
}

/* a reply of which hping3 has forgotten when it sent the packet; true: that can be told */
static bool recall(struct reply_log *log, const struct sequence *sequence, struct reply *reply)
{
	__u64 sent_ns = sequence_estimate(sequence, reply->seq);

	if (!sent_ns || sent_ns > reply->came_ns || is_planned(log))
		return false;
	reply->sent_ns = sent_ns;
	return true;
}

static int pass(struct reply_log *log, struct sequence *sequence, struct reply *reply)
{
	reply->line = log->line;
	if (!state(log)->told)
		note("%s: hping3 --icmp prints no round trips after %u packets; with -S it does",
		     log->name, WRAP);
	state(log)->told = true;
	log_grain(log, grain_of(log));
	sequence_pass(sequence, log->replies, reply);
	return LINE_UNTOLD;
}

static int take_reply(struct reply_log *log, const char *line, struct reply *reply, bool icmp,
		      __u64 took_ns, __u64 now_ns)
{
	struct sequence *sequence = packets(log, line, icmp);
	bool late;

	reply->seq = sequence_number(sequence, reply->seq);
	if (!set_times(log, reply, now_ns, took_ns))
		return misuse("%s: hping3 prints no time of day; %s or give --start and --interval",
			      log->name, "pipe 'stdbuf -oL hping3 ...' into 'irqoff correlate -'");
	late = sequence->begun && reply->seq + REMEMBERED <= sequence->highest;
	/* a TCP packet that is forgotten has the number 0 */
	if (!took_ns && late && !icmp)
		return LINE_UNTOLD;
	if (!took_ns && icmp && reply->seq >= WRAP)
		return pass(log, sequence, reply);
	if (!took_ns && late && !recall(log, sequence, reply))
		return LINE_UNTOLD;
	add(log, sequence, reply);
	return EXIT_DONE;
}

/* what else hping3 prints, once it is known that hping3 does */
static int take_other(struct reply_log *log, const char *line)
{
	static const char * const own[] = {
		"--- ", "round-trip ", "DUP! ", "ICMP ", "TCP timestamp", "len=", "seq=", "using ",
		"status=", "[|", "HZ seems hz=", "System uptime seems: ", "TTL 0 during ",
	};

	if (log->take != hping_take)
		return LINE_FOREIGN;
	/* a reply's line that is damaged */
	if (line_value(line, "rtt=") && !line_begins(line, "DUP! "))
		return LINE_UNTOLD;
	if (line_begins(line, "[send_ip] sendto: ")) {
		if (log_knows_target(log))
			sequence_unsent(&log->sequences[log->target], log->line);
		return EXIT_DONE;
	}
	if (strstr(line, " packets transmitted, ") || strstr(line, " packets tramitted, "))
		return EXIT_DONE;
	for (size_t i = 0; i < ARRAY_SIZE(own); i++)
		if (line_begins(line, own[i]))
			return EXIT_DONE;
	return LINE_FOREIGN;
}

int hping_take(struct reply_log *log, char *line, __u64 now_ns)
{
	const char *took = line_value(line, "rtt="), *seq = line_value(line, "icmp_seq=");
	struct reply reply = { 0 };
	bool icmp = seq;
	__u64 took_ns;

	if (line_begins(line, "HPING "))
		return begin(log);
	if (!seq)
		seq = line_value(line, "seq=");
	if (!took || !seq || (!line_begins(line, "len=") && !line_begins(line, "sport=")) ||
	    !line_number(seq, &reply.seq) || !line_ms(took, &took_ns))
		return take_other(log, line);
	return take_reply(log, line, &reply, icmp, took_ns, now_ns);
}
