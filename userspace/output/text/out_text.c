// SPDX-License-Identifier: GPL-2.0-only
/* Shared by several screens: the heading, stacks, and the sentences for no records. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "names/frame.h"
#include "output/out.h"
#include "terminal/fold.h"

/**
 * text_line() - a line; where the screen is narrow, as many as it takes
 * @page: the page
 * @indent: where it begins
 * @hang: where the next ones begin
 * @format: its text
 */
void text_line(const struct page *page, unsigned int indent, unsigned int hang,
	       const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = vprint_text(format, args);
	va_end(args);
	fprintf(page->out, "%*s", indent, "");
	fold(page->out, page->screen.width, indent, hang, text);
	free(text);
}

/**
 * text_shorten() - cut a name
 * @buf: room
 * @name: the name
 * @most: how many bytes it may have
 *
 * Return: @name; where it is longer its begin, to the edge of a character, and "..".
 */
const char *text_shorten(char buf[CELL_LEN], const char *name, size_t most)
{
	size_t len = most - strlen("..");

	if (strlen(name) <= most)
		return name;
	while (len && ((unsigned char)name[len] & 0xc0) == 0x80)
		len--;
	snprintf(buf, CELL_LEN, "%.*s..", (int)len, name);
	return buf;
}

/* the list of watched CPUs */
const char *text_watching(const struct config *config)
{
	return config->watched && *config->watched ? config->watched : "none";
}

/* "1" or "0-3": one CPU or several? */
static const char *plural(const char *list)
{
	return strpbrk(list, "-,") || !strcmp(list, "none") ? "CPUs" : "CPU";
}

/**
 * text_then() - when settings and state were as they are shown
 * @model: the model
 *
 * Return: the word that begins a sentence.
 */
const char *text_then(const struct model *model)
{
	return model->saved ? "When saved:" : "Now";
}

/* "not enabled, stopped 5 min 3 s ago", why, and what to do */
static void print_stop(char buf[CELL_LEN], const struct model *model)
{
	static const char * const reasons[] = {
		[TRACE_IRQOFF_STOP_USER] = "",
		[TRACE_IRQOFF_STOP_COST] = ": it cost more than max_cost",
		[TRACE_IRQOFF_STOP_CLOCK] = ": the kernel's clock became too slow to read",
	};
	/* the same settings would stop it again */
	static const char * const changes[] = {
		[TRACE_IRQOFF_STOP_USER] = "",
		[TRACE_IRQOFF_STOP_COST] = " with a longer period or a higher max_cost",
		[TRACE_IRQOFF_STOP_CLOCK] = " with a longer period",
	};
	const struct config *config = &model->config;
	unsigned int by = config->stopped_by;
	bool known = by < ARRAY_SIZE(reasons);
	char span[UNITS_LEN];
	int len;

	len = snprintf(buf, CELL_LEN, "not enabled, stopped%s %s %s%s",
		       by == TRACE_IRQOFF_STOP_USER ? "" : " by itself",
		       print_span(span, config->now_ns - config->stopped_ns),
		       model->saved ? "before" : "ago", known ? reasons[by] : "");
	if (!model->saved)
		snprintf(buf + len, CELL_LEN - len, " (irqoff start%s enables it)",
			 known ? changes[by] : "");
}

/**
 * text_state() - "watching CPUs 0-3 for 2 h 3 min"
 * @buf: room
 * @model: configuration
 *
 * Return: @buf.
 */
const char *text_state(char buf[CELL_LEN], const struct model *model)
{
	const struct config *config = &model->config;
	char span[UNITS_LEN];

	if (config->enabled) {
		snprintf(buf, CELL_LEN, "watching %s %s for %s", plural(text_watching(config)),
			 text_watching(config),
			 print_span(span, config->now_ns - config->enabled_ns));
	} else if (config_stopped(config)) {
		print_stop(buf, model);
	} else {
		snprintf(buf, CELL_LEN, "not enabled%s",
			 model->saved ? "" : " (irqoff start enables it)");
	}
	return buf;
}

/* a capture may be without it */
const char *text_host(const struct machine *machine)
{
	return *machine->host ? machine->host : "(no name)";
}

/**
 * text_head() - where and when: host, kernel, time and its zone
 * @page: the page
 */
void text_head(const struct page *page)
{
	time_t now = page->model->config.realtime_ns / NSEC_PER_SEC;
	const struct machine *machine = &page->model->machine;
	char time[64];
	struct tm tm;

	localtime_r(&now, &tm);
	strftime(time, sizeof(time), "%Y-%m-%d %H:%M:%S %Z (%z)", &tm);
	text_line(page, 0, 2, "%s, kernel %s, %s%s", text_host(machine),
		  machine->release, page->model->saved ? "saved " : "", time);
}

/**
 * text_clock() - a moment as print_clock() has it
 * @buf: room
 * @page: the page
 * @ns: the moment, by the kernel's clock
 * @ms: to the millisecond
 *
 * Return: @buf.
 */
