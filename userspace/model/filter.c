// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/moment.h"
#include "base/say.h"
#include "base/units.h"
#include "model/cpuset.h"
#include "model/filter.h"

void filter_init(struct filter *filter)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	*filter = (struct filter){
		.now_ns = now.tv_sec * NSEC_PER_SEC + now.tv_nsec,
		.until_ns = ~0ULL,
	};
}

void filter_free(struct filter *filter)
{
	free(filter->cpus);
	free(filter->names);
}

static bool parse_cpu_range(char *text, struct cpu_range *range)
{
	char *dash = strchr(text, '-');
	__u64 first, last;

	if (dash)
		*dash++ = '\0';
	if (!parse_number(text, 1U << 20, &first) ||
	    !parse_number(dash ? dash : text, 1U << 20, &last) || first > last)
		return false;
	range->first = first;
	range->last = last;
	return true;
}

static bool parse_cpus(struct filter *filter, char *list)
{
	char *item;

	while ((item = strsep(&list, ","))) {
		filter->cpus = grow(filter->cpus, filter->ncpus, sizeof(*filter->cpus));
		if (!parse_cpu_range(item, &filter->cpus[filter->ncpus]))
			return false;
		filter->ncpus++;
	}
	return true;
}

/* the class of a name, TIO_CLASSES where there is none */
enum tio_class filter_class(const char *name)
{
	unsigned int class = 0;

	while (class < TIO_CLASSES && strcmp(name, tio_class_name(class)))
		class++;
	return class;
}

static bool parse_classes(struct filter *filter, char *list, const char **bad)
{
	char *item;

	while ((item = strsep(&list, ","))) {
		enum tio_class class = filter_class(item);

		*bad = item;
		if (class == TIO_CLASSES)
			return false;
		filter->classes |= 1U << class;
	}
	return true;
}

/* the class at a place, NULL behind the last one */
const char *filter_class_word(unsigned int i)
{
	return i < TIO_CLASSES ? tio_class_name(i) : NULL;
}

static int no_class(const char *word)
{
	char *classes = join_words(filter_class_word);
	int ret = misuse("there is no class '%s'; the classes are %s", word, classes);

	free(classes);
	return ret;
}

static int parse_list(struct filter *filter, int option, const char *value)
{
	char *copy = copy_text(value);
	const char *bad = "";
	int ret = EXIT_DONE;

	if (option == FILTER_CPU && !parse_cpus(filter, copy))
		ret = misuse("'%s' is not a list of CPUs such as 0-3,8", value);
	if (option == FILTER_CLASS && !parse_classes(filter, copy, &bad))
		ret = no_class(bad);
	free(copy);
	return ret;
}

