// SPDX-License-Identifier: GPL-2.0-only
/* Histograms, and what is shared in a chat, as text, against golden/. */
#include "page.h"

static void prints_hist(void **state)
{
	struct page hist = page();

	text_hist(&hist, false);
	assert_golden("hist.txt", out, &text);
}

/* what ended before records were dropped is not counted */
static void hist_cleared(void **state)
{
	struct page hist = page();

	fixture_clear(&collection.model);
	text_hist(&hist, false);
	fputc('\n', out);
	text_hist(&hist, true);
	assert_golden("hist-cleared.txt", out, &text);
}

static void hist_recorded(void **state)
{
	struct page hist = page();

	collection.model.begin.known = true;
	collection.model.recorded_ns = collection.model.config.now_ns - 300 * NSEC_PER_SEC;
	text_hist(&hist, false);
	assert_golden("hist-recorded.txt", out, &text);
}

static void hist_per_cpu(void **state)
{
	struct page hist = page();

	text_hist(&hist, true);
	assert_golden("hist-per-cpu.txt", out, &text);
}

static void print_share(void)
{
	struct page shared = page();
	struct summary summary;

	shared.screen.width = SHARE_WIDTH;
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	text_share(&shared, &summary);
	summary_free(&summary);
}

static void assert_share(const char *golden)
{
	print_share();
	assert_golden(golden, out, &text);
}

static void shares(void **state)
{
	assert_share("share.txt");
}

/* a stack that does not show the culprit at work has the note that report gives it */
static void share_ends(void **state)
{
	assert_share("share-ends.txt");
}

static void share_stopped(void **state)
{
	fixture_stop(&collection.model, TRACE_IRQOFF_STOP_USER);
	assert_share("share-stopped.txt");
}

/* the longest stall goes on */
static void share_open(void **state)
{
	collection.model.entries[collection.model.nentries - 1]->rec.min_ns = 99 * MS;
	print_share();
	fclose(out);
	assert_non_null(strstr(text, " 1:open, __schedule, softirq-off, at least 99.000\n"
			       "  ms, not ended by 07:00:00\n"));
	free(text);
}

/* the longest names, and more of everything than fits */
static void share_fits(void **state)
{
	struct machine *machine = &collection.model.machine;
	static __u64 frames[TIO_FRAMES];
	struct page shared = page();
	struct summary summary;
	unsigned int lines = 0;
	struct entry *entry;

	memset(machine->host, 'n', sizeof(machine->host) - 1);
	memset(machine->release, 'r', sizeof(machine->release) - 1);
	shared.window.from_ns -= 400 * 86400000ULL * MS;
	shared.screen.width = SHARE_WIDTH;
	for (unsigned int i = 0; i < 200; i++) {
		entry = add_hard(&collection.model, i, 4000000000U + i, NOW_NS, 60000 * MS);
		entry->found.verdict.class = i % 2 ? TIO_CLASS_HARDIRQ_OFF :
						     TIO_CLASS_KSOFTIRQD_WAIT;
		entry->found.verdict.evidence = TIO_EVIDENCE_END;
		entry->found.verdict.sample = TIO_END;
		entry->found.culprit = alloc(1, 200);
		memset(entry->found.culprit, 'a' + i % 26, 199);
		memset(entry->rec.end.comm, 'c', sizeof(entry->rec.end.comm) - 1);
		entry->rec.end.frames = frames;
		entry->rec.end.nframes = TIO_FRAMES;
	}
	/* the longest has a note */
	entry->rec.min_ns += 1;
	for (unsigned int i = 0; i < TIO_FRAMES; i++)
		frames[i] = AT_SLOWPATH + 1;
	collection.model.config.threshold_us = 1234567;
	collection.model.counters[0].lost = 123456789;
	collection.model.config.enabled = false;
	for (unsigned int i = 0; i < 123456; i++)
		model_add_busy(&collection.model, 0, false, i);
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	text_share(&shared, &summary);
	summary_free(&summary);
	fclose(out);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1, lines++)
		if (strcspn(line, "\n") > SHARE_WIDTH)
			fail_msg("%s", line);
	assert_in_range(lines, 1, SHARE_LINES);
	assert_non_null(strstr(text, "\n  (only the end was seen"));
	free(text);
}

/* a function without a frame is shown where that would be, in every stack */
static void left_by_jump(void **state)
{
	struct entry *entry = collection.model.entries[0];
	struct page list = page();
	char *at;

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100,
		  AT_SYSCALL + 0x5d, 0ULL);
	set_call(&entry->rec.end, 1, AT_ESTIMATION);
	text_record(&list, entry);
	text_stack(&list, entry, &entry->rec.end, "", 1);
	fclose(out);
	at = strstr(text, "_raw_spin_unlock_irqrestore+0x15/0x1000\n"
		    "        (estimation_timer [ip_vs], which left by a jump)\n"
		    "        memory_stat_format.constprop.0+0x100/0x1000\n");
	assert_non_null(at);
	/* it takes a line of those that are asked for */
	assert_non_null(strstr(at, "\n_raw_spin_unlock_irqrestore+0x15/0x1000\n... 3 more\n"));
	free(text);
}

static void share_nothing(void **state)
{
	struct page shared = page();
	struct summary none = { .by = SUMMARY_BY_DEFAULT };

	model_forget_entries(&collection.model);
	shared.screen.width = SHARE_WIDTH;
	text_share(&shared, &none);
	fclose(out);
	assert_non_null(strstr(text, "\nNo record is kept: of 75, "));
	free(text);
}

/* the range has seconds in which something was watched, or it is left out */
static void share_range(void **state)
{
	struct summary none = { .by = SUMMARY_BY_DEFAULT };
	struct config *config = &collection.model.config;
	const char *wanted;

	model_forget_entries(&collection.model);
	for (int i = 0; i < 4; i++) {
		struct page shared = page();
		size_t size;

		shared.out = open_memstream(&text, &size);
		shared.screen.width = 0;
		text_share(&shared, &none);
		fclose(shared.out);
		switch (i) {
		case 0:
			/* records were lost and cleared, so nobody knows since when */
			wanted = "2026-11-21 07:00:00 UTC (+0000)\nNo record is kept";
			model_forget_counters(&collection.model);
			break;
		case 1:
			wanted = "2026-11-21 04:57:00 to 07:00:00 (+00:00): 0 stalls\nNo stall was";
			config->enabled_ns = NOW_NS - 1;
			break;
		case 2:
			wanted = "2026-11-21 07:00:00 UTC (+0000)\nNo stall was recorded in 0 s";
			config->enabled = false;
			break;
		default:
			wanted = "2026-11-21 07:00:00 UTC (+0000)\nNo records: ";
		}
		if (!strstr(text, wanted))
			fail_msg("%d: %s", i, text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(prints_hist),
		test_page(hist_per_cpu),
		test_page(hist_cleared),
		test_page(hist_recorded),
		test_page(shares),
		test_ends(share_ends),
		test_page(share_stopped),
		test_page(share_open),
		test_page(share_fits),
		test_page(share_nothing),
		test_page(left_by_jump),
		test_collection(share_range),
	};

	return cmocka_run_group_tests_name("out_share", tests, NULL, NULL);
}
