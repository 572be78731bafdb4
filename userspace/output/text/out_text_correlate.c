// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "correlate/correlate.h"
#include "output/out.h"
#include "output/table.h"

/* reasons that are printed */
#define REASONS_MOST	9

/* slow replies of one train about which the same is said */
struct lump {
	const struct correlation *correlation;
	size_t first, count;
	__u64 longest_ns;
};

static const struct slow *slow_of(const struct lump *lump)
{
	return &lump->correlation->slows.all[lump->first];
}

static const struct finding *finding_of(const struct lump *lump)
{
	return &lump->correlation->findings[lump->first];
}

static const char *text_came(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct lump *lump = data;
	const struct slow *slow = slow_of(lump);
	__u64 at_ns = slow->reply->lost ? slow->reply->sent_ns : slow->reply->came_ns;
	char clock[UNITS_LEN];

	(void)page;
	snprintf(buf, CELL_LEN, "%s", print_clock(clock, at_ns, lump->correlation->slows.to_ns,
						  true));
	return buf;
}

static const char *text_replies(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct lump *lump = data;

	(void)page;
	snprintf(buf, CELL_LEN, "%zu", lump->count);
	return buf;
}

static const char *text_slowest(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct lump *lump = data;

	(void)page;
	if (slow_of(lump)->reply->lost)
		return slow_of(lump)->reply->untold ? "-" : "lost";
	return print_ms(buf, lump->longest_ns);
}

static const char *text_target(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct lump *lump = data;

	(void)buf;
	(void)page;
	return lump->correlation->replies->targets[slow_of(lump)->reply->target];
}

static const char *text_verdict(char buf[CELL_LEN], const struct page *page, const void *data)
{
	static const char * const words[CORRELATE_VERDICTS] = {
		[CORRELATE_STALL] = "stall",
		[CORRELATE_DROPPED] = "dropped in stall",
		[CORRELATE_LOST_SYN] = "lost SYN",
		[CORRELATE_NO_STALL] = "no stall",
		[CORRELATE_CANNOT_TELL] = "cannot tell",
	};
	const struct lump *lump = data;
	const struct finding *finding = finding_of(lump);
	size_t len;

	(void)page;
	len = snprintf(buf, CELL_LEN, "%s%s", words[finding->verdict],
		       finding->probable ? "?" : "");
	if (finding->why)
		snprintf(buf + len, CELL_LEN - len, " (%zu)", finding->reason + 1);
	return buf;
}

static const char *text_log(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct lump *lump = data;
	const char *name = NULL;

	(void)buf;
	(void)page;
	if (lump->correlation->names)
		name = log_name(lump->correlation->names,
				slow_of(lump)->reply - lump->correlation->replies->all);
	return name ? name : "";
}

static const char *text_node_name(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct lump *lump = data;
	const struct candidate *suspect = finding_of(lump)->suspect;

	(void)buf;
	(void)page;
	return suspect ? lump->correlation->nodes[suspect->node].machine.host : "";
}

static const char *text_record_name(char buf[CELL_LEN], const struct page *page,
				    const void *data)
{
	const struct candidate *suspect = finding_of(data)->suspect;

	(void)buf;
	(void)page;
	return suspect ? suspect->name : "";
}

static const char *text_length(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct candidate *suspect = finding_of(data)->suspect;

	(void)page;
	return suspect ? print_ms(buf, suspect->max_ns) : "";
}

static const char *text_class(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct candidate *suspect = finding_of(data)->suspect;

	(void)buf;
	(void)page;
	return suspect ? tio_class_name(suspect->class) : "";
}

static const char *text_blamed(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct candidate *suspect = finding_of(data)->suspect;

	(void)page;
	if (!suspect)
		return "";
	if (suspect->culprit || suspect->lock)
		return suspect->culprit ? suspect->culprit : suspect->lock;
	snprintf(buf, CELL_LEN, "(%s)", tio_class_name(suspect->class));
	return buf;
}

