// SPDX-License-Identifier: GPL-2.0-only
/*
 * A trace for Perfetto: a track for each CPU and kind of stall, on which no two spans overlap.
 * Each packet is a piece.
 */
#include <stdlib.h>

#include "judge/stack_weights.h"
#include "model/charge.h"
#include "model/cpuset.h"
#include "model/labels.h"
#include "output/export.h"
#include "output/export/out_protobuf.h"
#include "perfetto_trace.pb-c.h"

#define SEQUENCE	1	/* of packets; 0 is none */
/* uuids of tracks count from here; "irqoff" in ASCII differs from those of other tools */
#define ROOT		0x6972716f66660000ULL
#define MOST_NOTES	16

struct perfetto {
	FILE *out;
	bool begun;
	struct cpuset tracks;	/* that have their descriptors */
	const struct page *page;	/* whose records are added */
};

static void put_packet(struct perfetto *perfetto, Perfetto__TracePacket *packet)
{
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	trace.packet = &packet;
	trace.n_packet = 1;
	put_message(perfetto->out, &trace);
}

static void set_clock(Perfetto__ClockSnapshot__Clock *clock, __u32 id, __u64 ns)
{
	clock->has_clock_id = true;
	clock->clock_id = id;
	clock->has_timestamp = true;
	clock->timestamp = ns;
}

/* so that a trace of another clock can be shown beside this one */
static void put_clocks(struct perfetto *perfetto, const struct config *config)
{
	Perfetto__ClockSnapshot__Clock monotonic = PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT;
	Perfetto__ClockSnapshot__Clock realtime = PERFETTO__CLOCK_SNAPSHOT__CLOCK__INIT, *each[2];
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	set_clock(&monotonic, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC, config->now_ns);
	set_clock(&realtime, PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_REALTIME, config->realtime_ns);
	each[0] = &monotonic;
	each[1] = &realtime;
	snapshot.clocks = each;
	snapshot.n_clocks = ARRAY_SIZE(each);
	snapshot.has_primary_trace_clock = true;
	snapshot.primary_trace_clock = PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	packet.clock_snapshot = &snapshot;
	packet.has_sequence_flags = !perfetto->begun;
	packet.sequence_flags =
		PERFETTO__TRACE_PACKET__SEQUENCE_FLAGS__SEQ_INCREMENTAL_STATE_CLEARED;
	put_packet(perfetto, &packet);
}

/* the root's children come in the order of their ranks */
static void put_track(struct perfetto *perfetto, __u64 uuid, const char *name)
{
	Perfetto__TrackDescriptor track = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	track.has_uuid = true;
	track.uuid = uuid;
	track.name = (char *)name;
	if (uuid == ROOT) {
		track.has_child_ordering = true;
		track.child_ordering =
			PERFETTO__TRACK_DESCRIPTOR__CHILD_TRACKS_ORDERING__EXPLICIT;
	} else {
		track.has_parent_uuid = true;
		track.parent_uuid = ROOT;
		track.has_sibling_order_rank = true;
		track.sibling_order_rank = uuid - ROOT;
	}
	packet.track_descriptor = &track;
	put_packet(perfetto, &packet);
}

static __u64 track_of(struct perfetto *perfetto, const struct tio_record *rec)
{
	unsigned int number = 2 * rec->cpu + (rec->kind != TRACE_IRQOFF_KIND_HARD);
	__u64 uuid = ROOT + 1 + number;
	char name[32];

	if (!cpuset_has(&perfetto->tracks, number)) {
		cpuset_add(&perfetto->tracks, number);
		snprintf(name, sizeof(name), "CPU %u %s", rec->cpu, kind_word(rec));
		put_track(perfetto, uuid, name);
	}
	return uuid;
}

/* an event, and room for what it refers to */
struct event {
	Perfetto__TrackEvent event;
	char *category;
	Perfetto__DebugAnnotation notes[MOST_NOTES], *each[MOST_NOTES];
	uint64_t flow;
};

