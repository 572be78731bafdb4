// SPDX-License-Identifier: GPL-2.0-only
/* The groups of a summary as a table, and those that blame nobody as a sentence each. */
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "judge/culprit.h"
#include "model/labels.h"
#include "output/out.h"
#include "output/table.h"

/* behind the class of a row that blames somebody of whom only ends were seen */
#define BY_ENDS	"*"

/* what irqoff does to the node that it looks at, as it reads names or saves */
#define OWN_TASK	"(task irqoff)"

/* how many suspects are named in a line */
#define SUSPECTS	3

/* a row for a group, or for the victims of its stalls, which hangs under the group's */
struct row {
	const struct group *group;
	bool victims;
};

static const char *key(char buf[CELL_LEN], const void *data, enum summary_key key)
{
	const struct row *row = data;

	if (row->victims)
		return "";
	return summary_key_text(buf, CELL_LEN, row->group->best, key);
}

/* what stands first in the row of victims */
static const char *victims_title(char buf[CELL_LEN], const struct victims *victims)
{
	if (!victims->probable)
		return "victims";
	if (victims->probable == victims->seen.count)
		return "victims (unproved)";
	snprintf(buf, CELL_LEN, "victims (%llu unproved)", victims->probable);
	return buf;
}

/* "(task threads) pod 6ba7b810": tasks of one name have a row for each cgroup */
static const char *task_row(char buf[CELL_LEN], const struct entry *entry)
{
	char place[CELL_LEN];

	text_task_place(place, sample_cgroup(entry_naming_sample(entry)));
	snprintf(buf, CELL_LEN, "%s%s%.*s", entry->found.culprit, *place ? " " : "",
		 CELL_LEN / 2, place);
	return buf;
}

static const char *text_culprit_key(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;
	const struct entry *best = row->group->best;

	(void)page;
	if (row->victims)
		return victims_title(buf, row->group->victims);
	if (best->found.culprit && best->found.met)
		return task_row(buf, best);
	return key(buf, data, SUMMARY_CULPRIT);
}

static const char *text_busy_in(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return key(buf, data, SUMMARY_BUSY);
}

static bool is_marked(const struct page *page, const struct row *row)
{
	return page->marks && !row->victims && summary_ends_alone(row->group);
}

static const char *text_class(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const char *class = key(buf, data, SUMMARY_CLASS);

	if (!is_marked(page, data))
		return class;
	if (class != buf)
		fill_text(buf, CELL_LEN, class);
	strcat(buf, BY_ENDS);
	return buf;
}

static const char *text_cpu(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return key(buf, data, SUMMARY_CPU);
}

static const char *text_comm(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return key(buf, data, SUMMARY_COMM);
}

static const char *text_cgroup(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return key(buf, data, SUMMARY_CGROUP);
}

static const char *text_pod(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return key(buf, data, SUMMARY_POD);
}

static const char *text_container(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return key(buf, data, SUMMARY_CONTAINER);
}

static const char *text_evidence(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)buf;
	(void)page;
	return row->victims ? "" : summary_evidence_name(row->group);
}

static __u64 count_of(const struct row *row)
{
	return row->victims ? group_victims(row->group)->seen.count : row->group->count;
}

static __u64 total_of(const struct row *row)
{
	return row->victims ? group_victims(row->group)->ns : row->group->total_ns;
}

/* those of the window: older records say nothing about how often stalls come */
static __u64 rated_count(const struct row *row)
{
	return count_of(row) - (row->victims ? group_victims(row->group)->early :
						row->group->early);
}

static __u64 rated_ns(const struct row *row)
{
	return total_of(row) -
	       (row->victims ? group_victims(row->group)->early_ns : row->group->early_ns);
}

static const struct sighting *seen_of(const struct row *row)
{
	return row->victims ? &group_victims(row->group)->seen : &row->group->seen;
}

static const char *text_count(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return print_count(buf, count_of(data));
}

static const char *text_rate(char buf[CELL_LEN], const struct page *page, const void *data)
{
	return window_rate(buf, CELL_LEN, &page->window, rated_count(data));
}

static const char *text_longest(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return print_ms(buf, row->victims ? seen_of(row)->longest_ns :
					    row->group->longest_ns);
}

