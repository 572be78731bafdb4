// SPDX-License-Identifier: GPL-2.0-only
/* For how long a node was watched without a record that is missing. */
#include "waiters.h"

#include "capture/capture_meta.h"
#include "capture/capture_write.h"
#include "judge/watched.h"
#include "version.h"
#include "wire.h"

#define SECOND		(1000 * MS)
#define ENABLED_NS	(100 * SECOND)

static struct filter filter = { .until_ns = ~0ULL };

/* enabled from 100 to 1000 s, on as many CPUs */
static void begin(unsigned int cpus)
{
	static const char * const lists[] = { "", "0", "0-1", "0-2" };

	model->config.version = TRACE_IRQOFF_API;
	model->config.enabled = true;
	model->config.enabled_ns = ENABLED_NS;
	model->config.now_ns = 1000 * SECOND;
	model->config.stopped_known = false;
	free(model->config.watched);
	free(model->config.cpus);
	model->config.watched = copy_text(lists[cpus]);
	model->config.cpus = copy_text("all");
	model_forget_counters(model);
	for (unsigned int i = 0; i < cpus; i++)
		model_add_counters(model)->cpu = i;
}

static void add(__u32 cpu, __u64 seq, __u64 seconds)
{
	add_hard(model, cpu, seq, seconds * SECOND, 20 * MS);
}

static void counted(__u32 cpu, __u64 produced, __u64 lost, __u64 cleared)
{
	struct cpu_counters *counters = &model->counters[cpu];

	counters->produced = produced;
	counters->lost = lost;
	counters->cleared = cleared;
	counters->kept = produced - lost - cleared;
}

static struct watched find(void)
{
	struct watched watched;

	model_sort(model);
	watched_find(&watched, model, &filter);
	return watched;
}

static void assert_from(__u64 seconds)
{
	struct watched watched = find();

	assert_int_equal(watched.state, WATCHED_KNOWN);
	assert_int_equal(watched.from_ns, seconds * SECOND);
	assert_int_equal(watched.to_ns, 1000 * SECOND);
}

/* where nothing was lost, the time begins when watching did */
static void from_when_it_was_enabled(void **state)
{
	struct watched watched;

	begin(2);
	add(0, 0, 50);
	add(0, 1, 200);
	counted(0, 2, 0, 0);
	counted(1, 0, 0, 0);
	assert_from(100);
	watched = find();
	assert_int_equal(watched.cpus, 2);
	assert_int_equal(watched.lost, 0);
}

/* else with the oldest record without a gap behind it, of the CPU whose ring is shortest */
static void from_the_oldest_record(void **state)
{
	begin(2);
	/* the longest one is kept, though others behind it were lost */
	add(0, 3, 150);
	add(0, 7, 400);
	add(0, 8, 500);
	add(1, 4, 300);
	add(1, 5, 350);
	counted(0, 9, 6, 0);
	counted(1, 6, 4, 0);
	assert_from(400);
	/* of older records than that the rest of the time has all */
	model->config.enabled_ns = 450 * SECOND;
	assert_from(450);
}

/* a CPU that came later: all have one time */
static void from_when_the_last_came(void **state)
{
	begin(2);
	add(0, 0, 150);
	counted(0, 1, 0, 0);
	counted(1, 0, 0, 0);
	model->counters[0].watched_ns = ENABLED_NS;
	model->counters[1].watched_ns = 250 * SECOND;
	assert_from(250);
	/* of one that is not asked for it does not matter */
	model->counters[1].watched = false;
	free(model->config.watched);
	model->config.watched = copy_text("0");
	assert_from(100);
}

/* no record that is there tells when: those of another CPU may */
static void from_after_a_clear(void **state)
{
	begin(2);
	counted(0, 5, 0, 5);
	counted(1, 4, 0, 2);
	add(1, 2, 600);
	add(1, 3, 700);
	assert_from(600);
	/* what was lost before says nothing of the time since */
	begin(2);
	counted(0, 7, 1, 5);
	counted(1, 4, 0, 2);
	add(0, 6, 500);
	add(1, 2, 600);
	add(1, 3, 700);
	assert_from(600);
	model->counters[0].lost_before = 1;
	assert_from(500);
	begin(2);
	counted(0, 5, 0, 5);
	model_forget_entries(model);
	assert_int_equal(find().state, WATCHED_CLEARED);
}

