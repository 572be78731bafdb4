// SPDX-License-Identifier: GPL-2.0-only
/* A follower of a made-up module: each record once, what is lost, other instances. */
#include "fixture.h"

#include "source/follow.h"

#define CPUS	2
#define KEPT	4	/* records of a CPU; the oldest is overwritten */
#define MOST	4096

/* what the module has, and what it was asked */
static struct {
	struct config config;
	__u64 produced[CPUS];
	__u64 first[CPUS];	/* the oldest that is kept */
	struct {
		__u64 end_ns;
		__u64 steal;
	} records[CPUS][MOST];
	bool open[CPUS];
	__u64 open_ns[CPUS];	/* since when */
	bool busy;
	bool gone;
	unsigned int asked;	/* for records */
	__u64 from[CPUS];	/* by which cursors, the last time */
} fake;

/* what was handed on */
static struct {
	char text[1 << 16];	/* in order: "0:3 " a record, "1:open ", "lost 2 on 0 ", ... */
	unsigned int context;	/* entries for links alone, the last time */
	__u64 steal;		/* of the last record */
	int status;
} got;

static struct follow follow;
static __u64 now_ns;

static __printf(1, 2) void say(const char *format, ...)
{
	size_t len = strlen(got.text);
	va_list args;

	va_start(args, format);
	vsnprintf(got.text + len, sizeof(got.text) - len, format, args);
	va_end(args);
}

static void assert_said(const char *text)
{
	assert_string_equal(got.text, text);
	got.text[0] = '\0';
}

static int fake_config(void *context, struct model *model)
{
	if (fake.gone)
		return FOLLOW_GONE;
	model->config = fake.config;
	model->config.now_ns = now_ns;
	return EXIT_DONE;
}

static int fake_counters(void *context, struct model *model)
{
	for (__u32 cpu = 0; cpu < CPUS; cpu++)
		*model_add_counters(model) = (struct cpu_counters){
			.cpu = cpu,
			.produced = fake.produced[cpu],
		};
	return EXIT_DONE;
}

static void add(struct model *model, __u32 cpu, __u64 seq, bool open, __u64 end_ns, __u64 min_ns)
{
	struct entry *entry = model_add_entry(model, TIO_SAMPLES);

	entry->rec.cpu = cpu;
	entry->rec.seq = seq;
	entry->rec.open = open;
	entry->rec.end_ns = end_ns;
	entry->rec.min_ns = min_ns;
	entry->rec.threshold_ns = 10 * MS;
	entry->rec.period_ns = MS;
	if (!open)
		entry->rec.steal = fake.records[cpu][seq].steal;
}

static int fake_records(void *context, const struct cursor *cursors, size_t ncursors,
			struct model *model)
{
	fake.asked++;
	for (__u32 cpu = 0; cpu < CPUS; cpu++) {
		__u64 seq = 0;

		for (size_t i = 0; i < ncursors; i++)
			if (cursors[i].cpu == cpu)
				seq = cursors[i].seq;
		fake.from[cpu] = seq;
		if (seq < fake.first[cpu])
			seq = fake.first[cpu];
		for (; seq < fake.produced[cpu]; seq++)
			add(model, cpu, seq, false, fake.records[cpu][seq].end_ns, 10 * MS);
	}
	for (__u32 cpu = 0; cpu < CPUS; cpu++)
		if (fake.open[cpu])
			add(model, cpu, 0, true, now_ns, now_ns - fake.open_ns[cpu]);
	if (fake.busy)
		model_add_busy(model, 0, true, 0);
	return EXIT_DONE;
}

static int on_records(void *context, struct model *model)
{
	got.context = 0;
	for (size_t i = 0; i < model->nentries; i++) {
		const struct tio_record *rec = &model->entries[i]->rec;

		if (model->entries[i]->view.context)
			got.context++;
		else if (rec->open)
			say("%u:open ", rec->cpu);
		else
			say("%u:%llu ", rec->cpu, rec->seq);
		if (!model->entries[i]->view.context)
			got.steal = rec->steal;
	}
	return got.status;
}

static void on_lost(void *context, __u32 cpu, __u64 count)
{
	say("lost %llu on %u ", count, cpu);
}

static void on_instance(void *context, const struct config *config)
{
	say("instance %llu ", config->instance);
}

static void on_settings(void *context, const struct config *config)
{
	say("settings %llu ", config->generation);
}

static const struct observer_calls calls = {
	.records = on_records,
	.lost = on_lost,
	.instance = on_instance,
	.settings = on_settings,
};