const char *text_clock(char buf[UNITS_LEN], const struct page *page, __u64 ns, bool ms)
{
	return print_clock(buf, model_realtime_ns(page->model, ns),
			   page->model->config.realtime_ns, ms);
}

/**
 * text_culprit() - whom a stall is blamed on
 * @buf: room
 * @entry: the stall
 *
 * Return: the culprit; "NAME?" of a suspect, "(waits for NAME)" of a wait for a lock.
 */
const char *text_culprit(char buf[CELL_LEN], const struct entry *entry)
{
	if (entry->found.lock)
		return entry->found.lock;
	if (!entry->found.suspect)
		return entry->found.culprit ? entry->found.culprit : "(unknown)";
	snprintf(buf, CELL_LEN, "%.*s?", CELL_LEN - 2, entry->found.suspect);
	return buf;
}

/**
 * text_overwritten() - "6 records overwritten by newer ones"
 * @buf: room
 * @lost: how many records were lost
 *
 * Return: @buf, or "no record overwritten".
 */
const char *text_overwritten(char buf[CELL_LEN], __u64 lost)
{
	if (!lost)
		return "no record overwritten";
	snprintf(buf, CELL_LEN, "%llu %s overwritten by newer ones", lost,
		 lost == 1 ? "record" : "records");
	return buf;
}

static __printf(2, 3) void add_part(char buf[CELL_LEN], const char *format, ...)
{
	size_t len = strlen(buf);
	va_list args;

	if (len)
		len += snprintf(buf + len, CELL_LEN - len, "; ");
	va_start(args, format);
	vsnprintf(buf + len, CELL_LEN - len, format, args);
	va_end(args);
}

/**
 * text_losses() - "54 of 100 kept records are missing; 6 records overwritten by newer ones"
 * @buf: room
 * @model: what was read
 *
 * Return: @buf.
 */
const char *text_losses(char buf[CELL_LEN], const struct model *model)
{
	const struct received *received = &model->received;
	struct cpu_counters sum = model_counters_sum(model);
	__u64 overwritten = counters_overwritten(&sum);
	char lost[CELL_LEN];

	*buf = '\0';
	if (received->contradictory)
		add_part(buf, "%zu %s", received->contradictory, received->contradictory == 1 ?
			 "record is left out, as it contradicts itself" :
			 "records are left out, as they contradict themselves");
	if (received->missing)
		add_part(buf, "%llu of %llu kept %s missing", received->missing, sum.kept,
			 sum.kept == 1 ? "record is" : "records are");
	else if (model_uncounted(model))
		add_part(buf, "how many records are missing is not known");
	if (overwritten || !*buf)
		add_part(buf, "%s", text_overwritten(lost, overwritten));
	return buf;
}

/**
 * text_no_rates() - say why there are no rates
 * @page: the page; nothing is said where there are
 */
void text_no_rates(const struct page *page)
{
	if (page->window.lacking)
		text_line(page, 0, 2, "Records may be missing, so there are no rates.");
	else if (!page->window.rates)
		text_line(page, 0, 2,
			  "It is not known when watching stopped, so there are no rates.");
}

/**
 * text_busy() - say how many records were not read
 * @page: the page
 */
void text_busy(const struct page *page)
{
	const char *advice = page->model->saved ? "" : "; ask again";
	size_t busy = page->model->nbusy;

	if (busy == 1)
		text_line(page, 0, 0, "1 record was being written and is not shown%s.", advice);
	else if (busy)
		text_line(page, 0, 0, "%zu records were being written and are not shown%s.", busy,
			  advice);
}

/**
 * text_unwanted() - say that no record passes the filter
 * @buf: room
 * @kept: how many there are
 *
 * Return: @buf, the beginning of a sentence.
 */
const char *text_unwanted(char buf[CELL_LEN], __u64 kept)
{
	if (kept == 1)
		return "The only record kept does not match the filter";
	snprintf(buf, CELL_LEN, "None of the %llu records kept matches the filter", kept);
	return buf;
}

/* no record passes the filter: those that would have may be lost, or their CPUs not watched */
static void nothing_wanted(const struct page *page, const struct cpu_counters *sum)
{
	const struct config *config = &page->model->config;
	char kept[CELL_LEN], lost[CELL_LEN], state[CELL_LEN];
	__u64 overwritten = counters_overwritten(sum);

	if (model_lacks_records(page->model))
		text_losses(lost, page->model);
	else if (overwritten)
		snprintf(lost, sizeof(lost), "%llu %s overwritten by newer ones (all CPUs)",
			 overwritten, overwritten == 1 ? "other was" : "others were");
	else
		strcpy(lost, "none was overwritten");
	text_line(page, 0, 0, "%s; %s.",
		  text_unwanted(kept, sum->kept - page->model->received.missing), lost);
	if (page->absent)
		text_line(page, 0, 0, "There is no %s %s (CPUs %s).", plural(page->absent),
			  page->absent, page->model->machine.cpus);
	else if (page->unwatched && config->enabled)
		text_line(page, 0, 0, "None of these CPUs %s watched (watched %s: %s).",
			  page->model->saved ? "was" : "is", page->model->saved ? "then" : "now",
			  text_watching(config));
	else if (page->unwatched)
		text_line(page, 0, 0, "%s %s.", text_then(page->model),
			  text_state(state, page->model));
}

