// SPDX-License-Identifier: GPL-2.0-only
/* What irqoff export writes, read back as its formats' own tools do. */
#include "page.h"

#include <zlib.h>

#include "model/charge.h"
#include "model/labels.h"
#include "output/export.h"
#include "perfetto_trace.pb-c.h"
#include "profile.pb-c.h"

/* what an exporter made of pages; to be freed */
static char *exported_pages(const struct exporter *exporter, const char *by,
			    const struct page *pages, size_t npages, size_t *len)
{
	struct first_frames first;
	char *bytes = NULL;
	FILE *to = open_memstream(&bytes, len);
	void *state;

	assert_true(folded_parse_first(by, &first));
	state = exporter->begin(to, &first);
	for (size_t i = 0; i < npages; i++)
		exporter->add(state, &pages[i]);
	exporter->end(state);
	fclose(to);
	return bytes;
}

static char *exported(const struct exporter *exporter, const char *by, size_t *len)
{
	struct page whole = page();

	return exported_pages(exporter, by, &whole, 1, len);
}

static void print_folded(const char *by)
{
	size_t len;
	char *bytes = exported(&folded_exporter, by, &len);

	fwrite(bytes, 1, len, out);
	free(bytes);
}

static void folded_plain(void **state)
{
	print_folded("comm");
	assert_golden("folded.txt", out, &text);
}

static void folded_by(void **state)
{
	print_folded("class,culprit,cpu");
	assert_golden("folded-by.txt", out, &text);
}

static void folded_victims(void **state)
{
	print_folded("comm");
	assert_golden("folded-victims.txt", out, &text);
}

/* semicolons part frames */
static void folded_names(void **state)
{
	struct entry *entry = collection.model.entries[0];

	strcpy(((struct tio_sample *)entry_deciding_sample(entry))->comm, "a;b c");
	strcpy(((struct tio_sample *)entry_deciding_sample(collection.model.entries[1]))->comm, "");
	print_folded("comm");
	fflush(out);
	assert_non_null(strstr(text, "a:b c;"));
	assert_int_equal(strncmp(text, "-;", 2), 0);
	assert_null(strstr(text, "\n;"));
	fclose(out);
	free(text);
}

static void takes_lists(void **state)
{
	static const char * const wrong[] = { "", "pid", "comm,", ",comm", "comm,comm", "stack" };
	struct first_frames first;

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(folded_parse_first(wrong[i], &first));
	assert_true(folded_parse_first("class,culprit", &first));
	assert_int_equal(first.count, 2);
	assert_int_equal(first.keys[0], SUMMARY_CLASS);
	assert_int_equal(first.keys[1], SUMMARY_CULPRIT);
}

static Pprof__Profile *profile_of(const struct page *pages, size_t npages)
{
	static unsigned char raw[1 << 20];
	size_t len;
	char *bytes = exported_pages(&pprof_exporter, "comm", pages, npages, &len);
	z_stream zip = {
		.next_in = (unsigned char *)bytes, .avail_in = len,
		.next_out = raw, .avail_out = sizeof(raw),
	};
	Pprof__Profile *profile;

	assert_int_equal(inflateInit2(&zip, 15 + 16), Z_OK);
	assert_int_equal(inflate(&zip, Z_FINISH), Z_STREAM_END);
	assert_int_equal(zip.avail_in, 0);
	profile = pprof__profile__unpack(NULL, zip.total_out, raw);
	assert_non_null(profile);
	inflateEnd(&zip);
	free(bytes);
	return profile;
}

static Pprof__Profile *profile_of_page(void)
{
	struct page whole = page();

	return profile_of(&whole, 1);
}

static const char *label(const Pprof__Profile *profile, const Pprof__Sample *sample,
			 const char *key)
{
	const char *found = "";

	for (size_t i = 0; i < sample->n_label; i++) {
		if (strcmp(profile->string_table[sample->label[i]->key], key))
			continue;
		/* each once */
		assert_string_equal(found, "");
		found = profile->string_table[sample->label[i]->str];
	}
	return found;
}

static void assert_types(const Pprof__Profile *profile)
{
	static const char * const wanted[][2] = {
		{ "contentions", "count" }, { "delay", "nanoseconds" }
	};

	assert_string_equal(profile->string_table[0], "");
	assert_int_equal(profile->n_sample_type, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const Pprof__ValueType *type = profile->sample_type[i];

		assert_string_equal(profile->string_table[type->type], wanted[i][0]);
		assert_string_equal(profile->string_table[type->unit], wanted[i][1]);
	}
	assert_string_equal(profile->string_table[profile->default_sample_type], "delay");
}

