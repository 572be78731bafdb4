// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file of an agent's counters: JSON (tally_print.c), replaced as a whole, so that who reads
 * it sees one moment. Numbers are below 2^63.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/tally.h"
#include "base/replace_file.h"
#include "base/say.h"

/* of 8192 CPUs, whose cursors are most of it, less than 300 KB */
#define BYTES_MOST	(4 * 1024 * 1024)

/* reads on where nothing was wrong, and remembers where something was */
struct reader {
	bool wrong;
};

static struct json_object *get(struct reader *reader, struct json_object *object, const char *key,
			       enum json_type type)
{
	struct json_object *value = NULL;

	if (!object || !json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, type)) {
		reader->wrong = true;
		return NULL;
	}
	return value;
}

static __u64 as_number(struct reader *reader, struct json_object *value)
{
	__s64 found = json_object_is_type(value, json_type_int) ?
		      json_object_get_int64(value) : -1;

	/* json-c gives the largest number for any that is larger */
	if (found < 0 || found == INT64_MAX) {
		reader->wrong = true;
		return 0;
	}
	return found;
}

static __u64 number(struct reader *reader, struct json_object *object, const char *key)
{
	struct json_object *value = get(reader, object, key, json_type_int);

	return value ? as_number(reader, value) : 0;
}

static bool flag(struct reader *reader, struct json_object *object, const char *key)
{
	struct json_object *value = get(reader, object, key, json_type_boolean);

	return value && json_object_get_boolean(value);
}

/* versions and ids, which stand between quotes in metrics */
static bool plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text == '"' || *text == '\\' || *text == 0x7f)
			return false;
	return true;
}

static void text(struct reader *reader, struct json_object *object, const char *key, char *buf,
		 size_t size)
{
	struct json_object *value = get(reader, object, key, json_type_string);

	if (!value)
		return;
	reader->wrong |= !plain(json_object_get_string(value));
	fill_text(buf, size, json_object_get_string(value));
}

static void take_numbers(struct reader *reader, struct json_object *array, __u64 *values,
			 size_t count)
{
	if (!array || json_object_array_length(array) != count) {
		reader->wrong = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		values[i] = as_number(reader, json_object_array_get_idx(array, i));
}

static void take_stall(struct reader *reader, struct json_object *array,
		       struct longest_stall *stall)
{
	__u64 values[4] = { 0 };

	take_numbers(reader, array, values, ARRAY_SIZE(values));
	*stall = (struct longest_stall){
		.end_ns = values[0], .ns = values[1], .cpu = values[2], .seq = values[3],
	};
}

static void take_class(struct reader *reader, struct json_object *object,
		       struct tally_class *class)
{
	struct json_object *longest = get(reader, object, "longest", json_type_array);
	size_t count = longest ? json_object_array_length(longest) : 0;

	class->stalls = number(reader, object, "stalls");
	class->stalled_ns = number(reader, object, "stalled_ns");
	take_stall(reader, get(reader, object, "newest", json_type_array), &class->newest);
	class->newest_realtime_ns = number(reader, object, "newest_realtime_ns");
	class->longest.from_ns = number(reader, object, "longest_from_ns");
	for (size_t i = 0; i < count && !reader->wrong; i++) {
		struct json_object *array = json_object_array_get_idx(longest, i);
		struct longest_stall stall;

		if (!json_object_is_type(array, json_type_array)) {
			reader->wrong = true;
			return;
		}
		take_stall(reader, array, &stall);
		longest_add(&class->longest, &stall);
	}
}

static void take_module(struct reader *reader, struct json_object *object,
			struct tally_module *module)
{
	struct json_object *value = NULL;

	if (!json_object_object_get_ex(object, "module", &value)) {
		reader->wrong = true;
		return;
	}
	if (!value)
		return;
	module->loaded = true;
	text(reader, value, "version", module->version, sizeof(module->version));
	module->enabled = flag(reader, value, "enabled");
	module->watched_cpus = number(reader, value, "watched_cpus");
	module->watched_ns = number(reader, value, "watched_ns");
	module->threshold_ns = number(reader, value, "threshold_ns");
	module->period_ns = number(reader, value, "period_ns");
	module->cost_known = json_object_object_get(value, "cost_ppm");
	if (module->cost_known)
		module->cost_ppm = number(reader, value, "cost_ppm");
}

static void take_cursors(struct reader *reader, struct json_object *object, const char *key,
			 struct resume *resume)
{
	struct json_object *array = get(reader, object, key, json_type_array);
	size_t count = array ? json_object_array_length(array) : 0;

	for (size_t i = 0; i + 1 < count; i += 2)
		resume_raise(resume, as_number(reader, json_object_array_get_idx(array, i)),
			     as_number(reader, json_object_array_get_idx(array, i + 1)));
}

static void take_open(struct reader *reader, struct json_object *object, struct tally *tally)
{
	struct json_object *array = get(reader, object, "open", json_type_array);
	size_t count = array ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < count && !reader->wrong; i++) {
		struct json_object *item = json_object_array_get_idx(array, i);
		__u64 values[3] = { 0 };

		take_numbers(reader, json_object_is_type(item, json_type_array) ? item : NULL,
			     values, ARRAY_SIZE(values));
		reader->wrong |= values[1] >= TIO_CLASSES;
		tally->open = grow(tally->open, tally->nopen, sizeof(*tally->open));
		tally->open[tally->nopen++] = (struct tally_open){
			.cpu = values[0], .class = values[1] % TIO_CLASSES, .start_ns = values[2],
		};
	}
}

