// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "collect.h"
#include "commands.h"
#include "out.h"
#include "say.h"

const char report_notes[] =
	"TOTAL adds up the lower bounds of the stalls' lengths, without what nested stalls account for,\n"
	"MEAN is TOTAL divided by COUNT. MAX is the greatest lower bound of one stall, with what is\n"
	"nested in it. The culprit is the first function on the stack that is somebody's doing, past\n"
	"spinning, delay and lock helpers. The classes stolen and unknown blame nobody.\n"
	"EVIDENCE is sample where somebody looked while the stalls were going on, end where only their\n"
	"ends were seen, or both.\n"
	"VICTIMS, a column where there are any, are stalls of other CPUs that waited for one of these.\n"
	"They are counted there only. VICTIMS ms is their time, added up likewise: it is in no TOTAL, but\n"
	"the order of the groups, unless --sort says otherwise, is that of both together.\n";

struct request {
	struct filter filter;
	unsigned int by;
	enum summary_sort sort;
	bool json;
};

static int take_option(struct request *request, int option, const char *value)
{
	switch (option) {
	case OPTION_JSON:
		request->json = true;
		return EXIT_DONE;
	case OPTION_BY:
		if (summary_parse_by(value, &request->by))
			return EXIT_DONE;
		return misuse("--by takes a list of " SUMMARY_KEY_NAMES ", not '%s'", value);
	case OPTION_SORT:
		if (summary_parse_sort(value, &request->sort))
			return EXIT_DONE;
		return misuse("--sort takes total, count or max, not '%s'", value);
	default:
		return filter_option(&request->filter, option, value);
	}
}

static int report(const struct request *request)
{
	struct collection collection;
	struct summary summary;
	int ret = collect_records(&collection, &request->filter);

	if (!ret) {
		struct page page = {
			.model = &collection.model,
			.symbols = collection.symbols,
			.filtered = request->filter.given,
			.unwatched = !filter_watched(&request->filter, &collection.model),
			.out = stdout,
		};

		summary_build(&summary, &collection.model, request->by, request->sort);
		if (request->json)
			json_report(&page, &summary);
		else
			text_report(&page, &summary);
		summary_free(&summary);
	}
	collect_free(&collection);
	return ret;
}

int cmd_report(const struct command *command, int argc, char **argv)
{
	struct request request = { .by = SUMMARY_BY_DEFAULT };
	int option, ret = EXIT_DONE;

	filter_init(&request.filter);
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			filter_free(&request.filter);
			return option_status(option);
		}
		ret = take_option(&request, option, optarg);
	}
	if (!ret)
		ret = no_operands(command, argc, argv);
	if (!ret)
		ret = report(&request);
	filter_free(&request.filter);
	return ret;
}
