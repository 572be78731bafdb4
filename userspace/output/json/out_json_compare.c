// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <string.h>

#include "group/comparison.h"
#include "output/json/out_json.h"

static struct json_object *side_object(const struct side_read *read)
{
	struct json_object *object = json_object_new_object();

	put_number(object, "captures", read->captures);
	put_number(object, "left_out_unknown", read->left_out[WATCHED_UNKNOWN]);
	put_number(object, "left_out_damaged", read->left_out[WATCHED_DAMAGED]);
	put_number(object, "left_out_cleared", read->left_out[WATCHED_CLEARED]);
	put_number(object, "nodes", read->nodes);
	put_number(object, "watched_cpu_ns", read->all_ns);
	put_number(object, "records", read->records);
	put_number(object, "lost", read->lost);
	put_number(object, "stalls", read->stalls);
	put_number(object, "blameless", read->blameless);
	return object;
}

/* JSON has no infinity; more digits would say nothing */
static void put_double(struct json_object *object, const char *key, double number)
{
	struct json_object *value = isinf(number) ? NULL : json_object_new_double(number);

	if (value)
		json_object_set_serializer(value, json_object_double_to_json_string,
					   (void *)"%.6g", NULL);
	put(object, key, value);
}

static void put_keys(struct json_object *object, const struct compared *group)
{
	static const struct {
		enum summary_key key;
		const char *word;
	} words[] = {
		{ SUMMARY_CULPRIT, "culprit" }, { SUMMARY_BUSY, "busy_in" },
		{ SUMMARY_CLASS, "class" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		const char *text = group->texts[words[i].key];

		/* what is not known is null, as in a report */
		if (text)
			put_text(object, words[i].word, strcmp(text, "(unknown)") ? text : NULL);
	}
}

static struct json_object *rate_object(const struct compared *group, unsigned int side)
{
	struct json_object *object = json_object_new_object();

	put_number(object, "stalls", group->counts[side]);
	put_number(object, "nodes", group->seen_on[side]);
	put_double(object, "per_cpu_hour",
		   comparison_per_hour(side == BEFORE ? group->ratio.before : group->ratio.after));
	return object;
}

static struct json_object *group_object(const struct compared *group)
{
	struct json_object *object = json_object_new_object();

	put_keys(object, group);
	put(object, "before", rate_object(group, BEFORE));
	put(object, "after", rate_object(group, AFTER));
	put_double(object, "ratio", group->ratio.ratio);
	put_double(object, "ratio_low", group->ratio.low);
	put_double(object, "ratio_high", group->ratio.high);
	put_double(object, "p", group->ratio.p);
	put_text(object, "verdict", comparison_verdict(group->verdict));
	return object;
}

static const char *verdict_of(const struct comparison *comparison)
{
	if (comparison->cannot_tell)
		return "cannot-tell";
	return comparison->verdicts[VERDICT_WORSE] ? "worse" : "not-worse";
}

/**
 * json_compare() - which culprits' rates have changed
 * @page: the page
 * @comparison: what was read, judged
 */
void json_compare(const struct page *page, const struct comparison *comparison)
{
	struct json_object *head = json_object_new_object();
	struct json_stream stream;

	put_number(head, "schema_version", JSON_SCHEMA_VERSION);
	put_text(head, "verdict", verdict_of(comparison));
	put_text(head, "cannot_tell", comparison->cannot_tell);
	put_number(head, "threshold_ns", comparison->threshold_ns);
	put(head, "baseline", side_object(&comparison->sides[BEFORE]));
	put(head, "compared", side_object(&comparison->sides[AFTER]));
	json_begin(&stream, head, "groups", page->out);
	for (size_t i = 0; i < comparison->ngroups && !comparison->cannot_tell; i++)
		json_item(&stream, group_object(comparison->groups[i]));
	json_end(&stream);
}
