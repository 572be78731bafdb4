// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/json_text.h"
#include "base/units.h"
#include "causes/causes.h"
#include "judge/culprit.h"
#include "judge/had_cpu.h"
#include "judge/victim.h"
#include "model/labels.h"
#include "model/policy.h"
#include "names/lock_name.h"
#include "output/json/out_json.h"
#include "output/json/out_json_frames.h"

static void put_words(struct json_text *text, const char *key, __u32 mask,
		      const char *(*word)(unsigned int bit))
{
	json_text_open(text, key, '[');
	for (unsigned int i = 0; i < 32; i++) {
		char number[16] = "";

		if (!(mask & 1U << i))
			continue;
		if (!word(i))
			snprintf(number, sizeof(number), "0x%x", 1U << i);
		json_text_string(text, NULL, word(i) ?: number);
	}
	json_text_close(text, ']');
}

static void put_cgroup(struct json_text *text, const struct cgroup *cgroup)
{
	const struct container *container = cgroup_container(cgroup);

	json_text_string(text, "cgroup", cgroup ? cgroup->path : NULL);
	if (cgroup && cgroup->state != CGROUP_UNKNOWN)
		json_text_bool(text, "cgroup_gone", cgroup->state == CGROUP_GONE);
	else
		json_text_null(text, "cgroup_gone");
	json_text_string(text, "pod", *container->pod ? container->pod : NULL);
	json_text_string(text, "container", *container->id ? container->id : NULL);
}

/* @sample is NULL where there is no evidence */
static void put_task(struct json_text *text, const struct tio_sample *sample)
{
	json_text_string(text, "comm", sample ? sample->comm : NULL);
	json_text_known(text, "pid", sample, sample ? sample->pid : 0);
	json_text_known(text, "tgid", sample, sample ? sample->tgid : 0);
	json_text_known(text, "cgroup_id", sample, sample ? sample->cgroup_id : 0);
	put_cgroup(text, sample_cgroup(sample));
}

static void put_request(struct json_text *text, const struct tio_sample *sample)
{
	bool nmi = sample->flags & TRACE_IRQOFF_F_ASKED;

	json_text_bool(text, "nmi", nmi);
	/* an end has it as well: it says why there is no sample */
	json_text_bool(text, "requester_late", sample->flags & TRACE_IRQOFF_F_ASKER_LATE);
	if (nmi)
		json_text_number(text, "delay_ns", sample->delay_ns);
	else if (!sample->handler_ns && !*sample->irq.name)
		return;
	json_text_known(text, "handler_ns", sample->handler_ns, sample->handler_ns);
	if (sample->irq.number == TIO_NO_IRQ)
		json_text_null(text, "irq");
	else
		json_text_signed(text, "irq", sample->irq.number);
	json_text_string(text, "irq_name", *sample->irq.name ? sample->irq.name : NULL);
}

/* the members of what is open */
static void put_lock_members(struct json_text *text, const struct page *page,
			     const struct entry *entry, const struct tio_sample *sample)
{
	char buf[LOCK_NAME_LEN], address[24];

	snprintf(address, sizeof(address), "0x%llx", sample->lock);
	json_text_string(text, "name", lock_name(buf, page->symbols, entry, sample));
	json_text_string(text, "kind", lock_word(sample->lock_kind));
	json_text_string(text, "address", lock_known(sample) ? address : NULL);
	json_text_known(text, "cpu", sample->lock_cpu, sample->lock_cpu - 1);
}

/* only where the lock is known */
static void put_lock(struct json_text *text, const struct page *page, const struct entry *entry,
		     const struct tio_sample *sample)
{
	if (!lock_known(sample))
		return;
	json_text_open(text, "lock", '{');
	put_lock_members(text, page, entry, sample);
	json_text_close(text, '}');
}

/* only where it stands in the culprit's place, known or not */
static void put_waits_for_lock(struct json_text *text, const struct page *page,
			       const struct entry *entry)
{
	if (!entry->found.lock)
		return;
	json_text_open(text, "waits_for_lock", '{');
	put_lock_members(text, page, entry, entry_waiting_sample(entry));
	json_text_string(text, "waiter", entry->found.waiter);
	json_text_string(text, "candidate", entry->found.candidate);
	json_text_close(text, '}');
}

