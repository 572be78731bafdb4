// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/latency.h"
#include "base/moment.h"
#include "base/say.h"
#include "base/units.h"
#include "cli/commands.h"
#include "collect/collect.h"
#include "correlate/correlate_live.h"
#include "correlate/log_clock.h"
#include "output/out.h"
#include "source/source.h"

#define OVER_NS		(10 * NSEC_PER_MSEC)

/* that of an offset without one: what comparing clocks by hand is good for */
#define OFFSET_ERROR_NS	(5 * NSEC_PER_MSEC)

const char correlate_notes[] =
	"LOG is what ping -D, hping3 or fping -D printed, or a request log: CSV, or a JSON object\n"
	"on each line, with the time and the latency of each request. '-' is standard input. A FILE\n"
	"among the LOGs that is a capture is read as one.\n\n"
	"A stall explains a slow reply if what it leaves of the delay is no more than 1 ms, plus a\n"
	"tenth of the delay, plus what replies usually vary by, and never more than half. How many\n"
	"stalls would explain by chance is found by moving the log against them. 'no stall' is said\n"
	"where 'irqoff alibi' would say so of that time.\n\n"
	"Without --offset the log's clock is taken as it is, unless slow replies come right behind\n"
	"stalls by another offset, and by that alone.\n\n"
	"The exit status is 3 where stalls explain slow replies, and more of them than chance\n"
	"would; else 4 where they explain some, or nobody can tell of some, or a line was not\n"
	"understood; else 0.\n";

struct request {
	struct inputs inputs;
	struct filter filter;
	struct screen_wish wish;
	struct screen screen;
	struct reply_options log;
	struct inputs logs;
	struct replies replies;
	struct log_names names;
	struct correlation correlation;
	struct causes causes;
	__u64 over_ns;
	bool json;
};

static int take_capture(struct collection *collection, struct filter *filter, bool first,
			void *context)
{
	struct request *request = context;

	if (first)
		filter_tell_offline(filter, &collection->model);
	return correlate_take(&request->correlation, collection, filter);
}

static int take_module(struct request *request, struct correlation *correlation)
{
	struct collection collection;
	int ret = collect_records(&collection, &request->filter);

	if (!ret) {
		struct model *model = &collection.model;

		counted_now(&model->counted, "");
		ret = correlate_take(correlation, &collection, &request->filter);
	}
	collect_free(&collection);
	return ret;
}

static int take_all(struct request *request)
{
	if (request->inputs.count)
		return inputs_each(&request->inputs, &request->filter, take_capture, request);
	if (source_absent())
		return failed("correlate without -i asks the module, which is not loaded here; "
			      "name the node's captures: -i CAPTURE");
	return take_module(request, &request->correlation);
}

static int read_logs(struct request *request)
{
	for (size_t i = 0; i < request->logs.count; i++) {
		const char *name = request->logs.paths[i];
		int ret = reply_log_read(name, &request->log, &request->replies);

		if (ret)
			return ret;
		log_names_add(&request->names, name, request->replies.count);
	}
	return reply_options_check(&request->log, &request->replies);
}

static void print(struct request *request)
{
	struct model none = { 0 };
	struct page page = { .model = &none, .out = stdout };

	if (request->json) {
		json_correlate(&request->correlation, stdout);
		return;
	}
	correlate_select(&page.columns, request->wish.columns);
	screen_open(&request->screen, &request->wish);
	page.screen = request->screen;
	text_correlate(&page, &request->correlation);
}

static int status_of(const struct correlation *correlation)
{
	size_t explained = correlate_explained(correlation);

	if (explained && !correlate_by_chance(correlation))
		return EXIT_FOUND;
	return explained || correlation->counts[CORRELATE_CANNOT_TELL] ||
	       correlation->replies->ignored ? EXIT_CANNOT_TELL : EXIT_DONE;
}

static int status_of_live(const struct live *live)
{
	if (live->counts[CORRELATE_STALL] + live->counts[CORRELATE_DROPPED])
		return EXIT_FOUND;
	return live->counts[CORRELATE_CANNOT_TELL] || live->replies->ignored ? EXIT_CANNOT_TELL :
									      EXIT_DONE;
}

