// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/json.h>
#include <string.h>

#include "out.h"
#include "say.h"
#include "units.h"
#include "victim.h"
#include "words.h"

/* json_object_object_add() and the like take over what they are given */

static void put(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add(object, key, value);
}

static void put_number(struct json_object *object, const char *key, __u64 value)
{
	put(object, key, json_object_new_uint64(value));
}

static void put_bool(struct json_object *object, const char *key, bool value)
{
	put(object, key, json_object_new_boolean(value));
}

/* what is not known is null */
static void put_text(struct json_object *object, const char *key, const char *value)
{
	put(object, key, value ? json_object_new_string(value) : NULL);
}

static void put_rounded(struct json_object *object, const char *key, double value)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", value);
	put(object, key, json_object_new_double_s(value, text));
}

static const char *as_text(struct json_object *object)
{
	return json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					      JSON_C_TO_STRING_SPACED |
					      JSON_C_TO_STRING_NOSLASHESCAPE);
}

static void print(struct json_object *object, FILE *out)
{
	fprintf(out, "%s\n", as_text(object));
	json_object_put(object);
}

static struct json_object *words(__u32 mask, const char *(*word)(unsigned int bit))
{
	struct json_object *array = json_object_new_array();

	for (unsigned int i = 0; i < 32; i++) {
		char number[16];

		if (!(mask & 1U << i))
			continue;
		snprintf(number, sizeof(number), "0x%x", 1U << i);
		json_object_array_add(array, json_object_new_string(word(i) ? word(i) : number));
	}
	return array;
}

