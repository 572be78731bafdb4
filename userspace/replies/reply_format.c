// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/latency.h"
#include "base/moment.h"
#include "base/say.h"
#include "base/units.h"
#include "replies/reply_format.h"

#define NUMBER_ROOM	24	/* longer ones are none */

bool line_begins(const char *line, const char *text)
{
	return !strncmp(line, text, strlen(text));
}

/**
 * line_value() - the value of a key in "key=value key=value"
 * @line: the line
 * @key: the key with its "="
 *
 * Return: where the value begins; NULL where there is no such key.
 */
const char *line_value(const char *line, const char *key)
{
	for (const char *at = line; (at = strstr(at, key)); at++)
		if (at == line || at[-1] == ' ')
			return at + strlen(key);
	return NULL;
}

/* the word that @text begins with, which ends at one of @ends */
static bool copy_word(char to[NUMBER_ROOM], const char *text, const char *ends)
{
	size_t len = strcspn(text, ends);

	if (len >= NUMBER_ROOM)
		return false;
	memcpy(to, text, len);
	to[len] = '\0';
	return true;
}

bool line_number(const char *text, __u64 *number)
{
	char word[NUMBER_ROOM];

	return copy_word(word, text, " ,:/]") && parse_number(word, ~0U, number);
}

/**
 * line_ms() - a round trip as all these tools print it
 * @text: "0.05 ms" and whatever follows
 * @ns: the result
 *
 * Return: true when @text was one.
 */
bool line_ms(const char *text, __u64 *ns)
{
	char word[NUMBER_ROOM];

	return copy_word(word, text, " ") && line_begins(text + strlen(word), " ms") &&
	       latency_read(word, NSEC_PER_MSEC, ns) == LATENCY_KNOWN;
}

/**
 * line_stamp() - the stamp that a line may begin with, in brackets
 * @line: the line, whose stamp is cut off
 * @ns: the result; 0: there is none
 * @grain_ns: how fine it is
 *
 * Return: what follows.
 */
char *line_stamp(char *line, __u64 *ns, __u64 *grain_ns)
{
	char *end = *line == '[' ? strchr(line, ']') : NULL;

	*ns = 0;
	if (!end || end[1] != ' ')
		return line;
	*end = '\0';
	if (!stamp_read(line + 1, ns, grain_ns)) {
		*end = ']';
		*ns = 0;
		return line;
	}
	return end + 2;
}

/**
 * log_grain() - take up how fine a stamp is
 * @log: the log
 * @grain_ns: how fine a stamp with all its digits would be
 *
 * Tools leave out zeros at the end, so a log is as fine as its finest stamp; all logs
 * together are as coarse as the coarsest.
 */
void log_grain(struct reply_log *log, __u64 grain_ns)
{
	if (!log->grain_ns || grain_ns < log->grain_ns)
		log->grain_ns = grain_ns;
	log->replies->grain_ns = log->grain_ns > log->others_grain_ns ? log->grain_ns :
									 log->others_grain_ns;
}

/* has the log told of any packet's target? */
bool log_knows_target(const struct reply_log *log)
{
	return log->nsequences;
}

/**
 * log_sequence() - the packets of the target that was named last
 * @log: the log
 * @kind: what its packets ask for
 * @wraps: their numbers have 16 bits
 *
 * Return: the packets.
 */
struct sequence *log_sequence(struct reply_log *log, enum reply_kind kind, bool wraps)
{
	struct sequence *sequence;

	while (log->nsequences <= log->target) {
		log->sequences = grow(log->sequences, log->nsequences, sizeof(*log->sequences));
		log->sequences[log->nsequences] = (struct sequence){
			.target = log->nsequences,
			.usual_ns = log->options.interval_ns,
		};
		log->nsequences++;
	}
	sequence = &log->sequences[log->target];
	sequence->kind = kind;
	sequence->wraps = wraps;
	return sequence;
}

/* adds the reply to a packet of @sequence */
void log_packet(struct reply_log *log, struct sequence *sequence, const struct reply *reply)
{
	struct reply own = *reply;

	own.kind = sequence->kind;
	own.target = sequence->target;
	own.line = log->line;
	/* one of a packet that was passed before says nothing */
	log->said += sequence_reply(sequence, log->replies, &own);
}
