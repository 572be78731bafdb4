// SPDX-License-Identifier: GPL-2.0-only
/* Why was a reply slow? */
#include "correlated.h"

#include "output/out.h"

static void held_up(void **state)
{
	const struct finding *finding;

	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlate();
	finding = only();
	assert_int_equal(finding->verdict, CORRELATE_STALL);
	assert_string_equal(finding->suspect->name, "1:0");
	assert_int_equal(correlate_explained(&correlation), 1);
	assert_true(correlation.chance.mean < 0.1);
	assert_int_equal(correlation.ndelays, 1);
	assert_int_equal(correlation.delays[0].all_ns, 60 * MS);
}

/* one that came in the stall, and was held up longer than that */
static void held_up_in_part(void **state)
{
	const struct finding *finding;

	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 90 * MS, 150 * MS);
	correlate();
	finding = only();
	assert_int_equal(finding->verdict, CORRELATE_CANNOT_TELL);
	assert_string_equal(finding->suspect->name, "1:0");
	assert_int_equal(finding->covered_ns, 90 * MS);
}

/* several stalls, one behind the other, of one CPU and then of another one */
static void held_up_again(void **state)
{
	add_stall(1, 600 * SECOND, 50 * MS);
	add_stall(1, 600 * SECOND + 50 * MS, 50 * MS);
	add_reply(600 * SECOND - 50 * MS, 100 * MS + BASE_NS);
	add_stall(0, 700 * SECOND, 50 * MS);
	add_stall(1, 700 * SECOND + 50 * MS, 50 * MS);
	add_reply(700 * SECOND - 50 * MS, 100 * MS + BASE_NS);
	correlate();
	assert_int_equal(correlation.counts[CORRELATE_STALL], 2);
	assert_false(correlation.findings[0].together);
	assert_true(correlation.findings[1].together);
}

/* several that cover most of the delay, none of them half of it, and one of nearly half */
static void held_up_by_several(void **state)
{
	for (unsigned int i = 0; i < 3; i++)
		add_stall(1, 600 * SECOND - 70 * MS + i * 33 * MS, 29 * MS);
	add_reply(600 * SECOND - 100 * MS, 100 * MS + BASE_NS);
	add_stall(1, 700 * SECOND, 45 * MS);
	add_reply(700 * SECOND - 50 * MS, 100 * MS + BASE_NS);
	correlate();
	assert_int_equal(correlation.counts[CORRELATE_NO_STALL], 0);
	assert_int_equal(correlation.counts[CORRELATE_CANNOT_TELL], 2);
	assert_string_equal(correlation.findings[1].suspect->name, "1:3");
}

/* the upper bound alone covers the delay: the rest may have come before */
static void held_up_maybe(void **state)
{
	add_stall(1, 600 * SECOND, 100 * MS);
	model->entries[model->nentries - 1]->rec.min_ns = 6 * MS;
	add_reply(600 * SECOND - 90 * MS, 60 * MS + BASE_NS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
	assert_true(only()->probable);
}

static void not_held_up(void **state)
{
	const struct finding *finding;

	/* on time, and by far shorter */
	add_stall(1, 600 * SECOND, 7 * MS);
	add_reply(600 * SECOND - 60 * MS, 100 * MS);
	correlate();
	finding = only();
	assert_int_equal(finding->verdict, CORRELATE_NO_STALL);
	assert_int_equal(finding->over_ns, 49900000);
	assert_ptr_equal(finding->node, &correlation.nodes[0]);
}

static void nobody_knows(void **state)
{
	/* before it was watched */
	add_reply(50 * SECOND, 100 * MS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->why, "only since"));
}

static void page_of(struct page *page, FILE *out)
{
	static struct model none;

	*page = (struct page){ .model = &none, .out = out };
	page->screen.width = 80;
	correlate_select(&page->columns, NULL);
}

static void assert_printed(const char *begin)
{
	struct page page;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	page_of(&page, out);
	text_correlate(&page, &correlation);
	fclose(out);
	assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
	free(text);
}

