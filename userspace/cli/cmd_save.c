// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/new_file.h"
#include "base/say.h"
#include "capture/strip.h"
#include "cli/commands.h"
#include "collect/capture_save.h"
#include "collect/collect.h"
#include "source/source.h"

const char save_notes[] =
	"Writes what trace_irqoff has now to a capture: records, open stalls, histograms,\n"
	"counters and settings, with the names of functions and cgroups. '-' is standard output.\n"
	"report, list, show, share, hist and status read it with -i, without the module, on any\n"
	"machine.\n\n"
	"The file appears whole or not at all. Only its owner may read it, because it has\n"
	"addresses of the kernel. --strip leaves them out, and the names of tasks and of the\n"
	"node, and cgroups, so that the capture may be given to others.\n";

struct request {
	const char *path;
	struct netns netns;
	bool strip;
	bool force;
};

static int read_all(struct collection *collection, struct messages *messages)
{
	struct filter filter = { .until_ns = ~0ULL };
	struct source *source = NULL;
	int ret;

	*collection = (struct collection){ 0 };
	ret = source_open(&source);
	if (ret)
		return ret;
	source_keep(source, messages);
	ret = collect_from(collection, source, &filter, "/proc", true);
	if (!ret)
		ret = source_histograms(source, &collection->model);
	source_close(source);
	return ret;
}

static int write_file(const struct request *request, const struct collection *collection,
		      const struct messages *messages)
{
	struct new_file file;
	int ret = new_file_open(&file, request->path, request->force);

	if (ret)
		return ret;
	return new_file_close(&file, capture_save(collection, messages, &request->netns,
						  request->strip, file.out));
}

static int save_capture(const struct request *request)
{
	struct collection collection = { 0 };
	struct messages messages = { 0 };
	int ret = EXIT_DONE;

	if (request->strip)
		ret = strip_right();
	if (!ret)
		ret = read_all(&collection, &messages);
	if (!ret && request->strip)
		ret = strip_check(&collection.model);
	if (!ret)
		ret = write_file(request, &collection, &messages);
	collect_free(&collection);
	messages_free(&messages);
	return ret;
}

static int take_option(struct request *request, int option)
{
	switch (option) {
	case OPTION_NETNS:
		return netns_want(&request->netns, optarg, false);
	case OPTION_STRIP:
		request->strip = true;
		return EXIT_DONE;
	default:
		request->force = true;
		return EXIT_DONE;
	}
}

static int take_path(struct request *request, int argc, char **argv)
{
	if (optind == argc)
		return misuse("save needs a file's name, or - for standard output");
	request->path = argv[optind++];
	if (optind < argc)
		return misuse("save takes one file, not '%s' as well", argv[optind]);
	if (new_file_is_terminal(request->path))
		return failed("a capture is not for a terminal; name a file, or use a pipe");
	return EXIT_DONE;
}

int cmd_save(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	int option, ret = EXIT_DONE;

	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = take_option(&request, option);
	}
	if (!ret)
		ret = take_path(&request, argc, argv);
	return ret ? ret : save_capture(&request);
}
