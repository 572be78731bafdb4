// SPDX-License-Identifier: GPL-2.0-only
/* One capture is in memory at a time; what stays is a number for each group and node. */
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "collect/capture_heads.h"
#include "group/comparison.h"
#include "model/charge.h"
#include "terminal/columns.h"

#define FIRST_SIZE	64
#define KEY_LEN		8192	/* of all keys; a path has up to 4096 */

/* a time of one load that was counted */
struct span {
	struct load load;
	__u64 from_ns, to_ns;
};

struct reading {
	struct comparison *comparison;
	struct filter *filter;
	unsigned int side;
	struct lh_table *index;	/* texts of the keys to groups */
	struct span *spans[SIDES];
	size_t nspans[SIDES];
	__u64 cut_ns;		/* shorter stalls are left out */
	__u64 shortest_ns;	/* of those that were counted */
	char *overlap;
};

static void free_key(struct lh_entry *entry)
{
	free((void *)lh_entry_k(entry));
}

static struct compared *add_group(struct reading *reading, char *key, const struct entry *entry)
{
	struct comparison *comparison = reading->comparison;
	struct compared *group = alloc(1, sizeof(*group));
	char buf[CELL_LEN];

	for (unsigned int i = 0; i < SUMMARY_KEYS; i++)
		if (comparison->by & 1U << i)
			group->texts[i] = copy_text(summary_key_text(buf, sizeof(buf), entry, i));
	if (lh_table_insert(reading->index, key, group))
		exit(failed("out of memory"));
	comparison->groups = grow(comparison->groups, comparison->ngroups,
				  sizeof(*comparison->groups));
	comparison->groups[comparison->ngroups++] = group;
	return group;
}

static struct compared *group_of(struct reading *reading, const struct entry *entry)
{
	char key[KEY_LEN], buf[CELL_LEN];
	size_t len = 0;
	void *group;

	*key = '\0';
	for (unsigned int i = 0; i < SUMMARY_KEYS && len < sizeof(key); i++)
		if (reading->comparison->by & 1U << i)
			len += snprintf(key + len, sizeof(key) - len, "%s\n",
					summary_key_text(buf, sizeof(buf), entry, i));
	if (lh_table_lookup_ex(reading->index, key, &group))
		return group;
	return add_group(reading, copy_text(key), entry);
}

static void count_stall(struct reading *reading, const struct entry *entry, unsigned int node)
{
	struct compared *group = group_of(reading, entry);
	unsigned int side = reading->side;
	struct node_count *last;

	group->counts[side]++;
	last = group->nnodes[side] ? &group->nodes[side][group->nnodes[side] - 1] : NULL;
	if (last && last->node == node) {
		last->count++;
		return;
	}
	group->nodes[side] = grow(group->nodes[side], group->nnodes[side],
				  sizeof(*group->nodes[side]));
	group->nodes[side][group->nnodes[side]++] = (struct node_count){ node, 1 };
}

static bool inside(const struct entry *entry, const struct watched *watched)
{
	const struct tio_record *rec = &entry->rec;

	return !rec->open && rec->end_ns > watched->from_ns && rec->end_ns <= watched->to_ns;
}

/* settings change: records say which ones were in force */
static void note_settings(struct comparison *comparison, __u64 threshold_ns, __u64 period_ns)
{
	if (threshold_ns > comparison->threshold_ns)
		comparison->threshold_ns = threshold_ns;
	if (!comparison->period_ns[0] || period_ns < comparison->period_ns[0])
		comparison->period_ns[0] = period_ns;
	if (period_ns > comparison->period_ns[1])
		comparison->period_ns[1] = period_ns;
}

static void add_records(struct reading *reading, const struct watched *watched,
			struct entry *const *entries, size_t count)
{
	struct side_read *read = &reading->comparison->sides[reading->side];

	for (size_t i = 0; i < count; i++) {
		struct tio_record room;
		const struct tio_record *rec = entry_record(&room, entries[i]);

		if (!inside(entries[i], watched) || !filter_wants_cpu(reading->filter, rec->cpu))
			continue;
		read->records++;
		note_settings(reading->comparison, rec->threshold_ns, rec->period_ns);
	}
}

