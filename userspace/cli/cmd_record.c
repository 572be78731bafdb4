// SPDX-License-Identifier: GPL-2.0-only
/* record: stalls as they end, to a capture. */
#include <string.h>

#include "base/say.h"
#include "cli/commands.h"
#include "cli/follower.h"

const char record_notes[] =
	"Writes each stall to a capture some 40 ms after its end, until ^C, SIGTERM or SIGHUP, or\n"
	"until --for is over. report, list, show, share, hist and status read the capture with -i.\n"
	"Of a file that is still written they show what is there. '-' is standard output.\n"
	"'save' writes what is there now.\n\n"
	"A new FILE has the stalls from now on. If FILE is a capture of this load of the module,\n"
	"irqoff adds to it, from the record behind its last one. If FILE is of another load, or of\n"
	"another boot, record fails; --rotate and agent go on in another file.\n\n"
	"When the module is unloaded, irqoff waits. When it is loaded again, irqoff goes on in\n"
	"NAME-UTC.irqoff, such as node-20261125T150844Z.irqoff where FILE is node.irqoff.\n\n"
	"What was written is on the disk at most a second later. Settings, counters and\n"
	"histograms are written at the beginning, at each change, as often as --counters says, and\n"
	"at the end.\n\n"
	"With --rotate 64M:10 all files are NAME-UTC.irqoff, and FILE itself is not made. A file\n"
	"ends once it has 64 MiB. The oldest are removed when there are more than 10, also those\n"
	"of other boots. To keep one, copy it to another directory. SIZE ends with K, M, G or T,\n"
	"and is 64K or more.\n\n"
	"Only the file's owner may read it, because it has addresses of the kernel. --strip leaves\n"
	"out addresses, the node's name, names of tasks, and cgroups. A capture cannot be stripped\n"
	"later.\n\n"
	"irqoff record needs CAP_SYS_ADMIN.\n";

static int take_file(struct recording_file *file, int argc, char **argv)
{
	if (optind == argc)
		return misuse("record needs a file's name, or - for standard output");
	file->path = argv[optind++];
	if (optind < argc)
		return misuse("record takes one file, not '%s' as well", argv[optind]);
	if (file->rotate_bytes && !strcmp(file->path, "-"))
		return misuse("standard output is no row of files; leave out --rotate");
	return EXIT_DONE;
}

int cmd_record(const struct command *command, int argc, char **argv)
{
	struct recorder recorder;
	int option, ret = EXIT_DONE;

	recorder_init(&recorder);
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = recorder_option(&recorder, option, optarg);
	}
	if (!ret)
		ret = take_file(&recorder.recording.file, argc, argv);
	return ret ? ret : recorder_run(&recorder);
}
