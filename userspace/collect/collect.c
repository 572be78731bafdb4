// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/say.h"
#include "capture/capture.h"
#include "capture/needed.h"
#include "collect/collect.h"
#include "judge/judge.h"
#include "model/labels.h"
#include "names/frame.h"
#include "source/source.h"
#include "version.h"

/* what packed records share has it already, but for the first of them */
static void find_cgroup(struct cgroups *cgroups, const struct entry *entry, unsigned int i)
{
	struct tio_sample *sample = (struct tio_sample *)entry_sample(entry, i);
	bool v1 = sample->flags & TRACE_IRQOFF_F_CGROUP_V1;

	if (!entry->packed || !sample->cgroup)
		sample->cgroup = cgroups_find(cgroups, sample->cgroup_id, v1);
}

/**
 * collect_cgroups() - find the cgroups of a record's stacks
 * @cgroups: from cgroups_open()
 * @entry: the record
 */
void collect_cgroups(struct cgroups *cgroups, struct entry *entry)
{
	find_cgroup(cgroups, entry, TIO_END);
	for (unsigned int i = 0; i < entry->rec.nsamples; i++)
		find_cgroup(cgroups, entry, i);
}

static struct symbols *open_symbols(const char *proc)
{
	char kallsyms[PATH_MAX], modules[PATH_MAX];

	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", proc);
	snprintf(modules, sizeof(modules), "%s/modules", proc);
	return symbols_open(kallsyms, modules);
}

static bool all_named(const struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (!frames_named(model->entries[i]))
			return false;
	return true;
}

/*
 * The kernel names the frames of so many records in less time than it prints kallsyms,
 * which has some 200,000 names. A record has at most TIO_SAMPLES + 1 stacks.
 */
#define FEW_RECORDS	64

/*
 * Names before records: where a module is loaded over another one in between, the module
 * marks the frames as stale in the records, and none gets a wrong name.
 */
static int read_by_kallsyms(struct collection *collection, struct source *source,
			    const char *proc)
{
	symbols_close(collection->symbols);
	collection->symbols = open_symbols(proc);
	return source_records(source, &collection->model, symbols_hidden(collection->symbols));
}

static int read_records(struct collection *collection, struct source *source, const char *proc,
			bool kallsyms)
{
	struct model *model = &collection->model;
	int ret = source_counters(source, model);

	if (ret)
		return ret;
	collection->symbols = symbols_new();
	kallsyms |= model_counters_sum(model).kept > FEW_RECORDS;
	if (!kallsyms)
		ret = source_records(source, model, true);
	if (!ret && (kallsyms || !all_named(model)))
		ret = read_by_kallsyms(collection, source, proc);
	/* again, to count what was lost while the records were read */
	return ret ? ret : source_counters(source, model);
}

static struct cgroups *open_cgroups(const char *proc)
{
	char mountinfo[PATH_MAX];

	snprintf(mountinfo, sizeof(mountinfo), "%s/self/mountinfo", proc);
	return cgroups_open(mountinfo);
}

static void find_all_cgroups(struct collection *collection)
{
	const struct model *model = &collection->model;

	for (size_t i = 0; i < model->nentries; i++) {
		collect_cgroups(collection->cgroups, model->entries[i]);
		if (model->entries[i]->found.waits_for)
			collect_cgroups(collection->cgroups, model->entries[i]->found.waits_for);
	}
}

/**
 * collect_from() - read the records that a filter lets pass from a source
 * @collection: the result; ends with collect_free() whatever is returned
 * @source: the module
 * @filter: which ones
 * @proc: where kallsyms, modules and self/mountinfo are
 * @kallsyms: read all names, for a capture; else only where that takes less time
 *
 * Return: an exit status.
 */
int collect_from(struct collection *collection, struct source *source,
		 const struct filter *filter, const char *proc, bool kallsyms)
{
	struct model *model = &collection->model;
	int ret;

	*collection = (struct collection){ 0 };
	ret = read_records(collection, source, proc, kallsyms);
	/* last, because it has the time at which a page says that it was made */
	if (!ret)
		ret = source_config(source, model);
	if (ret)
		return ret;

	machine_read(&model->machine);
	model->config.online = machine_online();
	judge_records(collection->symbols, model);
	filter_apply(filter, model);
	collection->cgroups = open_cgroups(proc);
	find_all_cgroups(collection);
	return EXIT_DONE;
}

/**
 * collect_records() - read the records that a filter lets pass from the module
 * @collection: the result; ends with collect_free() whatever is returned
 * @filter: which ones
 *
 * Return: an exit status.
 */
