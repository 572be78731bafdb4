// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line of a record is that of the older tool trace-irqoff (its file
 * trace_latency), so that scripts can read both. Frames are printed with their names.
 * The culprit is not: only the reader works it out.
 */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/seq_file.h>

#include "core/classify.h"
#include "core/frame_rule.h"
#include "report/modules.h"
#include "report/procfs_record.h"
#include "state/opaque.h"

/**
 * tio_put_ms() - print a length as "15.204ms"
 * @m: file
 * @ns: length
 *
 * Context: task.
 */
void tio_put_ms(struct seq_file *m, u64 ns)
{
	seq_printf(m, "%lu.%03lums", tio_us_of(ns) / 1000, tio_us_of(ns) % 1000);
}

/*
 * Prints the name of a task, an interrupt or a symbol. A terminal acts on some bytes, so
 * all but printable ASCII appear in octal. (The kernel's "%pE" passes Latin-1.)
 */
static void put_name(struct seq_file *m, const char *name)
{
	for (; *name; name++) {
		if (isascii(*name) && isprint(*name) && *name != '\\')
			seq_putc(m, *name);
		else
			seq_printf(m, "\\%03o", (u8)*name);
	}
}

/* the address of code that has no name tells it from other such code */
static void show_frame(struct seq_file *m, u64 addr, const char *symbol, bool addresses)
{
	seq_puts(m, "       ");
	put_name(m, symbol);
	if (!strcmp(symbol, TIO_UNLOADED))
		seq_printf(m, addresses ? " 0x%llx" : " #%016llx",
			   tio_shown_address(addr, addresses));
	seq_putc(m, '\n');
}

static void show_stack(struct seq_file *m, const struct tio_sample *sample, char *symbol,
		       bool addresses)
{
	unsigned int i;

	for (i = 0; i < sample->nframes; i++) {
		tio_frame_print(symbol, sample, i);
		show_frame(m, sample->frames[i], symbol, addresses);
	}
	if (sample->flags & TRACE_IRQOFF_F_USER)
		seq_puts(m, "       (user mode)\n");
	if (sample->flags & TRACE_IRQOFF_F_TRUNCATED)
		seq_puts(m, "       (truncated)\n");
}

/* prints the interrupt handler that a sample or an end has */
static void show_handler(struct seq_file *m, const char *indent,
			 const struct tio_sample *sample)
{
	if (!sample->handler_ns && !*sample->irq.name)
		return;
	/* one handler, or the interrupt whose handlers took most of the time */
	seq_printf(m, "%s%s", indent, sample->handler_ns ? "handler: " : "mostly: ");
	if (sample->irq.number != TIO_NO_IRQ)
		seq_printf(m, "%d ", sample->irq.number);
	put_name(m, sample->irq.name);
	if (sample->handler_ns) {
		seq_puts(m, " for ");
		tio_put_ms(m, sample->handler_ns);
	}
	seq_putc(m, '\n');
}

static void show_lock(struct seq_file *m, const struct tio_sample *sample, char *symbol,
		      bool addresses)
{
	static const char * const kinds[] = {
		[TRACE_IRQOFF_LOCK_SPIN] = "spin",
		[TRACE_IRQOFF_LOCK_READ] = "read",
		[TRACE_IRQOFF_LOCK_WRITE] = "write",
	};

	if (sample->lock_kind == TRACE_IRQOFF_LOCK_NONE)
		return;
	scnprintf(symbol, KSYM_SYMBOL_LEN, "%pS", (void *)(unsigned long)sample->lock);
	seq_puts(m, "       waits for lock: ");
	if (!strncmp(symbol, "0x", 2))
		seq_printf(m, addresses ? "0x%llx" : "#%016llx",
			   tio_shown_address(sample->lock, addresses));
	else
		put_name(m, symbol);
	seq_printf(m, " (%s)\n", kinds[sample->lock_kind]);
}

static void show_sample(struct seq_file *m, const struct tio_record *rec,
			const struct tio_sample *sample, char *symbol, bool addresses)
{
	seq_puts(m, "     sample at +");
	tio_put_ms(m, tio_sample_offset(rec, sample));
	seq_puts(m, ":\n");
	if (sample->flags & TRACE_IRQOFF_F_ASKED)
		seq_printf(m, "       requested %lu us before%s\n", tio_us_of(sample->delay_ns),
			   sample->flags & TRACE_IRQOFF_F_ASKER_LATE ?
			   " by a CPU that was late itself" : "");
	show_handler(m, "       ", sample);
	show_lock(m, sample, symbol, addresses);
	show_stack(m, sample, symbol, addresses);
}

