// SPDX-License-Identifier: GPL-2.0-only
/* agent: a node's stalls, recorded for as long as it runs. */
#include <stdlib.h>

#include "commands.h"
#include "recorder.h"
#include "say.h"

#define DIRECTORY	"/var/lib/trace-irqoff"
/* as long as nobody says otherwise: 640 MiB, some seven million stalls */
#define ROTATE		"64M:10"

const char agent_notes[] =
	"Records a node's stalls for as long as it runs, for a service manager: into files\n"
	"DIR/stalls-UTC.irqoff of 64 MiB, of which it keeps the newest 10. DIR is\n"
	"/var/lib/trace-irqoff where none is named. It is made if it is not there.\n\n"
	"If the module is not loaded, irqoff waits until it is. It begins with the stalls that the\n"
	"module still has. If it was ended before, it goes on behind the last one that is in the\n"
	"files.\n\n"
	"report, list, show, share, hist and status read the files with -i, also while they are\n"
	"written: irqoff report -i /var/lib/trace-irqoff/*.irqoff. irqoff record --help says more\n"
	"of what is written, and when.\n\n"
	"irqoff agent needs CAP_SYS_ADMIN. SIGTERM ends it with status 0.\n";

static int run(struct recorder *recorder, const char *directory)
{
	char *path = print_text("%s/stalls", directory);
	int ret;

	recorder->directory = directory;
	recorder->recording.file.path = path;
	recorder->loop.waits = true;
	recorder->follow.old = true;
	ret = recorder_run(recorder);
	free(path);
	return ret;
}

int cmd_agent(const struct command *command, int argc, char **argv)
{
	const char *directory = DIRECTORY;
	struct recorder recorder;
	int option, ret;

	recorder_init(&recorder);
	ret = recorder_option(&recorder, OPTION_ROTATE, ROTATE);
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = recorder_option(&recorder, option, optarg);
	}
	if (!ret && optind < argc)
		directory = argv[optind++];
	if (!ret && optind < argc)
		ret = misuse("agent takes one directory, not '%s' as well", argv[optind]);
	return ret ? ret : run(&recorder, directory);
}
