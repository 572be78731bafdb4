// SPDX-License-Identifier: GPL-2.0-only
/*
 * Captures, up to what each command prints of one. The first byte says what the rest is (a
 * capture's file as it is, or messages, which are packed first, so that a frame's checksum is
 * right), and what is needed of it. A reading of all of it counts as many records.
 */
#include "fuzz.h"

#include <string.h>
#include <zstd.h>

#include "alibi/alibi.h"
#include "capture/resume.h"
#include "collect/collect.h"
#include "output/export.h"
#include "output/out.h"

/* of the exact size, for ASan */
static struct input pack(struct input messages)
{
	size_t most = ZSTD_compressBound(messages.size), len;
	void *room = malloc(most);

	len = ZSTD_compress(room, most, messages.data, messages.size, 1);
	promise(!ZSTD_isError(len));
	return (struct input){ room, len };
}

/* an end has to come, and an answer that nothing contradicts */
static void ask_alibi(const struct model *model)
{
	struct filter filter = { .until_ns = ~0ULL };
	struct alibi alibi = {
		.to_ns = ~0ULL, .damaged = model->received.damaged,
	};
	struct page page = { .model = model, .screen.width = 80, .out = nowhere() };
	struct alibi_book book;

	alibi_open(&book, model, &filter);
	alibi_ask(&alibi, &book);
	alibi_close(&book);
	promise(alibi.verdict != ALIBI_NO_STALL || !alibi.damaged);
	promise(alibi.verdict != ALIBI_NO_STALL || !model_lacks_records(model));
	promise((alibi.verdict == ALIBI_STALLED) == !!alibi.nstalls);
	text_alibi(&page, &alibi);
	json_alibi(&page, &alibi);
	alibi_free(&alibi);
}

static void export(const struct page *page)
{
	static const struct exporter * const exporters[] = {
		&folded_exporter, &pprof_exporter, &perfetto_exporter
	};
	struct first_frames first;

	promise(folded_parse_first("comm", &first));
	for (size_t i = 0; i < ARRAY_SIZE(exporters); i++) {
		void *state = exporters[i]->begin(page->out, &first);

		exporters[i]->add(state, page);
		exporters[i]->end(state);
	}
}

static void print(struct collection *collection)
{
	struct page page = {
		.model = &collection->model,
		.window = window_of(&collection->model, 0, ~0ULL),
		.screen.width = 80,
		.out = nowhere(),
	};
	/* trees of JSON for each of thousands of CPUs take AddressSanitizer ten seconds */
	bool few = collection->model.nhistograms < 256;
	struct summary summary;

	summary_build(&summary, &collection->model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	report_select(&page.columns, summary.by, summary.victims, NULL);
	text_report(&page, &summary);
	list_select(&page.columns, &collection->model, NULL);
	text_list(&page, true);
	json_list(&page);
	json_report(&page, &summary);
	text_hist(&page, true);
	json_hist(&collection->model, few, page.out);
	status_select(&page.columns, &collection->model, NULL);
	text_status(&page);
	json_status(&collection->model, page.out);
	text_share(&page, &summary);
	summary_free(&summary);
	export(&page);
}

/* what the network counted around the newest records, and since the oldest ones */
static void ask(const struct model *model)
{
	const __u64 now_ns = model->config.now_ns;
	struct cpuset cpus = { 0 }, serving = { 0 };
	struct net_growth growth;
	const char *how;
	__u64 dropped;
	bool all;

	for (unsigned int i = 0; i < 2; i++) {
		counted_cpus(model, i * now_ns, now_ns, &cpus);
		counted_drops(model, &cpus, i * now_ns, now_ns, &dropped);
		counted_net(model, i * 4026531999, now_ns, now_ns + 1, &growth);
	}
	if (counted_device(model, "eth0", &serving, &all, &how))
		promise(*how && (all || cpuset_count(&serving)));
	cpuset_free(&cpus);
	cpuset_free(&serving);
}

static size_t all_records(const struct model *model)
{
	return model->nentries + model->ndropped + model->briefs.count;
}

/*
 * What is read of a capture for a filter counts as many records as all of it. Damage within what
 * is not needed is not looked for.
 */
static void compare(const struct model *model, FILE *in)
{
	struct collection whole;

	rewind(in);
	promise(!collect_stream(&whole, in, "it"));
	if (!whole.model.received.damaged) {
		promise(all_records(&whole.model) == all_records(model));
		promise(whole.model.received.missing == model->received.missing);
		promise(whole.model.received.contradictory == model->received.contradictory);
	}
	collect_free(&whole);
}

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	struct input input = { data, size };
	struct filter filter;
	__u64 how = take_number(&input, 1);
	struct input bytes = how & READ_MESSAGES ? pack(input) : input;
	struct collection collection;
	struct resume resume;
	bool stripped;
	FILE *in;
	int ret;

	if (!bytes.size)
		return 0;
	in = file_of(bytes);
	filter_init(&filter);
	filter.grouped = how & READ_GROUPED;
	filter.narrow = how & (READ_NEWEST | READ_NONE);
	if (how & READ_NEWEST)
		promise(!filter_option(&filter, FILTER_NEWEST, "3"));
	if (how & READ_NONE)
		filter.since_ns = ~0ULL;
	ret = collect_needed(&collection, in, "it", &filter);
	promise(ret == EXIT_DONE || ret == EXIT_FAILED);
	if (!ret && (filter.grouped || filter.narrow))
		compare(&collection.model, in);
	rewind(in);
	/* whoever goes on with it reads it first */
	capture_tail_read(in, &resume, &stripped);
	resume_free(&resume);
	if (!ret) {
		collect_pass(&collection, &filter);
		print(&collection);
		ask(&collection.model);
		ask_alibi(&collection.model);
	}
	collect_free(&collection);
	filter_free(&filter);
	fclose(in);
	if (how & READ_MESSAGES)
		free((void *)bytes.data);
	return 0;
}