static const char *text_mean(char buf[CELL_LEN], const struct page *page, const void *data)
{
	__u64 count = count_of(data);

	(void)page;
	return print_ms(buf, count ? total_of(data) / count : 0);
}

static const char *text_total(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return print_ms(buf, total_of(data));
}

static const char *text_share_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	return window_share(buf, CELL_LEN, &page->window, rated_ns(data));
}

static const char *text_first(char buf[CELL_LEN], const struct page *page, const void *data)
{
	return text_clock(buf, page, seen_of(data)->first_ns, false);
}

static const char *text_last(char buf[CELL_LEN], const struct page *page, const void *data)
{
	return text_clock(buf, page, seen_of(data)->last_ns, false);
}

static const char *text_regularity(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;
	struct regularity regularity;

	(void)page;
	if (row->victims)
		return "";
	summary_regularity(row->group, &regularity);
	return regularity.period_ns ? regularity_print(buf, &regularity) : "-";
}

static const char *text_cpus(char buf[CELL_LEN], const struct page *page, const void *data)
{
	(void)page;
	return cpuset_print(buf, CELL_LEN, &seen_of(data)->cpus);
}

static const char *text_nodes_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	return row->victims ? "" : text_nodes(buf, page, row->group);
}

static const char *text_releases_of(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	return row->victims ? "" : text_releases(buf, page, row->group);
}

static const char *text_for(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;
	const struct behalf *most = behalf_most(&row->group->behalves);

	(void)page;
	if (row->victims)
		return "";
	return most ? behalf_print(buf, most) : "-";
}

static const char *text_victims(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_count(buf, group_victims(row->group)->seen.count);
}

static const char *text_victims_ms(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_ms(buf, group_victims(row->group)->ns);
}

static const char *text_own(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_ms(buf, row->group->cost.own.min_ns);
}

static const char *text_proved(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_ms(buf, row->group->cost.proved.min_ns);
}

static const char *text_probable(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_ms(buf, row->group->cost.probable.min_ns);
}

static const char *text_cost(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_ms(buf, cost_sum(&row->group->cost).min_ns);
}

static const char *text_most(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;
	__u64 ns = cost_sum(&row->group->cost).max_ns;

	(void)page;
	if (row->victims)
		return "";
	/* print_ms() rounds down, and this is an upper bound */
	return ns > ~0ULL - 999 ? "-" : print_ms(buf, ns + 999);
}

static const char *text_waited(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_count(buf, row->group->packets_waited);
}

static const char *text_dropped(char buf[CELL_LEN], const struct page *page, const void *data)
{
	const struct row *row = data;

	(void)page;
	return row->victims ? "" : print_count(buf, row->group->packets_dropped);
}

/* the keys first, in their order */
const struct column report_columns[] = {
	{ "culprit", "CULPRIT", COLUMN_CUT | COLUMN_TREE | COLUMN_CULPRIT, text_culprit_key },
	{ "busy", "BUSY IN", COLUMN_CUT, text_busy_in },
	{ "class", "CLASS", COLUMN_CLASS, text_class },
	{ "cpu", "CPU", COLUMN_NUMBER, text_cpu },
	{ "comm", "COMM", 0, text_comm },
	{ "cgroup", "CGROUP", COLUMN_CUT, text_cgroup },
	{ "pod", "POD", COLUMN_CUT, text_pod },
	{ "container", "CONTAINER", 0, text_container },
	{ "evidence", "EVIDENCE", 0, text_evidence },
	{ "count", "COUNT", COLUMN_NUMBER, text_count },
	{ "rate", "/MIN", COLUMN_NUMBER, text_rate },
	{ "longest", "LONGEST ms", COLUMN_NUMBER, text_longest },
	{ "mean", "MEAN ms", COLUMN_NUMBER, text_mean },
	{ "total", "TOTAL ms", COLUMN_NUMBER, text_total },
	{ "share", "%CPU", COLUMN_NUMBER, text_share_of },
	{ "first", "FIRST", 0, text_first },
	{ "last", "LAST", 0, text_last },
	{ "cpus", "CPUS", COLUMN_CUT, text_cpus },
	{ "regularity", "REGULARITY", 0, text_regularity },
	{ "for", "FOR", COLUMN_CUT, text_for },
	{ "nodes", "NODES", COLUMN_NUMBER, text_nodes_of },
	{ "releases", "RELEASES", COLUMN_CUT, text_releases_of },
	{ "victims", "VICTIMS", COLUMN_NUMBER, text_victims },
	{ "victims-total", "VICTIMS ms", COLUMN_NUMBER, text_victims_ms },
	{ "own", "OWN ms", COLUMN_NUMBER, text_own },
	{ "proved", "PROVED", COLUMN_NUMBER, text_proved },
	{ "probable", "PROBABLE", COLUMN_NUMBER, text_probable },
	{ "cost", "COST ms", COLUMN_NUMBER, text_cost },
	{ "at-most", "AT MOST", COLUMN_NUMBER, text_most },
	{ "waited", "WAITED", COLUMN_NUMBER, text_waited },
	{ "dropped", "DROPPED", COLUMN_NUMBER, text_dropped },
	{ 0 }
};

