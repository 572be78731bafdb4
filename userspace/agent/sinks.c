// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters are in their file before anything else is told of the records that they count:
 * an agent that is killed and begins again counts each record once, and tells of the last ones
 * twice rather than never.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/metrics.h"
#include "agent/sinks.h"
#include "base/clocks.h"
#include "base/replace_file.h"
#include "base/say.h"
#include "base/units.h"
#include "collect/collect.h"
#include "judge/judge.h"
#include "output/out.h"
#include "version.h"

/* in a flood the text file is replaced once in that time; servers read it every 15 s or so */
#define TEXTFILE_NS	NSEC_PER_SEC

/* tells once until it works again */
static void outcome(bool *was_failed, bool done, const char *name)
{
	if (!done && !*was_failed)
		note("could not write %s: %s; it is written once it can be", name,
		     strerror(errno));
	*was_failed = !done;
}

static void write_state(struct sinks *sinks)
{
	sinks->tally.updated_ns = clock_monotonic_ns();
	outcome(&sinks->state_failed, tally_write(&sinks->tally, sinks->state), sinks->state);
	if (sinks->textfile && sinks->textfile_ns == FOLLOW_NEVER)
		sinks->textfile_ns = sinks->written_ns + TEXTFILE_NS;
}

static void write_textfile(struct sinks *sinks)
{
	char *text = NULL;
	size_t len;
	FILE *out;

	if (!sinks->textfile)
		return;
	sinks->textfile_ns = FOLLOW_NEVER;
	sinks->written_ns = clock_monotonic_ns();
	out = or_exit(open_memstream(&text, &len));
	metrics_print(out, &sinks->tally, clock_monotonic_ns(), METRICS_TEXT);
	if (fclose(out))
		exit(failed("out of memory"));
	outcome(&sinks->textfile_failed, replace_file(sinks->textfile, text), sinks->textfile);
	free(text);
}

static void print_lines(struct sinks *sinks, const struct collection *collection,
			struct entry *const *order, const struct cause *const *causes)
{
	const struct page page = { .model = &collection->model, .symbols = collection->symbols };
	bool written = true;

	lines_begin(&sinks->out);
	cgroups_renew(&sinks->cgroups, sinks->recording->mountinfo);
	for (size_t i = 0; i < collection->model.nentries && written; i++) {
		struct entry *entry = order[i];
		char *line;

		if (entry->view.context || entry->rec.open)
			continue;
		collect_cgroups(sinks->cgroups, entry);
		line = json_flat(&page, entry, causes[i], sinks->recording->file.strip);
		written = lines_put(&sinks->out, line);
		free(line);
	}
	if (!written && !sinks->out.failed)
		note("could not write lines to standard output: %s; "
		     "lines are missing, the captures have these stalls", strerror(errno));
	sinks->out.failed = !written;
}

static bool misses_any(const struct sinks *sinks, const struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (!model->entries[i]->view.context &&
		    tally_misses(&sinks->tally, model->entries[i]))
			return true;
	return false;
}

/* @causes: gets that of each record which is counted */
static void count(struct sinks *sinks, struct collection *collection, struct entry *const *order,
		  const struct cause **causes)
{
	const struct follow_source *source = &sinks->loop->follow->source;
	struct model *model = &collection->model;

	tally_instance(&sinks->tally, sinks->loop->follow);
	/* a module that has gone does not tell what was cleared */
	if (misses_any(sinks, model)) {
		model_forget_counters(model);
		source->counters(source->context, model);
	}
	for (size_t i = 0; i < model->nentries; i++) {
		if (order[i]->view.context)
			continue;
		causes[i] = cause_find(&sinks->causes, collection->symbols, order[i]);
		tally_take(&sinks->tally, model, order[i], causes[i]);
	}
	tally_look(&sinks->tally, model, sinks->loop->follow->open_ns);
	write_state(sinks);
}

static int on_records(void *context, struct model *model)
{
	struct sinks *sinks = context;
	struct collection collection = {
		.model = *model,
		.symbols = sinks->recording->names.symbols,
	};
	const struct cause **causes = alloc(model->nentries, sizeof(*causes));

	/* judging sorts them */
	collection.model.entries = alloc(model->nentries, sizeof(*model->entries));
	memcpy(collection.model.entries, model->entries,
	       model->nentries * sizeof(*model->entries));
	collection.model.machine = sinks->machine;
	judge_records(collection.symbols, &collection.model);
	count(sinks, &collection, model->entries, causes);
	if (sinks->lines)
		print_lines(sinks, &collection, model->entries, causes);
	model->counters = collection.model.counters;
	model->ncounters = collection.model.ncounters;
	free(collection.model.entries);
	free(causes);
	return EXIT_DONE;
}

static void note_change(void *context, const struct config *config)
{
	struct sinks *sinks = context;

	(void)config;
	sinks->stale = true;
}

static int ask_module(const struct follow_source *source, struct model *model)
{
	int ret = source->config(source->context, model);

	if (!ret)
		ret = source->counters(source->context, model);
	if (!ret)
		ret = source->histograms(source->context, model);
	return ret;
}

/* takes what the module says now; one that went or came meanwhile is the follower's to find */
static int refresh(struct sinks *sinks, __u64 now_ns)
{
	const struct follow *follow = sinks->loop->follow;
	bool there = sinks->loop->following.source;
	struct model model = { 0 };
	int ret = there ? ask_module(&follow->source, &model) : EXIT_DONE;

	if (there && !ret && model.config.instance == follow->instance) {
		model.config.online = machine_online();
		tally_instance(&sinks->tally, follow);
		tally_module(&sinks->tally, &model);
	}
	model_free(&model);
	if (ret && ret != FOLLOW_GONE)
		return ret;
	sinks->stale = false;
	sinks->refresh_ns = clock_next(now_ns, sinks->tally.interval_ns);
	write_state(sinks);
	return EXIT_DONE;
}

