// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/new_file.h"
#include "cli/commands.h"
#include "collect/capture_heads.h"
#include "collect/duplicates.h"
#include "output/export.h"

const char export_notes[] =
	"A record counts with its lower bound, without nested stalls, as in TOTAL and VICTIMS of\n"
	"irqoff report. A victim's time, proved or not, stands under the stall that it waited for.\n"
	"Nothing counts twice. Time that nobody is blamed for stands under (stolen) and (unknown).\n\n"
	"folded: a line for each stack, which flame graph programs draw:\n"
	"  FRAME;FRAME;FUNCTION NANOSECONDS\n"
	"The first frame is the interrupted task's name, or what --by says.\n\n"
	"pprof: a profile of the sample types contentions/count and delay/nanoseconds, with a\n"
	"sample for each record. Its labels are class, culprit, busy_in, cpu, evidence, role\n"
	"(culprit or victim) and node. cpu is the CPU that lost the time.\n"
	"  go tool pprof -top -tagleaf=culprit FILE\n\n"
	"perfetto: a trace with a track for each CPU and kind, a span for each record, its\n"
	"samples, and flows from victims to what they waited for, by CLOCK_MONOTONIC. It takes\n"
	"captures of one boot.\n\n"
	"A line for each record, for programs, is irqoff list --json=lines.\n";

static const struct exporter * const exporters[] = {
	&folded_exporter, &pprof_exporter, &perfetto_exporter
};

#define LACKS_MOST	3	/* captures in one line */

struct request {
	struct inputs inputs;
	struct filter filter;
	const struct exporter *exporter;
	struct first_frames first;
	const char *path;	/* "-": standard output */
	bool force;
	bool partial;
	void *state;		/* of the exporter */
	__u64 records;		/* that several captures have, whether they pass or not */
	__u64 passed;		/* of several captures */
	size_t lacking;		/* captures of which not all could be read */
	char *lacks;		/* what of the first ones; NULL: nothing */
};

/* the formats; NULL behind the last one */
const char *export_word(unsigned int i)
{
	return i < ARRAY_SIZE(exporters) ? exporters[i]->name : NULL;
}

static int take_format(struct request *request, const char *word)
{
	char *words;
	int ret;

	for (unsigned int i = 0; i < ARRAY_SIZE(exporters); i++) {
		if (!strcmp(word, exporters[i]->name)) {
			request->exporter = exporters[i];
			return EXIT_DONE;
		}
	}
	words = join_words(export_word);
	ret = misuse("--format takes %s, not '%s'", words, word);
	free(words);
	return ret;
}

static int take_first(struct request *request, const char *list)
{
	char *words;
	int ret;

	if (folded_parse_first(list, &request->first))
		return EXIT_DONE;
	words = join_words(summary_key_word);
	ret = misuse("export's --by takes a list of %s, each once, not '%s'", words, list);
	free(words);
	return ret;
}

static int take_option(struct request *request, int option, const char *value)
{
	switch (option) {
	case OPTION_INPUT:
		inputs_add(&request->inputs, value);
		return EXIT_DONE;
	case OPTION_FORMAT:
		return take_format(request, value);
	case OPTION_BY:
		return take_first(request, value);
	case OPTION_OUTPUT:
		request->path = value;
		return EXIT_DONE;
	case OPTION_FORCE:
		request->force = true;
		return EXIT_DONE;
	case OPTION_PARTIAL:
		request->partial = true;
		return EXIT_DONE;
	default:
		return filter_option(&request->filter, option, value);
	}
}

static int no_format(void)
{
	char *words = join_words(export_word);
	int ret = misuse("export needs --format with one of %s", words);

	free(words);
	return ret;
}

static int check(struct request *request)
{
	const struct exporter *exporter = request->exporter;

	if (!exporter)
		return no_format();
	if (request->first.count && exporter != &folded_exporter)
		return misuse("--by goes with --format folded");
	if (request->partial && (!request->inputs.count || inputs_have_stdin(&request->inputs)))
		return misuse("--partial goes with files");
	if (request->inputs.count > 1 && request->filter.newest)
		return misuse("-n takes one capture");
	if (request->inputs.count > 1 && inputs_have_stdin(&request->inputs))
		return misuse("standard input (-) is read alone, not with other captures");
	if (!request->first.count)
		folded_parse_first("comm", &request->first);
	if (!exporter->begin)
		return failed("this irqoff has no --format %s; "
			      "it was built without protobuf-c or zlib", exporter->name);
	if (strcmp(request->path, "-") && inputs_have(&request->inputs, request->path))
		return misuse("%s is read, so it is not replaced; name another file with -o",
			      request->path);
	if (exporter->binary && new_file_is_terminal(request->path))
		return failed("%s is not for a terminal; name a file with -o, or use a pipe",
			      exporter->name);
	return EXIT_DONE;
}

static void add(struct request *request, const struct collection *collection)
{
	const struct filter *filter = &request->filter;
	const struct page page = {
		.model = &collection->model,
		.symbols = collection->symbols,
		.window = window_of(&collection->model, filter->since_ns, filter->until_ns),
	};

	request->exporter->add(request->state, &page);
}

/* what report prints then */
static void note_nothing(const struct request *request, const struct collection *collection)
{
	const struct filter *filter = &request->filter;
	char absent[CELL_LEN], *text, *rest, *line;
	struct page page = {
		.model = &collection->model,
		.filtered = filter->given,
		.absent = filter_absent(absent, sizeof(absent), filter, &collection->model),
		.unwatched = !filter_watched(filter, &collection->model),
	};
	size_t size;

	page.out = or_exit(open_memstream(&text, &size));
	text_nothing(&page);
	fclose(page.out);
	rest = text;
	/* without their full stops */
	while ((line = strsep(&rest, "\n")) && *line)
		note("%.*s", (int)strlen(line) - 1, line);
	free(text);
}