static int begin(void **state)
{
	memset(&fake, 0, sizeof(fake));
	memset(&got, 0, sizeof(got));
	fake.config = (struct config){ .instance = 7, .generation = 1, .enabled = true };
	now_ns = 1000 * MS;
	follow = (struct follow){
		.source = { NULL, fake_config, fake_counters, NULL, fake_records },
	};
	observers_add(&follow.observers, &calls, NULL);
	return 0;
}

static int end(void **state)
{
	follow_free(&follow);
	return 0;
}

/* a stall ends now */
static void stall(__u32 cpu)
{
	fake.records[cpu][fake.produced[cpu]++].end_ns = now_ns;
	if (fake.produced[cpu] - fake.first[cpu] > KEPT)
		fake.first[cpu]++;
}

/* one of CPU 1 began 20 ms ago */
static void open_stall(void)
{
	fake.open[1] = true;
	fake.open_ns[1] = now_ns;
	now_ns += 20 * MS;
}

static void wake(bool open)
{
	struct news news[CPUS];
	const struct wake message = {
		.instance = fake.config.instance,
		.generation = fake.config.generation,
		.news = news,
		.nnews = CPUS,
	};

	for (__u32 cpu = 0; cpu < CPUS; cpu++)
		news[cpu] = (struct news){ .cpu = cpu, .produced = fake.produced[cpu],
					   .open = open && fake.open[cpu] };
	follow_wake(&follow, &message, now_ns);
}

static void read_now(void)
{
	assert_int_equal(follow_read(&follow, now_ns, false), EXIT_DONE);
}

/* lets time pass until the follower has nothing left to do */
static void run(void)
{
	while (follow.due_ns != FOLLOW_NEVER) {
		if (follow.due_ns > now_ns)
			now_ns = follow.due_ns;
		read_now();
	}
}

static void start(void)
{
	assert_int_equal(follow_begin(&follow, now_ns), EXIT_DONE);
	assert_said("settings 1 ");
	run();
}

static void begins_now(void **state)
{
	stall(0);
	stall(1);
	now_ns += 1000 * MS;
	start();
	assert_said("");
	stall(1);
	wake(false);
	run();
	assert_said("1:1 ");
	assert_int_equal(follow.seen, 1);
}

/* with --since: what is there, and what is not there any more is not lost to the follower */
static void begins_with_what_is_kept(void **state)
{
	for (int i = 0; i < 6; i++)
		stall(0);
	now_ns += 1000 * MS;
	follow.old = true;
	start();
	assert_said("0:2 0:3 0:4 0:5 ");
	for (int i = 0; i < 6; i++)
		stall(0);
	wake(false);
	run();
	assert_said("lost 2 on 0 0:8 0:9 0:10 0:11 ");
}

static void each_once(void **state)
{
	start();
	for (int i = 0; i < 5; i++) {
		stall(0);
		wake(false);
		now_ns += 15 * MS;
		if (follow.due_ns <= now_ns)
			read_now();
	}
	run();
	assert_said("0:0 0:1 0:2 0:3 0:4 ");
	wake(false);
	assert_true(follow.due_ns == FOLLOW_NEVER);
	follow_missed(&follow, now_ns);
	run();
	assert_said("");
}

/* the record gets its steal a tick after it was made */
static void waits_until_settled(void **state)
{
	start();
	stall(0);
	wake(false);
	assert_true(follow.due_ns == now_ns + FOLLOW_SETTLE_NS);
	read_now();
	assert_said("");
	assert_true(follow.due_ns > now_ns && follow.due_ns != FOLLOW_NEVER);
	fake.records[0][0].steal = 5;
	run();
	assert_said("0:0 ");
	assert_int_equal(got.steal, 5);
	/* 30 ms, half of a threshold, a period */
	assert_in_range(now_ns - fake.records[0][0].end_ns, 36 * MS, 60 * MS);
}

static void nothing_waits_at_the_end(void **state)
{
	start();
	stall(0);
	stall(1);
	assert_int_equal(follow_read(&follow, now_ns, true), EXIT_DONE);
	assert_said("0:0 1:0 ");
}

