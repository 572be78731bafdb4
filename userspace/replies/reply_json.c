// SPDX-License-Identifier: GPL-2.0-only
/* Lines of which each is a JSON object of a request. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "replies/reply_format.h"

#define KEYS_MOST	120	/* as many characters of them are told, and a key */

struct request {
	const char *time, *latency, *target;
	__u64 unit_ns;
	bool odd;	/* a latency is neither a text nor a number */
};

/* numbers as they are written, so that no digit is lost; "" of null; NULL: it has no text */
static const char *text_of(struct json_object *value)
{
	switch (json_object_get_type(value)) {
	case json_type_string:
	case json_type_int:
	case json_type_double:
		return json_object_get_string(value);
	case json_type_null:
		return "";
	default:
		return NULL;
	}
}

/* "request.host": the key as it is, or in objects that are nested; false: it is not there */
static bool nested(struct json_object *object, const char *path, const char **text)
{
	struct json_object *value;
	const char *dot = path;
	bool found = false;
	char *key;

	*text = NULL;
	if (json_object_object_get_ex(object, path, &value)) {
		*text = text_of(value);
		return true;
	}
	while (!*text && (dot = strchr(dot, '.'))) {
		key = or_exit(strndup(path, dot - path));
		dot++;
		if (json_object_object_get_ex(object, key, &value) &&
		    json_object_is_type(value, json_type_object))
			found |= nested(value, dot, text);
		free(key);
	}
	return found;
}

static void find_named(struct request *request, const struct request_fields *fields,
		       struct json_object *object)
{
	nested(object, fields->time, &request->time);
	request->odd = nested(object, fields->latency, &request->latency) && !request->latency;
	if (fields->target)
		nested(object, fields->target, &request->target);
	request->unit_ns = field_unit(fields->latency);
}

static bool has_value(const char *text)
{
	return text && *text;
}

/* the first of each that has a value; a latency that has none says that no reply came */
static void find_usual(struct request *request, const struct request_fields *fields,
		       struct json_object *object)
{
	__u64 unit_ns;

	json_object_object_foreach(object, key, value) {
		const char *text = text_of(value);

		if (!text) {
			request->odd |= field_is_latency(fields, key, &unit_ns);
			continue;
		}
		if (!has_value(request->time) && field_is_time(fields, key))
			request->time = text;
		if (!has_value(request->target) && field_is_target(fields, key))
			request->target = text;
		if (has_value(request->latency) || !field_is_latency(fields, key, &unit_ns))
			continue;
		request->latency = text;
		request->unit_ns = unit_ns;
	}
}

/* "ts, request.host": the keys that have a value, as --fields takes them */
static void print_keys(FILE *out, const char *path, struct json_object *object)
{
	json_object_object_foreach(object, key, value) {
		char *name = print_text("%s%s%s", path, *path ? "." : "", key);

		if (json_object_is_type(value, json_type_object))
			print_keys(out, name, value);
		else if (ftell(out) < KEYS_MOST)
			fprintf(out, "%s%s", ftell(out) ? ", " : "", name);
		free(name);
	}
}

static void puzzle(struct reply_log *log, const struct request *found,
		   struct json_object *object)
{
	char *keys = NULL;
	size_t size;
	FILE *out;

	if (log->said || log->puzzle)
		return;
	out = or_exit(open_memstream(&keys, &size));
	print_keys(out, "", object);
	fclose(out);
	log_puzzle_fields(log, "key", keys, has_value(found->time), found->latency);
	free(keys);
}

static int take_object(struct reply_log *log, struct json_object *object)
{
	struct request request = { 0 };

	if (!json_object_is_type(object, json_type_object))
		return LINE_FOREIGN;
	if (log->fields.time)
		find_named(&request, &log->fields, object);
	else
		find_usual(&request, &log->fields, object);
	if (!has_value(request.time) || !request.latency) {
		puzzle(log, &request, object);
		/* programs write there what else they do */
		return request.latency || request.odd ? LINE_FOREIGN : LINE_ASIDE;
	}
	return request_take(log, request.time, request.latency, request.unit_ns, request.target);
}

/* "[", "[{"; a stamp in brackets is none */
static bool begins_array(const char *line)
{
	const char *next = line + 1;

	if (*line != '[')
		return false;
	next += strspn(next, " \t");
	return !*next || *next == '{';
}

int json_take(struct reply_log *log, char *line, __u64 now_ns)
{
	struct json_object *object;
	int ret;

	(void)now_ns;
	if (begins_array(line))
		log_puzzle(log, EXIT_FAILED, "line %u begins a JSON array; "
			   "correlate reads an object on each line, as jq -c '.[]' prints them",
			   log->line);
	if (*line != '{')
		return LINE_FOREIGN;
	object = json_tokener_parse(line);
	if (!object)
		log_puzzle(log, EXIT_FAILED, "line %u is no whole JSON object; "
			   "correlate reads one on each line, as jq -c prints them", log->line);
	ret = take_object(log, object);
	json_object_put(object);
	return ret;
}
