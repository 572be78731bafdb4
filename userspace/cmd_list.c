// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "collect.h"
#include "commands.h"
#include "out.h"
#include "say.h"

const char list_notes[] =
	"A record's name is CPU:NUMBER; 'open' in place of the number says that the stall has not ended.\n"
	"It lasted at least MIN and at most MAX. The interrupted task is often innocent.\n"
	"EVIDENCE is sample where somebody looked while the stall was going on, end where only its end\n"
	"was seen, none where it is open and nobody has looked yet.\n"
	"A culprit that 'waits for' another CPU's stall, given by its name, only waited for that one to\n"
	"end; a '?' says that it is only probable that it was that one.\n";

struct request {
	struct filter filter;
	bool verbose;
	bool json;
	bool lines;
};

static int list(const struct request *request)
{
	struct collection collection;
	int ret = collect_records(&collection, &request->filter);

	if (!ret) {
		struct page page = {
			.model = &collection.model,
			.symbols = collection.symbols,
			.filtered = request->filter.given,
			.unwatched = !filter_watched(&request->filter, &collection.model),
			.out = stdout,
		};

		if (request->lines)
			json_lines(&page);
		else if (request->json)
			json_list(&page);
		else
			text_list(&page, request->verbose);
	}
	collect_free(&collection);
	return ret;
}

int cmd_list(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	int option, ret = EXIT_DONE;

	filter_init(&request.filter);
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		switch (option) {
		case OPTION_HELP:
		case OPTION_WRONG:
			filter_free(&request.filter);
			return option_status(option);
		case OPTION_JSON:
			request.json = true;
			request.lines = optarg && !strcmp(optarg, "lines");
			if (optarg && !request.lines)
				ret = misuse("--json takes nothing or =lines, not '=%s'", optarg);
			break;
		case OPTION_VERBOSE:
			request.verbose = true;
			break;
		default:
			ret = filter_option(&request.filter, option, optarg);
		}
	}
	if (!ret)
		ret = no_operands(command, argc, argv);
	if (!ret)
		ret = list(&request);
	filter_free(&request.filter);
	return ret;
}
