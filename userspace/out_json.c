// SPDX-License-Identifier: GPL-2.0-only
#include "out_json.h"
#include "units.h"

void put(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add(object, key, value);
}

void put_number(struct json_object *object, const char *key, __u64 value)
{
	put(object, key, json_object_new_uint64(value));
}

void put_bool(struct json_object *object, const char *key, bool value)
{
	put(object, key, json_object_new_boolean(value));
}

/* what is not known is null */
void put_text(struct json_object *object, const char *key, const char *value)
{
	put(object, key, value ? json_object_new_string(value) : NULL);
}

static void put_rounded(struct json_object *object, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	put(object, key, json_object_new_double_s(value, text));
}

const char *print_json(struct json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					      JSON_C_TO_STRING_SPACED |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

void finish_json(struct json_object *object, FILE *out)
{
	fprintf(out, "%s\n", print_json(object));
	json_object_put(object);
}

/**
 * json_cgroup() - whose task was interrupted
 * @object: where to
 * @cgroup: NULL: not known
 * @key: all of it, or the pod or the container with the reason why that may be null
 */
void json_cgroup(struct json_object *object, const struct cgroup *cgroup,
		 enum summary_key key)
{
	static const struct container none;
	const struct container *container = cgroup ? &cgroup->container : &none;
	bool known = cgroup && cgroup->state != CGROUP_UNKNOWN;

	if (key == SUMMARY_CGROUP)
		put_text(object, "cgroup", cgroup ? cgroup->path : NULL);
	put(object, "cgroup_gone",
	    known ? json_object_new_boolean(cgroup->state == CGROUP_GONE) : NULL);
	if (key != SUMMARY_CONTAINER)
		put_text(object, "pod", *container->pod ? container->pod : NULL);
	if (key != SUMMARY_POD)
		put_text(object, "container", *container->id ? container->id : NULL);
}

/**
 * json_origin() - what a page of records says about where they come from
 * @object: where to
 * @model: configuration and counters
 */
void json_origin(struct json_object *object, const struct model *model)
{
	const struct config *config = &model->config;
	struct cpu_counters sum = model_counters_sum(model);
	char time[UNITS_LEN];

	put_text(object, "time", print_iso8601(time, config->realtime_ns));
	put_bool(object, "enabled", config->enabled);
	put_number(object, "enabled_for_ns",
		   config->enabled ? config->now_ns - config->enabled_ns : 0);
	put_text(object, "watched", config->watched);
	put_number(object, "threshold_us", config->threshold_us);
	put_number(object, "period_us", config->period_us);
	put_number(object, "produced", sum.produced);
	put_number(object, "kept", sum.kept);
	put_number(object, "lost", sum.lost);
	put_number(object, "cleared", sum.cleared);
}

/* what the records of a group have in common */
static void put_key(struct json_object *object, const struct entry *entry, enum summary_key key)
{
	const struct tio_sample *task = entry_deciding_sample(entry);
	const char *name = summary_key_name(key);

	switch (key) {
	case SUMMARY_CULPRIT:
		put_text(object, name, entry->culprit);
		break;
	case SUMMARY_CLASS:
		put_text(object, name, tio_class_name(entry->verdict.class));
		break;
	case SUMMARY_CPU:
		put_number(object, name, entry->rec.cpu);
		break;
	case SUMMARY_COMM:
		put_text(object, name, task ? task->comm : NULL);
		break;
	default:
		json_cgroup(object, entry_cgroup(entry, task), key);
	}
}

/**
 * json_report() - who held interrupts or softirqs off
 * @page: the page
 * @summary: its records, summed up
 */
void json_report(const struct page *page, const struct summary *summary)
{
	struct json_object *object = json_object_new_object();
	struct json_object *groups = json_object_new_array();

	for (size_t i = 0; i < summary->ngroups; i++) {
		const struct group *group = &summary->groups[i];
		struct json_object *item = json_object_new_object();

		for (unsigned int key = 0; key < SUMMARY_KEYS; key++)
			if (summary->by & 1U << key)
				put_key(item, group->newest, key);
		put_text(item, "evidence", summary_evidence_name(group));
		put_number(item, "count", group->count);
		put_number(item, "packets_waited", group->packets_waited);
		put_number(item, "packets_dropped", group->packets_dropped);
		put_number(item, "total_ns", group->total_ns);
		put_number(item, "max_ns", group->max_ns);
		put_number(item, "mean_ns", summary_mean_ns(group));
		put_number(item, "victims", group->victims);
		put_number(item, "victims_probable", group->probable);
		put_number(item, "victims_ns", group->victims_ns);
		json_object_array_add(groups, item);
	}
	put(object, "groups", groups);
	put_number(object, "records", page->model->nentries);
	json_origin(object, page->model);
	finish_json(object, page->out);
}

static struct json_object *histogram_object(const struct tio_histogram *hist)
{
	struct json_object *object = json_object_new_object();
	struct json_object *buckets = json_object_new_array();

	put_number(object, "count", hist->count);
	put_number(object, "sum_ns", hist->sum_ns);
	put_number(object, "longest_ns", hist->max_ns);
	for (unsigned int i = 0; i < TIO_BUCKETS; i++) {
		struct json_object *bucket = json_object_new_object();

		put_number(bucket, "from_us", i ? 1ULL << i : 0);
		put(bucket, "below_us",
		    i + 1 < TIO_BUCKETS ? json_object_new_uint64(2ULL << i) : NULL);
		put_number(bucket, "count", hist->buckets[i]);
		json_object_array_add(buckets, bucket);
	}
	put(object, "buckets", buckets);
	return object;
}

/**
 * json_hist() - how long stalls lasted, whether or not they have records
 * @model: histograms
 * @per_cpu: each CPU's as well
 * @out: where to
 */
void json_hist(const struct model *model, bool per_cpu, FILE *out)
{
	struct json_object *object = json_object_new_object();
	struct cpu_histograms sum = model_histograms_sum(model);
	struct json_object *cpus;

	put(object, "hard", histogram_object(&sum.hard));
	put(object, "soft", histogram_object(&sum.soft));
	if (per_cpu) {
		cpus = json_object_new_array();
		for (size_t i = 0; i < model->nhistograms; i++) {
			struct json_object *cpu = json_object_new_object();

			put_number(cpu, "cpu", model->histograms[i].cpu);
			put(cpu, "hard", histogram_object(&model->histograms[i].hard));
			put(cpu, "soft", histogram_object(&model->histograms[i].soft));
			json_object_array_add(cpus, cpu);
		}
		put(object, "cpus", cpus);
	}
	finish_json(object, out);
}

static struct json_object *counters_object(const struct cpu_counters *cpu, __u64 period_ns)
{
	struct json_object *object = json_object_new_object();

	put_number(object, "cpu", cpu->cpu);
	put_bool(object, "watched", cpu->watched);
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
	return object;
}

/**
 * json_status() - state, settings, losses, and what watching costs
 * @model: configuration and counters
 * @out: where to
 */
void json_status(const struct model *model, FILE *out)
{
	struct json_object *object = json_object_new_object();
	struct json_object *cpus = json_object_new_array();
	const struct config *config = &model->config;

	put_text(object, "module_version", config->module_version);
	put_number(object, "interface_version", config->version);
	put_text(object, "cpus_setting", config->cpus);
	put_number(object, "ring_records", config->ring_records);
	put_number(object, "ring_bytes_per_cpu", config->ring_bytes);
	json_origin(object, model);
	for (size_t i = 0; i < model->ncounters; i++)
		json_object_array_add(cpus, counters_object(&model->counters[i],
							    config->period_us * NSEC_PER_USEC));
	put(object, "cpus", cpus);
	finish_json(object, out);
}
