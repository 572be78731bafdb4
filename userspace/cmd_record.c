// SPDX-License-Identifier: GPL-2.0-only
/* record: stalls as they end, to a capture. */
#include <string.h>

#include "commands.h"
#include "recorder.h"
#include "say.h"

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
	"Only the file's owner may read it, because it has addresses of the kernel. --strip leaves\n"
	"them out, as irqoff save does.\n"
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
