// SPDX-License-Identifier: GPL-2.0-only
/* What a recording says that it lacks, and the stalls in it that were open. */
#include "page.h"

#include "capture/capture_meta.h"
#include "capture/capture_read.h"
#include "capture/capture_write.h"
#include "capture/resume.h"
#include "version.h"
#include "wire.h"

#define SECOND	(1000 * MS)
#define US	1000ULL

/* a recording that is written, in memory */
static struct {
	struct capture_writer *writer;
	FILE *file;
	char *bytes;
	size_t len;
} tape;

static struct collection made, read_back;

static void put(unsigned int cmd)
{
	struct messages messages = { 0 };

	wire_model(&messages, &made.model);
	capture_put_all(tape.writer, &messages, cmd);
	messages_free(&messages);
}

static void put_state(__u64 now_s, __u64 produced, __u64 lost)
{
	made.model.config.now_ns = now_s * SECOND;
	model_forget_counters(&made.model);
	*model_add_counters(&made.model) = (struct cpu_counters){
		.watched = true, .produced = produced, .kept = produced - lost, .lost = lost,
	};
	capture_put_clock(tape.writer, now_s * SECOND, now_s * SECOND);
	put(TRACE_IRQOFF_CMD_CONFIG_GET);
	put(TRACE_IRQOFF_CMD_COUNTER_GET);
}

/* hard stalls of CPU 0 of 20 ms and of 300 us, behind one of CPU 2, which has no more of them */
static void put_histogram(unsigned int many, unsigned int few)
{
	struct cpu_histograms *counted;

	model_forget_histograms(&made.model);
	counted = model_add_histograms(&made.model);
	counted->cpu = 2;
	tio_histogram_add(&counted->loaded.hard, 20 * MS);
	counted = model_add_histograms(&made.model);
	while (many--)
		tio_histogram_add(&counted->loaded.hard, 20 * MS);
	while (few--)
		tio_histogram_add(&counted->loaded.hard, 300 * US);
	/* somebody clears while it is recorded, which changes nothing */
	counted->cleared_ns = made.model.config.now_ns;
	put(TRACE_IRQOFF_CMD_HISTOGRAM_GET);
}

static void begin_at(__u64 seq)
{
	struct cursor from = { .seq = seq };
	const struct resume resume = { .cursors = &from, .ncursors = 1 };

	capture_put_meta(tape.writer, &made.model, false, &resume);
}

static void end_at(__u64 seq)
{
	struct cursor to = { .seq = seq };
	const struct resume resume = { .cursors = &to, .ncursors = 1 };

	capture_put_end(tape.writer, &resume);
}

static void put_stall(__u64 seq, bool open, __u64 end_s, __u64 min_ns)
{
	struct entry *entry;

	model_forget_entries(&made.model);
	entry = model_add_entry(&made.model, TIO_SAMPLES);
	entry->rec = (struct tio_record){
		.seq = seq, .open = open, .end_ns = end_s * SECOND,
		.min_ns = min_ns, .max_ns = min_ns,
	};
	put(TRACE_IRQOFF_CMD_RECORD_GET);
}

static void put_record(__u64 seq, __u64 end_s)
{
	put_stall(seq, false, end_s, 20 * MS);
}

static int begin(void **state)
{
	made = (struct collection){ 0 };
	read_back = (struct collection){ 0 };
	made.model.config = (struct config){
		.version = TRACE_IRQOFF_API, .enabled = true, .enabled_ns = SECOND,
		.instance_known = true, .instance = 7,
		.threshold_us = 10000, .period_us = 1000,
		.cpus = copy_text("default"), .watched = copy_text("0"),
	};
	strcpy(made.model.machine.boot_id, "boot");
	tape.file = open_memstream(&tape.bytes, &tape.len);
	tape.writer = capture_writer(tape.file);
	return 0;
}

static void close_tape(void)
{
	assert_true(capture_writer_close(tape.writer));
	fclose(tape.file);
	tape.writer = NULL;
}

static struct cpu_counters read_tape(void)
{
	FILE *in;

