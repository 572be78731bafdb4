// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "causes/causes.h"
#include "cli/commands.h"
#include "collect/collect.h"
#include "group/comparison.h"
#include "group/fleet.h"
#include "output/out.h"

const char report_notes[] =
	"The culprit is the function that held interrupts or softirqs off: the one that the\n"
	"section ended in and all samples were taken in, or the one that a timer, an interrupt\n"
	"or a softirq called. What it spent the time on stands above its stack, as busy in.\n"
	"The classes stolen and unknown blame nobody. By default each has a line below the table.\n\n"
	"/MIN is the number of stalls per minute, and %CPU their share of one CPU's time, both\n"
	"over the time in the heading. LONGEST is the greatest lower bound of one stall, with the\n"
	"stalls nested in it. TOTAL adds up the lower bounds without nested stalls. MEAN is TOTAL\n"
	"divided by COUNT.\n\n"
	"EVIDENCE is sample where samples were taken while the stalls went on, end where only\n"
	"their ends were seen, or both.\n\n"
	"Victims are stalls of other CPUs that waited for a stall of the group, in the row above\n"
	"them. They are counted in no other group. TOTAL excludes their time. By default, and\n"
	"with --sort total, the groups are in the order of TOTAL plus their victims' time.\n\n"
	"--sort cost tells what a group took from all CPUs, of the stalls that pass the filters:\n"
	"OWN is the time of its own stalls, PROVED that of stalls proved to have waited for them,\n"
	"and PROBABLE that of other victims. COST is the sum. These add up lower bounds, and\n"
	"AT MOST upper ones. WAITED is the number of stalls and victims in which packets waited,\n"
	"and DROPPED that of packets dropped.\n\n"
	"Where the cause of stalls is known, it stands under their culprit, with what to do about\n"
	"it. irqoff causes lists the known causes. Below the table a report keeps to one screen of\n"
	"24 lines where there is one culprit. -v prints all of it.\n\n"
	"FOR, and a line below the table, name the task with the largest share of the culprit's\n"
	"time, with its pod and container: the task that called it. What an interrupt or a softirq\n"
	"called runs for nobody that is known.\n\n"
	"A line such as every 10.7 s (5 of 5) says that the stalls come at regular times, and how many\n"
	"of them agree. It is there where chance does not explain it.\n\n"
	"Several captures (-i) are merged. NODES says on how many nodes a group was seen, and\n"
	"releases under which kernels. A record that is in several of them counts once.\n\n"
	"--baseline compares two sets of captures. BEFORE is the rate of the baseline and AFTER\n"
	"that of the captures of -i, in stalls per CPU-hour. RATIO is AFTER divided by BEFORE, and\n"
	"INTERVAL its 95 % confidence interval. P is the p-value, corrected for the number of\n"
	"culprits. Where P is below 0.05, the verdict is worse or better. The variance is that\n"
	"between nodes, so each side needs three nodes. The exit status is 1 where a capture\n"
	"cannot be read or is damaged, else 4 where the captures do not suffice, else 3 where\n"
	"something got worse.\n\n"
	"--by stack merges the stacks of all stalls that blame somebody, from the outermost call\n"
	"inwards. The samples of a stall share its time. A function without figures was in all\n"
	"stacks of the line above it.\n";

struct request {
	struct inputs inputs;
	struct inputs baseline;
	struct inputs words;	/* before the first option that takes files */
	struct inputs *files;	/* where further words go; NULL: no option takes them */
	struct filter filter;
	unsigned int by;
	bool stacks;		/* merged, instead of groups */
	enum summary_sort sort;
	__u64 top;		/* 0: all */
	struct screen_wish wish;
	struct screen screen;
	bool verbose;		/* more than one screen of it */
	bool json;
	struct causes causes;
};

static int no_key(const char *list)
{
	char *keys = join_words(summary_key_word);
	int ret = misuse("--by takes stack, or a list of %s, not '%s'", keys, list);

	free(keys);
	return ret;
}

static int no_sort(const char *word)
{
	char *words = join_words(summary_sort_word);
	int ret = misuse("--sort takes one of %s, not '%s'", words, word);

	free(words);
	return ret;
}

