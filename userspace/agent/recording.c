// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a record needs stands before it in the file: who the node is, settings and counters,
 * names. What was written is on the disk within a second. A node that is reset loses so much
 * and no more; one that has been quiet loses nothing, because what comes first after that is
 * written at once.
 */
#include <errno.h>
#include <string.h>

#include "agent/recording.h"
#include "base/clocks.h"
#include "base/say.h"
#include "base/units.h"
#include "capture/capture_devices.h"
#include "capture/capture_meta.h"
#include "capture/capture_names.h"
#include "capture/capture_texts.h"
#include "capture/strip.h"
#include "collect/collect.h"
#include "source/decode.h"

#define FLUSH_NS	NSEC_PER_SEC

/* a flood loses records all the time; the last line of a recorder has their sum */
#define LOST_NS		(60 * NSEC_PER_SEC)

/* interrupts seldom move, and looking at thousands of devices takes a tenth of a second */
#define DEVICES_NS	(600 * NSEC_PER_SEC)

static void must_flush(struct recording *recording)
{
	__u64 now_ns = clock_monotonic_ns();

	if (recording->flush_ns != FOLLOW_NEVER)
		return;
	recording->flush_ns = recording->flushed_ns + FLUSH_NS;
	if (recording->flush_ns < now_ns)
		recording->flush_ns = now_ns;
}

static void forget_names(struct recording *recording)
{
	sequence_set_free(&recording->functions);
	sequence_set_free(&recording->cgroups);
}

static void begin_load(struct recording *recording, struct model *model)
{
	model->machine = recording->machine;
	model->config.online = machine_online();
	capture_end_frame(recording->writer);
	capture_put_meta(recording->writer, model, recording->file.strip, &recording->reached);
	recording->begin = false;
	recording->any = false;
	recording->epoch = 0;
	recording->devices_ns = 0;
	forget_names(recording);
}

/* what the network counted, and, unless they were written lately, who serves its devices */
static void put_network(struct recording *recording)
{
	__u64 now_ns = clock_monotonic_ns();

	capture_put_texts(recording->writer, &recording->netns, recording->file.strip);
	if (now_ns < recording->devices_ns)
		return;
	capture_put_devices(recording->writer, "");
	recording->devices_ns = now_ns + DEVICES_NS;
}

/*
 * @model has settings that were just read; the counters are read now. Without them the
 * records that were read before the module went can be written all the same.
 */
static int write_state(struct recording *recording, struct model *model)
{
	const struct follow_source *source = &recording->follow->source;
	struct capture_writer *writer = recording->writer;
	struct model counted = { 0 };
	int ret = source->counters(source->context, &counted);

	if (!ret)
		ret = source->histograms(source->context, &counted);
	model_free(&counted);
	if (ret && ret != FOLLOW_GONE)
		return ret;
	if (recording->begin)
		begin_load(recording, model);
	capture_put_clock(writer, model->config.now_ns, model->config.realtime_ns);
	capture_put_all(writer, &recording->messages, TRACE_IRQOFF_CMD_CONFIG_GET);
	capture_put_all(writer, &recording->messages, TRACE_IRQOFF_CMD_COUNTER_GET);
	capture_put_all(writer, &recording->messages, TRACE_IRQOFF_CMD_HISTOGRAM_GET);
	put_network(recording);
	recording->state_due = false;
	recording->state_ns = clock_next(clock_monotonic_ns(), recording->counters_ns);
	must_flush(recording);
	return EXIT_DONE;
}

/* a module that went or came meanwhile is the follower's to find out */
static int read_state(struct recording *recording)
{
	const struct follow_source *source = &recording->follow->source;
	struct model model = { 0 };
	int ret = source->config(source->context, &model);

	if (!ret && model.config.instance == recording->follow->instance)
		ret = write_state(recording, &model);
	model_free(&model);
	return ret == FOLLOW_GONE ? EXIT_DONE : ret;
}

static void put_cgroups(struct recording *recording, const struct model *model)
{
	cgroups_renew(&recording->lookup, recording->mountinfo);
	for (size_t i = 0; i < model->nentries; i++)
		if (!model->entries[i]->view.context)
			collect_cgroups(recording->lookup, model->entries[i]);
	capture_put_cgroups(recording->writer, recording->lookup, &recording->cgroups);
}

static void put_names(struct recording *recording, const struct model *model)
{
	if (recording->epoch != recording->names.reads)
		sequence_set_free(&recording->functions);
	recording->epoch = recording->names.reads;
	capture_put_names(recording->writer, recording->names.symbols, model, recording->epoch,
			  &recording->functions);
	if (!recording->file.strip)
		put_cgroups(recording, model);
}

static bool is_of(const struct entry *entry, const struct record_number *number)
{
	return entry->rec.cpu == number->cpu && entry->rec.seq == number->seq &&
	       entry->rec.open == number->open;
}

