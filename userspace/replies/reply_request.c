// SPDX-License-Identifier: GPL-2.0-only
/* Logs of requests: what their fields are called, and what a request's fields say. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/latency.h"
#include "base/moment.h"
#include "base/say.h"
#include "base/units.h"
#include "replies/reply_format.h"

#define NAME_MOST	64	/* longer ones are none of the usual names */

static const char * const time_names[] = {
	"time", "timestamp", "ts", "@timestamp", "start", "start_time", "date", "datetime",
	"time_iso8601", "msec", NULL
};

static const char * const latency_names[] = {
	"latency", "duration", "elapsed", "rtt", "response_time", "request_time", "time_taken",
	"took", NULL
};

static const char * const target_names[] = {
	"target", "host", "url", "upstream", "path", "uri", NULL
};

/* "Response Time (ms)" to "response_time_ms" */
static void normalise(char to[NAME_MOST], const char *name)
{
	size_t len = 0;

	for (; *name && len < NAME_MOST - 1; name++) {
		bool blank = strchr(" -_([", *name);

		if (strchr(")]", *name) || (blank && (!len || to[len - 1] == '_')))
			continue;
		to[len++] = blank ? '_' : tolower((unsigned char)*name);
	}
	to[*name ? 0 : len] = '\0';
}

static bool is_one_of(const char * const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

/* the unit that a normalised name ends with, which is cut off; 0: none */
static __u64 cut_unit(char *name)
{
	char *end = strrchr(name, '_');
	__u64 unit_ns = end ? latency_unit(end + 1) : 0;

	if (unit_ns)
		*end = '\0';
	return unit_ns;
}

/* the unit of "duration_ms"; 0: the name says none */
__u64 field_unit(const char *name)
{
	char own[NAME_MOST];

	normalise(own, name);
	return cut_unit(own);
}

static bool is_usual(const char * const *names, const char *name)
{
	char own[NAME_MOST];

	normalise(own, name);
	return is_one_of(names, own);
}

bool field_is_time(const struct request_fields *fields, const char *name)
{
	return fields->time ? !strcasecmp(name, fields->time) : is_usual(time_names, name);
}

bool field_is_latency(const struct request_fields *fields, const char *name, __u64 *unit_ns)
{
	char own[NAME_MOST];

	normalise(own, name);
	*unit_ns = cut_unit(own);
	return fields->latency ? !strcasecmp(name, fields->latency) :
				 is_one_of(latency_names, own);
}

bool field_is_target(const struct request_fields *fields, const char *name)
{
	if (fields->time)
		return fields->target && !strcasecmp(name, fields->target);
	return is_usual(target_names, name);
}

/**
 * fields_read() - take up --fields
 * @log: the log
 *
 * Return: an exit status.
 */
int fields_read(struct reply_log *log)
{
	char **names[] = { &log->fields.time, &log->fields.latency, &log->fields.target };
	const char *at = log->options.fields;
	size_t count = 0;

	while (at && count < ARRAY_SIZE(names)) {
		size_t len = strcspn(at, ",");

		if (!len)
			break;
		*names[count++] = or_exit(strndup(at, len));
		at = at[len] ? at + len + 1 : NULL;
	}
	if (at || count == 1)
		return misuse("--fields takes TIME,LATENCY or TIME,LATENCY,TARGET, not '%s'",
			      log->options.fields);
	return EXIT_DONE;
}

void fields_free(struct request_fields *fields)
{
	free(fields->time);
	free(fields->latency);
	free(fields->target);
}

/**
 * request_take() - add a request
 * @log: the log
 * @time: its stamp
 * @latency: how long its reply took, or that none came; what says neither counts as lost, and
 *	as untold
 * @unit_ns: the unit of latencies, as the field's name says; 0: it does not
 * @target: whom it was sent to; NULL: the log does not say
 *
 * Return: an exit status, or LINE_FOREIGN.
 */
int request_take(struct reply_log *log, const char *time, const char *latency, __u64 unit_ns,
		 const char *target)
{
	struct reply reply = { .kind = REPLY_REQUEST, .seq = log->line, .line = log->line };
	__u64 at_ns, took_ns, grain_ns;
	enum latency told;

	if (log->options.unit_ns && unit_ns && unit_ns != log->options.unit_ns)
		return misuse("%s: the latencies' name tells another unit than --unit does",
			      log->name);
	if (log->options.unit_ns)
		unit_ns = log->options.unit_ns;
	if (!stamp_read(time, &at_ns, &grain_ns)) {
		log_puzzle(log, EXIT_FAILED, "'%.64s' in line %u is no time that is known; "
			   "2026-11-21T07:00:00.25Z and seconds since 1970 are", time, log->line);
		return LINE_FOREIGN;
	}
	told = latency_read(latency, unit_ns, &took_ns);
	switch (told) {
	case LATENCY_WRONG:
		log_puzzle(log, EXIT_FAILED, "'%.64s' in line %u is no latency that is known; "
			   "0.25, 250ms and 1.5 s are", latency, log->line);
		return LINE_FOREIGN;
	case LATENCY_NO_UNIT:
		return misuse("%s: the latencies have no unit; give --unit s, ms, us or ns",
			      log->name);
	case LATENCY_UNTOLD:
	case LATENCY_NONE:
		reply.lost = true;
		reply.untold = told == LATENCY_UNTOLD;
		/* it ended then, and nobody knows when it was sent */
		reply.unsure_ns = log->options.time_is_end ? LATENCY_MOST_NS : 0;
		break;
	case LATENCY_KNOWN:
		break;
	}
	reply.sent_ns = log->options.time_is_end ? at_ns - took_ns : at_ns;
	reply.came_ns = reply.lost ? 0 : reply.sent_ns + took_ns;
	reply.target = replies_target(log->replies, target ? target : "");
	log_grain(log, grain_ns);
	log->replies->zoneless |= !stamp_names_zone(time);
	replies_add(log->replies, &reply);
	log->said++;
	return EXIT_DONE;
}