/**
 * filter_option() - take an option that all filtering commands have
 * @filter: the filter
 * @option: enum filter_option
 * @value: its argument
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int filter_option(struct filter *filter, int option, const char *value)
{
	filter->given = true;
	switch (option) {
	case FILTER_SINCE:
	case FILTER_UNTIL:
		*(option == FILTER_SINCE ? &filter->since : &filter->until) = value;
		if (moment_parse(value, filter->now_ns, option == FILTER_SINCE ?
				 &filter->since_ns : &filter->until_ns))
			return EXIT_DONE;
		return misuse("'%s' is not a time; type 10m, 07:00, yesterday, %s", value,
			      "'2026-11-21 07:00' or seconds since 1970");
	case FILTER_MIN:
		if (parse_length(value, &filter->min_ns))
			return EXIT_DONE;
		return misuse("--min takes a number with ns, us, ms or s, such as 50ms, not '%s'",
			      value);
	case FILTER_NEWEST:
		if (parse_number(value, ~0ULL, &filter->newest) && filter->newest)
			return EXIT_DONE;
		return misuse("-n takes a number from 1, not '%s'", value);
	default:
		return parse_list(filter, option, value);
	}
}

static bool parse_name(const char *word, struct record_name *name)
{
	size_t len = strcspn(word, ":");
	char cpu[16];
	__u64 number;

	snprintf(cpu, sizeof(cpu), "%.*s", (int)len, word);
	*name = (struct record_name){ .open = word[len] && !strcmp(word + len + 1, "open") };
	if (!word[len] || !parse_number(cpu, 1U << 20, &number) ||
	    (!name->open && !parse_number(word + len + 1, ~0ULL, &name->seq)))
		return false;
	name->cpu = number;
	return true;
}

bool filter_is_name(const char *word)
{
	struct record_name name;

	return parse_name(word, &name);
}

/**
 * filter_name() - take the name of a record that is to pass
 * @filter: the filter
 * @word: the name, such as 1:24 or 1:open
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int filter_name(struct filter *filter, const char *word)
{
	struct record_name name;

	if (!parse_name(word, &name))
		return misuse("'%s' is not a record's name such as 1:24 (irqoff list shows them)",
			      word);
	filter->names = grow(filter->names, filter->nnames, sizeof(*filter->names));
	filter->names[filter->nnames++] = name;
	filter->given = true;
	return EXIT_DONE;
}

static bool is_age(const char *text)
{
	__u64 ns;

	return text && parse_duration(text, &ns);
}

/* is that a time of day which was yet to come, so that it is the day's before? */
static bool is_put_back(const char *text, __u64 realtime_ns, __u64 now_ns)
{
	time_t then = realtime_ns / NSEC_PER_SEC, now = now_ns / NSEC_PER_SEC;
	struct tm of_then, of_now, tm;

	if (!text || !strptime(text, "%H:%M", &tm))
		return false;
	localtime_r(&then, &of_then);
	localtime_r(&now, &of_now);
	return of_then.tm_yday != of_now.tm_yday;
}

/* the date of a time */
static const char *print_day(char buf[UNITS_LEN], __u64 realtime_ns)
{
	print_moment(buf, realtime_ns);
	buf[strcspn(buf, " ")] = '\0';
	return buf;
}

static void note_put_back(const struct filter *filter)
{
	char day[UNITS_LEN], saved[UNITS_LEN];

	note("--since %s means that of %s, as the capture was saved at %s", filter->since,
	     print_day(day, filter->since_ns),
	     print_clock(saved, filter->now_ns, filter->now_ns, false));
}

/* that no record can pass; @saved: times refer to when a capture was saved */
static int refuse_range(const struct filter *filter, bool saved)
{
	char day[UNITS_LEN], now[UNITS_LEN];
	const char *until = filter->until;

	if (is_put_back(until, filter->until_ns, filter->now_ns) &&
	    !is_put_back(filter->since, filter->since_ns, filter->now_ns)) {
		print_clock(now, filter->now_ns, filter->now_ns, false);
		return misuse("--until %s means that of %s, as %s %s; "
			      "leave out --until, or give a date", until,
			      print_day(day, filter->until_ns),
			      saved ? "the capture was saved at" : "it is", now);
	}
	if (is_age(filter->since) || is_age(until))
		return misuse("--since is later than --until, so no stall is between them; "
			      "an age counts back from now: --since 2m --until 1m");
	return misuse("--since is later than --until, so no stall is between them; exchange them");
}

/**
 * filter_check() - can any record pass?
 * @filter: the filter, with all its options
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying why not.
 */
int filter_check(const struct filter *filter)
{
	return filter->since_ns > filter->until_ns ? refuse_range(filter, false) : EXIT_DONE;
}

/* as filter_refer(), without a word */
void filter_refer_to(struct filter *filter, __u64 now_ns)
{
	filter->now_ns = now_ns;
	filter->referred = true;
	if (filter->since)
		moment_parse(filter->since, now_ns, &filter->since_ns);
	if (filter->until)
		moment_parse(filter->until, now_ns, &filter->until_ns);
}

/**
 * filter_refer() - let ages and times of day refer to another moment than now
 * @filter: the filter, with all its options
 * @now_ns: the moment, by the wall clock
 *
 * Return: as filter_check().
 */