static void put_record(struct recording *recording, const struct nlmsghdr *message)
{
	recording->any = true;
	if (recording->file.strip)
		strip_put(recording->writer, message);
	else
		capture_put(recording->writer, message);
}

/* entries are in the order of their messages; a message of a busy record has none */
static void put_records(struct recording *recording, const struct model *model)
{
	const struct nlmsghdr *message = NULL;
	size_t i = 0;

	while ((message = messages_next(&recording->messages, TRACE_IRQOFF_CMD_RECORD_GET,
					message))) {
		struct record_number number;

		if (!decode_number((struct nlmsghdr *)message, &number))
			continue;
		if (i == model->nentries || !is_of(model->entries[i], &number))
			continue;
		if (!model->entries[i++]->view.context)
			put_record(recording, message);
	}
}

static int on_records(void *context, struct model *model)
{
	struct recording *recording = context;
	int ret = recording->status;

	if (!ret && recording->file.strip)
		ret = strip_check(model);
	if (!ret && recording->state_due)
		ret = write_state(recording, model);
	if (ret)
		return ret;
	put_names(recording, model);
	put_records(recording, model);
	follow_reached(recording->follow, &recording->reached);
	must_flush(recording);
	return EXIT_DONE;
}

/* who the node is comes before its first records, with the numbers that they begin with */
static void before(void *context)
{
	struct recording *recording = context;

	names_renew(&recording->names);
	*recording->hidden = recording->file.strip || symbols_hidden(recording->names.symbols);
	if (!recording->begin || recording->reached.instance)
		return;
	follow_reached(recording->follow, &recording->reached);
	read_state(recording);
}

/* told later: who waits for a slow terminal loses more */
static void on_lost(void *context, __u32 cpu, __u64 count)
{
	struct recording *recording = context;

	(void)cpu;
	recording->lost += count;
}

/* of a file that has a begin */
static void put_end(struct recording *recording)
{
	if (!recording->begin)
		capture_put_end(recording->writer, &recording->reached);
}

/* of standard output that has lost its reader the loop says what that means */
static int unwritten(struct recording *recording)
{
	recording->unwritten = true;
	if (!recording->file.disk)
		return EXIT_DONE;
	return failed("could not write %s: %s", recording->file.name, strerror(errno));
}

/* of a file that another one follows: so it has moments around the time of each of its stalls */
static void put_last_texts(struct recording *recording)
{
	if (!recording->begin)
		put_network(recording);
}

/* ends the file; what follows goes to another one */
static int next_file(struct recording *recording)
{
	bool written;
	int ret;

	if (!recording->file.disk)
		return EXIT_DONE;
	put_last_texts(recording);
	put_end(recording);
	written = capture_writer_close(recording->writer) &&
		  recording_file_sync(&recording->file);
	recording->writer = NULL;
	/* what comes next is not to wait for its second */
	recording->flushed_ns = 0;
	ret = written ? recording_file_next(&recording->file) : unwritten(recording);
	if (ret)
		return ret;
	recording->writer = capture_writer(recording->file.out);
	note("recording to %s", recording->file.name);
	return EXIT_DONE;
}

/* a capture is of one load; a stream, which has no next file, goes on as it is */
static void begin_instance(struct recording *recording, __u64 instance)
{
	recording->status = next_file(recording);
	resume_free(&recording->reached);
	recording->reached.instance = instance;
	recording->instance = instance;
	recording->begin = true;
}

static void on_instance(void *context, const struct config *config)
{
	struct recording *recording = context;

	note("the module trace_irqoff was loaded again (new instance)%s",
	     config->enabled ? "" : "; it is not enabled, irqoff start enables it");
	begin_instance(recording, config->instance);
	recording->gone = false;
	recording->state_due = true;
}

static void on_settings(void *context, const struct config *config)
{
	struct recording *recording = context;

	/* an agent itself stops watching as it ends */
	if (!config->enabled && !recording->ending)
		note("the module trace_irqoff is not enabled; irqoff start enables it");
	/* it was loaded again between the opening of the file and the first look */
	if (config->instance != recording->instance) {
		begin_instance(recording, config->instance);
		/* the follower begins with what comes now */
		recording->reached.instance = 0;
	}
	recording->gone = false;
	recording->state_due = true;
}

/* the file is of this load of the module; the follower resumes where it ended, if it was there */
static int open_file(struct recording *recording, __u64 instance)
{
	int ret = recording_file_open(&recording->file, instance, &recording->follow->resume);

	if (ret)
		return ret;
	machine_read(&recording->machine);
	recording->instance = instance;
	recording->writer = capture_writer(recording->file.out);
	recording->begin = true;
	note("recording to %s", recording->file.name);
	return EXIT_DONE;
}