/* only where another CPU noted what it did */
static void put_meanwhile(struct json_text *text, struct json_stacks *known,
			  const struct page *page, const struct entry *entry)
{
	const struct tio_meanwhile *meanwhile = &entry->rec.meanwhile;

	if (!meanwhile->noted)
		return;
	json_text_open(text, "meanwhile", '{');
	json_text_number(text, "noted", meanwhile->noted);
	json_text_number(text, "candidates", meanwhile->candidates);
	json_text_known(text, "cpu", meanwhile->cpu, meanwhile->cpu - 1);
	if (meanwhile->sample) {
		json_text_string(text, "comm", meanwhile->sample->comm);
		json_text_number(text, "pid", meanwhile->sample->pid);
		json_text_number(text, "tgid", meanwhile->sample->tgid);
		json_text_number(text, "preempt_count", meanwhile->sample->preempt_count);
		json_frames(text, known, page, entry, meanwhile->sample);
	}
	json_text_close(text, '}');
}

/* only where they are known: older modules do not tell */
static void put_process(struct json_text *text, const struct tio_sample *sample)
{
	if (policy_word(sample->policy))
		json_text_string(text, "policy", policy_word(sample->policy));
	if (sample->prio)
		json_text_number(text, "prio", sample->prio - 1);
	if (sample->threads)
		json_text_number(text, "threads", sample->threads);
	if (!sample->parent)
		return;
	json_text_number(text, "parent_pid", sample->parent);
	json_text_string(text, "parent_comm", sample->parent_comm);
}

static void put_sample(struct json_text *text, const char *key, struct json_stacks *known,
		       const struct page *page, const struct entry *entry,
		       const struct tio_sample *sample)
{
	json_text_open(text, key, '{');
	json_text_number(text, "at_ns", sample->at_ns);
	json_text_number(text, "offset_ns", tio_sample_offset(&entry->rec, sample));
	put_task(text, sample);
	put_process(text, sample);
	json_text_bool(text, "irqs_on", sample->flags & TRACE_IRQOFF_F_IRQS_ON);
	put_words(text, "flags", sample->flags, flag_word);
	json_text_number(text, "preempt_count", sample->preempt_count);
	put_words(text, "pending_softirqs", sample->pending, softirq_word);
	put_request(text, sample);
	json_text_string(text, "softirq",
			 sample->softirq ? softirq_word(sample->softirq - 1) : NULL);
	json_text_bool(text, "truncated", sample->flags & TRACE_IRQOFF_F_TRUNCATED);
	put_lock(text, page, entry, sample);
	json_frames(text, known, page, entry, sample);
	json_text_close(text, '}');
}

static void put_evidence(struct json_text *text, struct json_stacks *known,
			 const struct page *page, const struct entry *entry)
{
	const struct tio_sample *deciding = entry_deciding_sample(entry);

	if (deciding) {
		json_text_open(text, "interrupted_task", '{');
		put_task(text, deciding);
		json_text_close(text, '}');
	} else {
		json_text_null(text, "interrupted_task");
	}
	json_text_open(text, "samples", '[');
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		put_sample(text, NULL, known, page, entry, &entry->rec.samples[i]);
	json_text_close(text, ']');
	if (entry->rec.open)
		json_text_null(text, "end");
	else
		put_sample(text, "end", known, page, entry, &entry->rec.end);
}

static void put_net(struct json_text *text, const struct entry *entry)
{
	const struct tio_softnet *net = &entry->rec.net;

	if (!entry->net_known) {
		json_text_null(text, "net");
		return;
	}
	json_text_open(text, "net", '{');
	json_text_bool(text, "waited", net->waited);
	json_text_number(text, "processed", net->processed);
	json_text_number(text, "dropped", net->dropped);
	json_text_number(text, "time_squeeze", net->time_squeeze);
	json_text_close(text, '}');
}

static void put_link(struct json_text *text, const struct entry *entry)
{
	static const char * const waits[] = {
		[WAIT_LOCK]	= "lock",
		[WAIT_IPI]	= "ipi",
		[WAIT_STOP]	= "stop-machine",
	};
	const struct entry *to = entry->found.waits_for;
	char name[UNITS_LEN];

	if (!to) {
		json_text_null(text, "waits_for");
		return;
	}
	json_text_open(text, "waits_for", '{');
	json_text_string(text, "record", print_record_name(name, &to->rec));
	json_text_number(text, "cpu", to->rec.cpu);
	json_text_number(text, "seq", to->rec.seq);
	json_text_bool(text, "probable", entry->found.probable);
	json_text_string(text, "wait", waits[victim_wait(entry)]);
	json_text_string(text, "class", tio_class_name(to->found.verdict.class));
	json_text_string(text, "culprit", to->found.culprit);
	json_text_close(text, '}');
}

/* of a line that leaves out who runs on the node, a task's name as well */
static const char *blamed(const struct json_text *text, const struct entry *entry,
			  const char *culprit)
{
	return text->hidden && entry->found.met && culprit ? CULPRIT_TASK : culprit;
}

