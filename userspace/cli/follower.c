// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/agent_outputs.h"
#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"
#include "capture/strip.h"
#include "cli/commands.h"
#include "cli/follower.h"

#define COUNTERS_NS		(60 * NSEC_PER_SEC)
/* a stall that goes on for so long may be the last that the node does */
#define OPEN_NS			NSEC_PER_SEC
#define ROTATE_BYTES_LEAST	(64 * 1024)

/**
 * recorder_init() - a recorder of this machine's stalls
 * @recorder: gets what is usual; it points into itself, so it stays where it is
 */
void recorder_init(struct recorder *recorder)
{
	*recorder = (struct recorder){
		.recording = {
			.counters_ns = COUNTERS_NS,
			.mountinfo = "/proc/self/mountinfo",
			.names = { .kallsyms = "/proc/kallsyms", .modules = "/proc/modules" },
		},
		.follow = { .want_open = true, .open_ns = OPEN_NS },
	};
	recorder->loop.follow = &recorder->follow;
	recorder->recording.hidden = &recorder->loop.following.names;
	recorder->loop.following.messages = &recorder->recording.messages;
}

/* what stands before the name of an option, where it is told of */
const char *recorder_dashes(const struct recorder *recorder)
{
	return recorder->config ? "" : "--";
}

static int take_length(const struct recorder *recorder, const char *option, const char *value,
		       __u64 least_ns, __u64 *ns)
{
	char least[UNITS_LEN];

	if (parse_duration(value, ns) && *ns >= least_ns)
		return EXIT_DONE;
	return misuse("%s%s takes a time with its unit, such as 10m, of at least %s, not '%s'",
		      recorder_dashes(recorder), option, print_duration(least, least_ns), value);
}

/* a number of bytes, such as 64M; 0 where it is none */
static __u64 size_of(const char *text, size_t len)
{
	static const char units[] = "KMGT";
	unsigned int shift = 0;
	char digits[24];
	__u64 number;

	if (len && strchr(units, text[len - 1]))
		shift = 10 * (strchr(units, text[--len]) - units + 1);
	if (!len || len >= sizeof(digits))
		return 0;
	snprintf(digits, sizeof(digits), "%.*s", (int)len, text);
	return parse_number(digits, LLONG_MAX >> shift, &number) ? number << shift : 0;
}

/* "64M:10" */
static int take_rotate(struct recorder *recorder, const char *value)
{
	struct recording_file *file = &recorder->recording.file;
	size_t len = strcspn(value, ":");
	__u64 count;

	file->rotate_bytes = size_of(value, len);
	if (!value[len] || !parse_number(value + len + 1, INT_MAX, &count) || !count ||
	    !file->rotate_bytes)
		return misuse("%srotate takes a size and a number of files as in 64M:10, not '%s'",
			      recorder_dashes(recorder), value);
	if (file->rotate_bytes < ROTATE_BYTES_LEAST)
		return misuse("%srotate takes a size of at least 64K, not '%s'",
			      recorder_dashes(recorder), value);
	file->rotate_count = count;
	return EXIT_DONE;
}

/**
 * recorder_option() - take an option
 * @recorder: from recorder_init()
 * @option: one of a recorder's
 * @value: its value, NULL where it takes none
 *
 * Return: an exit status.
 */
int recorder_option(struct recorder *recorder, int option, const char *value)
{
	switch (option) {
	case OPTION_FOR:
		return take_length(recorder, "for", value, NSEC_PER_MSEC, &recorder->for_ns);
	case OPTION_COUNTERS:
		return take_length(recorder, "counters", value, NSEC_PER_SEC,
				   &recorder->recording.counters_ns);
	case OPTION_NETNS:
		return netns_want(&recorder->recording.netns, value, recorder->config);
	case OPTION_STRIP:
		recorder->recording.file.strip = true;
		return EXIT_DONE;
	default:
		return take_rotate(recorder, value);
	}
}

static int make_directory(const char *name)
{
	struct stat found;

	if (!name || !mkdir(name, 0700))
		return EXIT_DONE;
	if (errno != EEXIST)
		return failed("could not make %s: %s", name, strerror(errno));
	if (stat(name, &found) || !S_ISDIR(found.st_mode))
		return failed("%s is no directory; name one for the files", name);
	if (access(name, W_OK | X_OK))
		return failed("could not write into %s: %s", name, strerror(errno));
	return EXIT_DONE;
}

static int follow(struct recorder *recorder)
{
	int ret = recorder->recording.file.strip ? strip_right() : EXIT_DONE;

	if (ret)
		return ret;
	ret = loop_open(&recorder->loop);
	if (!ret)
		ret = make_directory(recorder->directory);
	if (!ret && recorder->outputs)
		ret = agent_outputs_open(recorder->outputs);
	if (!ret)
		ret = loop_run(&recorder->loop);
	if (recorder->outputs)
		agent_outputs_close(recorder->outputs);
	loop_close(&recorder->loop);
	return ret;
}

/**
 * recorder_run() - record until there is a reason to end
 * @recorder: the path of its file is set; all that it has is freed
 *
 * Return: an exit status.
 */
int recorder_run(struct recorder *recorder)
{
	struct follow *following = &recorder->follow;
	int ret, closed;

	/* an agent's counters are in their file before a capture has the records */
	if (recorder->outputs)
		agent_outputs_follow(recorder->outputs, &recorder->recording, &recorder->loop);
	recording_follow(&recorder->recording, following);
	recorder->loop.end_ns = recorder->for_ns ? clock_monotonic_ns() + recorder->for_ns :
						   FOLLOW_NEVER;
	recorder->loop.to_stdout = !strcmp(recorder->recording.file.path, "-");
	ret = follow(recorder);
	closed = recording_close(&recorder->recording);
	if (!ret && !closed)
		note("recorded %llu stall%s, lost %llu", following->seen,
		     following->seen == 1 ? "" : "s", following->lost);
	resume_free(&following->resume);
	follow_free(following);
	return ret ? ret : closed;
}