/* where there are several, reasons are many */
static void note_none_passed(const struct request *request)
{
	char buf[CELL_LEN];

	if (request->filter.given && request->records && !request->passed)
		note("%s", text_unwanted(buf, request->records));
}

/* what is not there of a capture, where the format has room for it */
static void add_lack(struct request *request, const struct collection *collection)
{
	char *before = request->lacks;

	if (!collection->lacks)
		return;
	if (request->exporter->comment)
		request->exporter->comment(request->state, collection->lacks);
	if (request->lacking++ >= LACKS_MOST)
		return;
	request->lacks = print_text("%s%s%s", before ? before : "", before ? "; " : "",
				    collection->lacks);
	free(before);
}

/* in one line, which irqoff-serve takes for a header: the last one */
static void note_lacks(const struct request *request)
{
	if (request->lacking > LACKS_MOST)
		note("not all is there: %s; and %zu more", request->lacks,
		     request->lacking - LACKS_MOST);
	else if (request->lacking)
		note("not all is there: %s", request->lacks);
}

/* what is exported alone */
static void add_only(struct request *request, const struct collection *collection)
{
	add(request, collection);
	if (!collection->model.nentries)
		note_nothing(request, collection);
	add_lack(request, collection);
}

static int add_input(struct collection *collection, struct filter *filter, bool first,
		     void *context)
{
	(void)filter;
	(void)first;
	add_only(context, collection);
	return EXIT_DONE;
}

/* what could be read of one that is damaged is exported */
static int add_one(struct request *request)
{
	int ret = records_each(&request->inputs, &request->filter, add_input, request);

	return request->lacking ? EXIT_DONE : ret;
}

/* a capture that cannot be read has no boot here, and comes first: reading it says why */
static int check_boots(const struct request *request, const struct head *heads)
{
	const struct head *last = &heads[request->inputs.count - 1];

	for (const struct head *head = heads; request->exporter->one_boot && head < last; head++)
		if (*head->load.boot_id && strcmp(head->load.boot_id, last->load.boot_id))
			return misuse("--format %s takes captures of one boot; "
				      "'%s' and '%s' are of different boots",
				      request->exporter->name, head->path, last->path);
	return EXIT_DONE;
}

static int add_capture(struct request *request, const char *path, struct sequence_set *seen,
		       bool last)
{
	struct collection collection;
	int ret = collect_capture(&collection, path, &request->filter);

	if (!ret) {
		collect_pass(&collection, &request->filter);
		duplicates_mark(seen, &collection.model, last);
		request->passed += collection.model.nentries;
		add(request, &collection);
	}
	add_lack(request, &collection);
	collect_free(&collection);
	return request->partial ? EXIT_DONE : ret;
}

/* as a report merges them: a record that several have counts once, in the oldest of them */
static int add_captures(struct request *request)
{
	struct head *heads = heads_read(&request->inputs);
	size_t count = request->inputs.count;
	struct sequence_set seen = { 0 };
	int ret = check_boots(request, heads);

	if (!ret)
		ret = filter_refer(&request->filter, heads_newest_ns(heads, count));
	if (!ret)
		count = heads_drop_ended(heads, count, request->filter.since_ns);
	for (size_t i = 0; !ret && i < count; i++) {
		bool last = heads_last(heads, count, i);

		ret = add_capture(request, heads[i].path, &seen, last);
		if (last) {
			request->records += seen.count;
			sequence_set_free(&seen);
		}
	}
	sequence_set_free(&seen);
	free(heads);
	if (!ret)
		note_none_passed(request);
	return ret;
}

static int write_bytes(const struct request *request, const char *bytes, size_t len)
{
	struct new_file file;
	bool whole;
	int ret = new_file_open(&file, request->path, request->force);

	if (ret)
		return ret;
	whole = fwrite(bytes, 1, len, file.out) == len && !fflush(file.out);
	return new_file_close(&file, whole);
}

/* in memory first: where something cannot be read, nothing is written */
static int export(struct request *request)
{
	char *bytes = NULL;
	size_t len;
	FILE *out = or_exit(open_memstream(&bytes, &len));
	int ret;

	request->state = request->exporter->begin(out, &request->first);
	if (request->inputs.count > 1 || request->partial)
		ret = add_captures(request);
	else
		ret = add_one(request);
	request->exporter->end(request->state);
	if (fclose(out))
		exit(failed("out of memory"));
	if (!ret)
		ret = write_bytes(request, bytes, len);
	free(bytes);
	if (!ret && request->partial)
		note_lacks(request);
	return !ret && request->lacking ? EXIT_FAILED : ret;
}

int cmd_export(const struct command *command, int argc, char **argv)
{
	struct request request = { .path = "-" };
	int option, ret = EXIT_DONE;

	filter_init(&request.filter);
	request.filter.narrow = true;
	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			ret = option_status(option);
			goto out;
		}
		ret = take_option(&request, option, optarg);
	}
	if (!ret)
		ret = input_operands(&request.inputs, command, argc, argv);
	if (!ret && !request.inputs.count)
		ret = filter_check(&request.filter);
	if (!ret)
		ret = check(&request);
	if (!ret) {
		request.filter.grouped = request.exporter->grouped;
		ret = export(&request);
	}
out:
	filter_free(&request.filter);
	inputs_free(&request.inputs);
	free(request.lacks);
	return ret;
}
