// SPDX-License-Identifier: GPL-2.0-only
/* The stacks of stalls as a stacks, a line for each function. */
#include "base/units.h"
#include "judge/stacks.h"
#include "output/out.h"

/* branches with less than one part in so many of the time are summed up */
#define LEAST_PART	100

static double percent(const struct stacks *stacks, __u64 ns)
{
	return stacks->root.total_ns ? 100.0 * ns / stacks->root.total_ns : 0;
}

static void print_line(const struct page *page, const struct stacks *stacks, unsigned int depth,
		       const struct branch *branch)
{
	char total[UNITS_LEN];

	fprintf(page->out, "%12s %6.1f %7llu  %*s%s\n", print_ms(total, branch->total_ns),
		percent(stacks, branch->total_ns), branch->count, 2 * depth, "", branch->function);
}

/* what the figures of a branch say of its only call as well */
static bool goes_on(const struct branch *branch)
{
	return branch->ncalls == 1 && branch->calls[0].total_ns == branch->total_ns;
}

static void print_calls(const struct page *page, const struct stacks *stacks, unsigned int depth,
			const struct branch *branch)
{
	struct branch small = { 0 };

	for (size_t i = 0; i < branch->ncalls; i++) {
		const struct branch *call = &branch->calls[i];

		/* how many stalls: one may be in several branches */
		if (branch->ncalls > 1 && call->total_ns < stacks->root.total_ns / LEAST_PART) {
			small.total_ns += call->total_ns;
			small.ncalls++;
			continue;
		}
		print_line(page, stacks, depth, call);
		while (goes_on(call)) {
			call = &call->calls[0];
			fprintf(page->out, "%29s%*s%s\n", "", 2 * depth, "", call->function);
		}
		print_calls(page, stacks, depth + 1, call);
	}
	if (small.ncalls) {
		char total[UNITS_LEN];

		fprintf(page->out, "%12s %6.1f %7s  %*s(%zu with less than 1 %% each)\n",
			print_ms(total, small.total_ns), percent(stacks, small.total_ns), "-",
			2 * depth, "", small.ncalls);
	}
}

/**
 * text_stacks() - the stacks of stalls, merged
 * @page: the page
 * @stacks: the stacks
 * @summary: the same records, for the classes that blame nobody
 */
void text_stacks(const struct page *page, const struct stacks *stacks,
		 const struct summary *summary)
{
	if (!page->model->nentries) {
		text_nothing(page);
		return;
	}
	text_report_head(page);
	if (stacks->root.ncalls)
		fprintf(page->out, "%12s %6s %7s  %s\n", "TOTAL ms", "%", "COUNT",
			"FUNCTION, AND BELOW IT WHAT IT CALLED");
	print_calls(page, stacks, 0, &stacks->root);
	text_footers(page, summary, NULL);
}