/* one that ended just before is there for links, and is not handed on again */
static void with_its_neighbours(void **state)
{
	start();
	stall(0);
	now_ns += 20 * MS;
	stall(1);
	now_ns += 25 * MS;
	read_now();
	assert_said("0:0 ");
	assert_int_equal(got.context, 1);
	run();
	assert_said("1:0 ");
	assert_int_equal(got.context, 1);
	/* long after */
	now_ns += 1000 * MS;
	stall(0);
	wake(false);
	run();
	assert_said("0:1 ");
	/* the next look finds that it is too old, the one behind that does without it */
	for (int i = 0; i < 2; i++) {
		now_ns += 1000 * MS;
		follow_missed(&follow, now_ns);
		run();
	}
	assert_int_equal(fake.from[0], 2);
	assert_int_equal(fake.from[1], 1);
}

static void tells_what_is_lost(void **state)
{
	start();
	stall(0);
	wake(false);
	run();
	assert_said("0:0 ");
	for (int i = 0; i < 7; i++)
		stall(0);
	wake(false);
	run();
	assert_said("lost 3 on 0 0:4 0:5 0:6 0:7 ");
	/* read, not settled, and overwritten before it is */
	stall(0);
	follow_missed(&follow, now_ns);
	read_now();
	for (int i = 0; i < KEPT; i++)
		stall(0);
	run();
	assert_said("lost 1 on 0 0:9 0:10 0:11 0:12 ");
	assert_int_equal(follow.seen, 9);
	assert_int_equal(follow.lost, 4);
}

static void adds_up_in_a_flood(void **state)
{
	unsigned int asked;

	start();
	srand(1);
	asked = fake.asked;
	for (int i = 0; i < 2000; i++) {
		now_ns += rand() % (4 * MS);
		stall(rand() % CPUS);
		if (rand() % 3)
			wake(false);
		if (follow.due_ns <= now_ns)
			read_now();
	}
	/* 2000 stalls in 4 s: looks are 30 ms apart */
	assert_in_range(fake.asked - asked, 50, 4000 / 30 + 1);
	wake(false);
	run();
	assert_int_equal(follow.seen + follow.lost, fake.produced[0] + fake.produced[1]);
	assert_true(follow.lost > 0 && follow.seen > 0);
}

/* the looks at so many stalls of one CPU, MS apart */
static unsigned int looks_at(unsigned int stalls, __u32 ring_records)
{
	unsigned int asked;

	fake.config.ring_records = ring_records;
	asked = fake.asked;
	for (unsigned int i = 0; i < stalls; i++) {
		now_ns += MS;
		stall(0);
		if (!(i % 10))
			wake(false);
		if (follow.due_ns <= now_ns)
			read_now();
	}
	run();
	return fake.asked - asked;
}

/* 1000 a second: an eighth of 2048 records takes 256 ms, one of 64 is less than 30 ms take */
static void fewer_looks_in_a_flood(void **state)
{
	start();
	assert_in_range(looks_at(2000, 2048), 2000 / 250, 2000 / 250 + 8);
	assert_in_range(looks_at(2000, 64), 2000 / 35, 2000 / 30 + 8);
}

/* after one the next stall waits no longer than any */
static void soon_after_a_flood(void **state)
{
	__u64 from_ns;

	start();
	looks_at(1000, 2048);
	now_ns += 1000 * MS;
	got.text[0] = '\0';
	stall(0);
	wake(false);
	from_ns = now_ns;
	run();
	assert_said("0:1000 ");
	assert_in_range(now_ns - from_ns, FOLLOW_SETTLE_NS, 60 * MS);
	/* nor does an open one in its midst */
	looks_at(1000, 2048);
	follow.want_open = true;
	follow.open_ns = 20 * MS;
	fake.open[1] = true;
	fake.open_ns[1] = now_ns;
	wake(true);
	assert_true(follow.due_ns <= now_ns + 20 * MS);
}

static void load_again(void)
{
	memset(fake.produced, 0, sizeof(fake.produced));
	memset(fake.first, 0, sizeof(fake.first));
	fake.config.instance = 8;
	fake.config.generation = 1;
}

static void another_instance(void **state)
{
	start();
	stall(0);
	stall(0);
	wake(false);
	run();
	assert_said("0:0 0:1 ");
	fake.gone = true;
	follow_missed(&follow, now_ns);
	assert_int_equal(follow_read(&follow, now_ns, false), FOLLOW_GONE);
	assert_true(follow.due_ns == FOLLOW_NEVER);
	assert_said("");

	fake.gone = false;
	load_again();
	stall(0);
	assert_int_equal(follow_begin(&follow, now_ns), EXIT_DONE);
	run();
	assert_said("instance 8 0:0 ");
}

