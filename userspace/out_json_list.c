// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "causes.h"
#include "culprit.h"
#include "frame.h"
#include "out_json.h"
#include "units.h"
#include "victim.h"
#include "words.h"

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

/* @sample is NULL where there is no evidence */
static void put_task(struct json_object *object, const struct tio_sample *sample)
{
	put_text(object, "comm", sample ? sample->comm : NULL);
	put(object, "pid", sample ? json_number(sample->pid) : NULL);
	put(object, "tgid", sample ? json_number(sample->tgid) : NULL);
	put(object, "cgroup_id", sample ? json_number(sample->cgroup_id) : NULL);
	json_cgroup(object, sample_cgroup(sample), SUMMARY_CGROUP);
}

static void put_request(struct json_object *object, const struct tio_sample *sample)
{
	bool nmi = sample->flags & TRACE_IRQOFF_F_ASKED;

	put_bool(object, "nmi", nmi);
	/* an end has it as well: it says why there is no sample */
	put_bool(object, "requester_late", sample->flags & TRACE_IRQOFF_F_ASKER_LATE);
	if (nmi)
		put_number(object, "delay_ns", sample->delay_ns);
	else if (!sample->handler_ns && !*sample->irq.name)
		return;
	put(object, "handler_ns",
	    sample->handler_ns ? json_number(sample->handler_ns) : NULL);
	put(object, "irq", sample->irq.number == TIO_NO_IRQ ? NULL :
						   json_object_new_int(sample->irq.number));
	put_text(object, "irq_name", *sample->irq.name ? sample->irq.name : NULL);
}

/* functions that have no frame, with the index of the frame that called them */
static struct json_object *jumps_array(const struct page *page, const struct entry *entry,
				       const struct tio_sample *sample)
{
	struct json_object *array = json_object_new_array(), *object;
	struct trace trace;

	trace_of(&trace, page->symbols, entry, sample);
	for (int i = 0; i < trace.nsteps; i++) {
		if (trace.steps[i].frame != NO_FRAME)
			continue;
		object = json_object_new_object();
		put_text(object, "function", trace.steps[i].function->text);
		put_number(object, "called_by_frame", trace.steps[i + 1].frame);
		json_object_array_add(array, object);
	}
	return array;
}

static struct json_object *sample_object(const struct page *page, const struct entry *entry,
					 const struct tio_sample *sample)
{
	struct json_object *object = json_object_new_object();
	struct json_object *frames = json_object_new_array();
	struct json_object *addresses = json_object_new_array();
	char text[SYMBOL_TEXT_LEN];
	struct symbol symbol;

	put_number(object, "at_ns", sample->at_ns);
	put_number(object, "offset_ns", tio_sample_offset(&entry->rec, sample));
	put_task(object, sample);
	put_bool(object, "irqs_on", sample->flags & TRACE_IRQOFF_F_IRQS_ON);
	put(object, "flags", words(sample->flags, flag_word));
	put_number(object, "preempt_count", sample->preempt_count);
	put(object, "pending_softirqs", words(sample->pending, softirq_word));
	put_request(object, sample);
	put_text(object, "softirq", sample->softirq ? softirq_word(sample->softirq - 1) : NULL);
	put_bool(object, "truncated", sample->flags & TRACE_IRQOFF_F_TRUNCATED);
	for (unsigned int i = 0; i < sample->nframes; i++) {
		frame_symbol(page->symbols, entry, sample, i, &symbol);
		json_object_array_add(frames, json_object_new_string(print_symbol(text, &symbol)));
		snprintf(text, sizeof(text), "0x%llx", sample->frames[i]);
		json_object_array_add(addresses, json_object_new_string(text));
	}
	put(object, "frames", frames);
	put(object, "addresses", addresses);
	put(object, "left_by_jump", jumps_array(page, entry, sample));
	return object;
}

