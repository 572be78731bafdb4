// SPDX-License-Identifier: GPL-2.0-only
/* Reports that keep to one screen, against golden/; test_out_text.c has what -v prints. */
#include "causes/causes.h"
#include "judge/judge.h"
#include "page.h"

#define SCREEN_LINES	24

static struct causes causes;

static void open_causes(void)
{
	setenv("IRQOFF_CAUSES", "causes-few.json", 1);
	causes_open(&causes);
	unsetenv("IRQOFF_CAUSES");
	assert_int_equal(causes.nfiles, 1);
}

static unsigned int lines(void)
{
	unsigned int count = 0;

	fflush(out);
	for (const char *end = text; (end = strchr(end, '\n')); end++)
		count++;
	return count;
}

static void print_screen(struct page *printed)
{
	struct summary summary;

	open_causes();
	printed->verbose = false;
	printed->causes = &causes;
	printed->window = window_of(printed->model, 0, ~0ULL);
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	report_select(&printed->columns, SUMMARY_BY_DEFAULT, summary.victims, NULL);
	text_report(printed, &summary);
	summary_free(&summary);
	causes_free(&causes);
}

static void assert_screen(const char *golden)
{
	struct page printed = page();

	print_screen(&printed);
	assert_in_range(lines(), 5, SCREEN_LINES);
	assert_golden(golden, out, &text);
}

/* the rows of six culprits fill the screen: the first has no stack, and the others nothing */
static void several_culprits(void **state)
{
	(void)state;
	assert_screen("screen.txt");
}

static void of_victims(void **state)
{
	(void)state;
	assert_screen("screen-victims.txt");
}

static void of_locks(void **state)
{
	(void)state;
	assert_screen("screen-locks.txt");
}

/* where nobody is blamed, it has the causes of these */
static void of_nobody(void **state)
{
	struct model *model = &collection.model;
	struct entry *entry;

	(void)state;
	model_forget_entries(model);
	entry = add_asked(model, 1, 11, NOW_NS - 10000 * MS, 25 * MS, 0);
	entry->rec.samples[0].delay_ns = 20 * MS;
	judge_records(collection.symbols, model);
	assert_screen("screen-nobody.txt");
}

/* of a device's interrupt, on a grid of 100 ms: ten that were sampled, and three that were not */
static void add_handlers(struct model *model)
{
	static const bool sampled[] = {
		true, true, true, false, true, true, false, true, true, true, false, true, true,
	};
	const struct tio_irq irq = { .number = 24, .name = "virtio0-input.0" };

	model_forget_entries(model);
	for (unsigned int i = 0; i < ARRAY_SIZE(sampled); i++) {
		__u64 end_ns = NOW_NS - (5000 - 100 * i) * MS;
		struct entry *entry = add_asked(model, 1, i, end_ns, 20 * MS,
						TRACE_IRQOFF_F_HARDIRQ);
		struct tio_record *rec = &entry->rec;

		rec->nsamples = sampled[i];
		rec->samples[0].handler_ns = 10 * MS;
		rec->samples[0].irq = irq;
		rec->handler_ns = 20 * MS;
		rec->handlers = 1;
		rec->end.irq = irq;
		rec->end.handler_ns = 20 * MS;
		set_stack(&rec->samples[0], (i % 3 ? AT_DELAY_TSC : AT_MEMORY_STAT) + 0x11,
			  AT_VRING_INTERRUPT + 0x3c, AT_HANDLE_EVENT + 1, AT_HANDLE_EDGE + 1,
			  AT_INTERRUPT + 1, AT_ASM_INTERRUPT + 0x22, 0ULL);
	}
	judge_records(collection.symbols, model);
}

static void of_folded(void **state)
{
	(void)state;
	add_handlers(&collection.model);
	assert_screen("screen-folded.txt");
}

/* each is a screen, whatever the page's width: what is piped has long lines */
static void long_lines(void **state)
{
	struct page printed = page();

	(void)state;
	printed.screen.width = 0;
	print_screen(&printed);
	fclose(out);
	assert_non_null(strstr(text, "\nestimation_timer [ip_vs], softirq-long\n"));
	assert_null(strstr(text, "\nmemory_stat_format, hardirq-off\n"));
	assert_non_null(strstr(text, "\nirqoff report -v has further culprits, whole "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(several_culprits),
		test_victims(of_victims),
		test_locks(of_locks),
		test_page(of_nobody),
		test_page(of_folded),
		test_page(long_lines),
	};

	return cmocka_run_group_tests_name("out_screen", tests, NULL, NULL);
}
