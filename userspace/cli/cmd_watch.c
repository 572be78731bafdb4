// SPDX-License-Identifier: GPL-2.0-only
/* watch: stalls as they end. */
#include <string.h>

#include "agent/watch_lines.h"
#include "base/clocks.h"
#include "base/say.h"
#include "cli/commands.h"
#include "output/out.h"
#include "source/loop.h"

#define EXEC_EVERY_NS	(60 * NSEC_PER_SEC)

const char watch_notes[] =
	"A stall is shown some 40 ms after its end, once all is known of it. Between stalls\n"
	"irqoff sleeps. 'lost N on CPU C' says that N records were overwritten before\n"
	"irqoff read them; load the module with more ring_records. irqoff goes on when the\n"
	"module is unloaded, and when it is loaded again.\n\n"
	"The shell runs CMD for one stall at a time. CMD reads the stall's line of JSON from\n"
	"standard input. Stalls that end while CMD runs, or before --exec-every is over, are not\n"
	"passed to it. IRQOFF_HELD_BACK in CMD's environment is their number since its last run.\n"
	"irqoff prints that number too, at the next run and at the end.\n\n"
	"-n, --fail-above and --exec count stalls that have ended and that pass the filters.\n"
	"With --fail-above the exit status is 3 at the first longer stall. It is 4 where no stall\n"
	"was longer, but one may have been missed: records were lost, the module was unloaded or\n"
	"not enabled, it watched none of the CPUs of --cpu, or its threshold was higher.\n\n"
	"--until takes a date and time in the future. An age or a time of day is in the past.\n\n"
	"irqoff watch needs CAP_SYS_ADMIN.\n";

static int take_length(const char *option, const char *value, __u64 *ns)
{
	if (parse_duration(value, ns) && *ns)
		return EXIT_DONE;
	return misuse("--%s takes a time such as 20ms, 60s or 10m, not '%s'", option, value);
}

static int take_option(struct watch *watch, struct follow *follow, int option, const char *value)
{
	switch (option) {
	case OPTION_JSON:
		watch->json = true;
		if (!value || !strcmp(value, "lines"))
			return EXIT_DONE;
		return misuse("--json takes nothing or =lines, not '=%s'", value);
	case OPTION_VERBOSE:
		watch->verbose = true;
		return EXIT_DONE;
	case OPTION_COLUMNS:
		return watch_select(&watch->columns, value);
	case OPTION_OPEN:
		follow->want_open = true;
		return EXIT_DONE;
	case OPTION_FOR:
		return take_length("for", value, &watch->for_ns);
	case OPTION_FAIL_ABOVE:
		return take_length("fail-above", value, &watch->fail_above_ns);
	case OPTION_EXEC:
		watch->hook.command = value;
		return EXIT_DONE;
	case OPTION_EXEC_EVERY:
		return take_length("exec-every", value, &watch->hook.every_ns);
	default:
		return filter_option(&watch->filter, option, value);
	}
}

/* of a list these mean the newest stalls and an end in the past; here they say when to end */
static int take_ends(struct watch *watch, struct follow *follow)
{
	struct filter *filter = &watch->filter;

	watch->count = filter->newest;
	filter->newest = 0;
	watch->until_ns = filter->until_ns;
	follow->old = filter->since;
	if (watch->until_ns <= filter->now_ns)
		return misuse("--until is in the past; type a date and time in the future");
	return filter_check(filter);
}

static int check_hook(struct hook *hook)
{
	if (hook->command && !*hook->command)
		return misuse("--exec takes a command");
	if (hook->every_ns && !hook->command)
		return misuse("--exec-every is about --exec CMD, which is missing");
	if (!hook->every_ns)
		hook->every_ns = EXEC_EVERY_NS;
	return EXIT_DONE;
}

static int parse(const struct command *command, struct watch *watch, struct follow *follow,
		 int argc, char **argv, bool *done)
{
	int option, ret = EXIT_DONE;

	*done = true;
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = take_option(watch, follow, option, optarg);
	}
	if (!ret)
		ret = no_operands(command, argc, argv);
	if (!ret)
		ret = check_hook(&watch->hook);
	if (!ret)
		ret = take_ends(watch, follow);
	*done = ret;
	return ret;
}

/* the moment at which it ends by itself */
static __u64 end_of(const struct watch *watch)
{
	__u64 now_ns = clock_monotonic_ns(), wall_ns = watch->filter.now_ns;
	__u64 end_ns = watch->for_ns ? now_ns + watch->for_ns : FOLLOW_NEVER;

	if (watch->until_ns != ~0ULL && now_ns + (watch->until_ns - wall_ns) < end_ns)
		end_ns = now_ns + (watch->until_ns - wall_ns);
	return end_ns;
}

static int run_watch(struct watch *watch, struct follow *follow)
{
	struct loop loop = {
		.follow = follow,
		.to_stdout = true,
		.end_ns = end_of(watch),
	};
	int ret = loop_open(&loop);

	watch->hidden = &loop.following.names;
	if (!ret) {
		watch_head(watch);
		ret = loop_run(&loop);
	}
	loop_close(&loop);
	return ret ? ret : watch_end(watch);
}

int cmd_watch(const struct command *command, int argc, char **argv)
{
	struct watch watch = {
		.out = stdout,
		.mountinfo = "/proc/self/mountinfo",
		.names = { .kallsyms = "/proc/kallsyms", .modules = "/proc/modules" },
	};
	struct follow follow = { 0 };
	bool done;
	int ret;

	watch_follow(&watch, &follow);
	filter_init(&watch.filter);
	watch_select(&watch.columns, NULL);
	ret = parse(command, &watch, &follow, argc, argv, &done);
	if (!done) {
		const struct screen_wish wish = { .no_pager = true };

		screen_open(&watch.screen, &wish);
		ret = run_watch(&watch, &follow);
	}
	follow_free(&follow);
	filter_free(&watch.filter);
	return ret;
}
