// SPDX-License-Identifier: GPL-2.0-only
#include "alibi.h"
#include "collect.h"
#include "commands.h"
#include "out.h"
#include "say.h"
#include "units.h"

const char alibi_notes[] =
	"\"no stall\" is said only where no such stall can have been missed. All online CPUs, or\n"
	"those of --cpu, were watched for the whole time, by settings under which each such stall\n"
	"has a record, and no record of that time is missing. What irqoff cannot see all the same\n"
	"is in irqoff(8), under BLIND SPOTS.\n\n"
	"Without --over the length is the shortest that can be told: the threshold, a period and\n"
	"200 us. A stall that began before the time, or ended after it, counts with all its length.\n\n"
	"The exit status is 0 where there was no such stall, 3 where there was one, and 4 where\n"
	"nobody can tell. irqoff then says why, and what would tell the next time. Of several\n"
	"captures each gets its own verdict; a stall in one of them makes the status 3.\n";

struct request {
	struct inputs inputs;
	struct filter filter;
	struct screen_wish wish;
	struct screen screen;
	__u64 over_ns;
	bool json;
	int status;		/* of all captures so far */
};

static int alibi_one(struct collection *collection, struct filter *filter, bool first,
		     void *context)
{
	static const int statuses[] = {
		[ALIBI_NO_STALL] = EXIT_DONE,
		[ALIBI_STALLED] = EXIT_FOUND,
		[ALIBI_CANNOT_TELL] = EXIT_CANNOT_TELL,
	};
	struct request *request = context;
	struct page page = {
		.model = &collection->model,
		.symbols = collection->symbols,
		.out = stdout,
	};
	struct alibi alibi = {
		.from_ns = filter->since_ns,
		.to_ns = filter->until_ns,
		.over_ns = request->over_ns,
		.damaged = collection->damaged,
	};
	int status;

	alibi_find(&alibi, &collection->model, filter);
	if (request->json) {
		json_alibi(&page, &alibi);
	} else {
		if (first)
			screen_open(&request->screen, &request->wish);
		else
			putchar('\n');
		page.screen = request->screen;
		text_alibi(&page, &alibi);
	}
	status = statuses[alibi.verdict];
	if (request->status != EXIT_FOUND && status)
		request->status = status;
	alibi_free(&alibi);
	return EXIT_DONE;
}

static int ask(struct request *request)
{
	struct collection collection;
	int ret;

	if (request->inputs.count)
		return inputs_each(&request->inputs, &request->filter, alibi_one, request);
	ret = collect_records(&collection, &request->filter);
	if (!ret)
		ret = alibi_one(&collection, &request->filter, true, request);
	collect_free(&collection);
	return ret;
}

static int take_option(struct request *request, int option, const char *value)
{
	switch (option) {
	case OPTION_INPUT:
		inputs_add(&request->inputs, value);
		return EXIT_DONE;
	case OPTION_OVER:
		if (parse_duration(value, &request->over_ns) && request->over_ns)
			return EXIT_DONE;
		return misuse("--over takes a number with ns, us, ms or s, such as 5ms, not '%s'",
			      value);
	case OPTION_JSON:
		request->json = true;
		return EXIT_DONE;
	case OPTION_COLOR:
	case OPTION_NO_PAGER:
		return screen_option(&request->wish, option, value);
	default:
		return filter_option(&request->filter, option, value);
	}
}

static int parse(const struct command *command, struct request *request, int argc, char **argv,
		 bool *done)
{
	int option, ret;

	*done = true;
	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = take_option(request, option, optarg);
		if (ret)
			return ret;
	}
	ret = input_operands(&request->inputs, command, argc, argv);
	if (!ret && !request->filter.since)
		ret = misuse("alibi needs a time to tell about; "
			     "type --from 10m, or --from 07:00 --to 07:05");
	if (!ret && !request->inputs.count)
		ret = filter_check(&request->filter);
	*done = ret;
	return ret;
}

int cmd_alibi(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	bool done;
	int ret;

	filter_init(&request.filter);
	request.filter.since_word = "from";
	request.filter.until_word = "to";
	ret = parse(command, &request, argc, argv, &done);
	if (!done)
		ret = ask(&request);
	filter_free(&request.filter);
	inputs_free(&request.inputs);
	return ret ? ret : request.status;
}
