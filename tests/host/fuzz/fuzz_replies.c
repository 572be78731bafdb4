// SPDX-License-Identifier: GPL-2.0-only
/* Logs of requests and replies, which anything may have written. */
#include "fuzz.h"

#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "replies/reply_log.h"

#define NOW_NS		1795244400000000000ULL

/* each line may make thousands of lost packets */
#define MOST_LINES	40

enum { AT_END = 1, UNIT = 2, PLAN = 4, FIELDS = 8, LIVE = 16 };

static void check(const struct replies *replies)
{
	for (size_t i = 0; i < replies->count; i++) {
		const struct reply *reply = &replies->all[i];

		promise(reply->sent_ns && reply->target < replies->ntargets && reply->line);
		promise(reply->lost ? !reply->came_ns : reply->came_ns >= reply->sent_ns);
	}
	promise(!replies->count || replies->grain_ns);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	unsigned int how = take_number(&input, 1);
	struct reply_options options = {
		.time_is_end = how & AT_END,
		.unit_ns = how & UNIT ? NSEC_PER_MSEC : 0,
		.start_ns = how & PLAN ? NOW_NS : 0,
		.interval_ns = how & PLAN ? NSEC_PER_MSEC : 0,
		.fields = how & FIELDS ? "at,took,a.b" : NULL,
	};
	struct replies replies = { 0 };
	struct reply_log *log = reply_log("log", &options, &replies);
	size_t lines = 0;
	int ret = EXIT_DONE;

	promise(log);
	for (; input.size && !ret && lines < MOST_LINES; lines++) {
		char *line = text_of(take_until(&input, '\n'));

		ret = reply_log_line(log, line, how & LIVE ? NOW_NS + lines * NSEC_PER_SEC : 0);
		free(line);
	}
	promise(replies.ignored <= lines);
	ret = reply_log_end(log);
	promise(ret || replies.count);
	check(&replies);
	replies_free(&replies);
	return 0;
}