static void not_known(void **state)
{
	/* records that are not there, of a damaged file */
	begin(1);
	counted(0, 9, 0, 0);
	assert_int_equal(find().state, WATCHED_UNKNOWN);
	/* an older module */
	begin(1);
	model->config.enabled_ns = 0;
	assert_int_equal(find().state, WATCHED_UNKNOWN);
	/* it stopped, nobody knows when */
	begin(1);
	model->config.enabled = false;
	assert_int_equal(find().state, WATCHED_UNKNOWN);
	/* no CPU */
	begin(0);
	assert_int_equal(find().state, WATCHED_UNKNOWN);
}

/* the newest ones are missing */
static void lost_at_the_end(void **state)
{
	struct watched watched;

	begin(1);
	add(0, 0, 200);
	add(0, 1, 300);
	counted(0, 5, 0, 0);
	watched = find();
	assert_int_equal(watched.state, WATCHED_KNOWN);
	assert_int_equal(watched.lost, 3);
}

/* once watching has stopped, the time ends there */
static void until_it_stopped(void **state)
{
	struct watched watched;

	begin(2);
	add(0, 0, 200);
	counted(0, 1, 0, 0);
	model->config.enabled = false;
	model->config.stopped_known = true;
	model->config.stopped_ns = 800 * SECOND;
	free(model->config.watched);
	model->config.watched = copy_text("");
	watched = find();
	assert_int_equal(watched.state, WATCHED_KNOWN);
	assert_int_equal(watched.to_ns, 800 * SECOND);
	assert_int_equal(watched.cpus, 2);
}

/* of --cpu only those count, also their gaps */
static void some_cpus(void **state)
{
	struct cpu_range one = { 1, 1 };
	struct watched watched;

	begin(3);
	add(0, 7, 400);
	counted(0, 8, 7, 0);
	filter.cpus = &one;
	filter.ncpus = 1;
	watched = find();
	filter.cpus = NULL;
	filter.ncpus = 0;
	assert_int_equal(watched.cpus, 1);
	assert_int_equal(watched.from_ns, ENABLED_NS);
}

/* a recorder's own time, and what is missing by the counters of its begin and end */
static void recorded(void **state)
{
	struct cpu_counters *then = alloc(2, sizeof(*then));
	struct watched watched;

	begin(2);
	add(0, 9, 250);
	add(0, 10, 350);
	add(0, 11, 400);
	/* 12 is missing */
	add(0, 13, 900);
	counted(0, 14, 0, 0);
	then[0] = (struct cpu_counters){ .cpu = 0, .produced = 10 };
	then[1] = (struct cpu_counters){ .cpu = 1 };
	model->begin = (struct moment){
		.known = true, .enabled = true, .now_ns = 300 * SECOND,
		.enabled_ns = ENABLED_NS, .counters = then, .ncounters = 2,
	};
	assert_from(300);
	watched = find();
	assert_int_equal(watched.lost, 1);
	/* watching began anew meanwhile: the counters of the begin tell nothing, and 12 is a gap */
	model->config.enabled_ns = 700 * SECOND;
	assert_from(900);
}

