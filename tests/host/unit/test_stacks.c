// SPDX-License-Identifier: GPL-2.0-only
/* The merging of stacks, and what is printed of it. */
#include "page.h"

#include <time.h>

#include "judge/culprit.h"
#include "judge/stacks.h"

static struct collection small;

/* "function total count" of each branch, in ms, indented by a space for each call */
static void describe(FILE *to, const struct branch *branch, int depth)
{
	for (size_t i = 0; i < branch->ncalls; i++) {
		const struct branch *call = &branch->calls[i];

		fprintf(to, "%*s%s %llu %llu\n", depth, "", call->function, call->total_ns / MS,
			call->count);
		describe(to, call, depth + 1);
	}
}

static void assert_stacks(const char *wanted)
{
	struct stacks stacks;
	char *got = NULL;
	size_t size;
	FILE *to = open_memstream(&got, &size);

	judge_all(&small.model);
	for (size_t i = 0; i < small.model.nentries; i++)
		culprit_find(small.symbols, small.model.entries[i]);
	stacks_merge(&stacks, small.symbols, &small.model);
	describe(to, &stacks.root, 0);
	stacks_free(&stacks);
	fclose(to);
	assert_string_equal(got, wanted);
	free(got);
}

static int open_small(void **state)
{
	fixture_begin(&small);
	return 0;
}

static int close_small(void **state)
{
	collect_free(&small);
	return 0;
}

/* a stall of bottom halves, with samples of a system call by half of it and by all of it */
static struct entry *add_section(__u64 seq, __u64 inner)
{
	struct entry *entry = add_soft(&small.model, 0, seq, NOW_NS - seq * MS, 20 * MS,
				       TRACE_IRQOFF_F_BH_OFF);
	struct tio_record *rec = &entry->rec;

	set_stack(&rec->samples[0], inner, AT_MEMORY_STAT + 8, AT_SYSCALL + 8, 0ULL);
	return entry;
}

static void equal_ways_are_one(void **state)
{
	add_section(1, AT_SCHEDULE + 4);
	add_section(2, AT_SCHEDULE + 8);
	assert_stacks("do_syscall_64 40 2\n"
		      " memory_stat_format 40 2\n"
		      "  __schedule 40 2\n");
}

static void ways_part(void **state)
{
	add_section(1, AT_SCHEDULE);
	add_section(2, AT_FLUSH_COLD);
	add_section(3, AT_FLUSH_COLD);
	assert_stacks("do_syscall_64 60 3\n"
		      " memory_stat_format 60 3\n"
		      "  cgroup_rstat_flush_locked 40 2\n"
		      "  __schedule 20 1\n");
}

/* the samples of a stall share its time, and it counts once where they were both taken */
static void samples_share(void **state)
{
	struct entry *entry = add_section(1, AT_SCHEDULE);
	struct tio_record *rec = &entry->rec;

	rec->samples[0].at_ns = rec->end_ns - 15 * MS;
	rec->samples[1] = rec->samples[0];
	rec->samples[1].at_ns = rec->end_ns - 5 * MS;
	rec->nsamples = 2;
	set_stack(&rec->samples[1], AT_FLUSH_COLD, AT_MEMORY_STAT + 8, AT_SYSCALL + 8, 0ULL);
	assert_stacks("do_syscall_64 20 1\n"
		      " memory_stat_format 20 1\n"
		      "  __schedule 15 1\n"
		      "  cgroup_rstat_flush_locked 5 1\n");
}

/* what an interrupt or a softirq came in on holds nothing off */
static void own_part_only(void **state)
{
	struct entry *entry = add_soft(&small.model, 0, 1, NOW_NS, 20 * MS,
				       TRACE_IRQOFF_F_BH_OFF | TRACE_IRQOFF_F_SERVING_SOFTIRQ);

	set_stack(&entry->rec.samples[0], AT_ESTIMATION, AT_CALL_TIMER_FN + 8,
		  AT_RUN_TIMERS + 8, AT_HANDLE_SOFTIRQS + 8, AT_MEMORY_STAT + 8, AT_SYSCALL + 8,
		  0ULL);
	assert_stacks("handle_softirqs 20 1\n"
		      " __run_timers 20 1\n"
		      "  call_timer_fn 20 1\n"
		      "   estimation_timer [ip_vs] 20 1\n");
}

/* a handler that is known by its interrupt alone was not on the stack */
static void interrupts_have_none(void **state)
{
	struct entry *entry = add_hard(&small.model, 0, 1, NOW_NS, 20 * MS);
	struct tio_record *rec = &entry->rec;

	rec->nsamples = 0;
	rec->handler_known = 1;
	rec->handler_ns = 19 * MS;
	rec->end.handler_ns = 19 * MS;
	rec->end.irq.number = 24;
	strcpy(rec->end.irq.name, "eth0");
	set_stack(&rec->end, AT_SCHEDULE, AT_SYSCALL, 0ULL);
	assert_stacks("(interrupt 24 eth0) 20 1\n");
}

/* nobody is blamed: not the stack either */
static void blames_nobody(void **state)
{
	struct entry *entry = add_hard(&small.model, 0, 1, NOW_NS, 20 * MS);

	entry->rec.nsamples = 0;
	entry->rec.end.flags = TRACE_IRQOFF_F_IDLE;
	assert_stacks("");
}

static void print_stacks(bool json)
{
	struct page printed = page();
	struct summary summary;
	struct stacks stacks;

	stacks_merge(&stacks, collection.symbols, &collection.model);
	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	if (json)
		json_stacks(&printed, &stacks);
	else
		text_stacks(&printed, &stacks, &summary);
	summary_free(&summary);
	stacks_free(&stacks);
}

static void prints_text(void **state)
{
	print_stacks(false);
	assert_golden("stacks.txt", out, &text);
}

/* victims are in the stall that they waited for */
static void prints_victims(void **state)
{
	print_stacks(false);
	assert_golden("stacks-victims.txt", out, &text);
}

static void prints_json(void **state)
{
	print_stacks(true);
	assert_golden("stacks.json", out, &text);
}

static void prints_nothing(void **state)
{
	model_forget_entries(&collection.model);
	print_stacks(false);
	fclose(out);
	assert_non_null(strstr(text, "No "));
	assert_null(strstr(text, "FUNCTION"));
	free(text);
}

#define test_small(test)	cmocka_unit_test_setup_teardown(test, open_small, close_small)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_small(equal_ways_are_one),
		test_small(ways_part),
		test_small(samples_share),
		test_small(own_part_only),
		test_small(interrupts_have_none),
		test_small(blames_nobody),
		test_page(prints_text),
		test_victims(prints_victims),
		test_page(prints_json),
		test_page(prints_nothing),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