static void nothing_kept(const struct page *page, const struct cpu_counters *sum,
			 const char *threshold)
{
	char gone[CELL_LEN], state[CELL_LEN];

	if (model_lacks_records(page->model))
		text_losses(gone, page->model);
	else
		snprintf(gone, sizeof(gone),
			 "of %llu, %llu were cleared and %llu overwritten by newer ones",
			 sum->produced, sum->cleared, sum->lost);
	text_line(page, 0, 0, "No record is %s: %s; %s %s, threshold %s.",
		  model_lacks_records(page->model) ? "there" : "kept", gone,
		  page->model->saved ? "then" : "now", text_state(state, page->model), threshold);
}

/**
 * text_nothing() - say why there are no records
 * @page: the page
 */
void text_nothing(const struct page *page)
{
	const struct config *config = &page->model->config;
	const char *when = page->model->saved ? "then" : "now";
	struct cpu_counters sum = model_counters_sum(page->model);
	char threshold[UNITS_LEN], span[UNITS_LEN], state[CELL_LEN];

	print_duration(threshold, config->threshold_us * NSEC_PER_USEC);
	if (page->filtered && sum.kept > page->model->received.missing)
		nothing_wanted(page, &sum);
	else if (page->model->nbusy)
		; /* there are records */
	else if (sum.produced || page->model->received.no_counters)
		nothing_kept(page, &sum, threshold);
	else if (config->enabled)
		/* the threshold may have been another one before */
		text_line(page, 0, 0, "No stall was recorded in %s of watching %s %s; "
			  "the threshold %s %s %s.",
			  print_span(span, config->now_ns - config->enabled_ns),
			  plural(text_watching(config)), text_watching(config),
			  page->model->saved ? "was" : "is", threshold, when);
	else if (config_stopped(config))
		text_line(page, 0, 0, "No stall was recorded in %s of watching; "
			  "%s %s, threshold %s.",
			  print_span(span, config->stopped_ns - config->enabled_ns),
			  when, text_state(state, page->model), threshold);
	else
		text_line(page, 0, 0, "No records: trace_irqoff %s.", page->model->saved ?
			  "was not enabled" : "is not enabled; irqoff start enables it");
	text_busy(page);
}

/**
 * text_step() - a function in a stack
 * @buf: room
 * @page: the page
 * @entry: a record
 * @sample: one of its samples, or its end
 * @step: of its trace
 *
 * Return: @buf: the frame, or in brackets a function that has none.
 */
const char *text_step(char buf[SYMBOL_TEXT_LEN], const struct page *page,
		      const struct entry *entry, const struct tio_sample *sample,
		      const struct step *step)
{
	struct symbol symbol;

	if (step->frame == NO_FRAME) {
		snprintf(buf, SYMBOL_TEXT_LEN, "(%s, which left by a jump)",
			 step->function->text);
		return buf;
	}
	frame_symbol(page->symbols, entry, sample, step->frame, &symbol);
	return print_symbol(buf, &symbol);
}

/**
 * text_stack() - the frames of a sample
 * @page: the page
 * @entry: a record
 * @sample: one of its samples, or its end
 * @indent: what each line begins with
 * @most: print no more than so many
 */
void text_stack(const struct page *page, const struct entry *entry,
		const struct tio_sample *sample, const char *indent, unsigned int most)
{
	char text[SYMBOL_TEXT_LEN];
	struct trace trace;

	trace_of(&trace, page->symbols, entry, sample);
	for (int i = 0; i < trace.nsteps; i++) {
		if (i == (int)most) {
			fprintf(page->out, "%s... %u more\n", indent, trace.nsteps - i);
			return;
		}
		fprintf(page->out, "%s%s\n", indent,
			text_step(text, page, entry, sample, &trace.steps[i]));
	}
	if (sample->flags & TRACE_IRQOFF_F_USER)
		fprintf(page->out, "%s(user mode)\n", indent);
	if (sample->flags & TRACE_IRQOFF_F_TRUNCATED)
		fprintf(page->out, "%s(truncated)\n", indent);
}

/**
 * text_stack_note() - the line above a stack that does not show the culprit at work
 * @entry: a record
 *
 * Return: the sentence, NULL where the stack does show it.
 */
const char *text_stack_note(const struct entry *entry)
{
	bool end = entry->found.verdict.evidence == TIO_EVIDENCE_END;

	if (entry->found.verdict.nmi)
		return "(NMI handlers took most of the stall; this is what was interrupted:)";
	if (entry->found.verdict.class == TIO_CLASS_HARDIRQ_OFF && end)
		return "(only the end was seen; this is what enabled interrupts again:)";
	if (entry->found.verdict.class != TIO_CLASS_HARDIRQ_LONG)
		return NULL;
	if (end)
		return "(only the end was seen; this is what was interrupted:)";
	if (entry->found.verdict.storm)
		return "(an interrupt storm; the sample hit one of its handlers by chance:)";
	return NULL;
}