static void take_histogram(struct reader *reader, struct json_object *object, const char *key,
			   struct tio_histogram *histogram)
{
	struct json_object *value = get(reader, object, key, json_type_object);

	take_numbers(reader, get(reader, value, "buckets", json_type_array), histogram->buckets,
		     TIO_BUCKETS);
	histogram->count = number(reader, value, "count");
	histogram->sum_ns = number(reader, value, "sum_ns");
	histogram->max_ns = number(reader, value, "max_ns");
}

static void take_histograms(struct reader *reader, struct json_object *object, const char *key,
			    struct histograms *histograms)
{
	struct json_object *value = get(reader, object, key, json_type_object);

	take_histogram(reader, value, "hard", &histograms->hard);
	take_histogram(reader, value, "soft", &histograms->soft);
}

static void take_causes(struct reader *reader, struct json_object *object, struct tally *tally)
{
	struct json_object *causes = get(reader, object, "causes", json_type_object);

	if (!causes)
		return;
	json_object_object_foreach(causes, id, value) {
		if (tally->ncauses == TALLY_CAUSES || !*id || !plain(id)) {
			reader->wrong = true;
			return;
		}
		tally->causes[tally->ncauses++] = (struct tally_cause){
			.id = copy_text(id), .stalls = as_number(reader, value),
		};
	}
	tally->other = number(reader, object, "other_causes");
}

static void take_all(struct reader *reader, struct json_object *object, struct tally *tally)
{
	struct json_object *classes = get(reader, object, "classes", json_type_object);
	char instance[24] = "";

	text(reader, object, "boot_id", tally->boot_id, sizeof(tally->boot_id));
	text(reader, object, "version", tally->version, sizeof(tally->version));
	tally->running = flag(reader, object, "running");
	tally->updated_ns = number(reader, object, "updated_ns");
	tally->interval_ns = number(reader, object, "interval_ns");
	tally->online_cpus = number(reader, object, "online_cpus");
	take_module(reader, object, &tally->module);
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		take_class(reader, get(reader, classes, tio_class_name(i), json_type_object),
			   &tally->classes[i]);
	take_causes(reader, object, tally);
	tally->longs = number(reader, object, "long_stalls");
	tally->lost = number(reader, object, "lost");
	tally->lost_ns = number(reader, object, "lost_ns");
	tally->cleared = number(reader, object, "cleared");
	tally->uncounted = number(reader, object, "uncounted");
	take_open(reader, object, tally);
	take_cursors(reader, object, "next", &tally->next);
	take_cursors(reader, object, "begin", &tally->begin);
	take_cursors(reader, object, "cleared_seen", &tally->cleared_seen);
	text(reader, object, "instance", instance, sizeof(instance));
	tally->next.instance = strtoull(instance, NULL, 16);
	take_histograms(reader, object, "histograms_before", &tally->before);
	take_histograms(reader, object, "histograms", &tally->now);
}

/**
 * tally_parse() - take a file's text
 * @tally: the result, to be freed whatever is returned
 * @text: the text
 *
 * Return: false where it is not that of such a file.
 */
bool tally_parse(struct tally *tally, const char *text)
{
	struct json_object *object = json_tokener_parse(text);
	struct reader reader = { 0 };

	*tally = (struct tally){ 0 };
	reader.wrong = !json_object_is_type(object, json_type_object) ||
		       number(&reader, object, "format") != TALLY_FORMAT;
	if (!reader.wrong)
		take_all(&reader, object, tally);
	json_object_put(object);
	return !reader.wrong;
}

/**
 * tally_read() - read the file of an agent's counters
 * @tally: the result, to be freed whatever is returned
 * @path: the file
 *
 * Return: 0; -ENOENT where there is no file, -EINVAL where it is none of an agent of this
 * version, or another error. Nothing is said.
 */
int tally_read(struct tally *tally, const char *path)
{
	/* of a pipe, an open that waits would wait for ever */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), error = 0;
	struct stat stat;
	char *text;
	FILE *in;
	size_t len;

	*tally = (struct tally){ 0 };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &stat) || !S_ISREG(stat.st_mode)) {
		close(fd);
		return -EINVAL;
	}
	in = or_exit(fdopen(fd, "r"));
	text = alloc(1, BYTES_MOST + 1);
	len = fread(text, 1, BYTES_MOST, in);
	if (ferror(in))
		error = -EIO;
	else if (len == BYTES_MOST || strlen(text) != len || !tally_parse(tally, text))
		error = -EINVAL;
	fclose(in);
	free(text);
	return error;
}

/**
 * tally_write() - replace the file of an agent's counters
 * @tally: the counters
 * @path: the file; who writes it holds its lock
 *
 * Return: false where it was not written, and errno says why; then the old one is there.
 */
bool tally_write(const struct tally *tally, const char *path)
{
	char *text = tally_print(tally);
	bool written = replace_file(path, text);

	free(text);
	return written;
}