/* numbers and words; nested objects come after all of these */
static void put_scalars(struct json_text *text, const struct page *page,
			const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	__u64 realtime_ns = model_realtime_ns(page->model, rec->end_ns);
	char time[UNITS_LEN], name[UNITS_LEN];

	json_text_string(text, "record", print_record_name(name, rec));
	json_text_number(text, "cpu", rec->cpu);
	json_text_known(text, "seq", !rec->open, rec->seq);
	json_text_bool(text, "open", rec->open);
	json_text_string(text, "time", print_iso8601(time, realtime_ns));
	json_text_string(text, "kind", kind_word(rec));
	json_text_string(text, "class", tio_class_name(entry->found.verdict.class));
	json_text_string(text, "culprit", blamed(text, entry, entry->found.culprit));
	json_text_string(text, "suspected_class", entry->found.verdict.suspected ?
		 tio_class_name(entry->found.verdict.suspected) : NULL);
	json_text_string(text, "suspect", blamed(text, entry, entry->found.suspect));
	json_text_string(text, "culprit_evidence", culprit_by_name(entry->found.culprit_by));
	json_text_string(text, "busy_in", entry->found.busy_in);
	json_text_string(text, "evidence", tio_evidence_name(entry->found.verdict.evidence));
	json_text_number(text, "min_ns", rec->min_ns);
	json_text_number(text, "max_ns", rec->max_ns);
	json_text_bool(text, "wide", entry->found.verdict.wide);
	json_text_bool(text, "early", entry->view.early);
	json_text_number(text, "nested_ns", rec->nested_ns);
	json_text_number(text, "late_ns", rec->late_ns);
	json_text_number(text, "end_ns", rec->end_ns);
	json_text_number(text, "end_realtime_ns", realtime_ns);
	json_text_string(text, "end_by", rec->open ? NULL : end_word(rec));
	json_text_number(text, "threshold_ns", rec->threshold_ns);
	json_text_number(text, "period_ns", rec->period_ns);
	json_text_known(text, "handler_ns", rec->handler_known, rec->handler_ns);
	json_text_known(text, "handlers", rec->handler_known, rec->handlers);
	json_text_number(text, "untraced_irqs", rec->untraced_irqs);
	json_text_known(text, "steal_ns", rec->steal, rec->steal - 1);
	json_text_known(text, "smis", rec->smis, rec->smis - 1);
	if (rec->beneath)
		json_text_bool(text, "hypervisor", rec->beneath == TIO_BENEATH_HYPERVISOR);
	else
		json_text_null(text, "hypervisor");
}

/* for lines: the interrupted task and the stall that was waited for, without nesting */
static void put_flat(struct json_text *text, const struct entry *entry)
{
	char name[UNITS_LEN];

	put_task(text, entry_deciding_sample(entry));
	json_text_string(text, "waits_for_record",
			 entry->found.waits_for ?
			 print_record_name(name, &entry->found.waits_for->rec) : NULL);
}

/* the functions from the culprit to what it was busy in */
static void put_path(struct json_text *text, const struct page *page, const struct entry *entry)
{
	const char *name;
	bool jumped;

	json_text_open(text, "path", '[');
	for (int i = 0; (name = culprit_step(page->symbols, entry, i, &jumped)); i++)
		json_text_string(text, NULL, name);
	json_text_close(text, ']');
}

/* tasks of one name and cgroup; what is known of one task by itself is null where there are more */
static void put_met(struct json_text *text, const struct met *met)
{
	json_text_open(text, NULL, '{');
	json_text_string(text, "comm", *met->comm ? met->comm : NULL);
	json_text_bool(text, "kernel_thread", met->kthread);
	json_text_number(text, "count", met->tasks);
	json_text_known(text, "pid", met->tasks == 1, met->sample->pid);
	json_text_bool(text, "user", met->user);
	json_text_bool(text, "kernel", met->kernel);
	put_cgroup(text, sample_cgroup(met->sample));
	json_text_number(text, "samples", met->count);
	json_text_number(text, "share_ns", met->ns);
	json_text_close(text, '}');
}

/* who had the CPU while ksoftirqd waited, the culprit first; other records do not have the key */
static void put_tasks(struct json_text *text, const struct page *page, const struct entry *entry)
{
	struct had_cpu had;

	if (!entry->found.met)
		return;
	had_cpu_find(&had, page->symbols, entry);
	json_text_open(text, "tasks", '[');
	for (unsigned int i = 0; i < had.count; i++)
		put_met(text, &had.all[i]);
	json_text_close(text, ']');
}