/* "none" would be an answer */
static void nobody_knows_of_any(void **state)
{
	add_reply(50 * SECOND, 100 * MS);
	correlate();
	assert_printed("whether stalls explain 1 slow reply cannot be told\n");
}

static void nobody_knows_of_some(void **state)
{
	add_reply(50 * SECOND, 100 * MS);
	add_reply(660 * SECOND, 70 * MS);
	correlate();
	assert_printed("stalls explain none of 2 slow replies; 1 cannot be told\n");
}

/* 1.3 ms are less than what has a record: the settings that would tell are named */
static void too_short(void **state)
{
	add_reply(600 * SECOND, 13 * MS / 10);
	correlate_over(MS);
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->remedy, "irqoff start threshold="));
}

/* 12 ms, which a stall of 8 ms would explain, and 9 ms are the shortest that surely has a record */
static void perhaps_too_short(void **state)
{
	for (unsigned int i = 0; i < model->ncounters; i++)
		model->counters[i].threshold_ns = 9 * MS;
	add_reply(600 * SECOND, 11 * MS + BASE_NS);
	add_reply(700 * SECOND, 30 * MS + BASE_NS);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(correlation.findings[0].why, "may have no record"));
	/* in a correlation --over is another thing */
	assert_null(strstr(correlation.findings[0].remedy, "--over"));
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_NO_STALL);
}

/* 99, 89, 79 ms: one backlog */
static void train(void **state)
{
	add_stall(1, 600 * SECOND, 110 * MS);
	for (unsigned int i = 1; i <= 9; i++)
		add_reply(600 * SECOND - i * 11 * MS, i * 11 * MS + BASE_NS);
	add_reply(700 * SECOND, 20 * MS);
	correlate();
	assert_int_equal(correlation.slows.ntrains, 2);
	assert_int_equal(correlation.slows.trains[0].count, 9);
	assert_int_equal(correlation.slows.trains[0].need_ns, 99 * MS - MS - 99 * MS / 10);
	assert_int_equal(correlation.counts[CORRELATE_STALL], 9);
}

/* a page of each kind of verdict */
static void everything(void)
{
	char culprit[] = "estimation_timer";
	unsigned int i;

	add_stall(1, 600 * SECOND, 110 * MS);
	for (i = 1; i <= 9; i++)
		add_reply(600 * SECOND - i * 11 * MS, i * 11 * MS + BASE_NS);
	add_stall(0, 620 * SECOND, 80 * MS);
	add_lost(620 * SECOND - 40 * MS);
	add_reply(640 * SECOND, 3 * SECOND + 50 * MS)->kind = REPLY_REQUEST;
	add_reply(660 * SECOND, 70 * MS);
	add_reply(50 * SECOND, 70 * MS);
	correlate();
	for (size_t k = 0; k < correlation.suspects.count; k++) {
		free(correlation.suspects.all[k].culprit);
		correlation.suspects.all[k].culprit = copy_text(culprit);
	}
}

static void printed(void **state)
{
	struct log_names names = { 0 };
	struct page page;
	char *text;
	size_t size;
	FILE *out;

	everything();
	log_names_add(&names, "ping.log", replies.count);
	correlation.names = &names;
	out = open_memstream(&text, &size);
	page_of(&page, out);
	text_correlate(&page, &correlation);
	assert_golden("correlate.txt", out, &text);
	out = open_memstream(&text, &size);
	json_correlate(&correlation, out);
	assert_golden("correlate.json", out, &text);
	log_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_correlation(held_up),
		test_correlation(held_up_in_part),
		test_correlation(held_up_again),
		test_correlation(held_up_by_several),
		test_correlation(held_up_maybe),
		test_correlation(not_held_up),
		test_correlation(nobody_knows),
		test_correlation(nobody_knows_of_any),
		test_correlation(nobody_knows_of_some),
		test_correlation(too_short),
		test_correlation(perhaps_too_short),
		test_correlation(train),
		test_correlation(printed),
	};

	return cmocka_run_group_tests_name("correlate", tests, NULL, NULL);
}