static int take_option(struct request *request, int option, const char *value)
{
	switch (option) {
	case OPTION_INPUT:
		request->files = &request->inputs;
		inputs_add(request->files, value);
		return EXIT_DONE;
	case OPTION_BASELINE:
		request->files = &request->baseline;
		inputs_add(request->files, value);
		return EXIT_DONE;
	case OPTION_OPERAND:
		inputs_add(request->files ? request->files : &request->words, value);
		return EXIT_DONE;
	case OPTION_JSON:
		request->json = true;
		return EXIT_DONE;
	case OPTION_VERBOSE:
		request->verbose = true;
		return EXIT_DONE;
	case OPTION_BY:
		request->stacks = !strcmp(value, "stack");
		if (request->stacks || summary_parse_by(value, &request->by))
			return EXIT_DONE;
		return no_key(value);
	case OPTION_SORT:
		if (summary_parse_sort(value, &request->sort))
			return EXIT_DONE;
		return no_sort(value);
	case OPTION_TOP:
		if (parse_number(value, ~0ULL, &request->top) && request->top)
			return EXIT_DONE;
		return misuse("--top takes a number from 1, not '%s'", value);
	case OPTION_COLUMNS:
	case OPTION_COLOR:
	case OPTION_NO_PAGER:
		return screen_option(&request->wish, option, value);
	default:
		return filter_option(&request->filter, option, value);
	}
}

static void print_stacks(const struct page *page, const struct summary *summary, bool json)
{
	struct stacks stacks;

	stacks_merge(&stacks, page->symbols, page->model);
	if (json)
		json_stacks(page, &stacks);
	else
		text_stacks(page, &stacks, summary);
	stacks_free(&stacks);
}

/* what the groups are sorted by is among them */
static int select_columns(const struct request *request, struct columns *columns,
			  const struct summary *summary, bool fleet)
{
	const char *list = request->wish.columns;

	if (request->sort == SUMMARY_COST)
		return cost_select(columns, request->by, fleet, summary_packets(summary), list);
	if (fleet)
		return fleet_select(columns, request->by, summary->victims, list);
	return report_select(columns, request->by, summary->victims, list);
}

static void print_report(const struct request *request, const struct collection *collection)
{
	const struct filter *filter = &request->filter;
	char absent[CELL_LEN];
	struct page page = {
		.model = &collection->model,
		.symbols = collection->symbols,
		.causes = &request->causes,
		.verbose = request->verbose,
		.filtered = filter->given,
		.absent = filter_absent(absent, sizeof(absent), filter, &collection->model),
		.unwatched = !filter_watched(filter, &collection->model),
		.out = stdout,
	};
	struct summary summary;

	summary_build(&summary, &collection->model, request->by, request->sort);
	summary_top(&summary, request->top);
	if (!request->json) {
		page.window = window_of(&collection->model, filter->since_ns, filter->until_ns);
		screen_open(&page.screen, &request->wish);
	}
	if (request->stacks) {
		print_stacks(&page, &summary, request->json);
	} else if (request->json) {
		json_report(&page, &summary);
	} else {
		select_columns(request, &page.columns, &summary, false);
		text_report(&page, &summary);
	}
	summary_free(&summary);
}

/* stacks are in the order of their time, and have no columns to choose from */
static int check_stacks(struct request *request)
{
	if (!request->stacks)
		return EXIT_DONE;
	request->by = SUMMARY_BY_DEFAULT;
	if (request->top || request->sort != SUMMARY_TOTAL || request->wish.columns)
		return misuse("--by stack takes no --top, --sort or --columns");
	return EXIT_DONE;
}

static int report_one(struct collection *collection, struct filter *filter, bool first,
		      void *context)
{
	(void)filter;
	(void)first;
	print_report(context, collection);
	return EXIT_DONE;
}

/* several captures, merged */
static int report_fleet(struct request *request)
{
	struct fleet fleet;
	int ret = fleet_read(&fleet, &request->inputs, &request->filter, request->by,
			     request->sort);
	struct page page = {
		.model = &fleet.all,
		.fleet = &fleet,
		.causes = &request->causes,
		.window = fleet.window,
		.verbose = request->verbose,
		.filtered = request->filter.given,
		.out = stdout,
	};

	if (fleet.captures) {
		summary_top(&fleet.summary, request->top);
		if (request->json) {
			json_fleet(&page, &fleet.summary);
		} else {
			screen_open(&page.screen, &request->wish);
			select_columns(request, &page.columns, &fleet.summary, true);
			text_fleet(&page, &fleet.summary);
		}
	}
	fleet_free(&fleet);
	return ret;
}