/* what a recorder has not written yet is not lost; the time ends before it */
static void still_written(void **state)
{
	struct cpu_counters *then = alloc(2, sizeof(*then));
	struct watched watched;

	begin(2);
	add(0, 10, 400);
	/* 11 is missing, and of a CPU's later records some may be there before another one's */
	add(0, 12, 990);
	counted(0, 12, 0, 0);
	then[0] = (struct cpu_counters){ .cpu = 0, .produced = 10 };
	then[1] = (struct cpu_counters){ .cpu = 1, .produced = 4 };
	model->begin = (struct moment){
		.known = true, .enabled = true, .now_ns = 300 * SECOND,
		.enabled_ns = ENABLED_NS, .counters = then, .ncounters = 2,
	};
	model->received.cut = true;
	model->counted_ns = 950 * SECOND;
	counted(1, 4, 0, 0);
	watched = find();
	assert_int_equal(watched.state, WATCHED_KNOWN);
	assert_int_equal(watched.to_ns, 950 * SECOND);
	assert_int_equal(watched.lost, 1);
	/* one is counted that is not there; the newest that is there is left out as well */
	add(1, 4, 500);
	counted(1, 6, 0, 0);
	watched = find();
	assert_int_equal(watched.to_ns, 500 * SECOND - 1);
	assert_int_equal(watched.lost, 1);
	/* of a CPU whose counted ones are all missing nothing is known */
	model->begin.counters[1].produced = 5;
	watched = find();
	assert_int_equal(watched.from_ns, 300 * SECOND);
	assert_int_equal(watched.to_ns, 300 * SECOND);
	assert_int_equal(watched.lost, 1);
	/* likewise where it has counters of its begin alone, as in its first minute */
	model->begin.known = false;
	watched = find();
	assert_int_equal(watched.from_ns, watched.to_ns);
	assert_int_equal(watched.to_ns, 500 * SECOND - 1);
	assert_int_equal(watched.lost, 0);
}

static void put(struct capture_writer *writer, const struct model *from, unsigned int cmd)
{
	struct messages messages = { 0 };
	const struct nlmsghdr *message = NULL;

	wire_model(&messages, from);
	while ((message = messages_next(&messages, cmd, message)))
		capture_put(writer, message);
	messages_free(&messages);
}

/* a capture of a recorder has settings and counters of its begin and of its end */
static void both_are_read(void **state)
{
	struct cursor from = { .seq = 10 }, to = { .seq = 12 };
	const struct resume begins = { .cursors = &from, .ncursors = 1 };
	const struct resume ends = { .cursors = &to, .ncursors = 1 };
	struct capture_writer *writer;
	struct collection read;
	struct watched watched;
	char *bytes = NULL;
	size_t len;
	FILE *file = open_memstream(&bytes, &len);

	begin(1);
	model->config.now_ns = 300 * SECOND;
	counted(0, 10, 2, 0);
	writer = capture_writer(file);
	capture_put_meta(writer, model, false, &begins);
	capture_put_clock(writer, model->config.now_ns, NOW_REALTIME_NS);
	put(writer, model, TRACE_IRQOFF_CMD_CONFIG_GET);
	put(writer, model, TRACE_IRQOFF_CMD_COUNTER_GET);
	add(0, 10, 350);
	add(0, 11, 400);
	put(writer, model, TRACE_IRQOFF_CMD_RECORD_GET);
	model->config.now_ns = 1000 * SECOND;
	counted(0, 12, 2, 0);
	put(writer, model, TRACE_IRQOFF_CMD_CONFIG_GET);
	put(writer, model, TRACE_IRQOFF_CMD_COUNTER_GET);
	capture_put_end(writer, &ends);
	assert_true(capture_writer_close(writer));
	fclose(file);
	file = fmemopen(bytes, len, "r");
	assert_int_equal(collect_stream(&read, file, "it"), EXIT_DONE);
	fclose(file);
	watched_find(&watched, &read.model, &filter);
	assert_int_equal(watched.state, WATCHED_KNOWN);
	assert_int_equal(watched.from_ns, 300 * SECOND);
	assert_int_equal(watched.to_ns, 1000 * SECOND);
	assert_int_equal(watched.lost, 0);
	collect_free(&read);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_waiters(from_when_it_was_enabled),
		test_waiters(from_the_oldest_record),
		test_waiters(from_when_the_last_came),
		test_waiters(from_after_a_clear),
		test_waiters(not_known),
		test_waiters(lost_at_the_end),
		test_waiters(until_it_stopped),
		test_waiters(some_cpus),
		test_waiters(recorded),
		test_waiters(still_written),
		test_waiters(both_are_read),
	};

	return cmocka_run_group_tests_name("watched", tests, NULL, NULL);
}