static void event_init(struct event *event, __u64 track, Perfetto__TrackEvent__Type type)
{
	perfetto__track_event__init(&event->event);
	event->event.has_type = true;
	event->event.type = type;
	event->event.has_track_uuid = true;
	event->event.track_uuid = track;
	event->event.debug_annotations = event->each;
}

static void name_event(struct event *event, const char *name, const char *category)
{
	event->event.name = (char *)name;
	event->category = (char *)category;
	event->event.categories = &event->category;
	event->event.n_categories = 1;
}

static void put_event(struct perfetto *perfetto, struct event *event, __u64 at_ns)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.has_timestamp = true;
	packet.timestamp = at_ns;
	packet.has_timestamp_clock_id = true;
	packet.timestamp_clock_id = PERFETTO__BUILTIN_CLOCK__BUILTIN_CLOCK_MONOTONIC;
	packet.track_event = &event->event;
	put_packet(perfetto, &packet);
}

static Perfetto__DebugAnnotation *note_of(struct event *event, const char *name)
{
	size_t i = event->event.n_debug_annotations++;

	event->each[i] = &event->notes[i];
	perfetto__debug_annotation__init(event->each[i]);
	event->each[i]->name = (char *)name;
	return event->each[i];
}

static void note_text(struct event *event, const char *name, const char *text)
{
	if (text && *text)
		note_of(event, name)->string_value = (char *)text;
}

static void note_number(struct event *event, const char *name, __u64 number)
{
	Perfetto__DebugAnnotation *note = note_of(event, name);

	note->has_uint_value = true;
	note->uint_value = number;
}

/* of a victim, whose span and the one that it waited for are both there */
static bool has_flow(const struct entry *entry)
{
	return entry->found.waits_for && !entry->found.waits_for->view.dropped;
}

/* no two records of a load of the module have the same, and hardly any of two loads */
static __u64 flow_of(const struct perfetto *perfetto, const struct tio_record *rec)
{
	return perfetto->page->model->config.instance + (rec->seq << 16 | rec->cpu) + 1;
}

static void put_span_begin(struct perfetto *perfetto, const struct entry *entry)
{
	const struct tio_sample *task = entry_deciding_sample(entry);
	const struct tio_record *rec = &entry->rec;
	char record[UNITS_LEN], waits_for[UNITS_LEN];
	struct event event;

	event_init(&event, track_of(perfetto, rec),
		   PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN);
	name_event(&event, charge_culprit(entry), tio_class_name(entry->found.verdict.class));
	note_text(&event, "record", print_record_name(record, rec));
	note_number(&event, "min_ns", rec->min_ns);
	note_number(&event, "max_ns", rec->max_ns);
	note_number(&event, "own_ns", entry_own_ns(entry));
	note_text(&event, "busy_in", entry->found.busy_in);
	note_text(&event, "evidence", tio_evidence_name(entry->found.verdict.evidence));
	if (task)
		note_text(&event, "comm", task->comm);
	if (entry->found.waits_for)
		note_text(&event, "waits_for",
			  print_record_name(waits_for, &entry->found.waits_for->rec));
	if (has_flow(entry)) {
		event.flow = flow_of(perfetto, rec);
		event.event.flow_ids = &event.flow;
		event.event.n_flow_ids = 1;
	}
	put_event(perfetto, &event, entry_start_ns(entry));
}

static void put_span_end(struct perfetto *perfetto, const struct entry *entry)
{
	struct event event;

	event_init(&event, track_of(perfetto, &entry->rec),
		   PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END);
	put_event(perfetto, &event, entry->rec.end_ns);
}

/* when a victim begins to wait, behind its begin: a flow goes to what comes later */
static __u64 held_up_ns(const struct entry *victim)
{
	const struct entry *to = victim->found.waits_for;
	__u64 from_ns = entry_start_ns(victim) > entry_start_ns(to) ? entry_start_ns(victim) :
								      entry_start_ns(to);

	return from_ns < to->rec.end_ns ? from_ns + 1 : to->rec.end_ns;
}