/* stalls that waited for others are those others' doing, and are not counted again */
static void add_stalls(struct reading *reading, const struct watched *watched,
		       const struct model *model, unsigned int node)
{
	struct side_read *read = &reading->comparison->sides[reading->side];

	for (size_t i = 0; i < model->nentries; i++) {
		const struct entry *entry = model->entries[i];

		if (!inside(entry, watched) || entry->found.waits_for ||
		    entry->rec.min_ns < reading->cut_ns)
			continue;
		if (entry->rec.min_ns < reading->shortest_ns)
			reading->shortest_ns = entry->rec.min_ns;
		if (!charge_blames(entry)) {
			read->blameless++;
			continue;
		}
		read->stalls++;
		count_stall(reading, entry, node);
	}
}

static unsigned int node_of(struct side_read *read, const struct machine *machine)
{
	unsigned int before = read->places.nnodes;
	unsigned int place = place_of(&read->places, machine);

	if (read->places.nnodes > before) {
		read->watched_ns = grow(read->watched_ns, before, sizeof(*read->watched_ns));
		read->watched_ns[before] = 0;
	}
	return read->places.all[place].node;
}

/* --since and --until are of the wall clock, as it was when the capture was made */
static void clip(struct watched *watched, const struct model *model, const struct filter *filter)
{
	const __u64 off_ns = model->config.realtime_ns - model->config.now_ns;

	if (filter->since_ns > watched->from_ns + off_ns)
		watched->from_ns = filter->since_ns - off_ns;
	if (filter->until_ns < watched->to_ns + off_ns)
		watched->to_ns = filter->until_ns > off_ns ? filter->until_ns - off_ns : 0;
}

static void note_overlap(struct reading *reading, const char *path)
{
	static const char same[] =
		"covers a time that the baseline has of the same node; -i takes later captures";

	if (!reading->overlap)
		reading->overlap = print_text("%s %s", path, same);
}

/*
 * A capture may reach back into the time of another one of its load. What that one told
 * counts there. On the other side it may be cut off at the beginning only.
 */
static void cut_spans(struct reading *reading, const struct load *load, const char *path,
		      struct watched *watched)
{
	for (unsigned int side = 0; side <= reading->side; side++) {
		for (size_t i = 0; i < reading->nspans[side]; i++) {
			const struct span *span = &reading->spans[side][i];

			if (heads_compare_loads(&span->load, load) ||
			    span->from_ns >= watched->to_ns || span->to_ns <= watched->from_ns)
				continue;
			if (side != reading->side && span->to_ns >= watched->to_ns)
				note_overlap(reading, path);
			watched->from_ns = span->to_ns;
		}
	}
}

static void add_span(struct reading *reading, const struct load *load,
		     const struct watched *watched)
{
	struct span **spans = &reading->spans[reading->side];
	size_t *count = &reading->nspans[reading->side];

	*spans = grow(*spans, *count, sizeof(**spans));
	(*spans)[(*count)++] = (struct span){
		.load = *load, .from_ns = watched->from_ns, .to_ns = watched->to_ns,
	};
}

static void add_collection(struct reading *reading, const struct head *head,
			   struct collection *collection)
{
	struct side_read *read = &reading->comparison->sides[reading->side];
	struct model *model = &collection->model;
	struct watched watched;
	unsigned int node;
	__u64 ns;

