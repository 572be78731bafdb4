// SPDX-License-Identifier: GPL-2.0-only
/* check: whether this node stalled lately, for programs that watch nodes. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "agent/agent_outputs.h"
#include "agent/health.h"
#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"
#include "cli/commands.h"

#define SINCE_NS	(300 * NSEC_PER_SEC)
#define MAX_NS		(100 * NSEC_PER_MSEC)

/* by node-problem-detector's protocol, and by that of Nagios' plugins */
static const int statuses[2][3] = {
	{ [HEALTH_GOOD] = 0, [HEALTH_STALLED] = 1, [HEALTH_UNKNOWN] = 2 },
	{ [HEALTH_GOOD] = 0, [HEALTH_STALLED] = 2, [HEALTH_UNKNOWN] = 3 },
};

const char check_notes[] =
	"Prints one line of at most 80 bytes, and ends with\n"
	"  0  no stall lasted longer than LENGTH, and CPUs were watched all the time\n"
	"  1  a stall did\n"
	"  2  that is not known: no agent runs, CPUs were not watched for all of TIME,\n"
	"     records were lost, or the threshold is above LENGTH; or the command line is\n"
	"     wrong\n\n"
	"This is what custom plugins of node-problem-detector do. It reads the counters of\n"
	"irqoff agent and needs no privilege. A stall that goes on counts once it has lasted a\n"
	"second. How long a stall lasted is a lower bound.\n";

struct request {
	struct filter filter;	/* for its classes */
	struct health_question question;
	const char *state;
	bool nagios;
};

static int take_option(struct request *request, int option, const char *value)
{
	struct health_question *question = &request->question;

	switch (option) {
	case FILTER_SINCE:
		if (parse_duration(value, &question->since_ns) && question->since_ns)
			return EXIT_DONE;
		return misuse("--since takes more than 0, with s, m, h or d, such as 5m, not '%s'",
			      value);
	case OPTION_MAX:
		if (parse_length(value, &question->max_ns))
			return EXIT_DONE;
		return misuse("--max takes a number with ns, us, ms or s, such as 100ms, not '%s'",
			      value);
	case OPTION_NAGIOS:
		request->nagios = true;
		return EXIT_DONE;
	case OPTION_STATE:
		request->state = value;
		return *value ? EXIT_DONE : misuse("--state takes a file");
	default:
		return filter_option(&request->filter, option, value);
	}
}

static enum health check(struct request *request, char text[HEALTH_LEN])
{
	struct machine machine;
	struct tally tally;
	int error = tally_read(&tally, request->state);
	enum health health;

	machine_read(&machine);
	request->question.classes = request->filter.classes;
	request->question.boot_id = machine.boot_id;
	request->question.now_ns = clock_monotonic_ns();
	health = error ? health_unread(error, text) :
			 health_ask(&tally, &request->question, text);
	tally_free(&tally);
	return health;
}

/* of a command line that is wrong, before or behind what is */
static bool wants_nagios(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--nagios"))
			return true;
	return false;
}

int cmd_check(const struct command *command, int argc, char **argv)
{
	struct request request = {
		.nagios = wants_nagios(argc, argv),
		.state = AGENT_STATE,
		.question = { .since_ns = SINCE_NS, .max_ns = MAX_NS },
	};
	char text[HEALTH_LEN];
	int option, ret = EXIT_DONE;
	enum health health;

	filter_init(&request.filter);
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP)
			return EXIT_DONE;
		ret = option == OPTION_WRONG ? EXIT_USAGE :
		      take_option(&request, option, optarg);
	}
	if (!ret)
		ret = no_operands(command, argc, argv);
	if (ret) {
		filter_free(&request.filter);
		return statuses[request.nagios][HEALTH_UNKNOWN];
	}
	health = check(&request, text);
	filter_free(&request.filter);
	/* what was not told may not be taken for a stall */
	if (printf("%s\n", text) < 0 || fflush(stdout)) {
		failed("could not write the output: %s", strerror(errno));
		health = HEALTH_UNKNOWN;
		/* the status, which Nagios has a meaning for, stays what it is */
		__fpurge(stdout);
		clearerr(stdout);
	}
	return statuses[request.nagios][health];
}
