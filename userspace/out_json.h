/* SPDX-License-Identifier: GPL-2.0-only */
/* What JSON is put together from. What is put into an object is taken over by it. */
#ifndef _IRQOFF_OUT_JSON_H
#define _IRQOFF_OUT_JSON_H

#include <json-c/json.h>

#include "out.h"

void put(struct json_object *object, const char *key, struct json_object *value);
void put_number(struct json_object *object, const char *key, __u64 value);
void put_bool(struct json_object *object, const char *key, bool value);
void put_text(struct json_object *object, const char *key, const char *value);
const char *print_json(struct json_object *object);
void finish_json(struct json_object *object, FILE *out);
void json_cgroup(struct json_object *object, const struct cgroup *cgroup, enum summary_key key);
void json_origin(struct json_object *object, const struct model *model);

#endif /* _IRQOFF_OUT_JSON_H */