static int select_columns(struct columns *columns, unsigned int by, bool victims,
			  const char *others, const char *list)
{
	char defaults[128] = "";
	int ret;

	for (unsigned int i = 0; i < SUMMARY_KEYS; i++)
		if (by & 1U << i)
			snprintf(defaults + strlen(defaults), sizeof(defaults) - strlen(defaults),
				 "%s,", summary_key_name(i));
	strcat(defaults, others);
	/* without the culprit's column there is no row that victims can hang under */
	if (victims && !(by & 1U << SUMMARY_CULPRIT))
		strcat(defaults, ",victims,victims-total");
	ret = columns_select(columns, report_columns, defaults, list);
	for (unsigned int i = 0; i < SUMMARY_KEYS && !ret; i++)
		if (!(by & 1U << i) && columns_have(columns, summary_key_name(i)))
			ret = misuse("-o %s takes --by with %s in its list too",
				     summary_key_name(i), summary_key_name(i));
	return ret;
}

/**
 * report_select() - the columns of a report
 * @columns: the result
 * @by: the keys that it sums up by
 * @victims: it has any
 * @list: the value of -o; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int report_select(struct columns *columns, unsigned int by, bool victims, const char *list)
{
	return select_columns(columns, by, victims, by & 1U << SUMMARY_CPU ?
			      "count,rate,longest,share,last" :
			      "count,rate,longest,share,last,cpus", list);
}

/* likewise, where several nodes are merged */
int fleet_select(struct columns *columns, unsigned int by, bool victims, const char *list)
{
	return select_columns(columns, by, victims, "nodes,count,rate,longest,share,last", list);
}

/**
 * cost_select() - the columns of a report by cost
 * @columns: the result
 * @by: the keys that it sums up by
 * @fleet: several nodes are merged
 * @packets: packets waited or were dropped
 * @list: the value of -o; NULL: there was none
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int cost_select(struct columns *columns, unsigned int by, bool fleet, bool packets,
		const char *list)
{
	/* as many as fit 80 columns: the bounds stay */
	static const char * const others[2][2] = {
		{ "own,proved,probable,cost,at-most", "own,cost,at-most,waited,dropped" },
		{ "nodes,own,cost,at-most", "nodes,cost,at-most,waited,dropped" },
	};

	return select_columns(columns, by, false, others[fleet][packets], list);
}