/* the module is found before a file is made */
static int found(void *context)
{
	struct recording *recording = context;
	const struct follow_source *source = &recording->follow->source;
	struct model model = { 0 };
	int ret;

	if (recording->writer)
		return EXIT_DONE;
	ret = source->config(source->context, &model);
	if (!ret)
		ret = open_file(recording, model.config.instance);
	model_free(&model);
	return ret;
}

static void tell_lost(struct recording *recording, __u64 now_ns)
{
	bool lately = recording->lost_told_ns && now_ns - recording->lost_told_ns < LOST_NS;

	if (!recording->lost || lately)
		return;
	note("%llu records were lost; load the module with more ring_records", recording->lost);
	recording->lost = 0;
	recording->lost_told_ns = now_ns;
}

static int flush(struct recording *recording, __u64 now_ns)
{
	recording->flush_ns = FOLLOW_NEVER;
	recording->flushed_ns = now_ns;
	tell_lost(recording, now_ns);
	if (!capture_flush(recording->writer) || !recording_file_sync(&recording->file))
		return unwritten(recording);
	return EXIT_DONE;
}

/* the file is full, or was removed */
static int rotate(struct recording *recording)
{
	int ret = next_file(recording);

	recording->begin = true;
	recording->state_due = true;
	if (ret || recording->gone)
		return ret;
	return read_state(recording);
}

/* of a large machine settings and counters alone may fill a small file */
static bool wants_another(const struct recording *recording)
{
	if (recording->gone || recording->begin)
		return false;
	return recording_file_removed(&recording->file) ||
	       (recording->any && recording_file_full(&recording->file));
}

/* writes what is due */
static int due(void *context, __u64 now_ns, bool last, __u64 *next_ns)
{
	struct recording *recording = context;
	bool state_late = now_ns >= recording->state_ns;
	int ret = recording->status;

	if (!ret && !recording->gone && !last && (recording->state_due || state_late))
		ret = read_state(recording);
	/* where the module could not be asked, it is asked later */
	if (state_late && recording->state_ns <= now_ns)
		recording->state_ns = clock_next(now_ns, recording->counters_ns);
	if (!ret && now_ns >= recording->flush_ns)
		ret = flush(recording, now_ns);
	if (!ret && !last && wants_another(recording))
		ret = rotate(recording);
	if (recording->flush_ns < *next_ns)
		*next_ns = recording->flush_ns;
	if (recording->state_ns < *next_ns)
		*next_ns = recording->state_ns;
	return ret;
}

/*
 * Counters are written before the last records are read: all that they count is in the file
 * then. Stalls that are open are written once more, as they are now.
 */
static void ending(void *context)
{
	struct recording *recording = context;

	recording->ending = true;
	recording->follow->nopen = 0;
	recording->follow->open_ns = 0;
	if (!recording->gone && recording->writer)
		recording->end_status = read_state(recording);
}

static void gone(void *context)
{
	struct recording *recording = context;

	if (recording->gone)
		return;
	note("the module trace_irqoff was unloaded");
	recording->gone = true;
	recording->state_ns = FOLLOW_NEVER;
}

/* the monotonic times of records have others of the wall clock from now on */
static void clock_set(void *context)
{
	struct recording *recording = context;
	__u64 now_ns = clock_monotonic_ns();

	if (recording->begin || !recording->writer)
		return;
	capture_put_clock(recording->writer, now_ns, clock_realtime_at(now_ns, now_ns));
	must_flush(recording);
}

static bool done(void *context)
{
	const struct recording *recording = context;

	return recording->unwritten;
}

/**
 * recording_follow() - record what a follower hands on
 * @recording: what is wanted is set; outlives the follower
 * @follow: the follower
 */
void recording_follow(struct recording *recording, struct follow *follow)
{
	static const struct observer_calls calls = {
		.found = found,
		.before = before,
		.records = on_records,
		.lost = on_lost,
		.instance = on_instance,
		.settings = on_settings,
		.gone = gone,
		.clock_set = clock_set,
		.done = done,
		.ending = ending,
		.due = due,
	};

	recording->follow = follow;
	recording->state_ns = FOLLOW_NEVER;
	recording->flush_ns = FOLLOW_NEVER;
	observers_add(&follow->observers, &calls, recording);
}

/**
 * recording_close() - end the file
 * @recording: from recording_follow()
 *
 * Return: an exit status.
 */
int recording_close(struct recording *recording)
{
	int ret = recording->end_status;

	if (recording->writer) {
		put_end(recording);
		if ((!capture_writer_close(recording->writer) ||
		     !recording_file_sync(&recording->file)) && !recording->unwritten)
			ret = unwritten(recording);
	}
	recording_file_free(&recording->file);
	messages_free(&recording->messages);
	names_free(&recording->names);
	forget_names(recording);
	cgroups_close(recording->lookup);
	resume_free(&recording->reached);
	return ret;
}
