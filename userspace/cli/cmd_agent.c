// SPDX-License-Identifier: GPL-2.0-only
/* agent: a node's stalls, recorded for as long as it runs. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent_outputs.h"
#include "base/say.h"
#include "cli/agent_settings.h"
#include "cli/commands.h"
#include "cli/follower.h"

#define DIRECTORY	"/var/lib/trace-irqoff"
/* as long as nobody says otherwise: 640 MiB, some seven million stalls */
#define ROTATE		"64M:10"
/* what node_exporter reads */
#define PROM		".prom"

const char agent_notes[] =
	"Writes each stall to DIR/stalls-UTC.irqoff, where UTC is the time at which the file begins,\n"
	"until SIGTERM. Meant for a service manager. By default a file ends once it has 64 MiB, and\n"
	"the newest 10 are kept. DIR is /var/lib/trace-irqoff by default. Its last part is made,\n"
	"with mode 0700, if it is not there; so is the directory of --state, with mode 0755.\n\n"
	"irqoff does not load the module, and begins to watch only with --config: otherwise type\n"
	"modprobe trace_irqoff enable=1. trace-irqoff.conf(5) describes the file of --config.\n"
	"irqoff sets what is in it whenever the module is loaded, and stops watching as it ends.\n"
	"If the module is not loaded, irqoff waits until it is. It begins with the stalls that the\n"
	"module still has, or with those behind the last one in the files.\n\n"
	"It counts stalls by class and by known cause, from boot on, and across ends and restarts\n"
	"of itself and of the module. --textfile and irqoff check have these counters.\n\n"
	"report, list, show, share, hist and status read the files with -i, as root:\n"
	"  sh -c 'irqoff report -i /var/lib/trace-irqoff/*.irqoff'\n"
	"irqoff record --help says what is written, and when, and what --strip leaves out. Files\n"
	"that were written without --strip stay as they are: use another DIR for stripped ones.\n\n"
	"irqoff agent needs CAP_SYS_ADMIN.\n";

/* an option that `irqoff record` has not, or one that it has */
static int take_option(struct recorder *recorder, int option, const char *value)
{
	struct agent_outputs *outputs = recorder->outputs;

	switch (option) {
	case OPTION_STATE:
		outputs->state = value;
		if (*value)
			return EXIT_DONE;
		return misuse("%sstate takes a file", recorder_dashes(recorder));
	case OPTION_TEXTFILE:
		outputs->textfile = value;
		if (strlen(value) > strlen(PROM) &&
		    !strcmp(value + strlen(value) - strlen(PROM), PROM))
			return EXIT_DONE;
		return misuse("%stextfile takes a file whose name ends with " PROM ", not '%s'; "
			      "node_exporter reads no others", recorder_dashes(recorder), value);
	case OPTION_LINES:
		outputs->lines = true;
		return EXIT_DONE;
	default:
		return recorder_option(recorder, option, value);
	}
}

static int run(struct recorder *recorder, const char *directory)
{
	char *path = print_text("%s/stalls", directory);
	int ret;

	recorder->directory = directory;
	recorder->recording.file.path = path;
	recorder->recording.file.shared = true;
	recorder->loop.waits = true;
	recorder->follow.old = true;
	ret = recorder_run(recorder);
	free(path);
	return ret;
}

/* the file's options, as if they were typed */
static int take_settings(struct recorder *recorder, const struct settings *settings,
			 const char *file)
{
	int ret = EXIT_DONE;

	recorder->config = true;
	recorder->loop.knobs = &settings->knobs;
	recorder->loop.knobs_file = file;
	for (size_t i = 0; i < settings->noptions && !ret; i++) {
		const struct settings_option *option = &settings->options[i];

		say_where(file, option->line);
		if (option->option != OPTION_END)
			ret = take_option(recorder, option->option, option->value);
	}
	say_where(NULL, 0);
	return ret;
}

/* the command line: an exit status, and whether that is all */
static int parse(const struct command *command, int argc, char **argv, struct recorder *recorder,
		 const char **config, bool *done)
{
	const struct option_row *other = NULL;
	int option, ret = EXIT_DONE;

	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			*done = true;
			return option_status(option);
		}
		if (option == OPTION_CONFIG) {
			*config = optarg;
			continue;
		}
		other = option_find(command, option);
		ret = take_option(recorder, option, optarg);
	}
	if (!ret && other && *config)
		ret = misuse("--config takes no --%s beside it; the file has all settings",
			     other->word);
	return ret;
}

int cmd_agent(const struct command *command, int argc, char **argv)
{
	const char *directory = DIRECTORY, *config = NULL;
	struct settings settings = { 0 };
	struct agent_outputs outputs = { .state = AGENT_STATE };
	struct recorder recorder;
	bool done = false;
	int ret;

	recorder_init(&recorder);
	recorder.outputs = &outputs;
	ret = recorder_option(&recorder, OPTION_ROTATE, ROTATE);
	if (!ret)
		ret = parse(command, argc, argv, &recorder, &config, &done);
	if (done)
		return ret;
	if (!ret && optind < argc)
		directory = argv[optind++];
	if (!ret && optind < argc)
		ret = misuse("agent takes one directory, not '%s' as well", argv[optind]);
	if (!ret && !strcmp(directory, "-"))
		ret = misuse("agent writes files in a directory; type irqoff record -");
	if (!ret && config)
		ret = settings_read(&settings, config);
	if (!ret && config)
		ret = take_settings(&recorder, &settings, config);
	if (!ret)
		ret = run(&recorder, directory);
	settings_free(&settings);
	return ret;
}
