// SPDX-License-Identifier: GPL-2.0-only
/* What irqoff status prints, when watching stopped and why, and what could not be read. */
#include "page.h"

#include <time.h>

static void prints_status(void **state)
{
	print_status();
	assert_golden("status.txt", out, &text);
}

/* what a module of interface 4 does not tell is left out */
static void status_older(void **state)
{
	fixture_age(&collection.model);
	print_status();
	assert_golden("status-older.txt", out, &text);
}

/* all that may differ from a quiet module */
static void status_troubled(void **state)
{
	struct config *config = &collection.model.config;

	fixture_trouble(&collection.model);
	strcpy(collection.model.machine.installed, "0.2.0");
	strcpy(collection.model.machine.ignored, "thresh cpu");
	strcpy(config->no_locks, "queued_write_lock_slowpath");
	config->knobs[TIO_KNOB_GUARD].value = TRACE_IRQOFF_GUARD_NEVER;
	config->knobs[TIO_KNOB_MAX_COST_PPM].value = 0;
	collection.model.counters[0].nmi_refused = 41;
	collection.model.counters[1].nmi_lost = 1;
	collection.model.counters[0].tracer = 2;
	collection.model.counters[1].tracer = 1;
	print_status();
	assert_golden("status-troubled.txt", out, &text);
}

/* it is not told of each function there */
static void status_without_locks(void **state)
{
	strcpy(collection.model.config.no_locks, "all");
	print_status();
	fclose(out);
	assert_non_null(strstr(text, "\n  locks         no record tells which was waited for: "));
	free(text);
}

static void status_lines(void **state)
{
	static const struct {
		const char *behind;
		bool detaching;
		bool freeing;
		bool enabled;
		const char *wanted;
		const char *unwanted;
	} cases[] = {
		{ "", false, false, true, ": watching CPUs 0-1 for ", "\n  probes" },
		{ "7", false, false, true,
		  "CPU 7 has not taken up the settings: it takes no interrupts, or does not run; ",
		  "\n  probes" },
		{ "7", false, false, true, "logs where it is\n", "\n  freeing" },
		{ "", true, false, false,
		  "\n  probes        attached, to be detached within 10 s\n", "\n  behind" },
		{ "", false, true, false, "records is given back once no CPU uses it\n",
		  "\n  probes" },
		{ "7-8", true, false, false, "attached, to be detached once no CPU is behind\n",
		  "self_stops" },
	};
	struct config *config = &collection.model.config;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct page status = page();
		size_t size;

		free(config->behind);
		config->behind = copy_text(cases[i].behind);
		config->detaching = cases[i].detaching;
		config->freeing = cases[i].freeing;
		config->enabled = cases[i].enabled;
		/* a newer module's */
		config->knobs[TIO_KNOB_GUARD].value = 77;
		status.out = open_memstream(&text, &size);
		status.screen.width = 0;
		text_status(&status);
		fclose(status.out);
		if (!strstr(text, cases[i].wanted) || strstr(text, cases[i].unwanted))
			fail_msg("%zu: %s", i, text);
		assert_non_null(strstr(text, "\n  guard         77\n"));
		free(text);
	}
}

/* since when, and by whom */
static void stopped_by(void **state)
{
	static const struct {
		enum trace_irqoff_stop by;
		const char *wanted;
	} cases[] = {
		{ TRACE_IRQOFF_STOP_USER,
		  "not enabled, stopped 5 min 0 s ago (irqoff start enables it)" },
		{ TRACE_IRQOFF_STOP_COST,
		  "stopped by itself 5 min 0 s ago: it cost more than max_cost (irqoff start " },
		{ TRACE_IRQOFF_STOP_COST,
		  "max_cost (irqoff start with a longer period or a higher max_cost enables it)" },
		{ TRACE_IRQOFF_STOP_CLOCK,
		  "by itself 5 min 0 s ago: the kernel's clock became too slow to read (irqoff " },
		{ TRACE_IRQOFF_STOP_CLOCK, "read (irqoff start with a longer period enables it)" },
		{ 77, "not enabled, stopped by itself 5 min 0 s ago (irqoff start enables it)" },
	};
	struct config *config = &collection.model.config;
	char state_text[CELL_LEN];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		fixture_stop(&collection.model, cases[i].by);
		if (!strstr(text_state(state_text, &collection.model), cases[i].wanted))
			fail_msg("%s", state_text);
	}
	/* it never was enabled */
	config->enabled_ns = 0;
	assert_string_equal(text_state(state_text, &collection.model),
			    "not enabled (irqoff start enables it)");
}

/* records that were being written are counted, and are no stalls */
enum form { REPORT, SHARE, LIST, FORMS };

/* prints records in a form into @text */
static void print_form(enum form form)
{
	struct page printed = page();
	struct summary summary;
	size_t size;

	printed.out = open_memstream(&text, &size);
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	report_select(&printed.columns, SUMMARY_BY_DEFAULT, summary.victims, NULL);
	if (form == REPORT)
		text_report(&printed, &summary);
	else if (form == SHARE)
		text_share(&printed, &summary);
	else
		text_list(&printed, true);
	summary_free(&summary);
	fclose(printed.out);
}

static void busy_records(void **state)
{
	static const char * const sentences[] = {
		"\n1 record was being written and is not shown; ask again.\n",
		"\n2 records were being written and are not shown; ask again.\n",
	};

	for (unsigned int busy = 0; busy < ARRAY_SIZE(sentences); busy++) {
		model_add_busy(&collection.model, 1, false, 4 + 3 * busy);
		for (enum form form = 0; form < FORMS; form++) {
			print_form(form);
			if (!strstr(text, sentences[busy]))
				fail_msg("%u: %s", form, text);
			assert_null(strstr(text, "1:4"));
			assert_null(strstr(text, "1:7"));
			free(text);
		}
	}
}

/* nothing but such records: none is overwritten, cleared, or fails a filter */
static void only_busy_records(void **state)
{
	struct page printed = page();

	model_forget_entries(&collection.model);
	model_add_busy(&collection.model, 0, false, 0);
	text_list(&printed, false);
	fclose(out);
	assert_string_equal(text,
			    "1 record was being written and is not shown; ask again.\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(prints_status),
		test_page(status_older),
		test_page(status_troubled),
		test_page(status_without_locks),
		test_collection(status_lines),
		test_collection(stopped_by),
		test_collection(busy_records),
		test_page(only_busy_records),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("out_status", tests, NULL, NULL);
}