/* sums up a value of the samples whose culprit and class these are; NULL: of all */
static __u64 sum_of(const Pprof__Profile *profile, unsigned int value, const struct entry *of)
{
	__u64 sum = 0;

	for (size_t i = 0; i < profile->n_sample; i++) {
		const Pprof__Sample *sample = profile->sample[i];

		assert_int_equal(sample->n_value, 2);
		if (!of || (!strcmp(label(profile, sample, "culprit"), charge_culprit(of)) &&
			    !strcmp(label(profile, sample, "class"),
				    tio_class_name(of->found.verdict.class))))
			sum += sample->value[value];
	}
	return sum;
}

/* each group has its time and that of its victims, and nothing else is there */
static void assert_as_reported(const Pprof__Profile *profile)
{
	__u64 count = 0, ns = 0;
	struct summary summary;

	summary_build(&summary, &collection.model, SUMMARY_BY_DEFAULT, SUMMARY_TOTAL);
	for (size_t i = 0; i < summary.ngroups; i++) {
		const struct group *group = &summary.groups[i];

		assert_int_equal(sum_of(profile, 0, group->best),
				 group->count + group_victims(group)->seen.count);
		assert_int_equal(sum_of(profile, 1, group->best),
				 group->total_ns + group_victims(group)->ns);
		count += group->count + group_victims(group)->seen.count;
		ns += group->total_ns + group_victims(group)->ns;
	}
	assert_true(count > 0);
	assert_int_equal(profile->n_sample, count);
	assert_int_equal(sum_of(profile, 0, NULL), count);
	assert_int_equal(sum_of(profile, 1, NULL), ns);
	summary_free(&summary);
}

static void profile(void **state)
{
	Pprof__Profile *got = profile_of_page();
	const struct window window = page().window;

	assert_types(got);
	assert_as_reported(got);
	assert_int_equal(got->time_nanos, window.from_ns);
	assert_int_equal(got->duration_nanos, window.to_ns - window.from_ns);
	pprof__profile__free_unpacked(got, NULL);
	fclose(out);
	free(text);
}

/* the time of one that tells of none is not the profile's */
static void profile_of_no_time(void **state)
{
	struct page pages[] = { page(), page(), page() };
	struct window window = pages[1].window;
	Pprof__Profile *got;

	pages[0].window.from_ns = 1;
	pages[0].window.to_ns = 1;
	pages[2].window.from_ns = 2 * window.to_ns;
	pages[2].window.to_ns = 2 * window.to_ns;
	got = profile_of(pages, ARRAY_SIZE(pages));
	assert_int_equal(got->time_nanos, window.from_ns);
	assert_int_equal(got->duration_nanos, window.to_ns - window.from_ns);
	pprof__profile__free_unpacked(got, NULL);
}

static void assert_profile_of(const char *cpus)
{
	struct filter filter = { .until_ns = ~0ULL };
	Pprof__Profile *got;

	assert_int_equal(filter_option(&filter, FILTER_CPU, cpus), EXIT_DONE);
	filter_apply(&filter, &collection.model);
	assert_true(collection.model.ndropped > 0);
	got = profile_of_page();
	assert_as_reported(got);
	pprof__profile__free_unpacked(got, NULL);
	filter_free(&filter);
	fclose(out);
	free(text);
}

/* their victims were dropped, and are there all the same */
static void profile_of_culprits(void **state)
{
	assert_profile_of("0");
}

/* what they waited for was dropped */
static void profile_of_waiters(void **state)
{
	assert_profile_of("1-2");
}

static const char *function_at(const Pprof__Profile *got, const Pprof__Sample *sample, size_t i)
{
	/* locations and functions are numbered alike, from 1 */
	const Pprof__Location *location = got->location[sample->location_id[i] - 1];

	assert_int_equal(location->id, sample->location_id[i]);
	assert_int_equal(location->line[0]->function_id, location->id);
	return got->string_table[got->function[location->id - 1]->name];
}

/* a victim has its CPU and its time, and all else of the stall that it waited for */
static void profile_of_victims(void **state)
{
	Pprof__Profile *got = profile_of_page();
	unsigned int victims = 0;

	assert_as_reported(got);
	for (size_t i = 0; i < got->n_sample; i++) {
		const Pprof__Sample *sample = got->sample[i];
		/* without a filter the samples are in the order of the records */
		const struct entry *entry = collection.model.entries[i];
		const struct entry *to = entry->found.waits_for ? entry->found.waits_for : entry;

		assert_string_equal(label(got, sample, "role"),
				    entry->found.waits_for ? "victim" : "culprit");
		assert_int_equal(strtoul(label(got, sample, "cpu"), NULL, 10), entry->rec.cpu);
		assert_int_equal(sample->value[1], entry_own_ns(entry));
		assert_string_equal(label(got, sample, "culprit"), charge_culprit(to));
		assert_string_equal(label(got, sample, "busy_in"), to->found.busy_in ?: "");
		assert_string_equal(label(got, sample, "evidence"),
				    tio_evidence_name(to->found.verdict.evidence));
		assert_string_equal(label(got, sample, "node"), "node-7");
		assert_true(sample->n_location_id > 0);
		if (!strcmp(charge_culprit(to), "memory_stat_format"))
			assert_string_equal(function_at(got, sample, 1), "do_syscall_64");
		victims += !!entry->found.waits_for;
	}
	assert_true(victims >= 4);
	pprof__profile__free_unpacked(got, NULL);
	fclose(out);
	free(text);
}

