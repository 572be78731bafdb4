// SPDX-License-Identifier: GPL-2.0-only
/* Who held interrupts or softirqs off, over many nodes. */
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "group/fleet.h"
#include "output/out.h"

static unsigned int nodes_of(const struct page *page, const struct group *group)
{
	return page->fleet ? places_nodes(&page->fleet->places, &group->places) : 1;
}

/**
 * text_nodes() - on how many nodes a group was seen
 * @buf: room
 * @page: the page
 * @group: the group
 *
 * Return: @buf.
 */
const char *text_nodes(char buf[CELL_LEN], const struct page *page, const struct group *group)
{
	snprintf(buf, CELL_LEN, "%u", nodes_of(page, group));
	return buf;
}

/* the name of the node that a group's best record is of */
const char *text_node(const struct page *page, const struct group *group)
{
	const struct places *places = &page->fleet->places;

	return places->nodes[places->all[group->place].node];
}

/**
 * text_releases() - on how many nodes of each kernel a group was seen
 * @buf: room
 * @page: the page
 * @group: the group
 *
 * Return: @buf, "6.1.0-31-amd64 2 of 2, 6.12.9-amd64 0 of 1".
 */
const char *text_releases(char buf[CELL_LEN], const struct page *page, const struct group *group)
{
	const struct places *places = page->fleet ? &page->fleet->places : NULL;
	size_t len = 0;

	if (!places) {
		snprintf(buf, CELL_LEN, "%s 1 of 1", page->model->machine.release);
		return buf;
	}
	*buf = '\0';
	for (unsigned int i = 0; i < places->nreleases && len < CELL_LEN; i++)
		len += snprintf(buf + len, CELL_LEN - len, "%s%s %u of %u", i ? ", " : "",
				places->releases[i], places_under(places, &group->places, i),
				places_under(places, NULL, i));
	return buf;
}

/* "3 captures of 2 nodes, saved 2026-11-21 07:00:00 to 2026-11-21 08:00:00 UTC (+0000)" */
static void fleet_captures(const struct page *page)
{
	const struct fleet *fleet = page->fleet;
	unsigned int nodes = places_nodes(&fleet->places, NULL);
	char from[UNITS_LEN], to[UNITS_LEN], zone[UNITS_LEN];

	text_line(page, 0, 2, "%zu %s of %u %s, saved %.19s to %.19s %s", fleet->captures,
		  fleet->captures == 1 ? "capture" : "captures", nodes,
		  nodes == 1 ? "node" : "nodes", print_moment(from, fleet->first_ns),
		  print_moment(to, fleet->last_ns), print_zone(zone, fleet->last_ns));
	for (unsigned int i = 0; i < fleet->places.nreleases; i++) {
		nodes = places_under(&fleet->places, NULL, i);
		text_line(page, 0, 2, "kernel %s: %u %s", fleet->places.releases[i], nodes,
			  nodes == 1 ? "node" : "nodes");
	}
}

static void fleet_stalls(const struct page *page)
{
	const struct fleet *fleet = page->fleet;
	char from[UNITS_LEN], to[UNITS_LEN], span[UNITS_LEN], kept[32] = "", lost[CELL_LEN];

	if (page->filtered)
		snprintf(kept, sizeof(kept), " of %llu read", fleet->records);
	text_line(page, 0, 2, "%llu %s%s, from %s to %s (%s of all nodes together); %s%s",
		  fleet->stalls, fleet->stalls == 1 ? "stall" : "stalls", kept,
		  print_clock(from, page->window.from_ns, fleet->last_ns, false),
		  print_clock(to, page->window.to_ns, fleet->last_ns, false),
		  print_span(span, page->window.nodes_ns), text_overwritten(lost, fleet->lost),
		  page->filtered && fleet->lost ? " (unfiltered)" : "");
	if (fleet->early)
		text_line(page, 0, 2, "%llu %s older, kept as the longest or for the cause; "
			  "rates leave %s out.",
			  fleet->early, fleet->early == 1 ? "stall is" : "stalls are",
			  fleet->early == 1 ? "it" : "them");
	if (fleet->open_left_out)
		text_line(page, 0, 2, "%llu open %s left out: later captures show how it went on.",
			  fleet->open_left_out,
			  fleet->open_left_out == 1 ? "stall is" : "stalls are");
	if (page->model->received.missing)
		text_line(page, 0, 2, "Of captures that are cut off, up to %llu kept %s missing.",
			  page->model->received.missing,
			  page->model->received.missing == 1 ? "record is" : "records are");
	text_no_rates(page);
}

/**
 * text_fleet() - who held interrupts or softirqs off, over many nodes
 * @page: the page
 * @summary: their records, summed up
 */
void text_fleet(const struct page *page, const struct summary *summary)
{
	unsigned int used;
	struct part head;

	part_begin(&head, page);
	fleet_captures(&head.page);
	fleet_stalls(&head.page);
	used = part_end(&head);
	part_print(&head, page);
	if (!page->fleet->stalls) {
		text_busy(page);
		return;
	}
	fputc('\n', page->out);
	text_summary(page, summary, used + 1);
}
