// SPDX-License-Identifier: GPL-2.0-only
#include "collect.h"
#include "commands.h"
#include "out.h"
#include "say.h"

const char share_notes[] =
	"At most 20 lines of at most 72 columns: host, kernel and time, the worst culprits,\n"
	"the longest stall with the inner part of its stack, and what was left out.\n";

static void print_share(const struct filter *filter, const struct collection *collection)
{
	char absent[CELL_LEN];
	struct page page = {
		.model = &collection->model,
		.symbols = collection->symbols,
		.filtered = filter->given,
		.absent = filter_absent(absent, sizeof(absent), filter, &collection->model),
		.unwatched = !filter_watched(filter, &collection->model),
		.screen.width = SHARE_WIDTH,
		.window = window_of(&collection->model, filter->since_ns, filter->until_ns),
		.out = stdout,
	};
	struct summary summary;

	summary_build(&summary, &collection->model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	text_share(&page, &summary);
	summary_free(&summary);
}

static int share(const struct filter *filter)
{
	struct collection collection;
	int ret = collect_records(&collection, filter);

	if (!ret)
		print_share(filter, &collection);
	collect_free(&collection);
	return ret;
}

int cmd_share(const struct command *command, int argc, char **argv)
{
	int option, ret = EXIT_DONE;
	struct filter filter;

	filter_init(&filter);
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			filter_free(&filter);
			return option_status(option);
		}
		ret = filter_option(&filter, option, optarg);
	}
	if (!ret)
		ret = no_operands(command, argc, argv);
	if (!ret)
		ret = filter_check(&filter);
	if (!ret)
		ret = share(&filter);
	filter_free(&filter);
	return ret;
}