const struct column correlate_columns[] = {
	{ "came", "CAME", 0, text_came },
	{ "replies", "REPLIES", COLUMN_NUMBER, text_replies },
	{ "slowest", "SLOWEST ms", COLUMN_NUMBER, text_slowest },
	{ "log", "LOG", COLUMN_CUT, text_log },
	{ "target", "TARGET", COLUMN_CUT, text_target },
	{ "verdict", "VERDICT", 0, text_verdict },
	{ "node", "NODE", COLUMN_CUT, text_node_name },
	{ "record", "RECORD", 0, text_record_name },
	{ "length", "STALL ms", COLUMN_NUMBER, text_length },
	{ "class", "CLASS", COLUMN_CLASS, text_class },
	{ "culprit", "CULPRIT", COLUMN_CUT | COLUMN_CULPRIT, text_blamed },
	{ 0 }
};

/**
 * correlate_select() - the columns of slow replies
 * @columns: the result
 * @list: the value of -o; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int correlate_select(struct columns *columns, const char *list)
{
	return columns_select(columns, correlate_columns,
			      "came,replies,slowest,verdict,record,length,culprit", list);
}

static bool same_finding(const struct finding *a, const struct finding *b)
{
	return a->verdict == b->verdict && a->suspect == b->suspect && a->why == b->why;
}

static bool joins(const struct correlation *correlation, size_t a, size_t b)
{
	const struct slow *left = &correlation->slows.all[a], *right = &correlation->slows.all[b];

	return !left->reply->lost && !right->reply->lost && left->train == right->train &&
	       same_finding(&correlation->findings[a], &correlation->findings[b]);
}

static void print_rows(const struct page *page, const struct correlation *correlation)
{
	struct lump *lumps = alloc(correlation->slows.count, sizeof(*lumps));
	struct table *table = table_open(page, false);
	size_t nlumps = 0;

	for (size_t i = 0; i < correlation->slows.count; i++) {
		const struct reply *reply = correlation->slows.all[i].reply;
		struct lump *lump = nlumps ? &lumps[nlumps - 1] : NULL;

		if (!lump || !joins(correlation, lump->first, i)) {
			lump = &lumps[nlumps++];
			*lump = (struct lump){ .correlation = correlation, .first = i };
		}
		lump->count++;
		if (!reply->lost && reply->came_ns - reply->sent_ns > lump->longest_ns)
			lump->longest_ns = reply->came_ns - reply->sent_ns;
	}
	for (size_t i = 0; i < nlumps; i++)
		table_add(table, NULL, &lumps[i]);
	table_print(table);
	free(lumps);
}

static const char *plural(size_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

static void print_explained(const struct page *page, const struct correlation *correlation)
{
	size_t explained = correlate_explained(correlation), slow = correlation->slows.count;
	const struct chance *chance = &correlation->chance;

	if (!chance->known)
		text_line(page, 0, 2, "stalls explain %zu of %zu slow %s; "
			  "the log is too short to tell what chance would explain",
			  explained, slow, plural(slow, "reply", "replies"));
	else
		text_line(page, 0, 2, "stalls explain %zu of %zu slow %s; "
			  "chance would explain %.1f, and in 95 of 100 cases no more than %zu%s",
			  explained, slow, plural(slow, "reply", "replies"), chance->mean,
			  chance->most,
			  correlate_by_chance(correlation) ? ", so this may be chance" : "");
}

/* with what was counted as the first of them was lost */
static void print_lost(const struct page *page, const struct correlation *correlation)
{
	size_t count = correlation->counts[CORRELATE_LOST_SYN];
	const struct net_drops *first = NULL;
	char *words = NULL;

	for (size_t i = 0; i < correlation->slows.count && !words; i++) {
		if (correlation->findings[i].verdict != CORRELATE_LOST_SYN)
			continue;
		first = correlation->findings[i].losses;
		words = net_drops_words(first);
	}
	text_line(page, 2, 4, "%zu %s as late as TCP sends a lost SYN again (%s ... s); %s",
		  count, plural(count, "was", "were"),
		  correlation->syn_linear ? "1, 2, 3, 4, 5, 7, 11" : "1, 3, 7", words ? words :
		  first->asked ? "no counter of that grew" :
		  "nothing counted it: record with --counters 10s and --netns");
	if (words && net_drops_cause(first))
		text_line(page, 4, 6, "known cause: irqoff causes %s", net_drops_cause(first));
	free(words);
}

