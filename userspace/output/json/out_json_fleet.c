// SPDX-License-Identifier: GPL-2.0-only
#include "base/units.h"
#include "group/fleet.h"
#include "output/json/out_json.h"

/* @set: the nodes that saw something; NULL: none of it is about one group */
static struct json_object *releases_array(const struct places *places, const struct cpuset *set)
{
	struct json_object *array = json_object_new_array();

	for (unsigned int i = 0; i < places->nreleases; i++) {
		struct json_object *object = json_object_new_object();

		put_text(object, "release", places->releases[i]);
		put_number(object, "nodes", places_under(places, set, i));
		if (set)
			put_number(object, "of", places_under(places, NULL, i));
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *head_object(const struct page *page)
{
	const struct fleet *fleet = page->fleet;
	struct json_object *object = json_object_new_object();
	char time[UNITS_LEN];

	put_number(object, "schema_version", JSON_SCHEMA_VERSION);
	put_number(object, "captures", fleet->captures);
	put_number(object, "nodes", places_nodes(&fleet->places, NULL));
	put(object, "releases", releases_array(&fleet->places, NULL));
	put_text(object, "first_saved", print_iso8601(time, fleet->first_ns));
	put_text(object, "last_saved", print_iso8601(time, fleet->last_ns));
	put_text(object, "from", print_iso8601(time, page->window.from_ns));
	put_text(object, "to", print_iso8601(time, page->window.to_ns));
	put(object, "watched_ns", page->window.rates && !page->window.lacking ?
	    json_number(page->window.nodes_ns) : NULL);
	put_number(object, "read", fleet->records);
	put_number(object, "lost", fleet->lost);
	json_received(object, page->model);
	put_number(object, "busy", page->model->nbusy);
	put_number(object, "open_left_out", fleet->open_left_out);
	put_number(object, "records", fleet->stalls);
	json_lacking(object, page);
	return object;
}

/**
 * json_fleet() - who held interrupts or softirqs off, over many nodes
 * @page: the page
 * @summary: their records, summed up
 */
void json_fleet(const struct page *page, const struct summary *summary)
{
	struct json_stream stream;

	json_begin(&stream, head_object(page), "groups", page->out);
	for (size_t i = 0; i < summary->ngroups; i++) {
		const struct group *group = &summary->groups[i];
		struct json_object *object = json_group(page, summary, group);

		put_text(object, "best_node", text_node(page, group));
		put_number(object, "nodes", places_nodes(&page->fleet->places, &group->places));
		put(object, "releases", releases_array(&page->fleet->places, &group->places));
		json_item(&stream, object);
	}
	json_end(&stream);
}