static void go(struct sinks *sinks)
{
	char *online = machine_online();

	tally_gone(&sinks->tally, online);
	free(online);
}

static void gone(void *context)
{
	struct sinks *sinks = context;

	if (!sinks->tally.module.loaded)
		return;
	go(sinks);
	write_state(sinks);
}

static int due(void *context, __u64 now_ns, bool last, __u64 *next_ns)
{
	struct sinks *sinks = context;
	int ret = EXIT_DONE;

	if (last || sinks->stale || now_ns >= sinks->refresh_ns)
		ret = refresh(sinks, now_ns);
	if (now_ns >= sinks->textfile_ns)
		write_textfile(sinks);
	if (sinks->refresh_ns < *next_ns)
		*next_ns = sinks->refresh_ns;
	if (sinks->textfile_ns < *next_ns)
		*next_ns = sinks->textfile_ns;
	return ret;
}

/**
 * sinks_follow() - count and tell what a follower hands on
 * @sinks: what is wanted is set; outlives the loop
 * @recording: has the names of code
 * @loop: runs the follower
 */
void sinks_follow(struct sinks *sinks, const struct recording *recording, struct loop *loop)
{
	static const struct observer_calls calls = {
		.records = on_records,
		.instance = note_change,
		.settings = note_change,
		.gone = gone,
		.due = due,
	};

	sinks->recording = recording;
	sinks->loop = loop;
	sinks->lock = -1;
	sinks->out.fd = -1;
	observers_add(&loop->follow->observers, &calls, sinks);
}

/* of /run/trace-irqoff, where no service manager made it */
static void make_directory(const char *path)
{
	char *directory = copy_text(path), *slash = strrchr(directory, '/');

	if (slash && slash != directory) {
		*slash = '\0';
		/* whatever the umask is; what is wrong shows as the lock is opened */
		if (!mkdir(directory, 0755))
			chmod(directory, 0755);
	}
	free(directory);
}

/* one agent counts in a file */
static int take_lock(struct sinks *sinks)
{
	char *name = print_text("%s.lock", sinks->state);
	int ret = EXIT_DONE;

	sinks->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (sinks->lock < 0)
		ret = failed("could not open %s: %s", name, strerror(errno));
	else if (flock(sinks->lock, LOCK_EX | LOCK_NB))
		ret = failed("another irqoff agent counts in %s; end it, or name another file",
			     sinks->state);
	free(name);
	return ret;
}

/* a state of any version begins like this; what does not is somebody's file */
static bool is_state(const char *path)
{
	static const char head[] = "{\"format\":";
	char found[sizeof(head)] = "";
	FILE *in = fopen(path, "re");

	if (in) {
		if (!fgets(found, sizeof(found), in))
			*found = '\0';
		fclose(in);
	}
	return !strcmp(found, head);
}

/* goes on where an agent of this boot ended */
static int take_state(struct sinks *sinks)
{
	struct stat stat;
	int error = tally_read(&sinks->tally, sinks->state);
	bool same = !error && !strcmp(sinks->tally.boot_id, sinks->machine.boot_id);

	if (error == -EINVAL && !lstat(sinks->state, &stat) &&
	    (!S_ISREG(stat.st_mode) || (stat.st_size && !is_state(sinks->state))))
		return failed("%s is there and is no state of irqoff; it is left alone; "
			      "name another file", sinks->state);
	if (error && error != -ENOENT)
		note("%s: %s; counters begin at 0", sinks->state,
		     error == -EINVAL ? "no state of an agent of this version" : strerror(-error));
	if (!same) {
		tally_free(&sinks->tally);
		tally_begin(&sinks->tally, sinks->machine.boot_id, TRACE_IRQOFF_VERSION);
	}
	fill_text(sinks->tally.version, sizeof(sinks->tally.version), TRACE_IRQOFF_VERSION);
	return EXIT_DONE;
}

/**
 * sinks_open() - take up the counters
 * @sinks: from sinks_follow(); ends with sinks_close() whatever is returned
 *
 * Return: an exit status.
 */
int sinks_open(struct sinks *sinks)
{
	int ret;

	make_directory(sinks->state);
	ret = sinks->lines ? lines_open(&sinks->out) : EXIT_DONE;
	if (!ret)
		ret = take_lock(sinks);
	if (ret)
		return ret;
	machine_read(&sinks->machine);
	causes_open(&sinks->causes);
	ret = take_state(sinks);
	if (ret)
		return ret;
	tally_name_causes(&sinks->tally, &sinks->causes);
	go(sinks);
	sinks->tally.running = true;
	sinks->tally.interval_ns = sinks->recording->counters_ns;
	sinks->textfile_ns = FOLLOW_NEVER;
	write_state(sinks);
	write_textfile(sinks);
	return EXIT_DONE;
}

/**
 * sinks_close() - leave the counters for the next agent
 * @sinks: from sinks_open()
 */
void sinks_close(struct sinks *sinks)
{
	if (sinks->tally.running) {
		sinks->tally.running = false;
		write_state(sinks);
		write_textfile(sinks);
	}
	if (sinks->lock >= 0)
		close(sinks->lock);
	lines_close(&sinks->out);
	causes_free(&sinks->causes);
	cgroups_close(sinks->cgroups);
	tally_free(&sinks->tally);
}
