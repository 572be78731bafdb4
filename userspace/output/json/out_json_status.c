// SPDX-License-Identifier: GPL-2.0-only
#include "base/units.h"
#include "model/labels.h"
#include "output/json/out_json.h"

static void put_rounded(struct json_object *object, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	put(object, key, json_object_new_double_s(value, text));
}

static void put_known_bool(struct json_object *object, const char *key, bool known, bool value)
{
	put(object, key, known ? json_object_new_boolean(value) : NULL);
}

static struct json_object *counters_object(const struct cpu_counters *cpu,
					   const struct config *config)
{
	__u64 period_ns = config->period_us * NSEC_PER_USEC;
	struct json_object *object = json_object_new_object();

	put_number(object, "cpu", cpu->cpu);
	put_bool(object, "watched", cpu->watched);
	put_known(object, "watched_for_ns", cpu->watched_ns,
		  config->now_ns > cpu->watched_ns ? config->now_ns - cpu->watched_ns : 0);
	put_number(object, "beats", cpu->beats);
	put_number(object, "produced", cpu->produced);
	put_number(object, "kept", cpu->kept);
	put_number(object, "lost", cpu->lost);
	put_number(object, "cleared", cpu->cleared);
	put_number(object, "samples", cpu->samples);
	put_number(object, "cost_ns", cpu->cost_ns);
	put_number(object, "cost_beats", cpu->cost_beats);
	if (cpu->cost_beats) {
		double beat_ns = (double)cpu->cost_ns / cpu->cost_beats;

		put_rounded(object, "ns_per_beat", beat_ns);
		put_rounded(object, "cpu_percent", cpu->watched ? 100 * beat_ns / period_ns : 0);
	}
	put_known(object, "cost_ppm", cpu->cost_known, cpu->cost_ppm);
	put_known(object, "nmi_refused", cpu->nmi_known, cpu->nmi_refused);
	put_known(object, "nmi_lost", cpu->nmi_known, cpu->nmi_lost);
	put_known(object, "tracer", cpu->tracer_known, cpu->tracer);
	return object;
}

/* a value is a word where it has one */
static void put_knobs(struct json_object *object, const struct setting knobs[TIO_KNOBS])
{
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++) {
		const char *name = knob_value_name(i, knobs[i].value);

		if (knobs[i].known && name)
			put_text(object, tio_knobs[i].name, name);
		else
			put_known(object, tio_knobs[i].name, knobs[i].known, knobs[i].value);
	}
}

/* when and why watching stopped; null while it goes on, and where that is not known */
static void put_stop(struct json_object *object, const struct config *config)
{
	bool stopped = config_stopped(config);

	put_known(object, "stopped_for_ns", stopped, config->now_ns - config->stopped_ns);
	put_text(object, "stopped_by", stopped ? stop_word(config->stopped_by) : NULL);
}

/* how far the settings are carried out */
static void put_control(struct json_object *object, const struct config *config)
{
	bool known = config->control_known;

	put_known(object, "self_stops", known, config->self_stops);
	put_known(object, "generation", known, config->generation);
	put_text(object, "behind", known ? config->behind : NULL);
	put_known_bool(object, "attached", known, config->attached);
	put_known_bool(object, "detaching", known, config->detaching);
	put_known(object, "rings", known, config->rings);
	put_known_bool(object, "freeing", known, config->freeing);
}

static struct json_object *words_array(const char *words)
{
	struct json_object *array = json_object_new_array();
	char *copy = copy_text(words);

	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		json_object_array_add(array, json_object_new_string(word));
	free(copy);
	return array;
}

/**
 * json_status() - state, settings, losses, and what watching costs
 * @model: configuration and counters
 * @out: where to
 */
void json_status(const struct model *model, FILE *out)
{
	struct json_object *object = json_document(model);
	bool counted = !model->received.no_counters;
	struct json_object *cpus = counted ? json_object_new_array() : NULL;
	const struct config *config = &model->config;

	put_text(object, "module_version", config->module_version);
	put(object, "no_locks", words_array(config->no_locks));
	put_number(object, "interface_version", config->version);
	put_text(object, "installed_version",
		 *model->machine.installed ? model->machine.installed : NULL);
	put(object, "ignored_parameters", words_array(model->machine.ignored));
	put_text(object, "cpus_setting", config->cpus);
	put_number(object, "ring_records", config->ring_records);
	put_number(object, "ring_bytes_per_cpu", config->ring_bytes);
	put_knobs(object, config->knobs);
	put_stop(object, config);
	put_control(object, config);
	for (size_t i = 0; counted && i < model->ncounters; i++)
		json_object_array_add(cpus, counters_object(&model->counters[i], config));
	put(object, "cpus", cpus);
	json_finish(object, out);
}