/* victims are columns or rows, not both */
static bool have_victims(const struct columns *columns)
{
	static const char * const names[] = {
		"victims", "victims-total", "proved", "probable", "cost", "at-most"
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (columns_have(columns, names[i]))
			return true;
	return false;
}

/**
 * text_groups() - the groups that blame somebody, as a table
 * @page: the page
 * @summary: the summary
 */
void text_groups(const struct page *page, const struct summary *summary)
{
	bool tree = summary->victims && columns_have(&page->columns, "culprit") &&
		    !have_victims(&page->columns);
	struct table *table = table_open(page, tree);
	bool marked = false, own = false;
	size_t rows = 0;

	for (size_t i = 0; i < summary->ngroups; i++) {
		struct row row = { .group = &summary->groups[i] };
		struct table_row *parent;

		if (!summary_blames(summary, row.group))
			continue;
		parent = table_add(table, NULL, &row);
		marked |= is_marked(page, &row);
		own |= !strcmp(charge_culprit(row.group->best), OWN_TASK);
		row.victims = true;
		if (tree && row.group->victims)
			table_add(table, parent, &row);
		rows++;
	}
	if (rows)
		table_print(table);
	else
		table_drop(table);
	if (marked && columns_have(&page->columns, "class"))
		text_line(page, 0, 2, BY_ENDS
			  " only ends were seen: what ran then, or a caller of it, may be innocent");
	if (own)
		text_line(page, 0, 2, OWN_TASK " is this program, or another one of its name");
}

/**
 * text_nested() - what stands behind a sum of lengths
 * @total_ns: the sum, without nested stalls
 * @longest_ns: the longest of them, with the stalls nested in it
 *
 * Return: why it may be less than the longest; "" where it is not.
 */
const char *text_nested(__u64 total_ns, __u64 longest_ns)
{
	return total_ns < longest_ns ? " without nested stalls" : "";
}

/*
 * "(the evidence does not say; 19 have a suspect: do_exit 16, release_task 3)". @brief: what the
 * class means is left out
 */
static char *print_meaning(const struct group *group, bool brief)
{
	enum tio_class class = group->best->found.verdict.class;
	const char *means = group_is_tracer(group) ? "nothing but the tracer's own code was met" :
						     class_means(class);
	char *suspects = name_counts_text(group->suspects, SUSPECTS), *text;

	if (group->suspected && *suspects)
		text = print_text(" (%s%s%u %s a suspect: %s)", brief ? "" : means,
				  brief ? "" : "; ", group->suspected,
				  group->suspected == 1 ? "has" : "have", suspects);
	else
		text = brief ? copy_text("") : print_text(" (%s)", means);
	free(suspects);
	return text;
}

/*
 * "unknown: 5 stalls, 52.000 ms, longest 20.000 ms, every 2 s (5 of 5), 1 victim (...)",
 * "(trace_irqoff), hardirq-long: 2 stalls, 31.000 ms (...)"
 */
static void footer(const struct page *page, const struct summary *summary,
		   const struct group *group, struct told *told, bool brief)
{
	enum tio_class class = group->best->found.verdict.class;
	char buf[UNITS_LEN], longest[64] = "", victims[64] = "";
	char *meaning = print_meaning(group, brief);
	struct regularity regularity;
	char every[UNITS_LEN];

	summary_regularity(group, &regularity);
	regularity_print(every, &regularity);
	if (group->longest_ns != group->total_ns)
		snprintf(longest, sizeof(longest), "%s, longest %s ms",
			 text_nested(group->total_ns, group->longest_ns),
			 print_ms(buf, group->longest_ns));
	if (group->victims)
		snprintf(victims, sizeof(victims), ", %llu %s", group->victims->seen.count,
			 group->victims->seen.count == 1 ? "victim" : "victims");
	text_line(page, 0, 2, "%s%s: %llu %s, %s ms%s%s%s%s%s",
		  group_is_tracer(group) ? CULPRIT_TRACER ", " : "", tio_class_name(class),
		  group->count, group->count == 1 ? "stall" : "stalls",
		  print_ms(buf, group->total_ns), longest, *every ? ", " : "", every, victims,
		  meaning);
	free(meaning);
	if (!brief)
		text_group_cause(page, summary, group, told);
}

static bool any_blames(const struct summary *summary)
{
	for (size_t i = 0; i < summary->ngroups; i++)
		if (summary_blames(summary, &summary->groups[i]))
			return true;
	return false;
}

/**
 * text_footers() - the groups that blame nobody, and records not read, in a sentence each
 * @page: the page
 * @summary: the summary
 * @told: which causes were printed; NULL where the page has none
 *
 * Where others blame somebody, a page that is to keep to one screen has no causes of these.
 */
void text_footers(const struct page *page, const struct summary *summary, struct told *told)
{
	bool brief = told && !page->verbose && any_blames(summary);

	for (size_t i = 0; i < summary->ngroups; i++)
		if (!summary_blames(summary, &summary->groups[i]))
			footer(page, summary, &summary->groups[i], told, brief);
	text_busy(page);
}
