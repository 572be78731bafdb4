// SPDX-License-Identifier: GPL-2.0-only
/*
 * A summary for a chat: no more than SHARE_LINES lines of SHARE_WIDTH columns.
 * Names that are longer than their room end in "..".
 */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/labels.h"
#include "output/out.h"

/*
 * The lines: a head, an empty one, a table with its heading, stolen and unknown, an
 * empty one, the longest stall, as many of its frames as there is room for, and two
 * lines for what is left out.
 */
#define SHARE_GROUPS	4
#define SHARE_FRAMES	5
#define SHARE_REST	2
#define SHARE_NAME	28	/* of a host, a kernel, or the culprit of the longest stall */

static void share_head(const struct page *page)
{
	const struct model *model = page->model;
	char host[CELL_LEN], release[CELL_LEN], from[UNITS_LEN], to[UNITS_LEN];

	fprintf(page->out, "%s, kernel %s\n",
		text_shorten(host, text_host(&model->machine), SHARE_NAME),
		text_shorten(release, model->machine.release, SHARE_NAME));
	print_iso8601(from, page->window.from_ns);
	print_clock(to, page->window.to_ns, page->window.from_ns, false);
	text_line(page, 0, 2, "%.10s %.8s to %s (%s): %zu %s%s", from,
		  from + strlen("2026-11-21T"), to, from + strlen(from) - strlen("+00:00"),
		  model->nentries, model->nentries == 1 ? "stall" : "stalls",
		  model->config.enabled ? "" :
		  model->saved ? "; then not enabled" : "; now not enabled");
}

static const struct entry *longest_blamed(const struct model *model)
{
	const struct entry *longest = NULL;

	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i];

		if (entry->found.culprit && !entry->found.waits_for &&
		    (!longest || entry->rec.min_ns > longest->rec.min_ns))
			longest = entry;
	}
	return longest;
}

static void share_longest(const struct page *page, const struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	char name[UNITS_LEN], at[UNITS_LEN], min[UNITS_LEN], cut[CELL_LEN];
	const char *note = text_stack_note(entry);

	fputc('\n', page->out);
	text_line(page, 0, 2, "longest with a culprit: %s, %s, %s, at least %s ms, %s %s",
		  print_record_name(name, &entry->rec),
		  text_shorten(cut, entry->found.culprit, SHARE_NAME),
		  tio_class_name(entry->found.verdict.class), print_ms(min, entry->rec.min_ns),
		  entry->rec.open ? "not ended by" : "ended",
		  text_clock(at, page, entry->rec.end_ns, false));
	if (!sample)
		return;
	fprintf(page->out, "interrupted task (often innocent): %s, pid %u\n",
		text_shorten(cut, sample->comm, 16), sample->pid);
	if (note && sample->nframes)
		text_line(page, 2, 4, "%s", note);
}

/* the innermost frames, @most of them; returns how many are left out */
static unsigned int share_stack(const struct page *page, const struct entry *entry,
				unsigned int most)
{
	const struct tio_sample *sample = entry_naming_sample(entry);
	char text[SYMBOL_TEXT_LEN], cut[CELL_LEN];
	struct trace trace;
	int i;

	if (!sample)
		return 0;
	trace_of(&trace, page->symbols, entry, sample);
	for (i = 0; i < trace.nsteps && i < (int)most; i++) {
		text_step(text, page, entry, sample, &trace.steps[i]);
		fprintf(page->out, "  %s\n", text_shorten(cut, text, SHARE_WIDTH - 2));
	}
	return trace.nsteps - i;
}

/* "left out: 2 groups, 1 frame; 6 records overwritten by newer ones" */
static char *left_out(const struct page *page, const struct summary *summary,
		      unsigned int frames)
{
	char buf[CELL_LEN];

	return print_text("left out: %zu %s, %u %s; %s", summary->left_out,
			  summary->left_out == 1 ? "group" : "groups", frames,
			  frames == 1 ? "frame" : "frames", text_losses(buf, page->model));
}

/* what was left out, and which commands show it */
static void share_rest(const struct page *page, const struct summary *summary,
		       unsigned int frames)
{
	char threshold[UNITS_LEN], *left = left_out(page, summary, frames);

	text_line(page, 0, 2, "%s", left);
	free(left);
	fprintf(page->out, "threshold %s; irqoff report, irqoff show RECORD have the rest\n",
		print_duration(threshold, page->model->config.threshold_us * NSEC_PER_USEC));
}

/* without a range where nothing was watched in it */
static void share_nothing(const struct page *page)
{
	if (page->window.to_ns - page->window.from_ns >= NSEC_PER_SEC)
		share_head(page);
	else
		text_head(page);
	text_nothing(page);
}

/* the part above the frames, which take what it leaves */
static void share_top(const struct page *page, struct summary *summary,
		      const struct entry *longest)
{
	struct page narrow = *page;
	char columns[64];

	share_head(page);
	summary_top(summary, SHARE_GROUPS);
	/* without rates there is no room for saying why a column is empty */
	snprintf(columns, sizeof(columns), "culprit,class,count,longest%s%s",
		 page->window.rates && !page->window.lacking ? ",share" : "",
		 summary->victims ? ",victims" : "");
	report_select(&narrow.columns, summary->by, false, columns);
	fputc('\n', page->out);
	text_groups(&narrow, summary);
	text_footers(page, summary, NULL);
	if (longest)
		share_longest(page, longest);
}

static unsigned int lines_of(const char *text)
{
	unsigned int lines = 0;

	while ((text = strchr(text, '\n'))) {
		lines++;
		text++;
	}
	return lines;
}

/**
 * text_share() - a report for a chat
 * @page: the page, SHARE_WIDTH wide
 * @summary: its records, summed up by culprit and class; groups that do not fit are
 *	dropped
 */
void text_share(const struct page *page, struct summary *summary)
{
	const struct entry *longest;
	struct page top = *page;
	unsigned int frames = 0, lines, room = SHARE_FRAMES;
	size_t size;
	char *text;

	if (!page->model->nentries) {
		share_nothing(page);
		return;
	}
	longest = longest_blamed(page->model);
	top.out = or_exit(open_memstream(&text, &size));
	share_top(&top, summary, longest);
	fclose(top.out);
	fputs(text, page->out);
	lines = lines_of(text) + SHARE_REST;
	free(text);
	/* it is folded where it is longer; no stack has more frames */
	text = left_out(page, summary, TIO_FRAMES);
	lines += strlen(text) > SHARE_WIDTH;
	free(text);
	while (room && lines + room > SHARE_LINES)
		room--;
	if (longest)
		frames = share_stack(page, longest, room);
	share_rest(page, summary, frames);
}
