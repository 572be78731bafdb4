// SPDX-License-Identifier: GPL-2.0-only
#include "judge/judge.h"
#include "page.h"

struct collection collection;
FILE *out;
char *text;

static int open_with(void (*fill)(struct collection *collection))
{
	static size_t size;

	fill(&collection);
	out = open_memstream(&text, &size);
	return out ? 0 : -1;
}

int open_collection(void **state)
{
	fixture_collect(&collection);
	return 0;
}

int open_page(void **state)
{
	return open_with(fixture_collect);
}

int open_ends(void **state)
{
	return open_with(fixture_collect_ends);
}

int open_victims(void **state)
{
	return open_with(fixture_collect_victims);
}

int open_locks(void **state)
{
	return open_with(fixture_collect_locks);
}

/* a culprit's stalls, and on a grid some that nobody is blamed for */
static void collect_regular(struct collection *regular)
{
	static const unsigned int grid[] = { 0, 3, 4, 9, 11, 14, 20, 22, 25, 31, 33 };
	const __u64 from_ns = NOW_NS - 60000 * MS;
	struct model *model = &regular->model;
	struct entry *entry;

	fixture_begin(regular);
	for (unsigned int i = 0; i < 5; i++) {
		entry = add_asked(model, 0, i, from_ns + i * 10660 * MS, 20 * MS, 0);
		set_stack(&entry->rec.samples[0], AT_MEMORY_STAT + 0x80, AT_SYSCALL + 0x5d, 0ULL);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(grid); i++) {
		entry = add_hard(model, 1, i, from_ns + grid[i] * 100 * MS, 12 * MS);
		entry->rec.handler_known = false;
		entry->rec.untraced_irqs = 2;
		entry->rec.end.flags = TRACE_IRQOFF_F_IRQS_ON | TRACE_IRQOFF_F_USER;
	}
	judge_records(regular->symbols, &regular->model);
}

int open_regular(void **state)
{
	return open_with(collect_regular);
}

int close_page(void **state)
{
	collect_free(&collection);
	return 0;
}

struct page page(void)
{
	return (struct page){
		.model = &collection.model,
		.symbols = collection.symbols,
		.window = window_of(&collection.model, 0, ~0ULL),
		.screen.width = 80,
		.verbose = true,
		.out = out,
	};
}

void report_page(struct page *printed, unsigned int by, const char *columns, bool json)
{
	struct summary summary;

	summary_build(&summary, printed->model, by, SUMMARY_TOTAL);
	report_select(&printed->columns, by, summary.victims, columns);
	if (json)
		json_report(printed, &summary);
	else
		text_report(printed, &summary);
	summary_free(&summary);
}

void print_report(bool json)
{
	struct page printed = page();

	report_page(&printed, SUMMARY_BY_DEFAULT, NULL, json);
}

void print_list(bool verbose)
{
	struct page whole = page();

	list_select(&whole.columns, &collection.model, NULL);
	text_list(&whole, verbose);
}

void print_json_list(void)
{
	struct page whole = page();

	json_list(&whole);
}

void print_status(void)
{
	struct page whole = page();

	status_select(&whole.columns, &collection.model, NULL);
	text_status(&whole);
}
