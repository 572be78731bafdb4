// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "collect/capture_heads.h"
#include "collect/duplicates.h"
#include "group/fleet.h"

/* what the captures of one load have in common; they are read one after another */
struct reading {
	struct fleet *fleet;
	struct filter *filter;
	struct sequence_set seen;
	__u64 until_ns;		/* the time up to here has been counted */
	__u64 lost;		/* as the newest that could be read has it */
	__u64 produced;		/* likewise, with those that were dropped by a clear */
	bool last;		/* no later capture of the load follows */
};

/* the time that this capture tells of, without what an earlier one told of */
static void add_window(struct reading *reading, const struct model *model)
{
	struct window window = window_of(model, reading->filter->since_ns,
					 reading->filter->until_ns);
	struct window *all = &reading->fleet->window;
	__u64 from_ns = window.from_ns;

	all->rates = all->rates && window.rates;
	all->lacking = all->lacking || window.lacking;
	/* nobody knows what time it is of */
	if (window.lacking && !model->nentries && !model->ndropped && !model->briefs.count)
		return;
	if (from_ns < reading->until_ns)
		from_ns = reading->until_ns;
	if (window.to_ns > from_ns)
		all->nodes_ns += window.to_ns - from_ns;
	if (window.to_ns > reading->until_ns)
		reading->until_ns = window.to_ns;
	if (!all->to_ns || window.from_ns < all->from_ns)
		all->from_ns = window.from_ns;
	if (window.to_ns > all->to_ns)
		all->to_ns = window.to_ns;
}

static void add_counts(struct reading *reading, const struct model *model)
{
	struct fleet *fleet = reading->fleet;

	for (size_t i = 0; i < model->nentries; i++) {
		if (model->entries[i]->view.repeated)
			continue;
		fleet->stalls++;
		fleet->early += model->entries[i]->view.early;
	}
	fleet->all.nbusy += model->nbusy;
	fleet->all.received.cut |= model->received.cut;
	fleet->all.received.no_counters |= model->received.no_counters;
	/* at most: other captures may have them */
	fleet->all.received.missing += model->received.missing;
	fleet->all.received.contradictory += model->received.contradictory;
}

static void note_lost(struct reading *reading, const struct model *model)
{
	/* at most: what a recording has lost another capture may have, or have lost as well */
	if (model->recorded_ns) {
		reading->fleet->lost += model_counters_sum(model).lost;
		return;
	}
	reading->lost = model_counters_sum(model).lost;
	reading->produced = model_counters_sum(model).produced;
}

/* behind the captures of a load: of what no capture has, up to so many were overwritten */
static void end_load(struct reading *reading)
{
	__u64 seen = reading->seen.count;
	__u64 missing = reading->produced > seen ? reading->produced - seen : 0;

	reading->fleet->lost += reading->lost < missing ? reading->lost : missing;
	reading->fleet->records += reading->seen.count;
	sequence_set_free(&reading->seen);
	reading->until_ns = 0;
	reading->lost = 0;
	reading->produced = 0;
}

static void add_time(struct fleet *fleet, __u64 saved_ns)
{
	if (!fleet->captures || saved_ns < fleet->first_ns)
		fleet->first_ns = saved_ns;
	if (saved_ns > fleet->last_ns)
		fleet->last_ns = saved_ns;
}

/* frees what stands for no group any more */
static void sweep(struct fleet *fleet)
{
	size_t kept = 0;

	for (size_t i = 0; i < fleet->nkept; i++) {
		struct collection *collection = fleet->kept[i];

		model_prune(&collection->model);
		if (collection->model.nentries || collection->model.ndropped) {
			fleet->kept[kept++] = collection;
			continue;
		}
		collect_free(collection);
		free(collection);
	}
	fleet->nkept = kept;
}

static int add_capture(struct reading *reading, const char *path)
{
	struct collection *collection = alloc(1, sizeof(*collection));
	struct fleet *fleet = reading->fleet;
	struct model *model = &collection->model;
	int ret = collect_capture(collection, path, reading->filter);

	if (ret) {
		collect_free(collection);
		free(collection);
		return ret;
	}
	model_rebase(model);
	collect_pass(collection, reading->filter);
	fleet->open_left_out += duplicates_mark(&reading->seen, model, reading->last);
	add_window(reading, model);
	add_counts(reading, model);
	note_lost(reading, model);
	add_time(fleet, model->config.realtime_ns);
	fleet->captures++;
	summary_add(&fleet->summary, model, place_of(&fleet->places, &model->machine));
	if (collection->model.received.damaged)
		ret = EXIT_FAILED;
	fleet->kept = grow(fleet->kept, fleet->nkept, sizeof(*fleet->kept));
	fleet->kept[fleet->nkept++] = collection;
	sweep(fleet);
	return ret;
}

static int add_all(struct fleet *fleet, const struct head *heads, size_t count,
		   struct filter *filter)
{
	struct reading reading = { .fleet = fleet, .filter = filter };
	int ret = EXIT_DONE;

	for (size_t i = 0; i < count; i++) {
		reading.last = heads_last(heads, count, i);
		if (add_capture(&reading, heads[i].path))
			ret = EXIT_FAILED;
		if (reading.last)
			end_load(&reading);
	}
	return ret;
}

