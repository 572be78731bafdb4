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

#include "agent/agent_outputs.h"
#include "agent/metrics.h"
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

static void write_state(struct agent_outputs *outputs)
{
	outputs->tally.updated_ns = clock_monotonic_ns();
	outcome(&outputs->state_failed, tally_write(&outputs->tally, outputs->state),
		outputs->state);
	if (outputs->textfile && outputs->textfile_ns == FOLLOW_NEVER)
		outputs->textfile_ns = outputs->written_ns + TEXTFILE_NS;
}

static void write_textfile(struct agent_outputs *outputs)
{
	char *text = NULL;
	size_t len;
	FILE *out;

	if (!outputs->textfile)
		return;
	outputs->textfile_ns = FOLLOW_NEVER;
	outputs->written_ns = clock_monotonic_ns();
	out = or_exit(open_memstream(&text, &len));
	metrics_print(out, &outputs->tally, clock_monotonic_ns(), METRICS_TEXT);
	if (fclose(out))
		exit(failed("out of memory"));
	outcome(&outputs->textfile_failed, replace_file(outputs->textfile, text),
		outputs->textfile);
	free(text);
}

static void print_lines(struct agent_outputs *outputs, const struct collection *collection,
			struct entry *const *order, const struct cause *const *causes)
{
	const struct page page = { .model = &collection->model, .symbols = collection->symbols };
	bool written = true;

	line_output_begin(&outputs->out);
	cgroups_renew(&outputs->cgroups, outputs->recording->mountinfo);
	for (size_t i = 0; i < collection->model.nentries && written; i++) {
		struct entry *entry = order[i];
		char *line;

		if (entry->view.context || entry->rec.open)
			continue;
		collect_cgroups(outputs->cgroups, entry);
		line = json_flat(&page, entry, causes[i], outputs->recording->file.strip);
		written = line_output_put(&outputs->out, line);
		free(line);
	}
	if (!written && !outputs->out.failed)
		note("could not write lines to standard output: %s; "
		     "lines are missing, the captures have these stalls", strerror(errno));
	outputs->out.failed = !written;
}

static bool misses_any(const struct agent_outputs *outputs, const struct model *model)
{
	for (size_t i = 0; i < model->nentries; i++)
		if (!model->entries[i]->view.context &&
		    tally_misses(&outputs->tally, model->entries[i]))
			return true;
	return false;
}

/* @causes: gets that of each record which is counted */
static void count(struct agent_outputs *outputs, struct collection *collection,
		  struct entry *const *order, const struct cause **causes)
{
	const struct follow_source *source = &outputs->loop->follow->source;
	struct model *model = &collection->model;

	tally_instance(&outputs->tally, outputs->loop->follow);
	/* a module that has gone does not tell what was cleared */
	if (misses_any(outputs, model)) {
		model_forget_counters(model);
		source->counters(source->context, model);
	}
	for (size_t i = 0; i < model->nentries; i++) {
		if (order[i]->view.context)
			continue;
		causes[i] = cause_find(&outputs->causes, collection->symbols, order[i]);
		tally_take(&outputs->tally, model, order[i], causes[i]);
	}
	tally_look(&outputs->tally, model, outputs->loop->follow->open_ns);
	write_state(outputs);
}

static int on_records(void *context, struct model *model)
{
	struct agent_outputs *outputs = context;
	struct collection collection = {
		.model = *model,
		.symbols = outputs->recording->names.symbols,
	};
	const struct cause **causes = alloc(model->nentries, sizeof(*causes));

	/* judging sorts them */
	collection.model.entries = alloc(model->nentries, sizeof(*model->entries));
	memcpy(collection.model.entries, model->entries,
	       model->nentries * sizeof(*model->entries));
	collection.model.machine = outputs->machine;
	judge_records(collection.symbols, &collection.model);
	count(outputs, &collection, model->entries, causes);
	if (outputs->lines)
		print_lines(outputs, &collection, model->entries, causes);
	model->counters = collection.model.counters;
	model->ncounters = collection.model.ncounters;
	free(collection.model.entries);
	free(causes);
	return EXIT_DONE;
}

