// SPDX-License-Identifier: GPL-2.0-only
/* A record whole: all evidence. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/units.h"
#include "judge/culprit.h"
#include "model/labels.h"
#include "model/policy.h"
#include "names/lock_name.h"
#include "output/out.h"

__printf(3, 4)
static void field(const struct page *page, const char *name, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = vprint_text(format, args);
	va_end(args);
	text_line(page, 2, 20, "%-17s %s", name, text);
	free(text);
}

/* prints the words of a mask, and the bits that have no word as one number */
static void bits(const struct page *page, __u32 mask, const char *(*word)(unsigned int bit),
		 const char *none)
{
	const char *comma = "";
	__u32 rest = 0;

	if (!mask)
		fputs(none, page->out);
	for (unsigned int i = 0; i < 32; i++) {
		if (!(mask & 1U << i))
			continue;
		if (!word(i)) {
			rest |= 1U << i;
			continue;
		}
		fprintf(page->out, "%s%s", comma, word(i));
		comma = ", ";
	}
	if (rest)
		fprintf(page->out, "%s0x%x", comma, rest);
}

/* "interrupt: irq 24 virtio0-input.0, handler running for 12.3 ms" */
static void print_interrupt(const struct page *page, const struct tio_sample *sample)
{
	bool nmi = sample->flags & TRACE_IRQOFF_F_ASKED;
	bool device = sample->irq.number != TIO_NO_IRQ;
	char buf[UNITS_LEN];

	if (!sample->handler_ns && !*sample->irq.name && (!nmi || !device))
		return;
	fputs(nmi ? "    interrupt: " : sample->handler_ns ? "    longest interrupt: " :
	      "    most time in handlers: ", page->out);
	if (device)
		fprintf(page->out, "irq %d%s", sample->irq.number, *sample->irq.name ? " " : "");
	else if (!*sample->irq.name)
		fputs("not known", page->out);
	fputs(sample->irq.name, page->out);
	if (sample->handler_ns)
		fprintf(page->out, ", handler %s for %s", nmi ? "running" : "ran",
			print_duration(buf, sample->handler_ns));
	fputc('\n', page->out);
}

/* what may have had the CPU in place of the suspect */
static void record_doubt(const struct page *page, const struct entry *entry)
{
	const char *class = tio_class_name(entry->found.verdict.suspected);
	const struct tio_record *rec = &entry->rec;

	if (!entry->found.verdict.suspected)
		return;
	if (rec->beneath != TIO_BENEATH_FIRMWARE)
		field(page, "doubt", "%s, or the hypervisor had the CPU: nothing shows that it ran",
		      class);
	else if (rec->smis)
		field(page, "doubt", "%s, or firmware had the CPU: an SMI was counted", class);
	else
		field(page, "doubt", "%s, or firmware had the CPU: SMIs are not counted", class);
}

/* no hypervisor, and no NMI came through for most of the stall */
static void print_instruction(const struct page *page, const struct entry *entry,
			      const struct tio_sample *sample)
{
	const struct tio_record *rec = &entry->rec;

	if (rec->beneath != TIO_BENEATH_FIRMWARE || rec->nmi_ns ||
	    entry->found.verdict.class == TIO_CLASS_STOLEN || sample->delay_ns <= TIO_PROMPT_NS ||
	    sample->delay_ns <= rec->min_ns / 2)
		return;
	fprintf(page->out, "    the CPU was in one instruction meanwhile%s\n",
		rec->smis == 1 ? ", as no SMI was counted" : ", or in firmware");
}

/* how another CPU requested the sample, or why not, and the interrupt that was handled */
static void print_request(const struct page *page, const struct entry *entry,
			  const struct tio_sample *sample)
{
	bool late = sample->flags & TRACE_IRQOFF_F_ASKER_LATE;
	char buf[UNITS_LEN];

	if (sample->flags & TRACE_IRQOFF_F_ASKED)
		fprintf(page->out, "    requested by another CPU%s, taken%s after %s\n",
			late ? " that was late itself" : "",
			sample->delay_ns > TIO_PROMPT_NS ? " late," : "",
			print_duration(buf, sample->delay_ns));
	else if (late)
		fputs("    not sampled in time: the requester did not run either\n", page->out);
	print_instruction(page, entry, sample);
	print_interrupt(page, sample);
}

/* "pod: 6ba7b810-9dad-11d1-80b4-00c04fd430c8, container 2f6b6e2b6f9d" */
static void print_container(const struct page *page, const struct container *container)
{
	bool pod = *container->pod;

	if (pod)
		fprintf(page->out, "    pod: %s", container->pod);
	if (*container->id)
		fprintf(page->out, "%s%.*s", pod ? ", container " : "    container: ",
			CONTAINER_SHORT_LEN, container->id);
	if (pod || *container->id)
		fputc('\n', page->out);
}