int collect_records(struct collection *collection, const struct filter *filter)
{
	struct source *source = NULL;
	int ret;

	*collection = (struct collection){ 0 };
	ret = source_open(&source);
	if (!ret)
		ret = collect_from(collection, source, filter, "/proc", false);
	source_close(source);
	return ret;
}

/* a recorder holds the lock of the file that it writes (recording_file.c) */
static bool still_written(FILE *in)
{
	if (!flock(fileno(in), LOCK_SH | LOCK_NB)) {
		flock(fileno(in), LOCK_UN);
		return false;
	}
	return errno == EWOULDBLOCK;
}

/* not all of a capture could be read, or nothing; says why */
static __printf(3, 4) int lack(struct collection *collection, int status, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = printable(vprint_text(format, args));
	va_end(args);
	if (status)
		failed("%s", text);
	else
		note("%s", text);
	/* the first one says most */
	if (collection->lacks)
		free(text);
	else
		collection->lacks = text;
	return status;
}

/* what is there of it cannot be shown */
static int conclude_useless(struct collection *collection, const struct captured *captured,
			    bool growing)
{
	const char *name = collection->name;

	switch (captured->state) {
	case CAPTURE_FOREIGN:
		return lack(collection, EXIT_FAILED, "%s is no capture of irqoff", name);
	case CAPTURE_UNREADABLE:
		return lack(collection, EXIT_FAILED, "could not read %s: %s", name,
			    strerror(captured->error));
	case CAPTURE_TOO_LARGE:
		return lack(collection, EXIT_FAILED,
			    "%s has few bytes that become very many, over %u MiB and %u times %s",
			    name, CAPTURE_MEMORY >> 20, CAPTURE_MEMORY_TIMES,
			    "as many; nothing of it is shown");
	default:
		if (captured->empty && !growing)
			return lack(collection, EXIT_FAILED,
				    "%s is empty; nothing was written to it", name);
		return lack(collection, EXIT_FAILED,
			    "%s is %s before its first records; nothing of it can be shown", name,
			    growing ? "still written, and ends" :
			    captured->state == CAPTURE_CUT ? "cut off" : "damaged");
	}
}

/* says what is wrong with a capture, in one sentence */
static int conclude(struct collection *collection, const struct captured *captured, bool growing)
{
	const struct config *config = &collection->model.config;
	const char *name = collection->name;

	if (captured->state == CAPTURE_FOREIGN || captured->state == CAPTURE_UNREADABLE ||
	    captured->state == CAPTURE_TOO_LARGE || !captured->whole)
		return conclude_useless(collection, captured, growing);
	if (captured->state == CAPTURE_DAMAGED)
		return lack(collection, EXIT_DONE,
			    "%s is damaged from byte %llu on; what is before is shown", name,
			    captured->offset);
	if (growing)
		note("%s is still written; what is there is shown", name);
	else if (captured->state == CAPTURE_CUT)
		return lack(collection, EXIT_DONE,
			    "%s is cut off, so records may be missing; what is there is shown",
			    name);
	else if (captured->more)
		note("%s goes on with another boot, or another load of the module; "
		     "those records are left out", name);
	else if (config->version > TRACE_IRQOFF_API)
		note("%s is of interface %u and this irqoff knows up to %u; "
		     "what is shown is right, but what is newer is left out",
		     name, config->version, TRACE_IRQOFF_API);
	else if (captured->format > CAPTURE_FORMAT)
		note("%s has format %u and this irqoff knows up to %u; what is newer is left out",
		     name, captured->format, CAPTURE_FORMAT);
	return EXIT_DONE;
}

static void tell_contradictory(struct collection *collection)
{
	size_t records = collection->model.received.contradictory;

	if (records == 1)
		lack(collection, EXIT_DONE,
		     "%s has 1 record that contradicts itself; it is left out", collection->name);
	else if (records)
		lack(collection, EXIT_DONE,
		     "%s has %zu records that contradict themselves; they are left out",
		     collection->name, records);
}

/* returns whether somebody still writes it */
static bool read_stream(struct collection *collection, FILE *in, const char *name,
			struct captured *captured)
{
	bool growing;

	*collection = (struct collection){ .name = name };
	captured->model = &collection->model;
	collection->model.brief_ns = captured->brief_ns;
	collection->model.packs = captured->packs;
	source_file_read(in, captured);
	collection->cgroups = captured->cgroups;
	collection->epochs = captured->epochs;
	growing = captured->state == CAPTURE_CUT && still_written(in);
	collection->model.received.damaged = (collection->model.received.cut && !growing) ||
					     collection->model.received.contradictory;
	return growing;
}