	close_tape();
	in = fmemopen(tape.bytes, tape.len, "r");
	assert_int_equal(collect_stream(&read_back, in, "it"), EXIT_DONE);
	fclose(in);
	wire_assert_brief(tape.bytes, tape.len, &read_back.model);
	assert_int_equal(read_back.model.ncounters, 1);
	return read_back.model.counters[0];
}

static int end(void **state)
{
	if (tape.writer)
		close_tape();
	collect_free(&read_back);
	model_free(&made.model);
	free(tape.bytes);
	return 0;
}

/* what the module's ring has lost is not lost to a recorder that was in time */
static void nothing_lost(void **state)
{
	struct cpu_counters counters;

	begin_at(100);
	put_state(10, 101, 90);
	/* it had ended, and was not settled yet, when the counters were read */
	put_record(100, 9);
	put_record(101, 11);
	put_state(20, 102, 92);
	put_record(102, 21);
	end_at(103);
	counters = read_tape();
	assert_int_equal(counters.lost, 0);
	assert_int_equal(counters.kept, 3);
	assert_int_equal(read_back.model.recorded_ns, 10 * SECOND);
	assert_int_equal(read_back.model.counted_ns, 0);
}

/* at the begin, in the midst and at the end; the last one without any record behind it */
static void lost(void **state)
{
	begin_at(100);
	put_state(10, 100, 0);
	put_record(102, 11);
	put_record(105, 12);
	put_state(20, 109, 0);
	end_at(107);
	assert_int_equal(read_tape().lost, 2 + 2 + 1);
}

/* a row of files: each has its part, and no other one */
static void all_lost(void **state)
{
	begin_at(100);
	put_state(10, 100, 0);
	put_state(20, 109, 0);
	end_at(107);
	assert_int_equal(read_tape().lost, 7);
}

/* the recorder was killed: the settings that it wrote are older than its last record */
static void cut_off(void **state)
{
	struct cpu_counters counters;

	begin_at(100);
	put_state(10, 100, 50);
	put_record(100, 11);
	put_record(102, 30);
	counters = read_tape();
	assert_true(read_back.model.received.damaged);
	assert_int_equal(counters.lost, 1);
	assert_int_equal(counters.kept, 2);
	assert_int_equal(read_back.model.config.now_ns, 30 * SECOND);
	assert_int_equal(read_back.model.config.realtime_ns, 30 * SECOND);
	assert_int_equal(read_back.model.counted_ns, 10 * SECOND);
}

/* a recorder that goes on where one was killed, or ended */
static void gone_on_with(void **state)
{
	struct cpu_counters counters;

	begin_at(100);
	put_state(10, 100, 0);
	put_record(100, 11);
	begin_at(101);
	put_state(40, 103, 0);
	put_record(101, 20);
	put_record(103, 41);
	put_state(50, 104, 0);
	end_at(104);
	counters = read_tape();
	assert_int_equal(counters.lost, 1);
	assert_int_equal(counters.kept, 3);
	assert_int_equal(read_back.model.recorded_ns, 10 * SECOND);
}

static void assert_tail(__u64 seq)
{
	FILE *in = fmemopen(tape.bytes, tape.len, "r");
	struct resume resume;
	bool stripped;

	capture_tail_read(in, &resume, &stripped);
	fclose(in);
	assert_false(stripped);
	assert_int_equal(resume.instance, 7);
	assert_int_equal(resume.ncursors, 1);
	assert_int_equal(resume.cursors[0].seq, seq);
	resume_free(&resume);
}

/* where it ended is where the next one begins: of a CPU that has no record as well */
static void tail(void **state)
{
	begin_at(100);
	put_state(10, 100, 0);
	capture_end_frame(tape.writer);
	fflush(tape.file);
	assert_tail(100);
	put_record(104, 12);
	put_stall(0, true, 13, 20 * MS);
	capture_end_frame(tape.writer);
	fflush(tape.file);
	assert_tail(105);
	end_at(108);
	read_tape();
	assert_tail(108);
}