/* the node's clock may differ from the log's by less than captures are long */
static void print_other_time(const struct page *page, const struct correlation *correlation)
{
	const struct log_clock *clock = &correlation->clock;
	__u64 from_ns = log_clock_node_ns(clock, correlation->slows.from_ns);
	__u64 to_ns = log_clock_node_ns(clock, correlation->slows.to_ns);
	char from[UNITS_LEN], to[UNITS_LEN];

	if (from_ns <= correlation->to_ns && to_ns >= correlation->from_ns)
		return;
	text_line(page, 0, 2, "The captures are of another time: %s to %s.",
		  print_clock(from, correlation->from_ns, 0, true),
		  print_clock(to, correlation->to_ns, correlation->from_ns, true));
}

static void print_summary(const struct page *page, const struct correlation *correlation)
{
	const size_t *counts = correlation->counts;
	size_t explained = correlate_explained(correlation), slow = correlation->slows.count;
	const struct replies *replies = correlation->replies;
	char over[UNITS_LEN], from[UNITS_LEN], to[UNITS_LEN], zone[UNITS_LEN];
	char untold[CELL_LEN] = "", lost[CELL_LEN] = "", unknown[CELL_LEN] = "";

	if (counts[CORRELATE_CANNOT_TELL])
		snprintf(unknown, sizeof(unknown), "; %zu cannot be told",
			 counts[CORRELATE_CANNOT_TELL]);
	print_duration(over, correlation->slows.over_ns);
	if (!slow) {
		text_line(page, 0, 2, "none of %zu replies took %s or longer, %s", replies->count,
			  over, replies->ignored ? "as far as lines were understood" :
						   "and none is missing");
		return;
	}
	if (explained)
		print_explained(page, correlation);
	else if (counts[CORRELATE_CANNOT_TELL] == slow)
		text_line(page, 0, 2, "whether stalls explain %zu slow %s cannot be told", slow,
			  plural(slow, "reply", "replies"));
	else
		text_line(page, 0, 2, "stalls explain none of %zu slow %s%s", slow,
			  plural(slow, "reply", "replies"), unknown);
	if (counts[CORRELATE_DROPPED])
		text_line(page, 2, 4, "%zu of these %s lost while a CPU was stalled",
			  counts[CORRELATE_DROPPED],
			  plural(counts[CORRELATE_DROPPED], "was", "were"));
	if (counts[CORRELATE_LOST_SYN])
		print_lost(page, correlation);
	if (counts[CORRELATE_NO_STALL])
		text_line(page, 2, 4, "%zu %s not slow by a stall of %s; "
			  "look at the other end, CPU throttling, the network",
			  counts[CORRELATE_NO_STALL],
			  plural(counts[CORRELATE_NO_STALL], "was", "were"),
			  correlation->nnodes == 1 ? "this node" : "these nodes");
	if (replies->untold)
		snprintf(untold, sizeof(untold), "%s %zu %s no latency",
			 replies->lost ? "," : " and", replies->untold,
			 plural(replies->untold, "has", "have"));
	if (replies->lost)
		snprintf(lost, sizeof(lost), " and %zu %s missing", replies->lost,
			 plural(replies->lost, "is", "are"));
	text_line(page, 0, 2, "A reply is slow that took %s or longer%s; "
		  "%zu were read%s%s, of %s to %s %s%s.", over, replies->untold ?
		  ", did not come, or has no latency in the log" : " or did not come",
		  replies->count - replies->lost - replies->untold, untold, lost,
		  print_clock(from, correlation->slows.from_ns, 0, true),
		  print_clock(to, correlation->slows.to_ns, correlation->slows.from_ns, true),
		  print_zone(zone, correlation->slows.to_ns),
		  replies->zoneless ? "; the log names no zone" : "");
	print_other_time(page, correlation);
}

