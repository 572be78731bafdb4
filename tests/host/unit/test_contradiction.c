// SPDX-License-Identifier: GPL-2.0-only
/* Records that cannot be true are left out, and all that a module tells stay. */
#include "page.h"

#include "model/contradiction.h"
#include "said.h"
#include "version.h"
#include "wire.h"

#define SECOND	(1000 * MS)

static struct model made;
static bool noted;	/* whether its records ascend */

static int open_model(void **state)
{
	noted = false;
	made = (struct model){ .config.version = TRACE_IRQOFF_API, .machine.cpus = "0-3" };
	return 0;
}

static int open_noted(void **state)
{
	int ret = open_model(state);

	noted = true;
	return ret;
}

static int close_model(void **state)
{
	model_free(&made);
	return 0;
}

#define test_model(test)	cmocka_unit_test_setup_teardown(test, open_model, close_model)
#define test_noted(test)	cmocka_unit_test_setup_teardown(test, open_noted, close_model)

static struct tio_record *add(__u32 cpu, __u64 end_ns, __u64 min_ns)
{
	return &add_hard(&made, cpu, made.nentries, NOW_NS + end_ns, min_ns)->rec;
}

static struct tio_record *add_open(__u32 cpu, __u64 end_ns, __u64 min_ns)
{
	struct tio_record *rec = add(cpu, end_ns, min_ns);

	rec->open = true;
	return rec;
}

/* as source_file.c notes it, of records in the order of their numbers */
static void note_ascent(void)
{
	record_order_free(&made.ascent);
	made.nread = made.nentries;
	for (size_t i = 0; i < made.nentries; i++) {
		made.entries[i]->rec.seq = i;
		record_order_add(&made.ascent, &made.entries[i]->rec);
	}
}

/* that many are left out, of a file that was saved at @saved_ns */
static void assert_left_out(size_t wanted, __u64 saved_ns)
{
	size_t before = made.nentries;

	if (noted)
		note_ascent();
	assert_int_equal(contradiction_drop(&made, saved_ns), wanted);
	assert_int_equal(made.nentries, before - wanted);
	for (size_t i = 0; i < made.nentries; i++)
		assert_non_null(made.entries[i]);
}

static void longer_than_it_can_be(void **state)
{
	add(0, 0, 90 * MS)->max_ns = 21 * MS;
	add_open(1, 0, 90 * MS)->max_ns = 21 * MS;
	assert_left_out(2, 0);
	/* the bounds are of two clocks, one of which may be slewed */
	add(0, 0, 90 * MS)->max_ns = 90 * MS;
	add(1, 0, 90 * MS)->max_ns = 81 * MS;
	add(2, 0, MS)->max_ns = MS - 200000;
	assert_left_out(0, 0);
}

static void before_the_clock(void **state)
{
	add(0, 0, NOW_NS + 1)->max_ns = ~0ULL;
	add(0, 1, 1ULL << 63)->max_ns = ~0ULL;
	add(1, 5 - NOW_NS, 20 * SECOND)->max_ns = 21 * SECOND;
	assert_left_out(3, 0);
	/* a soft stall since nobody knows when */
	add(0, 0, NOW_NS)->max_ns = NOW_NS;
	assert_left_out(0, 0);
}

static void no_such_cpu(void **state)
{
	add(4000000000U, 0, 20 * MS);
	add(4, 0, 20 * MS);
	add_open(4, 0, 20 * MS);
	assert_left_out(3, 0);
	/* it may be offline by now; which are possible may not be known */
	made.config.online = copy_text("0");
	add(3, 0, 20 * MS);
	assert_left_out(0, 0);
	*made.machine.cpus = '\0';
	add(4, 0, 20 * MS);
	assert_left_out(0, 0);
}

static void no_such_kind(void **state)
{
	add(0, 0, 20 * MS)->kind = 77;
	assert_left_out(1, 0);
	/* of a newer module */
	made.config.version++;
	add(0, 0, 20 * MS)->kind = 77;
	assert_left_out(0, 0);
}

static void in_the_future(void **state)
{
	const __u64 day_ns = 24 * 3600 * SECOND;

	add(0, 11 * day_ns, 20 * MS);
	assert_left_out(1, NOW_NS);
	/* a little later, or told by another clock */
	add(0, 2 * SECOND, 20 * MS);
	add(0, day_ns, 20 * MS);
	assert_left_out(0, NOW_NS);
	/* a recorder was killed long after it told the time */
	add(0, 11 * day_ns, 20 * MS);
	assert_left_out(0, 0);
}

static void several_at_once(void **state)
{
	for (unsigned int i = 0; i < 50; i++)
		add(0, i, 5 * SECOND)->max_ns = 6 * SECOND;
	assert_left_out(49, 0);
	/* a long one around short ones, which are more; and at the same end */
	add(1, 3 * SECOND, 3 * SECOND);
	for (unsigned int i = 1; i < 3; i++)
		add(1, i * SECOND, 20 * MS);
	add(2, 0, 20 * MS);
	add(2, 0, 20 * MS);
	assert_left_out(2, 0);
	for (size_t i = 0; i < made.nentries; i++)
		assert_true(made.entries[i]->rec.cpu != 1 ||
			    made.entries[i]->rec.min_ns == 20 * MS);
}