static int take_live(struct correlation *correlation, void *context)
{
	return take_module(context, correlation);
}

static void tell_live(const struct correlation *correlation, size_t slow, void *context)
{
	struct model none = { 0 };
	struct page page = { .model = &none, .out = stdout };
	const struct request *request = context;

	if (request->json)
		json_correlate_line(correlation, slow, stdout);
	else
		text_correlate_line(&page, correlation, slow);
}

/* says at once, and not at the first slow reply, that there is no module */
static int find_module(const struct request *request)
{
	struct collection collection;
	int ret = collect_records(&collection, &request->filter);

	collect_free(&collection);
	return ret;
}

/* a log that goes on, of this machine; ends when whoever writes it does */
static int go_along(struct request *request)
{
	struct live live = {
		.fd = STDIN_FILENO,
		.over_ns = request->over_ns,
		.options = &request->log,
		.replies = &request->replies,
		.take = take_live,
		.told = tell_live,
		.context = request,
		.causes = &request->causes,
		.clock = &request->correlation.clock,
		.dev = request->correlation.dev,
	};
	int ret = find_module(request);

	if (request->correlation.clock.how == LOG_CLOCK_STAMPED)
		request->correlation.clock.how = LOG_CLOCK_SAME;
	if (!ret)
		ret = live_run(&live);
	if (ret)
		return ret;
	note("%zu of %zu slow replies explained by stalls, of %zu nobody can tell",
	     live.counts[CORRELATE_STALL] + live.counts[CORRELATE_DROPPED], live_slow(&live),
	     live.counts[CORRELATE_CANNOT_TELL]);
	log_doubts_ignored(live.replies);
	return status_of_live(&live);
}

static int correlate(struct request *request)
{
	struct correlation *correlation = &request->correlation;
	int ret = read_logs(request);

	if (ret)
		return ret;
	correlation->replies = &request->replies;
	correlation->names = &request->names;
	/* who sets TZ for a log knows its zone */
	correlation->zone_unknown = request->replies.zoneless && !getenv("TZ");
	slows_find(&correlation->slows, &request->replies, request->over_ns);
	log_doubts(&request->replies, &correlation->slows);
	ret = take_all(request);
	if (!ret || correlation->nnodes) {
		correlate_finish(correlation);
		print(request);
	}
	return ret ? ret : status_of(correlation);
}

/* "840ms", "-1.2s", "0", "840ms+-1ms" */
static int take_offset(struct log_clock *clock, const char *value)
{
	const char *text = value + (*value == '-' || *value == '+');
	const char *error = strstr(text, "+-");
	char offset[UNITS_LEN];
	__u64 ns = 0;

	fill_text(offset, sizeof(offset), text);
	if (error && (size_t)(error - text) < sizeof(offset))
		offset[error - text] = '\0';
	clock->how = LOG_CLOCK_GIVEN;
	clock->error_ns = strcmp(offset, "0") ? OFFSET_ERROR_NS : 0;
	if ((strcmp(offset, "0") && !parse_duration(offset, &ns)) ||
	    (error && !parse_duration(error + strlen("+-"), &clock->error_ns)))
		return misuse("--offset takes a time, such as 840ms, -1.2s, 2s+-1ms or 0, not '%s'",
			      value);
	clock->offset_ns = *value == '-' ? -(__s64)ns : (__s64)ns;
	return EXIT_DONE;
}

const char *time_is_word(unsigned int i)
{
	static const char * const words[] = { "start", "end" };

	return i < ARRAY_SIZE(words) ? words[i] : NULL;
}

const char *latency_unit_word(unsigned int i)
{
	static const char * const words[] = { "s", "ms", "us", "ns" };

	return i < ARRAY_SIZE(words) ? words[i] : NULL;
}

static int take_unit(struct reply_options *log, const char *value)
{
	log->unit_ns = latency_unit(value);
	if (log->unit_ns)
		return EXIT_DONE;
	return misuse("--unit takes s, ms, us or ns, not '%s'", value);
}