/* nobody's time is under two words */
static void nobody(void **state)
{
	Pprof__Profile *got = profile_of_page();
	unsigned int stolen = 0, unknown = 0;

	for (size_t i = 0; i < got->n_sample; i++) {
		const Pprof__Sample *sample = got->sample[i];
		const char *class = label(got, sample, "class");
		const char *word = !strcmp(class, "stolen") ? "(stolen)" :
				   !strcmp(class, "unknown") ? "(unknown)" : NULL;

		if (!word)
			continue;
		assert_string_equal(label(got, sample, "culprit"), word);
		assert_string_equal(label(got, sample, "busy_in"), "");
		assert_int_equal(sample->n_location_id, 1);
		assert_string_equal(function_at(got, sample, 0), word);
		stolen += !strcmp(class, "stolen");
		unknown += !strcmp(class, "unknown");
	}
	assert_true(stolen && unknown);
	pprof__profile__free_unpacked(got, NULL);
}

static Perfetto__Trace *trace_of_page(void)
{
	size_t len;
	char *bytes = exported(&perfetto_exporter, "comm", &len);
	Perfetto__Trace *trace = perfetto__trace__unpack(NULL, len, (unsigned char *)bytes);

	assert_non_null(trace);
	free(bytes);
	return trace;
}

static const struct entry *entry_named(const char *name)
{
	char each[UNITS_LEN];

	for (size_t i = 0; i < collection.model.nentries; i++)
		if (!strcmp(print_record_name(each, &collection.model.entries[i]->rec), name))
			return collection.model.entries[i];
	fail_msg("there is no record %s", name);
	return NULL;
}

static const Perfetto__DebugAnnotation *note_of(const Perfetto__TrackEvent *event,
						const char *name)
{
	for (size_t i = 0; i < event->n_debug_annotations; i++)
		if (!strcmp(event->debug_annotations[i]->name, name))
			return event->debug_annotations[i];
	return NULL;
}

static void assert_clocks(const Perfetto__ClockSnapshot *snapshot)
{
	assert_non_null(snapshot);
	assert_int_equal(snapshot->primary_trace_clock, 3);
	assert_int_equal(snapshot->n_clocks, 2);
	assert_int_equal(snapshot->clocks[0]->clock_id, 3);
	assert_int_equal(snapshot->clocks[0]->timestamp, NOW_NS);
	assert_int_equal(snapshot->clocks[1]->clock_id, 1);
	assert_int_equal(snapshot->clocks[1]->timestamp, NOW_REALTIME_NS);
}

/* the event that ends a span: the next one of its track that ends one */
static const Perfetto__TracePacket *end_of(const Perfetto__Trace *trace, size_t i)
{
	__u64 track = trace->packet[i]->track_event->track_uuid;

	while (++i < trace->n_packet) {
		const Perfetto__TrackEvent *event = trace->packet[i]->track_event;

		if (!event || event->track_uuid != track)
			continue;
		if (event->type == PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END)
			return trace->packet[i];
		assert_int_equal(event->type, PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT);
	}
	fail_msg("a span has no end");
	return NULL;
}

static void assert_track(const Perfetto__Trace *trace, size_t before, __u64 uuid,
			 const struct entry *entry)
{
	char name[32];

	snprintf(name, sizeof(name), "CPU %u %s", entry->rec.cpu,
		 entry->rec.kind == TRACE_IRQOFF_KIND_HARD ? "hard" : "soft");
	for (size_t i = 0; i < before; i++) {
		const Perfetto__TrackDescriptor *track = trace->packet[i]->track_descriptor;

		if (track && track->uuid == uuid) {
			assert_string_equal(track->name, name);
			return;
		}
	}
	fail_msg("there is no track %s", name);
}