static void note_change(void *context, const struct config *config)
{
	struct agent_outputs *outputs = context;

	(void)config;
	outputs->stale = true;
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
static int refresh(struct agent_outputs *outputs, __u64 now_ns)
{
	const struct follow *follow = outputs->loop->follow;
	bool there = outputs->loop->following.source;
	struct model model = { 0 };
	int ret = there ? ask_module(&follow->source, &model) : EXIT_DONE;

	if (there && !ret && model.config.instance == follow->instance) {
		model.config.online = machine_online();
		tally_instance(&outputs->tally, follow);
		tally_module(&outputs->tally, &model);
	}
	model_free(&model);
	if (ret && ret != FOLLOW_GONE)
		return ret;
	outputs->stale = false;
	outputs->refresh_ns = clock_next(now_ns, outputs->tally.interval_ns);
	write_state(outputs);
	return EXIT_DONE;
}

static void go(struct agent_outputs *outputs)
{
	char *online = machine_online();

	tally_gone(&outputs->tally, online);
	free(online);
}

static void gone(void *context)
{
	struct agent_outputs *outputs = context;

	if (!outputs->tally.module.loaded)
		return;
	go(outputs);
	write_state(outputs);
}

static int due(void *context, __u64 now_ns, bool last, __u64 *next_ns)
{
	struct agent_outputs *outputs = context;
	int ret = EXIT_DONE;

	if (last || outputs->stale || now_ns >= outputs->refresh_ns)
		ret = refresh(outputs, now_ns);
	if (now_ns >= outputs->textfile_ns)
		write_textfile(outputs);
	if (outputs->refresh_ns < *next_ns)
		*next_ns = outputs->refresh_ns;
	if (outputs->textfile_ns < *next_ns)
		*next_ns = outputs->textfile_ns;
	return ret;
}

/**
 * agent_outputs_follow() - count and tell what a follower hands on
 * @outputs: what is wanted is set; outlives the loop
 * @recording: has the names of code
 * @loop: runs the follower
 */
void agent_outputs_follow(struct agent_outputs *outputs, const struct recording *recording,
			  struct loop *loop)
{
	static const struct observer_calls calls = {
		.records = on_records,
		.instance = note_change,
		.settings = note_change,
		.gone = gone,
		.due = due,
	};

	outputs->recording = recording;
	outputs->loop = loop;
	outputs->lock = -1;
	outputs->out.fd = -1;
	observers_add(&loop->follow->observers, &calls, outputs);
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
static int take_lock(struct agent_outputs *outputs)
{
	char *name = print_text("%s.lock", outputs->state);
	int ret = EXIT_DONE;

	outputs->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (outputs->lock < 0)
		ret = failed("could not open %s: %s", name, strerror(errno));
	else if (flock(outputs->lock, LOCK_EX | LOCK_NB))
		ret = failed("another irqoff agent counts in %s; end it, or name another file",
			     outputs->state);
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
static int take_state(struct agent_outputs *outputs)
{
	struct stat stat;
	int error = tally_read(&outputs->tally, outputs->state);
	bool same = !error && !strcmp(outputs->tally.boot_id, outputs->machine.boot_id);

	if (error == -EINVAL && !lstat(outputs->state, &stat) &&
	    (!S_ISREG(stat.st_mode) || (stat.st_size && !is_state(outputs->state))))
		return failed("%s is there and is no state of irqoff; it is left alone; "
			      "name another file", outputs->state);
	if (error && error != -ENOENT)
		note("%s: %s; counters begin at 0", outputs->state,
		     error == -EINVAL ? "no state of an agent of this version" : strerror(-error));
	if (!same) {
		tally_free(&outputs->tally);
		tally_begin(&outputs->tally, outputs->machine.boot_id, TRACE_IRQOFF_VERSION);
	}
	fill_text(outputs->tally.version, sizeof(outputs->tally.version), TRACE_IRQOFF_VERSION);
	return EXIT_DONE;
}

/**
 * agent_outputs_open() - take up the counters
 * @outputs: from agent_outputs_follow(); ends with agent_outputs_close() whatever is returned
 *
 * Return: an exit status.
 */
int agent_outputs_open(struct agent_outputs *outputs)
{
	int ret;

	make_directory(outputs->state);
	ret = outputs->lines ? line_output_open(&outputs->out) : EXIT_DONE;
	if (!ret)
		ret = take_lock(outputs);
	if (ret)
		return ret;
	machine_read(&outputs->machine);
	causes_open(&outputs->causes);
	ret = take_state(outputs);
	if (ret)
		return ret;
	tally_name_causes(&outputs->tally, &outputs->causes);
	go(outputs);
	outputs->tally.running = true;
	outputs->tally.interval_ns = outputs->recording->counters_ns;
	outputs->textfile_ns = FOLLOW_NEVER;
	write_state(outputs);
	write_textfile(outputs);
	return EXIT_DONE;
}

/**
 * agent_outputs_close() - leave the counters for the next agent
 * @outputs: from agent_outputs_open()
 */
void agent_outputs_close(struct agent_outputs *outputs)
{
	if (outputs->tally.running) {
		outputs->tally.running = false;
		write_state(outputs);
		write_textfile(outputs);
	}
	if (outputs->lock >= 0)
		close(outputs->lock);
	line_output_close(&outputs->out);
	causes_free(&outputs->causes);
	cgroups_close(outputs->cgroups);
	tally_free(&outputs->tally);
}
