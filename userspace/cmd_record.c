// SPDX-License-Identifier: GPL-2.0-only
/* record: stalls as they end, to a capture. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "commands.h"
#include "loop.h"
#include "recording.h"
#include "say.h"
#include "units.h"

#define COUNTERS_NS		(60 * NSEC_PER_SEC)
/* a stall that goes on for so long may be the last that the node does */
#define OPEN_NS			NSEC_PER_SEC
#define ROTATE_BYTES_LEAST	(64 * 1024)

const char record_notes[] =
	"Writes each stall to a capture some 40 ms after its end, until ^C or --for is over.\n"
	"report, list, show, share, hist and status read the capture with -i, also while it is\n"
	"written. '-' is standard output. 'save' writes what is there now.\n\n"
	"If FILE is a capture of this load of the module, irqoff goes on with the record behind\n"
	"its last one. When the module is unloaded, irqoff waits. When it is loaded again,\n"
	"irqoff goes on in another file, NAME-UTC.irqoff, where FILE is NAME or NAME.irqoff and\n"
	"UTC the time at which it begins.\n\n"
	"What was written is on the disk at most a second later. Settings, counters and\n"
	"histograms are written at the beginning, at each change, as often as --counters says, and\n"
	"at the end.\n\n"
	"With --rotate 64M:10 all files are NAME-UTC.irqoff. A file ends once it has 64 MiB. The\n"
	"oldest ones are removed when there are more than 10.\n\n"
	"Only the file's owner may read it, because it has addresses of the kernel.\n"
	"irqoff record needs CAP_SYS_ADMIN.\n";

static int take_length(const char *option, const char *value, __u64 least_ns, __u64 *ns)
{
	char least[UNITS_LEN];

	if (parse_age(value, ns) && *ns >= least_ns)
		return EXIT_DONE;
	return misuse("--%s takes a time of at least %s, such as 10m, not '%s'", option,
		      print_duration(least, least_ns), value);
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
static int take_rotate(struct recording_file *file, const char *value)
{
	size_t len = strcspn(value, ":");
	__u64 count;

	file->rotate_bytes = size_of(value, len);
	if (!value[len] || !parse_number(value + len + 1, INT_MAX, &count) || !count ||
	    !file->rotate_bytes)
		return misuse("--rotate takes a size and a number such as 64M:10, not '%s'", value);
	if (file->rotate_bytes < ROTATE_BYTES_LEAST)
		return misuse("--rotate takes a size of at least 64K, not '%s'", value);
	file->rotate_count = count;
	return EXIT_DONE;
}

static int parse(const struct command *command, struct recording *recording, __u64 *for_ns,
		 int argc, char **argv, bool *done)
{
	int option, ret = EXIT_DONE;

	*done = true;
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		if (option == OPTION_FOR)
			ret = take_length("for", optarg, NSEC_PER_MSEC, for_ns);
		else if (option == OPTION_COUNTERS)
			ret = take_length("counters", optarg, NSEC_PER_SEC,
					  &recording->counters_ns);
		else
			ret = take_rotate(&recording->file, optarg);
	}
	if (ret)
		return ret;
	if (optind == argc)
		return misuse("record needs a file's name, or - for standard output");
	recording->file.path = argv[optind++];
	if (optind < argc)
		return misuse("record takes one file, not '%s' as well", argv[optind]);
	if (recording->file.rotate_bytes && !strcmp(recording->file.path, "-"))
		return misuse("standard output is no row of files; leave out --rotate");
	*done = false;
	return EXIT_DONE;
}

/* a file's records are of one load of the module */
static int open_file(struct recording *recording, struct loop *loop)
{
	struct model model = { 0 };
	int ret = source_config(loop->following.source, &model);

	loop->following.skew_told = true;
	if (!ret)
		ret = recording_open(recording, model.config.instance);
	model_free(&model);
	return ret;
}

/* the module is found before a file is made */
static int record(struct recording *recording, struct loop *loop)
{
	int ret = loop_open(loop);

	recording->hidden = &loop->following.names;
	loop->following.messages = &recording->messages;
	if (!ret)
		ret = open_file(recording, loop);
	if (!ret) {
		note("recording to %s", recording->file.name);
		ret = loop_run(loop);
	}
	loop_close(loop);
	return ret;
}

int cmd_record(const struct command *command, int argc, char **argv)
{
	struct recording recording = {
		.counters_ns = COUNTERS_NS,
		.mountinfo = "/proc/self/mountinfo",
		.names = { .kallsyms = "/proc/kallsyms", .modules = "/proc/modules" },
	};
	struct follow follow = {
		.sink = recording_sink(&recording),
		.want_open = true,
		.open_ns = OPEN_NS,
	};
	struct loop loop = { .follow = &follow, .calls = &recording_calls, .context = &recording };
	__u64 for_ns = 0;
	bool done;
	int ret = parse(command, &recording, &for_ns, argc, argv, &done), closed;

	if (done)
		return ret;
	recording.follow = &follow;
	loop.end_ns = for_ns ? clock_monotonic_ns() + for_ns : FOLLOW_NEVER;
	loop.to_stdout = !strcmp(recording.file.path, "-");
	ret = record(&recording, &loop);
	closed = recording_close(&recording);
	if (!ret && !closed)
		note("recorded %llu stall%s, lost %llu", follow.seen,
		     follow.seen == 1 ? "" : "s", follow.lost);
	resume_free(&follow.resume);
	follow_free(&follow);
	return ret ? ret : closed;
}
