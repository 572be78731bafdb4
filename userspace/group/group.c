// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "group/group.h"
#include "judge/culprit.h"

void sighting_add(struct sighting *sighting, const struct entry *entry)
{
	bool first = !sighting->count++;

	if (first || entry_start_ns(entry) < sighting->first_ns)
		sighting->first_ns = entry_start_ns(entry);
	if (first || entry->rec.end_ns > sighting->last_ns)
		sighting->last_ns = entry->rec.end_ns;
	if (entry->rec.min_ns > sighting->longest_ns)
		sighting->longest_ns = entry->rec.min_ns;
	cpuset_add(&sighting->cpus, entry->rec.cpu);
}

void sighting_free(struct sighting *sighting)
{
	cpuset_free(&sighting->cpus);
	*sighting = (struct sighting){ 0 };
}

static void sighting_merge(struct sighting *sighting, const struct sighting *more)
{
	if (!more->count)
		return;
	if (!sighting->count || more->first_ns < sighting->first_ns)
		sighting->first_ns = more->first_ns;
	if (more->last_ns > sighting->last_ns)
		sighting->last_ns = more->last_ns;
	if (more->longest_ns > sighting->longest_ns)
		sighting->longest_ns = more->longest_ns;
	sighting->count += more->count;
	cpuset_add_set(&sighting->cpus, &more->cpus);
}

/* those of a group; all zeros where there are none */
const struct victims *group_victims(const struct group *group)
{
	static const struct victims none;

	return group->victims ?: &none;
}

/* the same, to add some */
struct victims *group_add_victims(struct group *group)
{
	if (!group->victims)
		group->victims = alloc(1, sizeof(*group->victims));
	return group->victims;
}

static void victims_merge(struct victims *victims, const struct victims *more)
{
	sighting_merge(&victims->seen, &more->seen);
	victims->probable += more->probable;
	victims->ns += more->ns;
	victims->early += more->early;
	victims->early_ns += more->early_ns;
}

static void victims_free(struct victims *victims)
{
	if (victims)
		sighting_free(&victims->seen);
	free(victims);
}

/**
 * group_merge() - count the stalls of a group that names nobody else with those of another one
 * @group: gets them; its best record stays
 * @more: the group, of ends: it has no tasks and functions; who waited is the caller's
 */
void group_merge(struct group *group, const struct group *more)
{
	struct occasions occasions = { 0 };

	occasions_merge(&occasions, &group->occasions, &more->occasions);
	occasions_free(&group->occasions);
	group->occasions = occasions;
	group->evidence |= more->evidence;
	group->suspected += more->suspected;
	group->count += more->count;
	group->early += more->early;
	group->early_ns += more->early_ns;
	group->packets_waited += more->packets_waited;
	group->packets_dropped += more->packets_dropped;
	group->total_ns += more->total_ns;
	if (more->longest_ns > group->longest_ns)
		group->longest_ns = more->longest_ns;
	if (more->victims)
		victims_merge(group_add_victims(group), more->victims);
	cost_merge(&group->cost, &more->cost);
	sighting_merge(&group->seen, &more->seen);
	cpuset_add_set(&group->places, &more->places);
}

void group_forget(struct group *group)
{
	sighting_free(&group->seen);
	victims_free(group->victims);
	behalf_free(&group->behalves);
	name_counts_free(group->busy);
	name_counts_free(group->waiters);
	name_counts_free(group->suspects);
	name_counts_free(group->candidates);
	met_tasks_free(group->tasks);
	occasions_free(&group->occasions);
	cpuset_free(&group->places);
}

/* was nothing but the tracer's own code met? */
bool group_is_tracer(const struct group *group)
{
	const char *culprit = group->best->found.culprit;

	return culprit && !strcmp(culprit, CULPRIT_TRACER);
}