/* a flow ends in an event of its own, because that span has begun before the victim's */
static void put_flow_end(struct perfetto *perfetto, const struct entry *victim)
{
	const struct entry *to = victim->found.waits_for;
	char name[32], record[UNITS_LEN];
	struct event event;

	event_init(&event, track_of(perfetto, &to->rec),
		   PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT);
	snprintf(name, sizeof(name), "held up CPU %u", victim->rec.cpu);
	name_event(&event, name, "victim");
	note_text(&event, "record", print_record_name(record, &victim->rec));
	note_text(&event, "link", victim->found.probable ? "probable" : "proved");
	event.flow = flow_of(perfetto, &victim->rec);
	event.event.terminating_flow_ids = &event.flow;
	event.event.n_terminating_flow_ids = 1;
	put_event(perfetto, &event, held_up_ns(victim));
}

/* the whole stack, innermost first */
static void note_stack(struct event *event, Perfetto__DebugAnnotation *frames,
		       Perfetto__DebugAnnotation **each, const struct trace *trace)
{
	Perfetto__DebugAnnotation *note = note_of(event, "stack");

	for (int i = 0; i < trace->nsteps; i++) {
		perfetto__debug_annotation__init(&frames[i]);
		frames[i].string_value = (char *)trace->steps[i].function->text;
		each[i] = &frames[i];
	}
	note->array_values = each;
	note->n_array_values = trace->nsteps;
}

static const char *sample_name(const struct tio_sample *sample, const struct trace *trace)
{
	if (trace->nsteps)
		return trace->steps[0].function->text;
	return sample->flags & TRACE_IRQOFF_F_USER ? "(user mode)" : "(no stack)";
}

static void put_sample(struct perfetto *perfetto, const struct entry *entry,
		       const struct tio_sample *sample, const char *category)
{
	Perfetto__DebugAnnotation frames[2 * TIO_FRAMES], *each[2 * TIO_FRAMES];
	struct trace trace;
	struct event event;

	trace_of(&trace, perfetto->page->symbols, entry, sample);
	event_init(&event, track_of(perfetto, &entry->rec),
		   PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT);
	name_event(&event, sample_name(sample, &trace), category);
	note_text(&event, "comm", sample->comm);
	note_number(&event, "pid", sample->pid);
	if (trace.nsteps)
		note_stack(&event, frames, each, &trace);
	put_event(perfetto, &event, sample->at_ns);
}

static void put_entry(struct perfetto *perfetto, const struct entry *entry)
{
	const struct tio_record *rec = &entry->rec;

	put_span_begin(perfetto, entry);
	if (has_flow(entry))
		put_flow_end(perfetto, entry);
	for (unsigned int i = 0; i < rec->nsamples; i++)
		put_sample(perfetto, entry, &rec->samples[i], "sample");
	if (!rec->open)
		put_sample(perfetto, entry, &rec->end, "end");
	put_span_end(perfetto, entry);
}

static void *perfetto_begin(FILE *out, const struct first_frames *first)
{
	struct perfetto *perfetto = alloc(1, sizeof(*perfetto));

	(void)first;
	perfetto->out = out;
	return perfetto;
}

static void perfetto_add(void *state, const struct page *page)
{
	const struct model *model = page->model;
	struct perfetto *perfetto = state;
	char *name;

	perfetto->page = page;
	put_clocks(perfetto, &model->config);
	if (!perfetto->begun) {
		name = print_text("irqoff%s%s", *model->machine.host ? " " : "",
				  model->machine.host);
		put_track(perfetto, ROOT, name);
		free(name);
	}
	perfetto->begun = true;
	for (size_t i = 0; i < model->nentries; i++)
		if (!model->entries[i]->view.repeated)
			put_entry(perfetto, model->entries[i]);
}

static void perfetto_end(void *state)
{
	struct perfetto *perfetto = state;

	cpuset_free(&perfetto->tracks);
	free(perfetto);
}

const struct exporter perfetto_exporter = {
	.name = "perfetto",
	.binary = true,
	.one_boot = true,
	.begin = perfetto_begin,
	.add = perfetto_add,
	.end = perfetto_end,
};