static void show_end(struct seq_file *m, const struct tio_record *rec, char *symbol,
		     bool addresses)
{
	seq_puts(m, "     at the end:\n");
	if (rec->end.flags & TRACE_IRQOFF_F_ASKER_LATE)
		seq_puts(m, "       not sampled in time: the requester was late itself\n");
	show_handler(m, "       ", &rec->end);
	show_stack(m, &rec->end, symbol, addresses);
}

static void show_meanwhile(struct seq_file *m, const struct tio_meanwhile *meanwhile,
			   const struct tio_sample *sample, char *symbol, bool addresses)
{
	if (!meanwhile->cpu)
		return;
	seq_printf(m, "     meanwhile CPU %u, PID %u ", meanwhile->cpu - 1, meanwhile->pid);
	put_name(m, meanwhile->comm);
	seq_printf(m, " (1 of %u candidates, %u CPUs noted):\n", meanwhile->candidates,
		   meanwhile->noted);
	show_stack(m, sample, symbol, addresses);
}

/**
 * tio_show_record() - print a record
 * @m: file
 * @rec: record
 * @meanwhile: what its meanwhile has, as tio_meanwhile_sample() made it
 * @symbol: KSYM_SYMBOL_LEN bytes to work in
 * @addresses: the reader may see addresses
 *
 * Context: task, may sleep.
 */
void tio_show_record(struct seq_file *m, const struct tio_record *rec,
		     const struct tio_sample *meanwhile, char *symbol, bool addresses)
{
	const struct tio_sample *task;
	struct tio_verdict verdict;
	unsigned int i;

	if (rec->busy) {
		seq_printf(m, "     busy: CPU %u has not finished writing it\n\n", rec->cpu);
		return;
	}
	tio_judge(rec, &verdict);
	task = tio_deciding_sample(rec, &verdict);
	seq_puts(m, "     COMMAND: ");
	put_name(m, task ? task->comm : "?");
	seq_printf(m, " PID: %u LATENCY: ", task ? task->pid : 0);
	tio_put_ms(m, rec->min_ns);
	seq_puts(m, "..");
	tio_put_ms(m, rec->max_ns);
	if (verdict.wide)
		seq_puts(m, " bounds: wide");
	if (rec->open)
		seq_printf(m, "\n     open: %s", rec->kind ? "soft" : "hard");
	else
		seq_printf(m, "\n     record: %u:%llu ended: %llu.%06lu s",
			   rec->cpu, rec->seq,
			   div_u64(rec->end_ns, NSEC_PER_SEC),
			   tio_us_of(rec->end_ns) % USEC_PER_SEC);
	seq_printf(m, " class: %s evidence: %s\n", tio_class_name(verdict.class),
		   tio_evidence_name(verdict.evidence));
	if (verdict.suspected)
		seq_printf(m, "     doubt: %s, or %s had the CPU\n",
			   tio_class_name(verdict.suspected),
			   rec->beneath == TIO_BENEATH_FIRMWARE ? "firmware" : "the hypervisor");
	if (task)
		seq_printf(m, "     cgroup: %llu\n", task->cgroup_id);
	if (rec->handler_known) {
		seq_puts(m, "     in handlers: ");
		tio_put_ms(m, rec->handler_ns);
		seq_puts(m, verdict.storm ? ", interrupt storm\n" : "\n");
	}
	if (rec->nmi_handler) {
		tio_function_print(symbol, rec->nmi_handler, rec->end_ns);
		seq_puts(m, "     in NMI handlers: ");
		tio_put_ms(m, rec->nmi_ns);
		seq_puts(m, ", longest: ");
		put_name(m, symbol);
		seq_putc(m, '\n');
	}
	if (rec->steal) {
		seq_puts(m, "     steal: ");
		tio_put_ms(m, rec->steal - 1);
		seq_putc(m, '\n');
	}
	for (i = 0; i < rec->nsamples; i++)
		show_sample(m, rec, &rec->samples[i], symbol, addresses);
	if (!rec->open) {
		show_end(m, rec, symbol, addresses);
		show_meanwhile(m, &rec->meanwhile, meanwhile, symbol, addresses);
	}
	seq_putc(m, '\n');
}