static void print_task(const struct page *page, const struct tio_sample *sample)
{
	const struct cgroup *cgroup = sample_cgroup(sample);
	char policy[UNITS_LEN];

	policy_print(policy, sample->policy, sample->prio);
	fprintf(page->out, "    interrupted task: %s, pid %u, tgid %u%s%s\n", sample->comm,
		sample->pid, sample->tgid, *policy ? ", " : "", policy);
	fprintf(page->out, "    cgroup: %s%s\n", cgroup ? cgroup->text : "(unknown)",
		sample->flags & TRACE_IRQOFF_F_CGROUP_V1 ? " (version 1, memory)" : "");
	print_container(page, cgroup_container(cgroup));
}

/* "process: 8001 threads, parent sh (103)" */
static void print_process(const struct page *page, const struct tio_sample *sample)
{
	if (sample->threads)
		fprintf(page->out, "    process: %u %s", sample->threads,
			sample->threads == 1 ? "thread" : "threads");
	if (sample->threads && sample->parent)
		fprintf(page->out, ", parent %s (%u)", sample->parent_comm, sample->parent);
	if (sample->threads)
		fputc('\n', page->out);
}

/* "waits for tasklist_lock (write)" */
static void print_lock(const struct page *page, const struct entry *entry,
		       const struct tio_sample *sample)
{
	bool spin = sample->lock_kind == TRACE_IRQOFF_LOCK_SPIN;
	char buf[LOCK_NAME_LEN];

	fprintf(page->out, "    waits for %s%s%s%s\n",
		lock_print(buf, page->symbols, entry, sample), spin ? "" : " (",
		spin ? "" : lock_word(sample->lock_kind), spin ? "" : ")");
}

static void print_sample(const struct page *page, const struct entry *entry,
			 const struct tio_sample *sample)
{
	/* printed elsewhere */
	__u32 flags = sample->flags & ~(TRACE_IRQOFF_F_TRUNCATED | TRACE_IRQOFF_F_CGROUP_V1 |
					TRACE_IRQOFF_F_ASKED | TRACE_IRQOFF_F_ASKER_LATE);

	print_request(page, entry, sample);
	print_task(page, sample);
	print_process(page, sample);
	fputs("    state: ", page->out);
	if (!(flags & TRACE_IRQOFF_F_IRQS_ON))
		fprintf(page->out, "irqs-off%s", flags ? ", " : "");
	bits(page, flags, flag_word, "");
	if (sample->softirq)
		fprintf(page->out, "; softirq: %s", softirq_word(sample->softirq - 1) ?: "?");
	fprintf(page->out, "\n    preempt_count 0x%08x; pending softirqs: ", sample->preempt_count);
	bits(page, sample->pending, softirq_word, "none");
	fputc('\n', page->out);
	if (lock_known(sample))
		print_lock(page, entry, sample);
	text_stack(page, entry, sample, "        ", TIO_FRAMES);
}

/* what another CPU did, which may have had the lock that was waited for */
static void print_meanwhile(const struct page *page, const struct entry *entry)
{
	const struct tio_meanwhile *meanwhile = &entry->rec.meanwhile;

	if (!meanwhile->sample) {
		fprintf(page->out, "  none of the %u CPUs that answered may have had the lock\n",
			meanwhile->noted);
		return;
	}
	fprintf(page->out, "  meanwhile on CPU %u\n", meanwhile->cpu - 1);
	fprintf(page->out, "    candidates for the lock: %u of %u CPUs that answered\n",
		meanwhile->candidates, meanwhile->noted);
	fprintf(page->out, "    interrupted task: %s, pid %u, tgid %u\n", meanwhile->sample->comm,
		meanwhile->sample->pid, meanwhile->sample->tgid);
	text_stack(page, entry, meanwhile->sample, "        ", TIO_MEANWHILE_FRAMES);
}

/* "1:17 (probable), stall_x [mod], hardirq-off" */
static void record_link(const struct page *page, const struct entry *entry)
{
	const struct entry *to = entry->found.waits_for;
	char name[UNITS_LEN], culprit[CELL_LEN];

	if (to)
		field(page, "waits for", "%s%s, %s, %s", print_record_name(name, &to->rec),
		      entry->found.probable ? " (probable)" : "", text_culprit(culprit, to),
		      tio_class_name(to->found.verdict.class));
}