/* that it went and came was not heard */
static void another_instance_unheard(void **state)
{
	start();
	stall(0);
	stall(0);
	wake(false);
	run();
	assert_said("0:0 0:1 ");
	load_again();
	stall(0);
	wake(false);
	run();
	assert_said("instance 8 0:0 ");
	/* the same one is found again */
	assert_int_equal(follow_begin(&follow, now_ns), EXIT_DONE);
	run();
	assert_said("");
}

static void other_settings(void **state)
{
	start();
	fake.config.generation++;
	wake(false);
	assert_true(follow.due_ns == now_ns);
	run();
	assert_said("settings 2 ");
	wake(false);
	assert_true(follow.due_ns == FOLLOW_NEVER);
}

/* a wake-up was dropped (ENOBUFS) */
static void missed(void **state)
{
	start();
	stall(1);
	fake.config.generation++;
	follow_missed(&follow, now_ns);
	run();
	assert_said("settings 2 1:0 ");
}

/* where a recorder ended, so that nothing falls in between; of another load it says nothing */
static void begins_where_one_ended(void **state)
{
	for (int i = 0; i < 6; i++)
		stall(0);
	stall(1);
	now_ns += 1000 * MS;
	resume_raise(&follow.resume, 0, 1);
	follow.resume.instance = 7;
	start();
	/* nobody had watched the other one then, or it had no record */
	assert_said("lost 1 on 0 0:2 0:3 0:4 0:5 1:0 ");
	follow_free(&follow);
	memset(&follow.begun, 0, sizeof(follow) - offsetof(struct follow, begun));
	follow.resume.instance = 8;
	start();
	assert_said("");
	/* an agent begins with old records, but for those that it has */
	follow.old = true;
	resume_raise(&follow.resume, 0, 4);
	follow.resume.instance = 7;
	follow_free(&follow);
	memset(&follow.begun, 0, sizeof(follow) - offsetof(struct follow, begun));
	start();
	assert_said("0:4 0:5 1:0 ");
	resume_free(&follow.resume);
}

/* a recorder wants those alone that go on for long */
static void open_for_long(void **state)
{
	follow.want_open = true;
	follow.open_ns = 1000 * MS;
	start();
	open_stall();
	wake(true);
	assert_true(follow.due_ns == now_ns + 1000 * MS);
	stall(0);
	wake(false);
	now_ns += 40 * MS;
	read_now();
	assert_said("0:0 ");
	assert_true(follow.due_ns == now_ns + 940 * MS);
	run();
	assert_said("1:open ");
	assert_true(now_ns - fake.open_ns[1] < 1010 * MS);
}

static void open_once(void **state)
{
	follow.want_open = true;
	start();
	open_stall();
	wake(true);
	assert_true(follow.due_ns == now_ns);
	run();
	assert_said("1:open ");
	now_ns += 20 * MS;
	wake(true);
	run();
	assert_said("");
	fake.open[1] = false;
	stall(1);
	wake(false);
	run();
	assert_said("1:0 ");
	/* another one */
	open_stall();
	wake(true);
	run();
	assert_said("1:open ");
}

static void open_unasked(void **state)
{
	start();
	open_stall();
	wake(true);
	assert_true(follow.due_ns == FOLLOW_NEVER);
	stall(0);
	wake(true);
	run();
	assert_said("0:0 ");
}

static void asks_again_where_one_is_written(void **state)
{
	start();
	fake.busy = true;
	follow_missed(&follow, now_ns);
	read_now();
	assert_true(follow.due_ns == now_ns + FOLLOW_SETTLE_NS);
	fake.busy = false;
	run();
}

static void sink_fails(void **state)
{
	start();
	stall(0);
	got.status = EXIT_FAILED;
	assert_int_equal(follow_read(&follow, now_ns, true), EXIT_FAILED);
}

#define test(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(begins_now),
		test(begins_with_what_is_kept),
		test(each_once),
		test(waits_until_settled),
		test(nothing_waits_at_the_end),
		test(with_its_neighbours),
		test(tells_what_is_lost),
		test(adds_up_in_a_flood),
		test(fewer_looks_in_a_flood),
		test(soon_after_a_flood),
		test(another_instance),
		test(another_instance_unheard),
		test(other_settings),
		test(missed),
		test(open_once),
		test(begins_where_one_ended),
		test(open_for_long),
		test(open_unasked),
		test(asks_again_where_one_is_written),
		test(sink_fails),
	};

	return cmocka_run_group_tests_name("follow", tests, NULL, NULL);
}