static void put_evidence(struct json_object *object, const struct page *page,
			 const struct entry *entry)
{
	const struct tio_sample *deciding = entry_deciding_sample(entry);
	struct json_object *samples = json_object_new_array();
	struct json_object *task = NULL;

	if (deciding) {
		task = json_object_new_object();
		put_task(task, deciding);
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
	char name[UNITS_LEN];

	if (!to)
		return NULL;
	object = json_object_new_object();
	put_text(object, "record", text_name(name, &to->rec));
	put_number(object, "cpu", to->rec.cpu);
	put_number(object, "seq", to->rec.seq);
	put_bool(object, "probable", entry->probable);
	put_text(object, "wait", waits[victim_wait(entry)]);
	put_text(object, "class", tio_class_name(to->verdict.class));
	put_text(object, "culprit", to->culprit);
	return object;
}

/* numbers and words; nested objects come after all of these */
static void put_scalars(struct json_object *object, const struct page *page,
			const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	__u64 realtime_ns = model_realtime_ns(page->model, rec->end_ns);
	char time[UNITS_LEN], name[UNITS_LEN];

	put_text(object, "record", text_name(name, rec));
	put_number(object, "cpu", rec->cpu);
	put(object, "seq", rec->open ? NULL : json_number(rec->seq));
	put_bool(object, "open", rec->open);
	put_text(object, "time", print_iso8601(time, realtime_ns));
	put_text(object, "kind", kind_word(rec));
	put_text(object, "class", tio_class_name(entry->verdict.class));
	put_text(object, "culprit", entry->culprit);
	put_text(object, "suspected_class", entry->verdict.suspected ?
		 tio_class_name(entry->verdict.suspected) : NULL);
	put_text(object, "suspect", entry->suspect);
	put_text(object, "culprit_evidence", culprit_by_name(entry->culprit_by));
	put_text(object, "busy_in", entry->busy_in);
	put_text(object, "evidence", tio_evidence_name(entry->verdict.evidence));
	put_number(object, "min_ns", rec->min_ns);
	put_number(object, "max_ns", rec->max_ns);
	put_bool(object, "wide", entry->verdict.wide);
	put_bool(object, "early", entry->early);
	put_number(object, "nested_ns", rec->nested_ns);
	put_number(object, "end_ns", rec->end_ns);
	put_number(object, "end_realtime_ns", realtime_ns);
	put_text(object, "end_by", rec->open ? NULL : end_word(rec));
	put_number(object, "threshold_ns", rec->threshold_ns);
	put_number(object, "period_ns", rec->period_ns);
	put(object, "handler_ns",
	    rec->handler_known ? json_number(rec->handler_ns) : NULL);
	put(object, "handlers",
	    rec->handler_known ? json_number(rec->handlers) : NULL);
	put_number(object, "untraced_irqs", rec->untraced_irqs);
	put(object, "steal_ns", rec->steal ? json_number(rec->steal - 1) : NULL);
	put(object, "smis", rec->smis ? json_number(rec->smis - 1) : NULL);
	put(object, "hypervisor",
	    rec->beneath ? json_object_new_boolean(rec->beneath == TIO_BENEATH_HYPERVISOR) : NULL);
}

/* for lines: the interrupted task and the stall that was waited for, without nesting */
static void put_flat(struct json_object *object, const struct entry *entry)
{
	char name[UNITS_LEN];

	put_task(object, entry_deciding_sample(entry));
	put_text(object, "waits_for_record",
		 entry->waits_for ? text_name(name, &entry->waits_for->rec) : NULL);
}

/* the functions from the culprit to what it was busy in */
static struct json_object *path_array(const struct page *page, const struct entry *entry)
{
	struct json_object *array = json_object_new_array();
	const char *name;
	bool jumped;

	for (int i = 0; (name = culprit_step(page->symbols, entry, i, &jumped)); i++)
		json_object_array_add(array, json_object_new_string(name));
	return array;
}

static void put_nested(struct json_object *object, const struct page *page,
		       const struct entry *entry)
{
	put(object, "waits_for", link_object(entry));
	put(object, "path", path_array(page, entry));
	put(object, "net", entry->net_known ? net_object(entry) : NULL);
	put_evidence(object, page, entry);
}

/**
 * json_list() - each record with all evidence
 * @page: the page
 */
void json_list(const struct page *page)
{
	struct json_object *head = json_document(page->model);
	struct json_stream stream;

	put_number(head, "busy", page->model->nbusy);
	json_begin(&stream, head, "records", page->out);
	for (size_t i = 0; i < page->model->nentries; i++) {
		const struct entry *entry = page->model->entries[i];
		struct json_object *object = json_object_new_object();

		put_scalars(object, page, entry);
		put_nested(object, page, entry);
		json_item(&stream, object);
	}
	json_end(&stream);
}

/**
 * json_line() - a record with all evidence, in one line
 * @page: the page
 * @entry: the record
 *
 * The line can be read alone: it begins with machine, boot and instance. Nested objects
 * come last.
 */
void json_line(const struct page *page, const struct entry *entry)
{
	struct json_object *object = json_object_new_object();

	json_identity(object, page->model);
	put_scalars(object, page, entry);
	put_flat(object, entry);
	put_nested(object, page, entry);
	fprintf(page->out, "%s\n",
		json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

/**
 * json_lines() - each record with all evidence, a line each
 * @page: the page
 *
 * No line has room for the number of records that were being written.
 */
void json_lines(const struct page *page)
{
	for (size_t i = 0; i < page->model->nentries; i++)
		json_line(page, page->model->entries[i]);
}

/* "outermost;...;innermost" of the stack that the verdict rests on */
static void put_stack(struct json_object *object, const struct page *page,
		      const struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	struct trace trace;
	char *text = NULL;
	size_t len;
	FILE *out;

	if (!sample || !sample->nframes) {
		put(object, "stack", NULL);
		return;
	}
	trace_of(&trace, page->symbols, entry, sample);
	out = or_exit(open_memstream(&text, &len));
	for (int i = trace.nsteps; i--;)
		fprintf(out, "%s%s", trace.steps[i].function->name, i ? ";" : "");
	if (fclose(out))
		exit(failed("out of memory"));
	put_text(object, "stack", text);
	free(text);
}

/* what --strip leaves out of captures, of keys that are there all the same */
static void strip_flat(struct json_object *object)
{
	static const char * const keys[] = { "host", "comm", "cgroup_id", "cgroup", "cgroup_gone",
					     "pod", "container" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		put(object, keys[i], NULL);
}

/**
 * json_flat() - a record in one line without nesting, for logs and tables
 * @page: the page
 * @entry: the record
 * @cause: its known cause, or NULL
 * @strip: leave out who the node is, and who runs there
 *
 * All keys are always there. boot_id, instance, cpu and seq name a record among those of a
 * fleet; the numbers of a CPU have no gap but where records were lost.
 *
 * Return: the line with its end, to be freed.
 */
char *json_flat(const struct page *page, const struct entry *entry, const struct cause *cause,
		bool strip)
{
	struct json_object *object = json_object_new_object();
	const char *release = page->model->machine.release, *text;
	char *line;

	json_identity(object, page->model);
	put_scalars(object, page, entry);
	put_flat(object, entry);
	put_text(object, "kernel", *release ? release : NULL);
	put_text(object, "cause", cause ? cause->id : NULL);
	put_stack(object, page, entry);
	if (strip)
		strip_flat(object);
	text = json_object_to_json_string_ext(object, JSON_C_TO_STRING_NOSLASHESCAPE);
	line = print_text("%s\n", text);
	json_object_put(object);
	return line;
}
