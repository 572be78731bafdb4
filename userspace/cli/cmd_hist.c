// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "base/say.h"
#include "cli/commands.h"
#include "output/out.h"
#include "source/source.h"

const char hist_notes[] =
	"Counts the lower bounds of all stalls of two periods or more, also of those below the\n"
	"threshold, which have no record: of a recording since it began, otherwise since records\n"
	"were dropped last (clear, stop --free) or, if they never were, since the module was\n"
	"loaded.\n";

struct request {
	struct inputs inputs;
	struct screen_wish wish;
	struct screen screen;
	bool per_cpu;
	bool json;
};

static void print_hist(struct request *request, const struct model *model, bool first)
{
	struct page page = { .model = model, .out = stdout };

	if (request->json) {
		json_hist(model, request->per_cpu, stdout);
		return;
	}
	if (first)
		screen_open(&request->screen, &request->wish);
	else
		putchar('\n');
	page.screen = request->screen;
	text_hist(&page, request->per_cpu);
}

static int hist_one(struct collection *collection, struct filter *filter, bool first,
		    void *context)
{
	(void)filter;
	print_hist(context, &collection->model, first);
	return EXIT_DONE;
}

static int hist(struct request *request)
{
	struct filter none = { .since_ns = ~0ULL, .until_ns = ~0ULL, .narrow = true };
	struct source *source = NULL;
	struct model model = { 0 };
	int ret;

	if (request->inputs.count)
		return inputs_each(&request->inputs, &none, hist_one, request);
	ret = source_open(&source);
	if (!ret)
		ret = source_config(source, &model);
	if (!ret)
		ret = source_counters(source, &model);
	if (!ret)
		ret = source_histograms(source, &model);
	machine_read(&model.machine);
	if (!ret)
		print_hist(request, &model, true);
	source_close(source);
	model_free(&model);
	return ret;
}

static int take_option(struct request *request, int option, const char *value)
{
	switch (option) {
	case OPTION_INPUT:
		inputs_add(&request->inputs, value);
		return EXIT_DONE;
	case OPTION_JSON:
		request->json = true;
		return EXIT_DONE;
	case OPTION_PER_CPU:
		request->per_cpu = true;
		return EXIT_DONE;
	default:
		return screen_option(&request->wish, option, value);
	}
}

int cmd_hist(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	int option, ret = EXIT_DONE;

	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			inputs_free(&request.inputs);
			return option_status(option);
		}
		ret = take_option(&request, option, optarg);
	}
	if (!ret)
		ret = input_operands(&request.inputs, command, argc, argv);
	if (!ret)
		ret = hist(&request);
	inputs_free(&request.inputs);
	return ret;
}