/* says what is wrong with it, and judges its records */
static int judge_stream(struct collection *collection, const struct captured *captured,
			bool growing)
{
	if (conclude(collection, captured, growing))
		return EXIT_FAILED;
	tell_contradictory(collection);
	judge_records(collection->symbols, &collection->model);
	return EXIT_DONE;
}

/* all of it, whatever a filter lets pass */
static int read_all(struct collection *collection, FILE *in, const char *name,
		    const struct filter *filter)
{
	struct captured captured = { .packs = filter && filter->grouped };
	bool growing = read_stream(collection, in, name, &captured);

	return judge_stream(collection, &captured, growing);
}

/**
 * collect_stream() - read a capture, and judge its records
 * @collection: the result; ends with collect_free() whatever is returned
 * @in: the capture
 * @name: what messages call it
 *
 * Return: an exit status. EXIT_DONE also where a capture is damaged.
 */
int collect_stream(struct collection *collection, FILE *in, const char *name)
{
	return read_all(collection, in, name, NULL);
}

/* the filter, whose times refer to the capture's if they refer to no other yet */
static struct filter referred(const struct filter *filter, const struct collection *collection)
{
	struct filter copy = *filter;

	if (!copy.referred)
		filter_refer_to(&copy, collection->model.config.realtime_ns);
	return copy;
}

/* from when on records are needed whole, which a first reading tells */
static __u64 look(FILE *in, const struct filter *filter)
{
	struct captured captured = { .brief_ns = ~0ULL };
	struct collection collection;
	struct filter own;
	__u64 from_ns;

	read_stream(&collection, in, NULL, &captured);
	own = referred(filter, &collection);
	from_ns = needed_from_ns(&own, &collection.model);
	collect_free(&collection);
	return from_ns;
}

static bool suffices(const struct collection *collection, const struct captured *captured,
		     const struct filter *filter)
{
	const struct filter own = referred(filter, collection);

	return needed_suffices(&own, &collection->model, captured->brief_ns);
}

/**
 * collect_needed() - read of a capture what a filter needs of it
 * @collection: the result; ends with collect_free() whatever is returned
 * @in: the file, which can be read twice
 * @name: what to call it in messages
 * @filter: which records will pass; NULL: any may
 *
 * Return: as collect_stream().
 */
int collect_needed(struct collection *collection, FILE *in, const char *name,
		   const struct filter *filter)
{
	struct captured captured = { .packs = filter && filter->grouped };
	off_t begin = ftello(in);
	bool growing;

	if (!needed_some(filter))
		return read_all(collection, in, name, filter);
	if (needed_look(filter)) {
		captured.brief_ns = look(in, filter);
		fseeko(in, begin, SEEK_SET);
	} else {
		captured.since_ns = filter->since_ns;
	}
	growing = read_stream(collection, in, name, &captured);
	if (captured.whole && !suffices(collection, &captured, filter)) {
		collect_free(collection);
		fseeko(in, begin, SEEK_SET);
		return read_all(collection, in, name, filter);
	}
	return judge_stream(collection, &captured, growing);
}

/* of a pipe what is read is gone */
bool collect_is_file(const char *path)
{
	struct stat stat_of;

	return !stat(path, &stat_of) && S_ISREG(stat_of.st_mode);
}

/**
 * collect_capture() - read a capture, by its path
 * @collection: the result; ends with collect_free() whatever is returned
 * @path: the file; "-": standard input
 * @filter: which records will pass; NULL: any may
 *
 * Return: as collect_stream().
 */
int collect_capture(struct collection *collection, const char *path, const struct filter *filter)
{
	FILE *in;
	int ret;

	if (!strcmp(path, "-"))
		return read_all(collection, stdin, "standard input", filter);
	*collection = (struct collection){ 0 };
	in = fopen(path, "re");
	if (!in)
		return lack(collection, EXIT_FAILED, "could not open %s: %s", path,
			    strerror(errno));
	if (collect_is_file(path))
		ret = collect_needed(collection, in, path, filter);
	else
		ret = read_all(collection, in, path, filter);
	fclose(in);
	return ret;
}

/**
 * collect_pass() - let the records of a capture pass that a filter asks for
 * @collection: from collect_capture()
 * @filter: which ones
 */
void collect_pass(struct collection *collection, struct filter *filter)
{
	filter_apply(filter, &collection->model);
	find_all_cgroups(collection);
}

void collect_free(struct collection *collection)
{
	free(collection->lacks);
	model_free(&collection->model);
	symbols_close(collection->symbols);
	cgroups_close(collection->cgroups);
	epochs_free(&collection->epochs);
}
