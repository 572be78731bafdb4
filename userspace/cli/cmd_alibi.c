// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "alibi/alibi.h"
#include "base/say.h"
#include "base/units.h"
#include "cli/commands.h"
#include "collect/collect.h"
#include "model/serving.h"
#include "output/out.h"

const char alibi_notes[] =
	"A stall is a stretch in which a CPU took no interrupts or ran no softirqs. One that\n"
	"overlaps the time only partly counts, by its whole length.\n\n"
	"\"no stall\" is said only where no record can be missing: the CPUs that are online now, or\n"
	"those of --cpu or --dev, were watched for all of the time, by settings under which each\n"
	"stall of LENGTH has a record. BLIND SPOTS in irqoff(8) lists the stalls that never have\n"
	"one. Without --min, LENGTH is the sum of threshold, period and 200 us: the shortest stall\n"
	"that is sure to have a record.\n\n"
	"The exit status is 0 where a stall is excluded, 3 where one was found, even if there may\n"
	"be more, and 4 where none was found and irqoff cannot exclude one. It then says why, and\n"
	"what to do. Of several captures each has its own verdict; the status is 3 if any has a\n"
	"stall, else 4 if any cannot be told. Ages and times of day count from when a capture was\n"
	"saved.\n";

struct request {
	struct inputs inputs;
	struct filter filter;
	struct screen_wish wish;
	struct screen screen;
	__u64 over_ns;
	const char *dev;	/* NULL: no device was given */
	struct serving serving;	/* of it, here and now */
	bool json;
	bool printed;		/* a page, so that the next one is set off */
	size_t answered;	/* number of captures that have a verdict */
	int status;		/* of all captures so far */
};

static void print(struct request *request, struct page *page, const struct alibi *alibi)
{
	if (request->json) {
		json_alibi(page, alibi);
		return;
	}
	if (request->printed)
		putchar('\n');
	else
		screen_open(&request->screen, &request->wish);
	request->printed = true;
	page->screen = request->screen;
	text_alibi(page, alibi);
}

static void answer(struct request *request, const struct collection *collection,
		   const struct filter *filter, const char *dev_how)
{
	static const int statuses[] = {
		[ALIBI_NO_STALL] = EXIT_DONE,
		[ALIBI_STALLED] = EXIT_FOUND,
		[ALIBI_CANNOT_TELL] = EXIT_CANNOT_TELL,
	};
	struct page page = {
		.model = &collection->model,
		.symbols = collection->symbols,
		.out = stdout,
	};
	struct alibi alibi = {
		.from_ns = filter->since_ns,
		.to_ns = filter->until_ns,
		.over_ns = request->over_ns,
		.damaged = collection->model.received.damaged,
		.dev = request->dev,
		.dev_how = dev_how,
	};
	struct alibi_book book;
	int status;

	alibi_open(&book, &collection->model, filter);
	alibi_ask(&alibi, &book);
	alibi_close(&book);
	print(request, &page, &alibi);
	request->answered++;
	status = statuses[alibi.verdict];
	if (request->status != EXIT_FOUND && status)
		request->status = status;
	alibi_free(&alibi);
}

/* a device has other CPUs in each capture; records that were dropped for none count as well */
static int answer_device(struct request *request, const struct collection *collection,
			 const struct filter *filter)
{
	struct filter of_device = *filter;
	struct cpuset cpus = { 0 };
	const char *how;
	bool all;

	if (!counted_device(&collection->model, request->dev, &cpus, &all, &how))
		return failed("%s does not say which CPUs served '%s'; name CPUs by --cpu",
			      collection->name, request->dev);
	filter_name_cpus(&of_device, &cpus);
	answer(request, collection, &of_device, how);
	free(of_device.cpus);
	cpuset_free(&cpus);
	return EXIT_DONE;
}

static int alibi_one(struct collection *collection, struct filter *filter, bool first,
		     void *context)
{
	struct request *request = context;

	(void)first;
	if (request->dev && collection->name)
		return answer_device(request, collection, filter);
	if (!request->dev)
		filter_tell_offline(filter, &collection->model);
	answer(request, collection, filter, request->serving.how);
	return EXIT_DONE;
}

/* the CPUs that serve the device here */
static int find_serving(struct request *request)
{
	int ret = serving_find(&request->serving, "", request->dev);

	if (!ret && !serving_any(request->serving.why))
		filter_name_cpus(&request->filter, &request->serving.cpus);
	return ret;
}

static int take_option(struct request *request, int option, const char *value)
{
	switch (option) {
	case OPTION_INPUT:
		inputs_add(&request->inputs, value);
		return EXIT_DONE;
	case OPTION_OVER:
		if (parse_length(value, &request->over_ns) && request->over_ns)
			return EXIT_DONE;
		return misuse("--min takes a number with ns, us, ms or s, such as 5ms, not '%s'",
			      value);
	case OPTION_DEV:
		request->dev = value;
		return EXIT_DONE;
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
			     "type --since 10m, or --since 07:00 --until 07:05");
	if (!ret && request->dev && request->filter.ncpus)
		ret = misuse("--dev and --cpu both say which CPUs are meant; type one of them");
	if (!ret && !request->inputs.count)
		ret = filter_check(&request->filter);
	if (!ret && request->dev && !request->inputs.count)
		ret = find_serving(request);
	*done = ret;
	return ret;
}

int cmd_alibi(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	bool done;
	int ret;

	filter_init(&request.filter);
	ret = parse(command, &request, argc, argv, &done);
	if (!done)
		ret = records_each(&request.inputs, &request.filter, alibi_one, &request);
	/* of a capture that is not whole the verdict says so */
	if (ret == EXIT_FAILED && request.answered && request.answered == request.inputs.count)
		ret = EXIT_DONE;
	serving_free(&request.serving);
	filter_free(&request.filter);
	inputs_free(&request.inputs);
	return ret ? ret : request.status;
}