	watched_find(&watched, model, reading->filter);
	if (model->received.damaged || model_lacks_records(model))
		watched.state = WATCHED_DAMAGED;
	if (watched.state != WATCHED_KNOWN) {
		read->left_out[watched.state]++;
		return;
	}
	clip(&watched, model, reading->filter);
	cut_spans(reading, &head->load, head->path, &watched);
	if (watched.from_ns >= watched.to_ns)
		return;
	add_span(reading, &head->load, &watched);
	note_settings(reading->comparison, model->config.threshold_us * NSEC_PER_USEC,
		      model->config.period_us * NSEC_PER_USEC);
	add_records(reading, &watched, model->entries, model->nentries);
	read->records += watched.lost;
	read->lost += watched.lost;
	node = node_of(read, &model->machine);
	ns = (watched.to_ns - watched.from_ns) * watched.cpus;
	read->nodes += !read->watched_ns[node];
	read->watched_ns[node] += ns;
	read->all_ns += ns;
	collect_pass(collection, reading->filter);
	add_stalls(reading, &watched, model, node);
}

static int add_capture(struct reading *reading, const struct head *head)
{
	struct collection collection;
	int ret = collect_capture(&collection, head->path, reading->filter);

	if (!ret) {
		reading->comparison->sides[reading->side].captures++;
		add_collection(reading, head, &collection);
		ret = collection.model.received.damaged ? EXIT_FAILED : EXIT_DONE;
	}
	collect_free(&collection);
	return ret;
}

static int read_side(struct reading *reading, const struct head *heads, size_t count,
		     unsigned int side)
{
	int ret = filter_refer(reading->filter, heads_newest_ns(heads, count));

	reading->side = side;
	for (size_t i = 0; i < count && ret != EXIT_USAGE; i++)
		if (add_capture(reading, &heads[i]))
			ret = EXIT_FAILED;
	return ret;
}

static __u64 highest_threshold(__u64 highest_ns, const struct head *heads, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (heads[i].threshold_ns > highest_ns)
			highest_ns = heads[i].threshold_ns;
	return highest_ns;
}

static int read_sides(struct comparison *comparison, struct head *heads[SIDES],
		      const size_t counts[SIDES], struct filter *filter, __u64 *cut_ns)
{
	struct reading reading = {
		.comparison = comparison,
		.filter = filter,
		.index = or_exit(lh_kchar_table_new(FIRST_SIZE, free_key)),
		.cut_ns = *cut_ns,
		.shortest_ns = ~0ULL,
	};
	int ret = EXIT_DONE;

	for (unsigned int side = 0; side < SIDES && ret != EXIT_USAGE; side++) {
		int one = read_side(&reading, heads[side], counts[side], side);

		ret = one ? one : ret;
	}
	if (reading.shortest_ns < comparison->threshold_ns)
		*cut_ns = comparison->threshold_ns;
	comparison->cannot_tell = reading.overlap;
	for (unsigned int side = 0; side < SIDES; side++)
		free(reading.spans[side]);
	lh_table_free(reading.index);
	return ret;
}

/**
 * comparison_read() - read both sides
 * @comparison: the result; ends with comparison_free() whatever is returned
 * @before: the baseline's captures
 * @after: those that are compared with it
 * @filter: which records pass; ages count back from when a side's newest was saved
 * @by: keys whose values make a group
 *
 * Stalls shorter than the highest threshold of all captures are left out: elsewhere they
 * were not recorded.
 *
 * Return: an exit status; EXIT_FAILED also where others could be read.
 */
int comparison_read(struct comparison *comparison, const struct inputs *before,
		    const struct inputs *after, struct filter *filter, unsigned int by)
{
	struct head *heads[SIDES] = { heads_read(before), heads_read(after) };
	const size_t counts[SIDES] = { before->count, after->count };
	__u64 cut_ns = 0, last_ns;
	int ret;

	for (unsigned int side = 0; side < SIDES; side++)
		cut_ns = highest_threshold(cut_ns, heads[side], counts[side]);
	*comparison = (struct comparison){ 0 };
	/* records may be of a higher threshold than the one that was in force at last */
	do {
		last_ns = cut_ns;
		comparison_free(comparison);
		comparison->by = by;
		ret = read_sides(comparison, heads, counts, filter, &cut_ns);
	} while (ret != EXIT_USAGE && cut_ns > last_ns);
	for (unsigned int side = 0; side < SIDES; side++)
		free(heads[side]);
	return ret;
}
