// SPDX-License-Identifier: GPL-2.0-only
/* list and show: records one by one, all of them or those that are named. */
#include <stdbool.h>
#include <string.h>

#include "base/say.h"
#include "cli/commands.h"
#include "collect/collect.h"
#include "output/out.h"

const char list_notes[] =
	"A record's name is CPU:NUMBER; 'open' in place of the number says that the stall\n"
	"has not ended. 'irqoff show CPU:NUMBER' shows that record whole.\n\n"
	"A stall lasted at least MIN and at most MAX. BOUNDS is wide where these differ by\n"
	"more than a period and 200 us. The interrupted task is often innocent.\n\n"
	"EVIDENCE is sample where one was taken while the stall went on, end where only\n"
	"its end was seen, and none for an open stall without a sample.\n\n"
	"WAITS-FOR names the stall of another CPU that this one waited for. A '?' marks\n"
	"a link that is probable and not proved.\n";

const char show_notes[] =
	"RECORD is a name as list and report have it, such as 1:24, or 1:open for a stall\n"
	"of CPU 1 that has not ended.\n";

struct request {
	struct inputs inputs;
	struct filter filter;
	struct screen_wish wish;
	struct screen screen;
	bool verbose;
	bool tree;
	bool json;
	bool lines;
};

static void print_list(struct request *request, const struct collection *collection, bool first)
{
	const struct model *model = &collection->model;
	char absent[CELL_LEN];
	struct page page = {
		.model = model,
		.symbols = collection->symbols,
		.filtered = request->filter.given,
		.absent = filter_absent(absent, sizeof(absent), &request->filter, model),
		.unwatched = !filter_watched(&request->filter, model),
		.tree = request->tree,
		.out = stdout,
	};

	if (request->lines) {
		json_lines(&page);
		if (model->nbusy)
			note("%zu %s being written and left out%s", model->nbusy,
			     model->nbusy == 1 ? "record was" : "records were",
			     model->saved ? "" : "; ask again");
		return;
	}
	if (request->json) {
		json_list(&page);
		return;
	}
	list_select(&page.columns, model, request->wish.columns);
	if (first)
		screen_open(&request->screen, &request->wish);
	else
		putchar('\n');
	page.screen = request->screen;
	/* which node the records are from */
	if (request->inputs.count > 1)
		text_head(&page);
	text_list(&page, request->verbose);
}

static int list_one(struct collection *collection, struct filter *filter, bool first,
		    void *context)
{
	int ret = filter_found(filter, &collection->model);

	if (!ret)
		print_list(context, collection, first);
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
		request->lines = value && !strcmp(value, "lines");
		if (!value || request->lines)
			return EXIT_DONE;
		return misuse("--json takes nothing or =lines, not '=%s'", value);
	case OPTION_VERBOSE:
		request->verbose = true;
		return EXIT_DONE;
	case OPTION_TREE:
		request->tree = true;
		return EXIT_DONE;
	case OPTION_COLUMNS:
	case OPTION_COLOR:
	case OPTION_NO_PAGER:
		return screen_option(&request->wish, option, value);
	default:
		return filter_option(&request->filter, option, value);
	}
}

/* a record's name or, where captures are read, another one */
static int operand(const struct command *command, struct request *request, const char *word)
{
	const struct option_row *row = value_option(command, word);

	if (row)
		return misuse("'%s' is not a record's name; type --%s=%s", word, row->word, word);
	if (request->inputs.count && !filter_is_name(word)) {
		inputs_add(&request->inputs, word);
		return EXIT_DONE;
	}
	if (may_be_capture(command, word))
		return misuse("'%s' is not a record's name; type irqoff %s -i %s", word,
			      command->name, word);
	return filter_name(&request->filter, word);
}

/* sets *done where the command ends here, by help or by an error */
static int parse(const struct command *command, struct request *request, int argc, char **argv,
		 bool *done)
{
	int option, ret = EXIT_DONE;
	struct columns columns;

	*done = true;
	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = take_option(request, option, optarg);
		if (ret)
			return ret;
	}
	for (; !ret && optind < argc; optind++)
		ret = operand(command, request, argv[optind]);
	if (!ret && !request->inputs.count)
		ret = filter_check(&request->filter);
	if (!ret)
		ret = list_select(&columns, NULL, request->wish.columns);
	*done = ret;
	return ret;
}

int cmd_list(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	bool done;
	int ret;

	filter_init(&request.filter);
	request.filter.narrow = true;
	ret = parse(command, &request, argc, argv, &done);
	if (!done)
		ret = records_each(&request.inputs, &request.filter, list_one, &request);
	filter_free(&request.filter);
	inputs_free(&request.inputs);
	return ret;
}

int cmd_show(const struct command *command, int argc, char **argv)
{
	struct request request = { .verbose = true };
	bool done;
	int ret;

	filter_init(&request.filter);
	request.filter.narrow = true;
	ret = parse(command, &request, argc, argv, &done);
	if (!done && !request.filter.nnames)
		ret = misuse("show needs a record's name such as 1:24 (irqoff list shows them)");
	else if (!done)
		ret = records_each(&request.inputs, &request.filter, list_one, &request);
	filter_free(&request.filter);
	inputs_free(&request.inputs);
	return ret;
}