int filter_refer(struct filter *filter, __u64 now_ns)
{
	filter_refer_to(filter, now_ns);
	if (filter->since_ns > filter->until_ns)
		return refuse_range(filter, true);
	if (is_put_back(filter->since, filter->since_ns, now_ns))
		note_put_back(filter);
	return EXIT_DONE;
}

static bool wants_name(const struct filter *filter, __u32 cpu, bool open, __u64 seq)
{
	for (size_t i = 0; i < filter->nnames; i++)
		if (record_is_named(&filter->names[i], cpu, open, seq))
			return true;
	return !filter->nnames;
}

/**
 * filter_may_pass() - does a record pass, -n and classes left out of account?
 * @filter: the filter
 * @model: settings
 * @name: the record's
 * @end_ns: when it ended, by the kernel's clock
 * @min_ns: its lower bound
 */
bool filter_may_pass(const struct filter *filter, const struct model *model,
		     const struct record_name *name, __u64 end_ns, __u64 min_ns)
{
	end_ns = model_realtime_ns(model, end_ns);
	return filter_wants_cpu(filter, name->cpu) &&
	       wants_name(filter, name->cpu, name->open, name->seq) &&
	       end_ns >= filter->since_ns &&
	       end_ns <= filter->until_ns && min_ns >= filter->min_ns;
}

static bool matches(const struct filter *filter, const struct model *model,
		    const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;
	const struct record_name name = { .cpu = rec->cpu, .open = rec->open, .seq = rec->seq };

	return filter_may_pass(filter, model, &name, rec->end_ns, rec->min_ns) &&
	       (!filter->classes || filter->classes & 1U << entry->found.verdict.class);
}

/* of these only CPU and number are known */
static void apply_to_busy(const struct filter *filter, struct model *model)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->nbusy; i++) {
		const struct busy_record busy = model->busy[i];

		if (filter_wants_cpu(filter, busy.cpu) &&
		    wants_name(filter, busy.cpu, busy.open, busy.seq))
			model->busy[kept++] = busy;
	}
	model->nbusy = kept;
}

/**
 * filter_apply() - keep the records that pass, and drop the others
 * @filter: the filter
 * @model: sorted records
 */
void filter_apply(const struct filter *filter, struct model *model)
{
	size_t kept = 0, drop = 0;

	for (size_t i = 0; i < model->nentries; i++) {
		if (matches(filter, model, model->entries[i]))
			model->entries[kept++] = model->entries[i];
		else
			model_drop(model, model->entries[i]);
	}
	if (filter->newest && kept > filter->newest)
		drop = kept - filter->newest;
	for (size_t i = 0; i < drop; i++)
		model_drop(model, model->entries[i]);
	if (drop)
		memmove(model->entries, model->entries + drop,
			(kept - drop) * sizeof(*model->entries));
	model->nentries = kept - drop;
	apply_to_busy(filter, model);
}

/* The CPUs that somebody named, and those that there are. */

/**
 * filter_name_cpus() - as if these CPUs had been named, and no others
 * @filter: the filter; what it had of CPUs belongs to the caller
 * @cpus: the CPUs; none: all pass
 */
void filter_name_cpus(struct filter *filter, const struct cpuset *cpus)
{
	filter->cpus = NULL;
	filter->ncpus = 0;
	for (__u32 cpu = 0; cpu < cpus->nwords * 64; cpu++) {
		if (!cpuset_has(cpus, cpu))
			continue;
		filter->cpus = grow(filter->cpus, filter->ncpus, sizeof(*filter->cpus));
		filter->cpus[filter->ncpus++] = (struct cpu_range){ cpu, cpu };
	}
}

/**
 * filter_wants_cpu() - does a filter let a CPU's records pass?
 * @filter: the filter
 * @cpu: the CPU
 *
 * Return: true where no CPUs were named, or this is one of them.
 */
bool filter_wants_cpu(const struct filter *filter, __u32 cpu)
{
	for (size_t i = 0; i < filter->ncpus; i++)
		if (cpu >= filter->cpus[i].first && cpu <= filter->cpus[i].last)
			return true;
	return !filter->ncpus;
}

