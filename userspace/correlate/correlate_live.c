// SPDX-License-Identifier: GPL-2.0-only
/*
 * The replies that a stall held up come in a row, and its record is there a beat after its
 * end. So slow replies are judged once none has come for a moment, all together.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"
#include "correlate/correlate_live.h"

#define QUIET_MS	100
/* who sends without a pause is told at least as often */
#define LATEST_NS	NSEC_PER_SEC

struct lines {
	char *text;
	size_t len, room;
};

/* reads what is there; false at the end */
static bool read_more(struct lines *lines, int fd)
{
	ssize_t got;

	if (lines->room - lines->len < 4096) {
		lines->room = lines->room ? 2 * lines->room : 8192;
		lines->text = or_exit(realloc(lines->text, lines->room));
	}
	do {
		got = read(fd, lines->text + lines->len, lines->room - lines->len - 1);
	} while (got < 0 && errno == EINTR);
	if (got <= 0)
		return false;
	lines->len += got;
	return true;
}

/* hands the whole lines on, and at the end what is left */
static int take_lines(const struct live *live, struct lines *lines, struct reply_log *log,
		      bool end)
{
	__u64 at_ns = clock_realtime_ns();
	size_t begin = 0;
	int ret = EXIT_DONE;

	while (!ret && begin < lines->len) {
		char *line = lines->text + begin;
		char *newline = memchr(line, '\n', lines->len - begin);

		if (!newline && !end)
			break;
		if (!newline)
			newline = lines->text + lines->len;
		*newline = '\0';
		ret = reply_log_line(log, line, at_ns);
		if (!ret && live->replies->count)
			ret = reply_options_check(live->options, live->replies);
		begin = newline + 1 - lines->text;
	}
	if (begin > lines->len)
		begin = lines->len;
	memmove(lines->text, lines->text + begin, lines->len - begin);
	lines->len -= begin;
	return ret;
}

/* looks at the replies that it has not seen yet */
static bool any_slow(struct live *live)
{
	while (live->seen < live->replies->count) {
		const struct reply *reply = &live->replies->all[live->seen++];

		if (reply->lost || reply->came_ns - reply->sent_ns >= live->over_ns)
			return true;
	}
	return false;
}

/* judges the slow replies behind the first @from */
static int judge(struct live *live, size_t from)
{
	struct correlation correlation = {
		.replies = live->replies, .live = true, .clock = *live->clock, .dev = live->dev,
		.causes = live->causes,
	};
	int ret;

	slows_find(&correlation.slows, live->replies, live->over_ns);
	slows_keep(&correlation.slows, &live->replies->all[from]);
	ret = live->take(&correlation, live->context);
	if (!ret)
		correlate_finish(&correlation);
	for (size_t i = 0; !ret && i < correlation.slows.count; i++) {
		live->counts[correlation.findings[i].verdict]++;
		live->told(&correlation, i, live->context);
	}
	correlate_free(&correlation);
	return ret;
}

/* slow replies so far */
size_t live_slow(const struct live *live)
{
	size_t slow = 0;

	for (unsigned int i = 0; i < CORRELATE_VERDICTS; i++)
		slow += live->counts[i];
	return slow;
}

/**
 * live_run() - judge slow replies as they come, until the log ends
 * @live: what to do
 *
 * Return: an exit status.
 */
int live_run(struct live *live)
{
	struct reply_log *log = reply_log("standard input", live->options, live->replies);
	struct lines lines = { 0 };
	bool goes_on = true;
	__u64 since_ns = 0;	/* a slow reply waits for its verdict */
	size_t judged = 0;
	int ret = log ? EXIT_DONE : EXIT_USAGE, ended;

	while (!ret && goes_on) {
		struct pollfd input = { .fd = live->fd, .events = POLLIN };
		int ready = poll(&input, 1, since_ns ? QUIET_MS : -1);

		if (ready > 0)
			goes_on = read_more(&lines, live->fd);
		ret = take_lines(live, &lines, log, !goes_on);
		if (!since_ns && any_slow(live))
			since_ns = clock_realtime_ns();
		if (ret || !since_ns ||
		    (ready > 0 && goes_on && clock_realtime_ns() < since_ns + LATEST_NS))
			continue;
		ret = judge(live, judged);
		judged = live->replies->count;
		live->seen = judged;
		since_ns = 0;
	}
	free(lines.text);
	ended = log ? reply_log_end(log) : ret;
	if (!ret)
		ret = ended;
	/* those whose loss is known only now */
	if (!ret && any_slow(live))
		ret = judge(live, judged);
	return ret;
}