/* which captures' culprits have come more often than those of the baseline */
static int report_comparison(struct request *request)
{
	struct comparison comparison;
	struct page page = { .out = stdout };
	int ret = comparison_read(&comparison, &request->baseline, &request->inputs,
				  &request->filter, request->by);

	if (ret != EXIT_USAGE) {
		comparison_judge(&comparison);
		if (request->json) {
			json_compare(&page, &comparison);
		} else {
			screen_open(&page.screen, &request->wish);
			compare_select(&page.columns, request->by);
			text_compare(&page, &comparison);
		}
		if (!ret && comparison.cannot_tell)
			ret = EXIT_CANNOT_TELL;
		else if (!ret && comparison.verdicts[VERDICT_WORSE])
			ret = EXIT_FOUND;
	}
	comparison_free(&comparison);
	return ret;
}

static int check_comparison(const struct request *request)
{
	const unsigned int keys = 1U << SUMMARY_CULPRIT | 1U << SUMMARY_BUSY | 1U << SUMMARY_CLASS;

	if (!request->baseline.count)
		return EXIT_DONE;
	if (!request->inputs.count)
		return misuse("--baseline needs captures to compare with it; type -i FILE...");
	if (request->stacks || request->by & ~keys)
		return misuse("with --baseline, --by takes culprit, busy and class only");
	if (request->top || request->sort != SUMMARY_TOTAL || request->wish.columns)
		return misuse("--baseline takes no --top, --sort or --columns");
	if (request->filter.newest)
		return misuse("--baseline takes no -n; --since WHEN compares a shorter time");
	return EXIT_DONE;
}

static int check_stdin(const struct request *request)
{
	if (request->inputs.count + request->baseline.count > 1 &&
	    (inputs_have_stdin(&request->inputs) || inputs_have_stdin(&request->baseline)))
		return misuse("standard input (-) is read alone, not with other captures");
	return EXIT_DONE;
}

static int check_fleet(const struct request *request)
{
	if (request->inputs.count < 2)
		return EXIT_DONE;
	if (request->stacks)
		return misuse("--by stack takes one capture");
	if (request->filter.newest)
		return misuse("-n takes one capture");
	return EXIT_DONE;
}

static int report(struct request *request)
{
	request->filter.grouped = true;
	if (request->baseline.count)
		return report_comparison(request);
	if (!request->stacks)
		causes_open(&request->causes);
	if (request->inputs.count > 1)
		return report_fleet(request);
	return records_each(&request->inputs, &request->filter, report_one, request);
}

/* words go with the option before them; the first ones with -i, wherever that stands */
static int take_words(struct request *request, const struct command *command, int argc,
		      char **argv)
{
	while (optind < argc)
		take_option(request, OPTION_OPERAND, argv[optind++]);
	for (size_t i = 0; i < request->words.count; i++) {
		const char *word = request->words.paths[i];

		if (request->inputs.count)
			inputs_add(&request->inputs, word);
		else if (strchr(word, ':'))
			return misuse("report takes no record; type irqoff show %s", word);
		else
			return wrong_operand(command, word);
	}
	return EXIT_DONE;
}

static void request_free(struct request *request)
{
	filter_free(&request->filter);
	inputs_free(&request->inputs);
	inputs_free(&request->baseline);
	inputs_free(&request->words);
	causes_free(&request->causes);
}

int cmd_report(const struct command *command, int argc, char **argv)
{
	struct request request = { .by = SUMMARY_BY_DEFAULT };
	int option, ret = EXIT_DONE;
	struct columns columns;

	filter_init(&request.filter);
	request.filter.narrow = true;
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			request_free(&request);
			return option_status(option);
		}
		ret = take_option(&request, option, optarg);
	}
	if (!ret)
		ret = take_words(&request, command, argc, argv);
	if (!ret && !request.inputs.count)
		ret = filter_check(&request.filter);
	if (!ret)
		ret = check_comparison(&request);
	if (!ret)
		ret = check_stacks(&request);
	if (!ret)
		ret = check_fleet(&request);
	if (!ret)
		ret = check_stdin(&request);
	if (!ret)
		ret = report_select(&columns, request.by, false, request.wish.columns);
	if (!ret)
		ret = report(&request);
	request_free(&request);
	return ret;
}