/**
 * filter_watched() - is any CPU watched whose stalls may pass?
 * @filter: the filter
 * @model: counters
 *
 * Return: true when one is.
 */
bool filter_watched(const struct filter *filter, const struct model *model)
{
	for (size_t i = 0; i < model->ncounters; i++)
		if (model->counters[i].watched && filter_wants_cpu(filter, model->counters[i].cpu))
			return true;
	return false;
}

/**
 * filter_absent() - the CPUs whose stalls may pass, where the machine has none of them
 * @buf: room
 * @size: of it
 * @filter: the filter
 * @model: the machine
 *
 * Return: @buf, the list; NULL: it has one of them, or that is not known.
 */
const char *filter_absent(char *buf, size_t size, const struct filter *filter,
			  const struct model *model)
{
	size_t len = 0;

	if (!filter->ncpus || !*model->machine.cpus)
		return NULL;
	for (size_t i = 0; i < filter->ncpus; i++) {
		const struct cpu_range *range = &filter->cpus[i];

		if (cpulist_has(model->machine.cpus, range->first, range->last))
			return NULL;
		if (len < size)
			len += snprintf(buf + len, size - len, "%s%u", i ? "," : "", range->first);
		if (len < size && range->last > range->first)
			len += snprintf(buf + len, size - len, "-%u", range->last);
	}
	return buf;
}

/**
 * filter_tell_absent() - say that the machine lacks some of the CPUs that were named
 * @filter: the filter
 * @model: the machine
 *
 * Where it has none of them, the answer says so.
 */
void filter_tell_absent(const struct filter *filter, const struct model *model)
{
	const char *cpus = model->machine.cpus;
	char all[256];

	if (!*cpus || filter_absent(all, sizeof(all), filter, model))
		return;
	for (size_t i = 0; i < filter->ncpus; i++)
		for (__u32 cpu = filter->cpus[i].first; cpu <= filter->cpus[i].last; cpu++)
			if (!cpulist_has(cpus, cpu, cpu)) {
				note("there is no CPU %u (CPUs %s)", cpu, cpus);
				return;
			}
}

/**
 * filter_tell_offline() - say that some of the CPUs that were named are not online
 * @filter: the filter
 * @model: the machine
 *
 * Where none is, or nobody knows which are, the verdict says so. Of those that the machine lacks
 * filter_tell_absent() tells.
 */
void filter_tell_offline(const struct filter *filter, const struct model *model)
{
	const char *cpus = model->machine.cpus, *online = model->config.online;
	bool any = false, all = true;
	__u32 offline = 0, cpu;

	for (size_t i = 0; online && i < filter->ncpus; i++) {
		const struct cpu_range *range = &filter->cpus[i];

		any |= cpulist_has(online, range->first, range->last);
		for (cpu = range->first; all && cpu <= range->last; cpu++) {
			all = cpulist_has(online, cpu, cpu) ||
			      (*cpus && !cpulist_has(cpus, cpu, cpu));
			offline = cpu;
		}
	}
	if (any && !all)
		note("CPU %u of --cpu is not online; online are %s", offline, online);
}

/* Are the records there that were named? */

static const struct entry *find_name(struct entry *const *entries, size_t count,
				     const struct record_name *name)
{
	for (size_t i = 0; i < count; i++)
		if (record_is_named(name, entries[i]->rec.cpu, entries[i]->rec.open,
				    entries[i]->rec.seq))
			return entries[i];
	return NULL;
}

/* what is named may be older than what else is asked for */
static bool has_brief(const struct briefs *briefs, const struct record_name *name)
{
	const struct brief_cpu *of = name->cpu < briefs->ncpus ? &briefs->cpus[name->cpu] : NULL;

	for (size_t i = 0; of && !name->open && i < of->count; i++)
		if (of->all[i].seq == name->seq)
			return true;
	return false;
}

static bool is_busy(const struct model *model, const struct record_name *name)
{
	for (size_t i = 0; i < model->nbusy; i++)
		if (record_is_named(name, model->busy[i].cpu, model->busy[i].open,
				    model->busy[i].seq))
			return true;
	return false;
}