/* what a CPU and its neighbours have at one time */
static void true_ones(void **state)
{
	struct tio_record *rec;

	/* hard stalls within a soft one, and over its end; likewise on another CPU */
	for (__u32 cpu = 0; cpu < 2; cpu++) {
		add_soft(&made, cpu, 100, NOW_NS, 100 * MS, TRACE_IRQOFF_F_BH_OFF);
		add(cpu, -80 * MS, 15 * MS);
		add(cpu, -50 * MS, 30 * MS);
		add(cpu, 5 * MS, 20 * MS);
	}
	/* ksoftirqd waits, and goes on waiting as it was read */
	rec = &add_soft(&made, 1, 101, NOW_NS + 40 * MS, 40 * MS, TRACE_IRQOFF_F_USER)->rec;
	rec->samples[0].pending = 8;
	*add_open(1, 60 * MS, 55 * MS) = (struct tio_record){
		.cpu = 1, .kind = TRACE_IRQOFF_KIND_SOFT, .open = true,
		.end_ns = NOW_NS + 60 * MS, .min_ns = 55 * MS, .max_ns = NOW_NS,
	};
	/* one began as the other ended; by a clock that is slewed a little before */
	add(2, 0, 20 * MS);
	add(2, 20 * MS, 20 * MS);
	add(2, 20 * MS + SECOND, SECOND + SECOND / 10);
	assert_left_out(0, NOW_NS);
}

/* reads a capture of the page, and keeps what is said of it */
static int read_capture(struct collection *read)
{
	size_t len;
	char *bytes = wire_capture(&collection, false, &len);
	FILE *in = fmemopen(bytes, len, "r");
	int ret;

	said_begin();
	ret = collect_stream(read, in, "FILE");
	said_end();
	fclose(in);
	wire_assert_brief(bytes, len, &read->model);
	free(bytes);
	return ret;
}

static void assert_read(const char *wanted, size_t records)
{
	size_t count = collection.model.nentries;
	struct filter filter = { .until_ns = ~0ULL };
	struct collection read;

	assert_int_equal(read_capture(&read), EXIT_DONE);
	assert_string_equal(said, wanted);
	assert_int_equal(read.model.received.contradictory, records);
	assert_int_equal(read.model.nentries, count - records);
	/* so nothing is proved by it, as by one that is damaged */
	assert_true(read.model.received.damaged == (records > 0));
	collect_pass(&read, &filter);
	collect_free(&collection);
	collection = read;
}

/* a file that was not gone on with has a number once */
static void numbers_twice(void **state)
{
	assert_read("", 0);
	for (unsigned int i = 0; i < 3; i++)
		add_hard(&collection.model, 3, 7, NOW_NS - i * SECOND, 20 * MS);
	assert_read("irqoff: FILE has 2 records that contradict themselves; "
		    "they are left out\n", 2);
	print_json_list();
	fflush(out);
	assert_non_null(strstr(text, "\n  \"contradictory\": 2,\n"));
	fclose(out);
	free(text);
}

static void nothing_left(void **state)
{
	struct page whole;

	model_forget_entries(&collection.model);
	add_hard(&collection.model, 77, 7, NOW_NS, 20 * MS);
	assert_read("irqoff: FILE has 1 record that contradicts itself; it is left out\n", 1);
	whole = page();
	text_nothing(&whole);
	fflush(out);
	assert_ptr_equal(strstr(text, "No record is there: 1 record is left out, as it "), text);
	fclose(out);
	free(text);
}

/* xorshift: the same numbers each time */
static __u64 random_below(__u64 below)
{
	static __u64 state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

/* what is counted does not depend on how the records are read */
static void read_briefly(void **state)
{
	static const __u32 cpus[] = { 0, 1, 2, 3, 77, 4000000000U };
	struct model *model = &collection.model;

	for (unsigned int round = 0; round < 200; round++) {
		struct collection read;

		model_forget_entries(model);
		for (__u64 i = random_below(40); i--;) {
			__u64 end_ns = NOW_NS - random_below(20) * 30 * MS;
			struct tio_record *rec =
				&add_hard(model, cpus[random_below(random_below(8) ? 3 : 6)],
					  random_below(60), end_ns,
					  (1 + random_below(60)) * MS)->rec;

			rec->kind = random_below(20) ? random_below(2) : 77;
			rec->open = !random_below(20);
			if (!random_below(20))
				rec->max_ns = MS;
		}
		for (size_t i = 0; i < model->ncounters; i++)
			model->counters[i].lost = random_below(2);
		read_capture(&read);
		collect_free(&read);
	}
	fclose(out);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_model(longer_than_it_can_be),
		test_model(before_the_clock),
		test_model(no_such_cpu),
		test_model(no_such_kind),
		test_model(in_the_future),
		test_model(several_at_once),
		test_model(true_ones),
		test_noted(longer_than_it_can_be),
		test_noted(before_the_clock),
		test_noted(no_such_cpu),
		test_noted(no_such_kind),
		test_noted(in_the_future),
		test_noted(several_at_once),
		test_noted(true_ones),
		test_page(numbers_twice),
		test_page(read_briefly),
		test_page(nothing_left),
	};

	return cmocka_run_group_tests_name("contradiction", tests, NULL, NULL);
}
