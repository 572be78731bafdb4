// SPDX-License-Identifier: GPL-2.0-only
/* Lists of records as text, against golden/. */
#include "page.h"

static void assert_list(bool verbose, const char *golden)
{
	print_list(verbose);
	assert_golden(golden, out, &text);
}

static void prints_list(void **state)
{
	assert_list(false, "list.txt");
}

static void list_stopped(void **state)
{
	collection.model.config.enabled = false;
	print_list(false);
	print_list(true);
	fclose(out);
	assert_non_null(strstr(text, "newer ones (all CPUs).\n\n"
			       "Now not enabled (irqoff start enables it).\nrecord "));
	assert_non_null(strstr(text, "\n\nNow not enabled (irqoff start enables it).\n"));
	assert_string_equal(strrchr(text, 'N'), "Now not enabled (irqoff start enables it).\n");
	free(text);
}

static void list_verbose(void **state)
{
	assert_list(true, "list-v.txt");
}

static void list_ends(void **state)
{
	assert_list(true, "list-v-ends.txt");
}

static void list_victims(void **state)
{
	assert_list(false, "list-victims.txt");
}

static void list_tree(void **state)
{
	struct page whole = page();

	whole.tree = true;
	list_select(&whole.columns, &collection.model, NULL);
	text_list(&whole, false);
	assert_golden("list-tree.txt", out, &text);
}

/* a victim that another stall waited for has that one's row below its own */
static void list_deep_tree(void **state)
{
	struct page whole = page();
	struct entry *const *entries = collection.model.entries;

	for (size_t i = 0; i < collection.model.nentries; i++)
		entries[i]->found.waits_for = NULL;
	entries[0]->found.waits_for = entries[1];
	entries[1]->found.waits_for = entries[2];
	/* no stall is left out of a circle */
	entries[3]->found.waits_for = entries[4];
	entries[4]->found.waits_for = entries[3];
	whole.tree = true;
	list_select(&whole.columns, &collection.model, "culprit,record");
	text_list(&whole, false);
	assert_golden("list-deep-tree.txt", out, &text);
}

/* in colour: nothing is added but escape sequences */
static void list_colors(void **state)
{
	struct page whole = page();

	whole.screen.color = true;
	list_select(&whole.columns, &collection.model, "record,class");
	text_list(&whole, false);
	fflush(out);
	assert_non_null(strstr(text, "\033[31mhardirq-off"));
	assert_non_null(strstr(text, "\033[1;33msoftirq-long"));
	assert_null(strstr(text, "stolen\033"));
	fclose(out);
	free(text);
}

/* more records than are buffered: one heading, all records, the same columns */
static void list_long(void **state)
{
	struct page whole = page();
	unsigned int lines = 0;

	for (unsigned int i = 0; i < 10000; i++)
		add_hard(&collection.model, 7, i, NOW_NS, 20 * MS);
	list_select(&whole.columns, &collection.model, "record,class,culprit");
	text_list(&whole, false);
	fclose(out);
	for (const char *line = text; (line = strstr(line, " unknown ")); line++)
		lines++;
	/* one record is page()'s */
	assert_int_equal(lines, 10001);
	assert_null(strstr(strstr(text, "RECORD ") + 1, "RECORD "));
	assert_non_null(strstr(text, "\n  7:10 unknown "));
	assert_non_null(strstr(text, "\n7:9999 unknown "));
	free(text);
}

/* columns that may be truncated are, others are not */
static void list_narrow(void **state)
{
	struct page whole = page();

	whole.screen.width = 60;
	list_select(&whole.columns, &collection.model, NULL);
	text_list(&whole, false);
	assert_golden("list-narrow.txt", out, &text);
}

/* the widest of them first, and culprits to 20 characters at most */
static void list_cut(void **state)
{
	struct page whole = page();

	list_select(&whole.columns, &collection.model, "record,culprit,max,evidence,cgroup,pod");
	text_list(&whole, false);
	assert_golden("list-cut.txt", out, &text);
}

static void list_all_columns(void **state)
{
	struct page whole = page();

	whole.screen.width = 0;
	list_select(&whole.columns, &collection.model,
		    "+kind,evidence,waits-for,task,cgroup,pod,container");
	text_list(&whole, false);
	assert_golden("list-all.txt", out, &text);
}

static void list_v_victims(void **state)
{
	assert_list(true, "list-v-victims.txt");
}

/* how a sample was taken, with some values unknown */
static void how_asked(void **state)
{
	static const struct {
		__u64 delay_ns;
		__u64 handler_ns;
		__s32 irq;
		const char *irq_name;
		const char *wanted;
	} cases[] = {
		{ TIO_PROMPT_NS, 0, TIO_NO_IRQ, "",
		  "another CPU, taken after 100 us\n    interrupted task: " },
		{ TIO_PROMPT_NS + 1000, 0, TIO_NO_IRQ, "", "taken late, after 101 us\n" },
		{ 0, 0, 0, "", "taken after 0 ns\n    interrupt: irq 0\n" },
		{ 0, 5 * MS, 7, "", "\n    interrupt: irq 7, handler running for 5 ms\n" },
		{ 0, 0, TIO_NO_IRQ, "local_timer", "\n    interrupt: local_timer\n" },
		{ 0, 5 * MS, TIO_NO_IRQ, "local_timer",
		  "\n    interrupt: local_timer, handler running for 5 ms\n" },
		{ 0, 5 * MS, TIO_NO_IRQ, "",
		  "\n    interrupt: not known, handler running for 5 ms\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct page one = page();
		struct model model = { 0 };
		struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, 0);
		struct tio_sample *sample = &entry->rec.samples[0];
		size_t size;

		sample->delay_ns = cases[i].delay_ns;
		sample->handler_ns = cases[i].handler_ns;
		sample->irq.number = cases[i].irq;
		strcpy(sample->irq.name, cases[i].irq_name);
		one.model = &model;
		one.out = open_memstream(&text, &size);
		text_list(&one, true);
		fclose(one.out);
		if (!strstr(text, cases[i].wanted))
			fail_msg("%s", text);
		free(text);
		model_free(&model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(prints_list),
		test_page(list_stopped),
		test_page(list_verbose),
		test_ends(list_ends),
		test_victims(list_victims),
		test_victims(list_v_victims),
		test_victims(list_tree),
		test_victims(list_deep_tree),
		test_page(list_colors),
		test_page(list_long),
		test_page(list_narrow),
		test_page(list_cut),
		test_page(list_all_columns),
		test_collection(how_asked),
	};

	return cmocka_run_group_tests_name("out_list", tests, NULL, NULL);
}