/**
 * fleet_read() - read captures and sum up their records
 * @fleet: the result; ends with fleet_free() whatever is returned
 * @inputs: the captures
 * @filter: which records pass; ages count back from when the newest was saved
 * @by: keys whose values make a group
 * @sort: what the groups are sorted by
 *
 * A record that is in several captures of a load counts once, in the oldest of them, where
 * fewer records of its time were lost.
 *
 * Return: an exit status; EXIT_FAILED also where there is something to show of others.
 */
int fleet_read(struct fleet *fleet, const struct inputs *inputs, struct filter *filter,
	       unsigned int by, enum summary_sort sort)
{
	struct head *heads = heads_read(inputs);
	__u64 newest_ns = heads_newest_ns(heads, inputs->count);
	int ret;

	*fleet = (struct fleet){ .window.rates = true };
	summary_begin(&fleet->summary, by);
	ret = filter_refer(filter, newest_ns);
	if (!ret)
		ret = add_all(fleet, heads, inputs->count, filter);
	free(heads);
	summary_end(&fleet->summary, sort);
	fleet->all.saved = true;
	/* their records have the wall clock's times */
	fleet->all.config.now_ns = newest_ns;
	fleet->all.config.realtime_ns = newest_ns;
	return ret;
}

void fleet_free(struct fleet *fleet)
{
	for (size_t i = 0; i < fleet->nkept; i++) {
		collect_free(fleet->kept[i]);
		free(fleet->kept[i]);
	}
	free(fleet->kept);
	summary_free(&fleet->summary);
	places_free(&fleet->places);
	*fleet = (struct fleet){ 0 };
}

#define FIRST_SIZE	64

static void free_name(struct lh_entry *entry)
{
	free((void *)lh_entry_k(entry));
}

/* the number of a name, @next for a new one */
static unsigned int number_of(struct lh_table *index, char *name, unsigned int next)
{
	void *found;

	if (lh_table_lookup_ex(index, name, &found)) {
		free(name);
		return (uintptr_t)found;
	}
	if (lh_table_insert(index, name, (void *)(uintptr_t)next))
		exit(failed("out of memory"));
	return next;
}

static unsigned int release_of(struct places *places, const char *release)
{
	unsigned int i = 0;

	while (i < places->nreleases && strcmp(places->releases[i], release))
		i++;
	if (i < places->nreleases)
		return i;
	places->releases = grow(places->releases, i, sizeof(*places->releases));
	places->releases[places->nreleases++] = copy_text(release);
	return i;
}

/**
 * place_of() - the place that a capture comes from
 * @places: the places
 * @machine: the capture's machine; one without a name is told by its boot
 *
 * Return: the place's number.
 */
unsigned int place_of(struct places *places, const struct machine *machine)
{
	const char *name = *machine->host ? machine->host : machine->boot_id;
	unsigned int place, node, release;

	if (!places->index)
		places->index = or_exit(lh_kchar_table_new(FIRST_SIZE, free_name));
	place = number_of(places->index, print_text("%s\n%s", name, machine->release),
			  places->count);
	if (place < places->count)
		return place;
	node = number_of(places->index, copy_text(name), places->nnodes);
	if (node == places->nnodes) {
		places->nodes = grow(places->nodes, node, sizeof(*places->nodes));
		places->nodes[places->nnodes++] = copy_text(name);
	}
	release = release_of(places, machine->release);
	places->all = grow(places->all, places->count, sizeof(*places->all));
	places->all[places->count++] = (struct place){ .node = node, .release = release };
	return place;
}

/**
 * places_nodes() - how many nodes are in a set of places
 * @places: the places
 * @set: the set; NULL: all of them
 *
 * Return: their number. One that ran several kernels counts once.
 */
unsigned int places_nodes(const struct places *places, const struct cpuset *set)
{
	struct cpuset nodes = { 0 };
	unsigned int count;

	if (!set)
		return places->nnodes;
	for (size_t i = 0; i < places->count; i++)
		if (cpuset_has(set, i))
			cpuset_add(&nodes, places->all[i].node);
	count = cpuset_count(&nodes);
	cpuset_free(&nodes);
	return count;
}

/**
 * places_under() - how many nodes are in a set of places, under one kernel
 * @places: the places
 * @set: the set; NULL: all of them
 * @release: the kernel's number
 *
 * Return: their number.
 */
unsigned int places_under(const struct places *places, const struct cpuset *set,
			  unsigned int release)
{
	unsigned int count = 0;

	for (size_t i = 0; i < places->count; i++)
		if (places->all[i].release == release && (!set || cpuset_has(set, i)))
			count++;
	return count;
}

void places_free(struct places *places)
{
	for (unsigned int i = 0; i < places->nreleases; i++)
		free(places->releases[i]);
	for (unsigned int i = 0; i < places->nnodes; i++)
		free(places->nodes[i]);
	free(places->releases);
	free(places->nodes);
	free(places->all);
	if (places->index)
		lh_table_free(places->index);
	*places = (struct places){ 0 };
}
