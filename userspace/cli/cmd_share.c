// SPDX-License-Identifier: GPL-2.0-only
#include "base/say.h"
#include "cli/commands.h"
#include "collect/collect.h"
#include "output/out.h"

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

static int share_one(struct collection *collection, struct filter *filter, bool first,
		     void *context)
{
	(void)context;
	if (!first)
		putchar('\n');
	print_share(filter, collection);
	return EXIT_DONE;
}

int cmd_share(const struct command *command, int argc, char **argv)
{
	int option, ret = EXIT_DONE;
	struct inputs inputs = { 0 };
	struct filter filter;

	filter_init(&filter);
	filter.narrow = true;
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			filter_free(&filter);
			inputs_free(&inputs);
			return option_status(option);
		}
		if (option == OPTION_INPUT)
			inputs_add(&inputs, optarg);
		else
			ret = filter_option(&filter, option, optarg);
	}
	if (!ret)
		ret = input_operands(&inputs, command, argc, argv);
	if (!ret && !inputs.count)
		ret = filter_check(&filter);
	if (!ret)
		ret = records_each(&inputs, &filter, share_one, NULL);
	filter_free(&filter);
	inputs_free(&inputs);
	return ret;
}