static void put_nested(struct json_text *text, struct json_stacks *known, const struct page *page,
		       const struct entry *entry)
{
	put_link(text, entry);
	put_waits_for_lock(text, page, entry);
	put_path(text, page, entry);
	put_tasks(text, page, entry);
	put_net(text, entry);
	put_evidence(text, known, page, entry);
	put_meanwhile(text, known, page, entry);
}

static void put_identity(struct json_text *text, const struct model *model, bool strip)
{
	struct json_object *object = json_object_new_object();

	json_identity(object, model);
	if (strip)
		put(object, "host", NULL);
	json_text_members(text, json_object_to_json_string_ext(object,
							       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

/**
 * json_list() - each record with all evidence
 * @page: the page
 */
void json_list(const struct page *page)
{
	struct json_object *head = json_document(page->model);
	struct json_text text = { .pretty = true };
	struct json_stacks *known = json_stacks_new();
	struct json_stream stream;

	put_number(head, "busy", page->model->nbusy);
	json_begin(&stream, head, "records", page->out);
	for (size_t i = 0; i < page->model->nentries; i++) {
		const struct entry *entry = page->model->entries[i];

		text.len = 0;
		text.any = false;
		json_text_open(&text, NULL, '{');
		put_scalars(&text, page, entry);
		put_nested(&text, known, page, entry);
		json_text_close(&text, '}');
		json_item_text(&stream, text.bytes);
	}
	json_end(&stream);
	free(text.bytes);
	json_stacks_free(known);
}

/* what lines have in common */
struct lines {
	struct json_text text;
	size_t head;		/* length of the first members, which are the same in all */
	struct json_stacks *known;	/* NULL: it is one line */
	const struct page *page;
};

static void begin_lines(struct lines *lines, const struct page *page, struct json_stacks *known)
{
	*lines = (struct lines){ .known = known, .page = page };
	json_text_open(&lines->text, NULL, '{');
	put_identity(&lines->text, page->model, false);
	lines->head = lines->text.len;
}

static void print_line(struct lines *lines, const struct entry *entry)
{
	struct json_text *text = &lines->text;

	text->len = lines->head;
	text->depth = 1;
	put_scalars(text, lines->page, entry);
	put_flat(text, entry);
	put_nested(text, lines->known, lines->page, entry);
	json_text_close(text, '}');
	fputs(text->bytes, lines->page->out);
	fputc('\n', lines->page->out);
}

static void end_lines(struct lines *lines)
{
	free(lines->text.bytes);
	json_stacks_free(lines->known);
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
	struct lines lines;

	begin_lines(&lines, page, NULL);
	print_line(&lines, entry);
	end_lines(&lines);
}

/**
 * json_lines() - each record with all evidence, a line each
 * @page: the page
 *
 * No line has room for the number of records that were being written.
 */
void json_lines(const struct page *page)
{
	struct lines lines;

	begin_lines(&lines, page, json_stacks_new());
	for (size_t i = 0; i < page->model->nentries; i++)
		print_line(&lines, page->model->entries[i]);
	end_lines(&lines);
}

/* "outermost;...;innermost" of the stack that the verdict rests on */
static void put_folded(struct json_text *text, const struct page *page, const struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	struct trace trace;
	char *folded = NULL;
	size_t len;
	FILE *out;

	if (!sample || !sample->nframes) {
		json_text_null(text, "stack");
		return;
	}
	trace_of(&trace, page->symbols, entry, sample);
	out = or_exit(open_memstream(&folded, &len));
	for (int i = trace.nsteps; i--;)
		fprintf(out, "%s%s", trace.steps[i].function->name, i ? ";" : "");
	if (fclose(out))
		exit(failed("out of memory"));
	json_text_string(text, "stack", folded);
	free(folded);
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
	/* what --strip leaves out of captures, of keys that are there all the same */
	static const char * const stripped[] = {
		"comm", "cgroup_id", "cgroup", "cgroup_gone", "pod", "container", NULL
	};
	struct json_text text = { .hidden = strip ? stripped : NULL };
	const char *release = page->model->machine.release;
	char *line;

	json_text_open(&text, NULL, '{');
	put_identity(&text, page->model, strip);
	put_scalars(&text, page, entry);
	put_flat(&text, entry);
	json_text_string(&text, "lock_wait", entry->found.lock);
	json_text_string(&text, "lock_waiter", entry->found.waiter);
	json_text_string(&text, "kernel", *release ? release : NULL);
	json_text_string(&text, "cause", cause ? cause->id : NULL);
	put_folded(&text, page, entry);
	json_text_close(&text, '}');
	line = print_text("%s\n", text.bytes);
	free(text.bytes);
	return line;
}