static void span_add(__u64 seq, __u64 *first, __u64 *last)
{
	if (seq < *first)
		*first = seq;
	if (seq > *last)
		*last = seq;
}

/* the first and last number of a CPU's records, with those that the filter dropped */
static bool span_of(const struct model *model, __u32 cpu, __u64 *first, __u64 *last)
{
	const struct briefs *briefs = &model->briefs;

	*first = ~0ULL;
	*last = 0;
	for (size_t i = 0; i < model->nentries + model->ndropped; i++) {
		const struct entry *entry = i < model->nentries ?
			model->entries[i] : model->dropped[i - model->nentries];

		if (entry->rec.cpu == cpu && !entry->rec.open)
			span_add(entry->rec.seq, first, last);
	}
	for (size_t i = 0; cpu < briefs->ncpus && i < briefs->cpus[cpu].count; i++)
		span_add(briefs->cpus[cpu].all[i].seq, first, last);
	return *first <= *last;
}

/* what became of a record; NULL: it was never made */
static const char *gone(const struct model *model, const struct record_name *name)
{
	if (model->received.no_counters)
		return model->received.damaged ? "cut off, if it was there" :
						 "of before, if it was there";
	for (size_t i = 0; i < model->ncounters; i++) {
		const struct cpu_counters *counters = &model->counters[i];

		if (counters->cpu != name->cpu || name->seq >= counters->produced)
			continue;
		if (model_lacks_records(model))
			return "cut off, overwritten, cleared, or left out";
		if (!counters->cleared)
			return "overwritten by newer ones";
		return counters->lost ? "overwritten by newer ones, or cleared" : "cleared";
	}
	return NULL;
}

static int not_there(const struct model *model, const struct record_name *name)
{
	const char *how = gone(model, name);
	__u64 first, last;
	char has[64];
	bool any = span_of(model, name->cpu, &first, &last);

	if (any)
		snprintf(has, sizeof(has), "%u:%llu to %u:%llu", name->cpu, first, name->cpu,
			 last);
	else
		strcpy(has, "no records");
	if (model->received.cut && !model->received.damaged && (!any || name->seq > last))
		return failed("record %u:%llu is not there yet; "
			      "the capture is still written: CPU %u has %s",
			      name->cpu, name->seq, name->cpu, has);
	if (how)
		return failed("record %u:%llu is gone (%s): CPU %u has %s", name->cpu, name->seq,
			      how, name->cpu, has);
	return failed("there is no record %u:%llu: CPU %u has %s", name->cpu, name->seq,
		      name->cpu, has);
}

static int still_written(const struct record_name *name)
{
	if (name->open)
		return failed("the open stall of CPU %u could not be read while it was written; "
			      "ask again", name->cpu);
	return failed("record %u:%llu could not be read while its CPU was writing; ask again",
		      name->cpu, name->seq);
}

/**
 * filter_found() - are all records there that were named?
 * @filter: the filter
 * @model: what it was applied to
 *
 * Return: EXIT_DONE, or EXIT_FAILED after saying which one is not there.
 */
int filter_found(const struct filter *filter, const struct model *model)
{
	for (size_t i = 0; i < filter->nnames; i++) {
		const struct record_name *name = &filter->names[i];

		if (find_name(model->entries, model->nentries, name) ||
		    find_name(model->dropped, model->ndropped, name) ||
		    has_brief(&model->briefs, name))
			continue;
		if (is_busy(model, name))
			return still_written(name);
		if (*model->machine.cpus &&
		    !cpulist_has(model->machine.cpus, name->cpu, name->cpu))
			return failed("there is no CPU %u (CPUs %s)", name->cpu,
				      model->machine.cpus);
		if (name->open)
			return failed("no stall of CPU %u is open; "
				      "it may have ended: irqoff list --cpu %u -n 1",
				      name->cpu, name->cpu);
		return not_there(model, name);
	}
	return EXIT_DONE;
}
