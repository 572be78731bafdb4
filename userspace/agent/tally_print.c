// SPDX-License-Identifier: GPL-2.0-only
/* The text of the file of an agent's counters. tally_file.c reads it. */
#include <json-c/json.h>
#include <stdio.h>

#include "agent/tally.h"
#include "base/say.h"
#include "output/json/out_json.h"

static struct json_object *numbers(const __u64 *values, size_t count)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, json_number(values[i]));
	return array;
}

static struct json_object *stall_array(const struct longest_stall *stall)
{
	return numbers((__u64[]){ stall->end_ns, stall->ns, stall->cpu, stall->seq }, 4);
}

static struct json_object *class_object(const struct tally_class *class)
{
	struct json_object *object = json_object_new_object();
	struct json_object *longest = json_object_new_array();

	put_number(object, "stalls", class->stalls);
	put_number(object, "stalled_ns", class->stalled_ns);
	put(object, "newest", stall_array(&class->newest));
	put_number(object, "newest_realtime_ns", class->newest_realtime_ns);
	put_number(object, "longest_from_ns", class->longest.from_ns);
	for (size_t i = 0; i < class->longest.count; i++)
		json_object_array_add(longest, stall_array(&class->longest.stalls[i]));
	put(object, "longest", longest);
	return object;
}

static struct json_object *module_object(const struct tally_module *module)
{
	struct json_object *object;

	if (!module->loaded)
		return NULL;
	object = json_object_new_object();
	put_text(object, "version", module->version);
	put_bool(object, "enabled", module->enabled);
	put_number(object, "watched_cpus", module->watched_cpus);
	put_number(object, "watched_ns", module->watched_ns);
	put_number(object, "threshold_ns", module->threshold_ns);
	put_number(object, "period_ns", module->period_ns);
	put(object, "cost_ppm", module->cost_known ? json_number(module->cost_ppm) : NULL);
	return object;
}

/* CPU and number, in turn */
static struct json_object *cursor_array(const struct resume *resume)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < resume->ncursors; i++) {
		json_object_array_add(array, json_number(resume->cursors[i].cpu));
		json_object_array_add(array, json_number(resume->cursors[i].seq));
	}
	return array;
}

static struct json_object *open_array(const struct tally *tally)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < tally->nopen; i++) {
		const struct tally_open *open = &tally->open[i];
		const __u64 values[] = { open->cpu, open->class, open->start_ns };

		json_object_array_add(array, numbers(values, ARRAY_SIZE(values)));
	}
	return array;
}

static struct json_object *histogram_object(const struct tio_histogram *histogram)
{
	struct json_object *object = json_object_new_object();

	put(object, "buckets", numbers(histogram->buckets, TIO_BUCKETS));
	put_number(object, "count", histogram->count);
	put_number(object, "sum_ns", histogram->sum_ns);
	put_number(object, "max_ns", histogram->max_ns);
	return object;
}

static struct json_object *histograms_object(const struct histograms *histograms)
{
	struct json_object *object = json_object_new_object();

	put(object, "hard", histogram_object(&histograms->hard));
	put(object, "soft", histogram_object(&histograms->soft));
	return object;
}

static struct json_object *tally_object(const struct tally *tally)
{
	struct json_object *object = json_object_new_object();
	struct json_object *classes = json_object_new_object();
	struct json_object *causes = json_object_new_object();
	char instance[24];

	put_number(object, "format", TALLY_FORMAT);
	put_text(object, "boot_id", tally->boot_id);
	put_text(object, "version", tally->version);
	put_bool(object, "running", tally->running);
	put_number(object, "updated_ns", tally->updated_ns);
	put_number(object, "interval_ns", tally->interval_ns);
	put_number(object, "online_cpus", tally->online_cpus);
	put(object, "module", module_object(&tally->module));
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		put(classes, tio_class_name(i), class_object(&tally->classes[i]));
	put(object, "classes", classes);
	for (size_t i = 0; i < tally->ncauses; i++)
		put_number(causes, tally->causes[i].id, tally->causes[i].stalls);
	put(object, "causes", causes);
	put_number(object, "long_stalls", tally->longs);
	put_number(object, "other_causes", tally->other);
	put_number(object, "lost", tally->lost);
	put_number(object, "lost_ns", tally->lost_ns);
	put_number(object, "cleared", tally->cleared);
	put_number(object, "uncounted", tally->uncounted);
	put(object, "open", open_array(tally));
	snprintf(instance, sizeof(instance), "%016llx", tally->next.instance);
	put_text(object, "instance", instance);
	put(object, "next", cursor_array(&tally->next));
	put(object, "begin", cursor_array(&tally->begin));
	put(object, "cleared_seen", cursor_array(&tally->cleared_seen));
	put(object, "histograms_before", histograms_object(&tally->before));
	put(object, "histograms", histograms_object(&tally->now));
	return object;
}

/**
 * tally_print() - the file's text
 * @tally: the counters
 *
 * Return: the text, to be freed.
 */
char *tally_print(const struct tally *tally)
{
	struct json_object *object = tally_object(tally);
	char *text = print_text("%s\n",
				json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));

	json_object_put(object);
	return text;
}