/* within what the record says of its begin and end */
static void assert_span(const Perfetto__Trace *trace, size_t i)
{
	const Perfetto__TracePacket *begin = trace->packet[i], *end = end_of(trace, i);
	const struct entry *entry =
		entry_named(note_of(begin->track_event, "record")->string_value);
	const struct tio_record *rec = &entry->rec;

	assert_int_equal(begin->timestamp_clock_id, 3);
	assert_true(begin->timestamp >= rec->end_ns - rec->max_ns);
	assert_true(begin->timestamp <= rec->end_ns - rec->min_ns);
	assert_int_equal(end->timestamp, rec->end_ns);
	assert_int_equal(note_of(begin->track_event, "min_ns")->uint_value, rec->min_ns);
	assert_int_equal(note_of(begin->track_event, "max_ns")->uint_value, rec->max_ns);
	assert_track(trace, i, begin->track_event->track_uuid, entry);
	assert_string_equal(begin->track_event->name, charge_culprit(entry));
	assert_string_equal(begin->track_event->categories[0],
			    tio_class_name(entry->found.verdict.class));
}

/* how often a flow has an end, which comes later, in the span of who was waited for */
static unsigned int flow_ends(const Perfetto__Trace *trace, const Perfetto__TracePacket *begin)
{
	const struct entry *victim =
		entry_named(note_of(begin->track_event, "record")->string_value);
	unsigned int found = 0;

	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__TracePacket *packet = trace->packet[i];
		const Perfetto__TrackEvent *event = packet->track_event;

		if (!event || !event->n_terminating_flow_ids ||
		    event->terminating_flow_ids[0] != begin->track_event->flow_ids[0])
			continue;
		found++;
		assert_track(trace, i, event->track_uuid, victim->found.waits_for);
		assert_true(packet->timestamp > begin->timestamp);
		assert_true(packet->timestamp > entry_start_ns(victim->found.waits_for));
		assert_true(packet->timestamp <= victim->found.waits_for->rec.end_ns);
	}
	return found;
}

/* checks all spans and flows */
static void assert_trace(unsigned int spans, unsigned int flows, unsigned int samples)
{
	Perfetto__Trace *trace = trace_of_page();

	assert_clocks(trace->packet[0]->clock_snapshot);
	for (size_t i = 0; i < trace->n_packet; i++) {
		const Perfetto__TracePacket *packet = trace->packet[i];
		const Perfetto__TrackEvent *event = packet->track_event;

		assert_true(packet->trusted_packet_sequence_id);
		if (!event)
			continue;
		if (event->n_categories && !strcmp(event->categories[0], "sample"))
			samples--;
		if (event->type != PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN)
			continue;
		assert_span(trace, i);
		spans--;
		if (!event->n_flow_ids)
			continue;
		assert_int_equal(flow_ends(trace, packet), 1);
		flows--;
	}
	assert_int_equal(spans, 0);
	assert_int_equal(flows, 0);
	assert_int_equal(samples, 0);
	perfetto__trace__free_unpacked(trace, NULL);
	fclose(out);
	free(text);
}

static unsigned int all_samples(void)
{
	unsigned int count = 0;

	for (size_t i = 0; i < collection.model.nentries; i++)
		count += collection.model.entries[i]->rec.nsamples;
	return count;
}

static void trace(void **state)
{
	assert_trace(collection.model.nentries, 0, all_samples());
}

static void trace_of_victims(void **state)
{
	unsigned int victims = 0;

	for (size_t i = 0; i < collection.model.nentries; i++)
		victims += !!collection.model.entries[i]->found.waits_for;
	assert_true(victims >= 4);
	assert_trace(collection.model.nentries, victims, all_samples());
}

/* no flow leads to a span that is not there */
static void trace_of_some(void **state)
{
	struct filter filter = { .until_ns = ~0ULL };
	unsigned int flows = 0;

	assert_int_equal(filter_option(&filter, FILTER_CPU, "1-2"), EXIT_DONE);
	filter_apply(&filter, &collection.model);
	for (size_t i = 0; i < collection.model.nentries; i++) {
		const struct entry *to = collection.model.entries[i]->found.waits_for;

		flows += to && !to->view.dropped;
	}
	assert_trace(collection.model.nentries, flows, all_samples());
	filter_free(&filter);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_page(folded_plain),
		test_page(folded_by),
		test_victims(folded_victims),
		test_page(folded_names),
		cmocka_unit_test(takes_lists),
		test_page(profile),
		test_collection(profile_of_no_time),
		test_ends(profile),
		test_victims(profile_of_culprits),
		test_victims(profile_of_waiters),
		test_victims(profile_of_victims),
		test_collection(nobody),
		test_page(trace),
		test_ends(trace),
		test_victims(trace_of_victims),
		test_victims(trace_of_some),
	};

	return cmocka_run_group_tests_name("export", tests, NULL, NULL);
}