/* all of a cgroup, or its pod or container with the reason why that may be null */
static void put_cgroup(struct json_object *object, const struct cgroup *cgroup,
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

static void put_task(struct json_object *object, const struct entry *entry,
		     const struct tio_sample *sample)
{
	put_text(object, "comm", sample->comm);
	put_number(object, "pid", sample->pid);
	put_number(object, "tgid", sample->tgid);
	put_number(object, "cgroup_id", sample->cgroup_id);
	put_cgroup(object, entry_cgroup(entry, sample), SUMMARY_CGROUP);
}

static void put_asked(struct json_object *object, const struct tio_sample *sample)
{
	bool asked = sample->flags & TRACE_IRQOFF_F_ASKED;

	put_bool(object, "asked", asked);
	/* of an end as well, where it says why nobody asked */
	put_bool(object, "asker_late", sample->flags & TRACE_IRQOFF_F_ASKER_LATE);
	if (asked)
		put_number(object, "delay_ns", sample->delay_ns);
	else if (!sample->handler_ns && !*sample->irq.name)
		return;
	put(object, "handler_ns",
	    sample->handler_ns ? json_object_new_uint64(sample->handler_ns) : NULL);
	put(object, "irq", sample->irq.number == TIO_NO_IRQ ? NULL :
						   json_object_new_int(sample->irq.number));
	put_text(object, "irq_name", *sample->irq.name ? sample->irq.name : NULL);
}

static struct json_object *sample_object(const struct page *page, const struct entry *entry,
					 const struct tio_sample *sample)
{
	struct json_object *object = json_object_new_object();
	struct json_object *frames = json_object_new_array();
	struct json_object *addresses = json_object_new_array();
	__u64 start_ns = entry_start_ns(entry);
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	put_number(object, "at_ns", sample->at_ns);
	put_number(object, "offset_ns", sample->at_ns > start_ns ? sample->at_ns - start_ns : 0);
	put_task(object, entry, sample);
	put_bool(object, "irqs_on", sample->flags & TRACE_IRQOFF_F_IRQS_ON);
	put(object, "flags", words(sample->flags, flag_word));
	put_number(object, "preempt_count", sample->preempt_count);
	put(object, "pending_softirqs", words(sample->pending, softirq_word));
	put_asked(object, sample);
	put_text(object, "softirq", sample->softirq ? softirq_word(sample->softirq - 1) : NULL);
	put_bool(object, "truncated", sample->flags & TRACE_IRQOFF_F_TRUNCATED);
	for (unsigned int i = 0; i < sample->nframes; i++) {
		symbols_frame(page->symbols, entry, sample, i, &symbol);
		json_object_array_add(frames, json_object_new_string(print_symbol(text, &symbol)));
		snprintf(text, sizeof(text), "0x%llx", sample->frames[i]);
		json_object_array_add(addresses, json_object_new_string(text));
	}
	put(object, "frames", frames);
	put(object, "addresses", addresses);
	return object;
}

static void put_evidence(struct json_object *object, const struct page *page,
			 const struct entry *entry)
{
	const struct tio_sample *deciding = tio_deciding_sample(&entry->rec);
	struct json_object *samples = json_object_new_array();
	struct json_object *task = NULL;

	if (deciding) {
		task = json_object_new_object();
		put_task(task, entry, deciding);
	}
	put(object, "interrupted_task", task);
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		json_object_array_add(samples, sample_object(page, entry, &entry->rec.samples[i]));
	put(object, "samples", samples);
	put(object, "end", entry->rec.open ? NULL : sample_object(page, entry, &entry->rec.end));
}

static struct json_object *net_object(const struct entry *entry)
{
	const struct tio_softnet *net = &entry->rec.net;
	struct json_object *object = json_object_new_object();

	put_bool(object, "waited", net->waited);
	put_number(object, "processed", net->processed);
	put_number(object, "dropped", net->dropped);
	put_number(object, "time_squeeze", net->time_squeeze);
	return object;
}

static struct json_object *link_object(const struct entry *entry)
{
	static const char * const waits[] = {
		[WAIT_LOCK]	= "lock",
		[WAIT_IPI]	= "ipi",
		[WAIT_STOP]	= "stop-machine",
	};
	const struct entry *to = entry->waits_for;
	struct json_object *object;

	if (!to)
		return NULL;
	object = json_object_new_object();
	put_number(object, "cpu", to->rec.cpu);
	put_number(object, "seq", to->rec.seq);
	put_bool(object, "probable", entry->probable);
	put_text(object, "wait", waits[victim_wait(entry)]);
	put_text(object, "class", tio_class_name(to->class));
	put_text(object, "culprit", to->culprit);
	return object;
}

static struct json_object *record_object(const struct page *page, const struct entry *entry)
{
	struct json_object *object = json_object_new_object();
	const struct tio_record *rec = &entry->rec;
	__u64 realtime_ns = model_realtime_ns(page->model, rec->end_ns);
	char time[UNITS_LEN];

	put_number(object, "cpu", rec->cpu);
	put(object, "seq", rec->open ? NULL : json_object_new_uint64(rec->seq));
	put_bool(object, "open", rec->open);
	put_text(object, "time", print_iso8601(time, realtime_ns));
	put_text(object, "kind", kind_word(rec));
	put_text(object, "class", tio_class_name(entry->class));
	put_text(object, "culprit", entry->culprit);
	put_text(object, "evidence", tio_evidence_name(rec));
	put(object, "waits_for", link_object(entry));
	put_number(object, "min_ns", rec->min_ns);
	put_number(object, "max_ns", rec->max_ns);
	put_bool(object, "wide", tio_bounds_wide(rec->min_ns, rec->max_ns, rec->period_ns));
	put_number(object, "nested_ns", rec->nested_ns);
	put_number(object, "end_ns", rec->end_ns);
	put_number(object, "end_realtime_ns", realtime_ns);
	put_text(object, "end_by", rec->open ? NULL : end_word(rec));
	put_number(object, "threshold_ns", rec->threshold_ns);
	put_number(object, "period_ns", rec->period_ns);
	put(object, "handler_ns",
	    rec->handler_known ? json_object_new_uint64(rec->handler_ns) : NULL);
	put(object, "handlers",
	    rec->handler_known ? json_object_new_uint64(rec->handlers) : NULL);
	put_number(object, "unseen_irqs", rec->unseen_irqs);
	put(object, "net", entry->net_known ? net_object(entry) : NULL);
	put_evidence(object, page, entry);
	return object;
}

/* what a page of records says about where they come from */
static void put_origin(struct json_object *object, const struct model *model)
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
	const struct tio_sample *task = tio_deciding_sample(&entry->rec);
	const char *name = summary_key_name(key);

	switch (key) {
	case SUMMARY_CULPRIT:
		put_text(object, name, entry->culprit);
		break;
	case SUMMARY_CLASS:
		put_text(object, name, tio_class_name(entry->class));
		break;
	case SUMMARY_CPU:
		put_number(object, name, entry->rec.cpu);
		break;
	case SUMMARY_COMM:
		put_text(object, name, task ? task->comm : NULL);
		break;
	default:
		put_cgroup(object, entry_cgroup(entry, task), key);
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
	put_origin(object, page->model);
	print(object, page->out);
}

/**
 * json_list() - each record with all evidence
 * @page: the page
 *
 * One record after the other: thousands of them as one tree would be much
 * larger than the records themselves.
 */
void json_list(const struct page *page)
{
	struct json_object *origin = json_object_new_object();

	fputs("{\n\"records\": [", page->out);
	for (size_t i = 0; i < page->model->nentries; i++) {
		struct json_object *record = record_object(page, page->model->entries[i]);

		fprintf(page->out, "%s%s", i ? ",\n" : "\n", as_text(record));
		json_object_put(record);
	}
	fputs("],\n", page->out);
	/* the rest of the same object: without its brace */
	put_origin(origin, page->model);
	fprintf(page->out, "%s\n", as_text(origin) + strlen("{\n"));
	json_object_put(origin);
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
	print(object, out);
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
	put_origin(object, model);
	for (size_t i = 0; i < model->ncounters; i++)
		json_object_array_add(cpus, counters_object(&model->counters[i],
							    config->period_us * NSEC_PER_USEC));
	put(object, "cpus", cpus);
	print(object, out);
}
