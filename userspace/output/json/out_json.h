/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds JSON. An object owns what is put into it. */
#ifndef _IRQOFF_OUT_JSON_H
#define _IRQOFF_OUT_JSON_H

#include <json-c/json.h>

#include "output/out.h"

/*
 * Of userspace/schema/irqoff.schema.json: grows when a key goes or changes its meaning, not with
 * a new key.
 */
#define JSON_SCHEMA_VERSION	1

void put(struct json_object *object, const char *key, struct json_object *value);
struct json_object *json_number(__u64 value);
void put_known(struct json_object *object, const char *key, bool known, __u64 value);
void put_number(struct json_object *object, const char *key, __u64 value);
void put_bool(struct json_object *object, const char *key, bool value);
void put_text(struct json_object *object, const char *key, const char *value);
void json_cgroup(struct json_object *object, const struct cgroup *cgroup, enum summary_key key);
void json_received(struct json_object *object, const struct model *model);
void json_identity(struct json_object *object, const struct model *model);

/* a document that is printed item by item */
struct json_stream {
	FILE *out;
	size_t items;
};

struct json_object *json_document(const struct model *model);
struct json_object *json_group(const struct page *page, const struct summary *summary,
			       const struct group *group);
struct json_object *json_cause(const struct cause *cause);
void json_lacking(struct json_object *head, const struct page *page);
void json_finish(struct json_object *object, FILE *out);
void json_begin(struct json_stream *stream, struct json_object *head, const char *array,
		FILE *out);
void json_item_text(struct json_stream *stream, const char *item);
void json_item(struct json_stream *stream, struct json_object *item);
void json_end(struct json_stream *stream);

#endif /* _IRQOFF_OUT_JSON_H */
