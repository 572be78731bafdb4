// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "alibi/alibi_why.h"
#include "model/labels.h"
#include "output/json/out_json.h"

static struct json_object *stall_object(const struct page *page, const struct entry *entry)
{
	struct json_object *object = json_object_new_object();
	char name[UNITS_LEN], time[UNITS_LEN];

	put_text(object, "record", print_record_name(name, &entry->rec));
	put_text(object, "kind", entry->rec.kind == TRACE_IRQOFF_KIND_HARD ? "hard" : "soft");
	put_text(object, "class", tio_class_name(entry->found.verdict.class));
	put_text(object, "culprit", entry->found.culprit);
	put_text(object, "time",
		 print_iso8601(time, model_realtime_ns(page->model, entry->rec.end_ns)));
	put_number(object, "end_realtime_ns", model_realtime_ns(page->model, entry->rec.end_ns));
	put_number(object, "min_ns", entry->rec.min_ns);
	put_number(object, "max_ns", entry->rec.max_ns);
	put_bool(object, "open", entry->rec.open);
	return object;
}

static void put_gap(struct json_object *object, const struct page *page,
		    const struct alibi *alibi)
{
	char *why = NULL, *remedy = NULL;

	if (alibi->gap != ALIBI_NO_GAP) {
		why = alibi_why(page->model, alibi);
		remedy = alibi_remedy(alibi);
	}
	put_text(object, "reason", alibi_gap_word(alibi->gap));
	put_text(object, "why", why);
	put_text(object, "remedy", remedy);
	free(why);
	free(remedy);
}

/**
 * json_alibi() - a verdict, for programs
 * @page: the page
 * @alibi: the verdict
 */
void json_alibi(const struct page *page, const struct alibi *alibi)
{
	static const char * const words[ALIBI_VERDICTS] = {
		[ALIBI_NO_STALL] = "no-stall",
		[ALIBI_STALLED] = "stalled",
		[ALIBI_CANNOT_TELL] = "cannot-tell",
	};
	struct json_object *object = json_object_new_object();
	struct json_object *stalls = json_object_new_array();

	json_identity(object, page->model);
	put_text(object, "verdict", words[alibi->verdict]);
	put_number(object, "from_realtime_ns", alibi->from_ns);
	put_number(object, "to_realtime_ns", alibi->to_ns);
	put_number(object, "over_ns", alibi->over_ns);
	put_number(object, "shortest_ns", alibi->shortest_ns);
	put_text(object, "cpus", alibi->asked);
	put_text(object, "dev", alibi->dev);
	put_text(object, "dev_how", alibi->dev_how);
	put_gap(object, page, alibi);
	for (size_t i = 0; i < alibi->nstalls; i++)
		json_object_array_add(stalls, stall_object(page, alibi->stalls[i]));
	put(object, "stalls", stalls);
	json_finish(object, page->out);
}