static void record_times(const struct page *page, const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	char a[UNITS_LEN], b[UNITS_LEN];
	__u64 end_ns = rec->end_ns;

	print_moment(a, model_realtime_ns(page->model, end_ns));
	if (rec->open)
		field(page, "read at", "%s (%llu ns), not ended yet", a, end_ns);
	else
		field(page, "ended", "%s (%llu ns), seen by %s", a, end_ns, end_word(rec));
	field(page, "length", "%s to %s ms%s", print_ms(a, rec->min_ns), print_ms(b, rec->max_ns),
	      entry->found.verdict.wide ? ", bounds: wide" : "");
	field(page, "settings then", "threshold %s, period %s",
	      print_duration(a, rec->threshold_ns), print_duration(b, rec->period_ns));
	if (rec->nested_ns)
		field(page, "nested", "%s in records of their own",
		      print_duration(a, rec->nested_ns));
	if (rec->late_ns)
		field(page, "no interrupts", "for %s of that, in parts",
		      print_duration(a, rec->late_ns));
	if (rec->handler_known)
		field(page, "in handlers", "%s in %u %s since the beat before%s",
		      print_duration(a, rec->handler_ns), rec->handlers,
		      rec->handlers == 1 ? "handler" : "handlers",
		      entry->found.verdict.storm ? ": an interrupt storm" : "");
	else if (rec->kind == TRACE_IRQOFF_KIND_HARD && !rec->open)
		field(page, "in handlers", "not known");
	if (rec->nmi_ns)
		field(page, "in NMI handlers", "%s", print_duration(a, rec->nmi_ns));
	if (rec->steal)
		field(page, "steal", "%s", print_duration(a, rec->steal - 1));
	if (rec->smis)
		field(page, "SMIs", "%u", rec->smis - 1);
	if (rec->untraced_irqs)
		field(page, "untraced interrupts", "%u", rec->untraced_irqs);
}

static void record_packets(const struct page *page, const struct entry *entry)
{
	const struct tio_softnet *net = &entry->rec.net;

	if (net->waited || net->processed || net->dropped || net->time_squeeze)
		field(page, "packets", "%s%u processed, %u dropped, %u time_squeeze",
		      net->waited ? "some waited; " : "", net->processed, net->dropped,
		      net->time_squeeze);
}

/* what the culprit was busy in, and the calls on the way to it */
static void record_busy(const struct page *page, const struct entry *entry)
{
	char *way = NULL, *longer;
	const char *step;
	bool jumped;

	if (!entry->found.busy_in || entry->found.way_from == entry->found.way_to)
		return;
	field(page, "busy in", "%s", entry->found.busy_in);
	for (int i = 0; (step = culprit_step(page->symbols, entry, i, &jumped)); i++) {
		longer = print_text("%s%s%s%s", way ? way : "", way ? " > " : "", step,
				    jumped ? " (left by a jump)" : "");
		free(way);
		way = longer;
	}
	field(page, "by way of", "%s", way);
	free(way);
}

/* who had the CPU while ksoftirqd waited, by the samples' shares */
static void record_tasks(const struct page *page, const struct entry *entry)
{
	char part[UNITS_LEN];
	struct had_cpu had;
	__u64 rest_ns;

	if (!entry->found.met)
		return;
	had_cpu_find(&had, page->symbols, entry);
	rest_ns = had.ns;
	for (unsigned int i = 0; i < had.count; i++) {
		char *text;

		if (had.all[i].samples == entry->found.met)
			had.all[i].busy_in = entry->found.busy_in;
		text = text_met(&had.all[i], had.ns);
		field(page, "had the CPU", "%s", text);
		free(text);
		rest_ns -= had.all[i].ns;
	}
	if (rest_ns)
		field(page, "had the CPU", "no task that is to blame%s",
		      text_part(part, rest_ns, had.ns));
}

/**
 * text_record() - a record with all evidence
 * @page: the page
 * @entry: the record
 */
void text_record(const struct page *page, const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	const struct tio_sample *deciding = entry_deciding_sample(entry);
	char name[UNITS_LEN], culprit[CELL_LEN];

	fprintf(page->out, "record %s: %s, %s\n", print_record_name(name, rec), kind_word(rec),
		tio_class_name(entry->found.verdict.class));
	field(page, "culprit", "%s%s", text_culprit(culprit, entry),
	      entry->found.or_caller ? ", or a caller of it" : "");
	if (entry->found.waiter)
		field(page, "who waited", "%s", entry->found.waiter);
	if (entry->found.candidate)
		field(page, "had the lock?", "%s", entry->found.candidate);
	record_doubt(page, entry);
	record_tasks(page, entry);
	record_busy(page, entry);
	field(page, "evidence", "%s", tio_evidence_name(entry->found.verdict.evidence));
	record_link(page, entry);
	record_times(page, entry);
	record_packets(page, entry);
	for (unsigned int i = 0; i < rec->nsamples; i++) {
		const struct tio_sample *sample = &rec->samples[i];
		char at[UNITS_LEN];

		fprintf(page->out, "  sample at +%s ms%s\n",
			print_ms(at, tio_sample_offset(rec, sample)),
			sample == deciding ? " (decides)" : "");
		print_sample(page, entry, sample);
	}
	if (!rec->open) {
		fprintf(page->out, "  at the end%s\n", &rec->end == deciding ? " (decides)" : "");
		print_sample(page, entry, &rec->end);
	}
	if (rec->meanwhile.noted)
		print_meanwhile(page, entry);
}