static int take_log_option(struct request *request, int option, const char *value)
{
	struct reply_options *log = &request->log;

	switch (option) {
	case OPTION_TIME_IS:
		log->time_is_given = true;
		log->time_is_end = !strcmp(value, "end");
		if (log->time_is_end || !strcmp(value, "start"))
			return EXIT_DONE;
		return misuse("--time-is takes start or end, not '%s'", value);
	case OPTION_UNIT:
		return take_unit(log, value);
	case OPTION_FIELDS:
		log->fields = value;
		return EXIT_DONE;
	case OPTION_START:
		/* 07:00 would be of today, and the capture may be older */
		if (moment_with_date(value, &log->start_ns))
			return EXIT_DONE;
		return misuse("'%s' is no date with a time; "
			      "type '2026-11-21 07:00:00.25' or seconds since 1970", value);
	default:
		if (parse_length(value, &log->interval_ns) && log->interval_ns)
			return EXIT_DONE;
		return misuse("--interval takes a number with %s, such as 10ms, not '%s'",
			      "ns, us, ms or s", value);
	}
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
		return misuse("--over takes a number with ns, us, ms or s, such as 10ms, not '%s'",
			      value);
	case OPTION_OFFSET:
		return take_offset(&request->correlation.clock, value);
	case OPTION_DEV:
		request->correlation.dev = value;
		return EXIT_DONE;
	case OPTION_JSON:
		request->json = true;
		return EXIT_DONE;
	case OPTION_COLUMNS:
	case OPTION_COLOR:
	case OPTION_NO_PAGER:
		return screen_option(&request->wish, option, value);
	case FILTER_CPU:
		return filter_option(&request->filter, option, value);
	default:
		return take_log_option(request, option, value);
	}
}

static int lacks_log(const struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++) {
		const char *path = inputs->paths[i];

		if (collect_is_file(path) && !inputs_capture(path))
			return misuse("correlate needs a log, and -i takes %s as a capture; "
				      "type: correlate -i CAPTURE %s", path, path);
	}
	return misuse("correlate needs a log of replies; "
		      "name one, or type: ping -D HOST | irqoff correlate -");
}

static int parse(const struct command *command, struct request *request, int argc, char **argv,
		 bool *done)
{
	struct columns columns;
	int option, ret;

	*done = true;
	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = take_option(request, option, optarg);
		if (ret)
			return ret;
	}
	for (; optind < argc; optind++)
		inputs_add(inputs_capture(argv[optind]) ? &request->inputs : &request->logs,
			   argv[optind]);
	if (!request->logs.count)
		return lacks_log(&request->inputs);
	ret = inputs_unique(&request->logs);
	if (ret)
		return ret;
	if (inputs_have_stdin(&request->inputs) && inputs_have_stdin(&request->logs))
		return misuse("standard input cannot be a capture and a log; name a file");
	ret = correlate_select(&columns, request->wish.columns);
	if (!ret && request->correlation.dev && request->filter.ncpus)
		ret = misuse("--dev and --cpu both say which CPUs are meant; type one of them");
	*done = ret;
	return ret;
}

static void open_causes(struct request *request)
{
	causes_open(&request->causes);
	request->correlation.causes = &request->causes;
}

static bool is_live(const struct request *request)
{
	return !request->inputs.count && request->logs.count == 1 &&
	       !strcmp(request->logs.paths[0], "-");
}

int cmd_correlate(const struct command *command, int argc, char **argv)
{
	struct request request = { .over_ns = OVER_NS };
	bool done;
	int ret;

	filter_init(&request.filter);
	request.correlation.clock.how = LOG_CLOCK_STAMPED;
	ret = parse(command, &request, argc, argv, &done);
	/* Ctrl-C is for the ping, whose last lines are still to be read */
	if (!done && inputs_have_stdin(&request.logs) && !isatty(STDIN_FILENO))
		signal(SIGINT, SIG_IGN);
	if (!done)
		open_causes(&request);
	if (!done)
		ret = is_live(&request) ? go_along(&request) : correlate(&request);
	correlate_free(&request.correlation);
	causes_free(&request.causes);
	log_names_free(&request.names);
	replies_free(&request.replies);
	filter_free(&request.filter);
	inputs_free(&request.inputs);
	inputs_free(&request.logs);
	return ret;
}
