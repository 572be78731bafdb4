// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "group/places.h"

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