static void print_clock_line(const struct page *page, const struct log_clock *clock)
{
	const struct clock_fit *fit = &clock->fit;
	char offset[UNITS_LEN], error[UNITS_LEN];
	__s64 offset_ns = clock->doubted ? fit->offset_ns : clock->offset_ns;
	const char *sign = offset_ns < 0 ? "behind" : "ahead of";

	print_duration(offset, llabs(offset_ns));
	print_duration(error, fit->error_ns);
	if (clock->doubted || clock->how == LOG_CLOCK_FITTED)
		text_line(page, 0, 2, "Clock: the log's seems to be %s %s the captures' (+-%s); "
			  "so %zu trains of slow replies came right behind stalls; "
			  "by no other offset more than %zu did.%s", offset, sign, error,
			  fit->matched, fit->rival, clock->doubted ? " Is --offset right?" : "");
	else if (clock->how == LOG_CLOCK_AMBIGUOUS)
		text_line(page, 0, 2, "Clock: ambiguous, give --offset; "
			  "by one offset %zu trains of slow replies came right behind stalls; "
			  "by another one %zu did.", fit->matched, fit->rival);
	else if (clock->how == LOG_CLOCK_CHECKED)
		text_line(page, 0, 2, "Clock: the log's agrees with the captures'; "
			  "%zu trains of slow replies came right behind stalls.", fit->matched);
	else if (clock->how == LOG_CLOCK_STAMPED)
		text_line(page, 0, 2, "Clock: taken as the log has it, and not checked.");
	else if (clock->offset_ns)
		text_line(page, 0, 2, "Clock: the log's is %s %s the captures', as given.", offset,
			  sign);
}

/* why nobody can tell, by the numbers that stand behind the verdicts */
static void print_reasons(const struct page *page, const struct correlation *correlation)
{
	const struct reasons *reasons = &correlation->reasons;

	for (size_t i = 0; i < reasons->count && i < REASONS_MOST; i++) {
		text_line(page, 0, 4, "(%zu) %zu cannot be told: %s", i + 1, reasons->all[i].count,
			  reasons->all[i].why);
		text_line(page, 4, 6, "remedy: %s", reasons->all[i].remedy);
	}
	if (reasons->count > REASONS_MOST)
		text_line(page, 0, 4, "... and %zu more reasons (--json has them)",
			  reasons->count - REASONS_MOST);
}

static void print_nodes(const struct page *page, const struct correlation *correlation)
{
	for (unsigned int i = 0; i < correlation->nnodes; i++)
		if (correlation->nodes[i].how)
			text_line(page, 0, 2, "%s: %s.",
				  text_host(&correlation->nodes[i].machine),
				  correlation->nodes[i].how);
}

/**
 * text_correlate() - the slow replies and why they were slow
 * @page: the page, with its columns
 * @correlation: the verdicts
 */
void text_correlate(const struct page *page, const struct correlation *correlation)
{
	print_summary(page, correlation);
	print_nodes(page, correlation);
	if (!correlation->slows.count)
		return;
	print_clock_line(page, &correlation->clock);
	print_reasons(page, correlation);
	text_delays(page, correlation);
	fputc('\n', page->out);
	print_rows(page, correlation);
}

/**
 * text_correlate_line() - a slow reply, while more come
 * @page: the page
 * @correlation: has its verdict
 * @i: its index
 */
void text_correlate_line(const struct page *page, const struct correlation *correlation, size_t i)
{
	struct lump lump = { .correlation = correlation, .first = i, .count = 1 };
	const struct finding *finding = &correlation->findings[i];
	const struct reply *reply = correlation->slows.all[i].reply;
	char came[CELL_LEN], slowest[CELL_LEN], verdict[CELL_LEN], length[CELL_LEN];

	lump.longest_ns = reply->lost ? 0 : reply->came_ns - reply->sent_ns;
	fprintf(page->out, "%s %10s  %s", text_came(came, page, &lump),
		text_slowest(slowest, page, &lump), text_verdict(verdict, page, &lump));
	if (finding->suspect)
		fprintf(page->out, "  %s %s %s", finding->suspect->name,
			text_length(length, page, &lump), tio_class_name(finding->suspect->class));
	if (finding->suspect && (finding->suspect->culprit || finding->suspect->lock))
		fprintf(page->out, " %s", finding->suspect->culprit ?: finding->suspect->lock);
	if (finding->suspect && finding->suspect->behalf)
		fprintf(page->out, " (for %s)", finding->suspect->behalf);
	if (finding->why)
		fprintf(page->out, ": %s; %s", finding->why, finding->remedy);
	fputc('\n', page->out);
	fflush(page->out);
}