/* an open stall is one stall however often it was written, and none once it has ended */
static void open_stalls(void **state)
{
	const struct model *model = &read_back.model;

	begin_at(0);
	put_state(10, 0, 0);
	put_stall(0, true, 12, SECOND);
	put_record(0, 14);
	put_stall(0, true, 20, SECOND);
	put_stall(0, true, 25, 6 * SECOND);
	put_state(30, 1, 0);
	end_at(1);
	read_tape();
	assert_int_equal(model->nentries, 2);
	assert_false(model->entries[0]->rec.open);
	assert_true(model->entries[1]->rec.open);
	assert_int_equal(model->entries[1]->rec.min_ns, 6 * SECOND);
}

/* it was open as the recorder looked, and was no more as it ended */
static void ended_later(void **state)
{
	begin_at(0);
	put_state(10, 0, 0);
	put_stall(0, true, 12, SECOND);
	put_record(0, 14);
	put_state(30, 1, 0);
	end_at(1);
	read_tape();
	assert_int_equal(read_back.model.nentries, 1);
	assert_false(read_back.model.entries[0]->rec.open);
}

/* a recorder that was killed early wrote its state once: what it began with is not known */
static void histograms_of_one_state(void **state)
{
	begin_at(0);
	put_state(20, 0, 0);
	put_histogram(3, 9);
	end_at(0);
	read_tape();
	assert_false(model_recorded(&read_back.model));
	assert_int_equal(model_cleared_ns(&read_back.model), 20 * SECOND);
	assert_int_equal(model_loaded_sum(&read_back.model).hard.count, 13);
	/* of the CPU whose records were never dropped */
	assert_int_equal(model_recent_sum(&read_back.model).hard.count, 1);
}

/* in whatever order they come, and nothing comes behind the last one */
static void last_number(void **state)
{
	begin_at(0);
	put_state(10, 0, 0);
	put_record(~0ULL, 15);
	put_record(5, 16);
	put_state(20, 6, 0);
	end_at(6);
	assert_int_equal(read_tape().lost, 4);
}

/* a recording's histograms are of its own time */
static void histograms(void **state)
{
	static const struct {
		bool record;
		unsigned int many, few;
		__u64 longest_ns;
	} cases[] = {
		/* the longest is of before: it has a record, or the last bucket begins there */
		{ true, 3, 9, 20 * MS },
		{ false, 3, 9, 16384 * US },
		{ false, 2, 9, 256 * US },
		{ false, 2, 1, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct tio_histogram *hard;

		begin_at(0);
		put_state(10, 0, 0);
		put_histogram(2, 1);
		put_stall(0, false, 9, 30 * MS);
		if (cases[i].record)
			put_record(1, 15);
		/* one between does not count */
		put_state(20, 2, 0);
		put_histogram(2, 2);
		put_state(30, 2, 0);
		put_histogram(cases[i].many, cases[i].few);
		end_at(2);
		read_tape();
		assert_int_equal(histograms_recent(&read_back.model.histograms[0])->hard.count, 0);
		hard = &histograms_recent(&read_back.model.histograms[1])->hard;
		assert_int_equal(hard->count, cases[i].many - 2 + cases[i].few - 1);
		assert_int_equal(hard->sum_ns, (cases[i].many - 2) * 20 * MS +
					       (cases[i].few - 1) * 300 * US);
		assert_int_equal(hard->buckets[14], cases[i].many - 2);
		assert_int_equal(hard->buckets[8], cases[i].few - 1);
		assert_int_equal(hard->max_ns, cases[i].longest_ns);
		assert_true(model_recorded(&read_back.model));
		end(state);
		begin(state);
	}
}

#define test_tape(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_tape(nothing_lost),
		test_tape(lost),
		test_tape(all_lost),
		test_tape(cut_off),
		test_tape(gone_on_with),
		test_tape(tail),
		test_tape(open_stalls),
		test_tape(ended_later),
		test_tape(histograms_of_one_state),
		test_tape(last_number),
		test_tape(histograms),
	};

	return cmocka_run_group_tests_name("recorded", tests, NULL, NULL);
}
