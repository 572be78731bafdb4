// SPDX-License-Identifier: GPL-2.0-only
#include "causes/causes.h"
#include "output/json/out_json.h"

static struct json_object *texts_array(const struct patterns *texts)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < texts->count; i++)
		json_object_array_add(array, json_object_new_string(texts->all[i]));
	return array;
}

static struct json_object *fixed_object(const struct cause *cause)
{
	struct json_object *object;

	if (!cause->since)
		return NULL;
	object = json_object_new_object();
	put_text(object, "since", cause->since);
	put(object, "commits", texts_array(&cause->commits));
	return object;
}

/**
 * json_cause() - a known cause
 * @cause: the row; NULL: none is known
 *
 * Return: an object, or NULL.
 */
struct json_object *json_cause(const struct cause *cause)
{
	struct json_object *object;

	if (!cause)
		return NULL;
	object = json_object_new_object();
	put_text(object, "id", cause->id);
	put_text(object, "cause", cause->cause);
	put_text(object, "remedy", cause->remedy);
	put_text(object, "count", cause->count);
	put(object, "fixed", fixed_object(cause));
	put(object, "links", texts_array(&cause->links));
	return object;
}

static struct json_object *match_object(const struct cause *cause)
{
	struct json_object *object, *classes;

	if (!cause->stall)
		return NULL;
	object = json_object_new_object();
	classes = json_object_new_array();
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		if (cause->classes & 1U << i)
			json_object_array_add(classes, json_object_new_string(tio_class_name(i)));
	put(object, "culprit", texts_array(&cause->culprit));
	put(object, "path", texts_array(&cause->path));
	put(object, "module", texts_array(&cause->module));
	put(object, "class", classes);
	return object;
}

/**
 * json_causes() - known causes and hints
 * @causes: all of them
 * @only: the rows to print, by their index; NULL: all
 * @out: where to
 */
void json_causes(const struct causes *causes, const bool *only, FILE *out)
{
	struct json_object *document = json_object_new_object();
	struct json_object *rows = json_object_new_array(), *hints = json_object_new_object();

	put_number(document, "schema_version", JSON_SCHEMA_VERSION);
	for (size_t i = 0; i < causes->count; i++) {
		const struct cause *cause = &causes->rows[i];
		struct json_object *row;

		if (only && !only[i])
			continue;
		row = json_cause(cause);
		put(row, "match", match_object(cause));
		put_text(row, "file", causes->files[cause->file]);
		json_object_array_add(rows, row);
	}
	put(document, "causes", rows);
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		put_text(hints, tio_class_name(i), causes->hints[i]);
	put(document, "hints", hints);
	json_finish(document, out);
}
