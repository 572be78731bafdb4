// SPDX-License-Identifier: GPL-2.0-only
/* Why was a reply slow? */
#include "waiters.h"

#include "correlate/blame.h"
#include "correlate/correlate.h"
#include "output/out.h"

#define SECOND		(1000 * MS)
#define ENABLED_NS	(100 * SECOND)
#define TO_NS		(1000 * SECOND)
#define BASE_NS		(200 * 1000)
/* the wall clock at the kernel's 0 */
#define BOOT_NS		(1000000 * SECOND)

static struct correlation correlation;
static struct replies replies;
static struct filter filter;
static char *targets[] = { (char *)"node" };

static int begin(void **state)
{
	open_waiters(state);
	watch_waiters(&(struct watching){
		.cpus = 2, .from_ns = ENABLED_NS, .to_ns = TO_NS, .threshold_ns = 5 * MS,
		.boot_ns = BOOT_NS,
	});
	filter = (struct filter){ .until_ns = ~0ULL };
	replies = (struct replies){ .targets = targets, .ntargets = 1, .grain_ns = 1000 };
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN };
	return 0;
}

static int end(void **state)
{
	correlate_free(&correlation);
	free(replies.all);
	free(filter.cpus);
	return close_waiters(state);
}

#define test_correlation(test)	cmocka_unit_test_setup_teardown(test, begin, end)

/* adds a record that ended then; its counters say that it is there */
static void stall(__u32 cpu, __u64 end_ns, __u64 max_ns)
{
	__u64 seq = model->counters[cpu].produced++;
	struct entry *entry = add_soft(model, cpu, seq, end_ns, max_ns - MS, 0);

	entry->rec.max_ns = max_ns;
	model->counters[cpu].kept++;
}

static struct reply *reply(__u64 sent_ns, __u64 took_ns)
{
	replies.all = grow(replies.all, replies.count, sizeof(*replies.all));
	replies.all[replies.count++] = (struct reply){
		.sent_ns = BOOT_NS + sent_ns, .came_ns = BOOT_NS + sent_ns + took_ns,
	};
	return &replies.all[replies.count - 1];
}

static void lose(__u64 sent_ns)
{
	struct reply *lost = reply(sent_ns, 0);

	lost->lost = true;
	replies.lost++;
	lost->came_ns = 0;
}

/* one that takes as long as usual, each second */
static void usual(void)
{
	for (__u64 at_ns = 110 * SECOND; at_ns < 990 * SECOND; at_ns += SECOND)
		reply(at_ns, BASE_NS);
}

static void correlate(void)
{
	if (replies.count < 100)
		usual();
	model_sort(model);
	judge_all(model);
	correlation.replies = &replies;
	slows_find(&correlation.slows, &replies, 10 * MS);
	correlate_take(&correlation, &waiters, &filter);
	correlate_finish(&correlation);
}

static const struct finding *only(void)
{
	assert_int_equal(correlation.slows.count, 1);
	return correlation.findings;
}

static void held_up(void **state)
{
	const struct finding *finding;

	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlate();
	finding = only();
	assert_int_equal(finding->verdict, CORRELATE_STALL);
	assert_string_equal(finding->suspect->name, "1:0");
	assert_int_equal(correlate_explained(&correlation), 1);
	assert_true(correlation.chance.mean < 0.1);
	assert_int_equal(correlation.ndelays, 1);
	assert_int_equal(correlation.delays[0].all_ns, 60 * MS);
}

/* one that came in the stall, and was held up longer than that */
static void held_up_in_part(void **state)
{
	const struct finding *finding;

	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 90 * MS, 150 * MS);
	correlate();
	finding = only();
	assert_int_equal(finding->verdict, CORRELATE_CANNOT_TELL);
	assert_string_equal(finding->suspect->name, "1:0");
	assert_int_equal(finding->covered_ns, 90 * MS);
}

/* several stalls, one behind the other, of one CPU and then of another one */
static void held_up_again(void **state)
{
	stall(1, 600 * SECOND, 50 * MS);
	stall(1, 600 * SECOND + 50 * MS, 50 * MS);
	reply(600 * SECOND - 50 * MS, 100 * MS + BASE_NS);
	stall(0, 700 * SECOND, 50 * MS);
	stall(1, 700 * SECOND + 50 * MS, 50 * MS);
	reply(700 * SECOND - 50 * MS, 100 * MS + BASE_NS);
	correlate();
	assert_int_equal(correlation.counts[CORRELATE_STALL], 2);
	assert_false(correlation.findings[0].together);
	assert_true(correlation.findings[1].together);
}

/* several that cover most of the delay, none of them half of it, and one of nearly half */
static void held_up_by_several(void **state)
{
	for (unsigned int i = 0; i < 3; i++)
		stall(1, 600 * SECOND - 70 * MS + i * 33 * MS, 29 * MS);
	reply(600 * SECOND - 100 * MS, 100 * MS + BASE_NS);
	stall(1, 700 * SECOND, 45 * MS);
	reply(700 * SECOND - 50 * MS, 100 * MS + BASE_NS);
	correlate();
	assert_int_equal(correlation.counts[CORRELATE_NO_STALL], 0);
	assert_int_equal(correlation.counts[CORRELATE_CANNOT_TELL], 2);
	assert_string_equal(correlation.findings[1].suspect->name, "1:3");
}

/* the upper bound alone covers the delay: the rest may have come before */
static void held_up_maybe(void **state)
{
	stall(1, 600 * SECOND, 100 * MS);
	model->entries[model->nentries - 1]->rec.min_ns = 6 * MS;
	reply(600 * SECOND - 90 * MS, 60 * MS + BASE_NS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
	assert_true(only()->probable);
}

static void not_held_up(void **state)
{
	const struct finding *finding;

	/* on time, and by far shorter */
	stall(1, 600 * SECOND, 7 * MS);
	reply(600 * SECOND - 60 * MS, 100 * MS);
	correlate();
	finding = only();
	assert_int_equal(finding->verdict, CORRELATE_NO_STALL);
	assert_int_equal(finding->over_ns, 49900000);
	assert_ptr_equal(finding->node, &correlation.nodes[0]);
}

/* a CPU that does not take the packets is not to blame */
static void other_cpu(void **state)
{
	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	filter.cpus = alloc(1, sizeof(*filter.cpus));
	filter.ncpus = 1;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_NO_STALL);
}

static void nobody_knows(void **state)
{
	/* before it was watched */
	reply(50 * SECOND, 100 * MS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->why, "only since"));
}

static void page_of(struct page *page, FILE *out)
{
	static struct model none;

	*page = (struct page){ .model = &none, .out = out };
	page->screen.width = 80;
	correlate_select(&page->columns, NULL);
}

static void assert_printed(const char *begin)
{
	struct page page;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	page_of(&page, out);
	text_correlate(&page, &correlation);
	fclose(out);
	assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
	free(text);
}

/* "none" would be an answer */
static void nobody_knows_of_any(void **state)
{
	reply(50 * SECOND, 100 * MS);
	correlate();
	assert_printed("whether stalls explain 1 slow reply cannot be told\n");
}

static void nobody_knows_of_some(void **state)
{
	reply(50 * SECOND, 100 * MS);
	reply(660 * SECOND, 70 * MS);
	correlate();
	assert_printed("stalls explain none of 2 slow replies; 1 cannot be told\n");
}

/* 1.3 ms are less than what has a record: the settings that would tell are named */
static void too_short(void **state)
{
	reply(600 * SECOND, 13 * MS / 10);
	usual();
	correlation.replies = &replies;
	slows_find(&correlation.slows, &replies, MS);
	correlate_take(&correlation, &waiters, &filter);
	correlate_finish(&correlation);
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->remedy, "irqoff start threshold="));
}

/* 12 ms, which a stall of 8 ms would explain, and 9 ms are the shortest that surely has a record */
static void perhaps_too_short(void **state)
{
	for (unsigned int i = 0; i < model->ncounters; i++)
		model->counters[i].threshold_ns = 9 * MS;
	reply(600 * SECOND, 11 * MS + BASE_NS);
	reply(700 * SECOND, 30 * MS + BASE_NS);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(correlation.findings[0].why, "may have no record"));
	/* in a correlation --over is another thing */
	assert_null(strstr(correlation.findings[0].remedy, "--over"));
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_NO_STALL);
}

/* what is no stall in one zone is one in another */
static void zone_unknown(void **state)
{
	correlation.zone_unknown = true;
	stall(1, 700 * SECOND, 100 * MS);
	reply(600 * SECOND, 100 * MS);
	reply(700 * SECOND - 80 * MS, 80 * MS);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(correlation.findings[0].remedy, "TZ="));
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_STALL);
}

static void clock_unknown(void **state)
{
	correlation.clock.how = LOG_CLOCK_STAMPED;
	reply(600 * SECOND, 100 * MS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->remedy, "--offset"));
}

static void clock_given(void **state)
{
	correlation.clock.how = LOG_CLOCK_GIVEN;
	correlation.clock.offset_ns = 2 * SECOND;
	reply(602 * SECOND, 100 * MS);
	stall(1, 700 * SECOND, 100 * MS);
	reply(702 * SECOND - 80 * MS, 80 * MS);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_NO_STALL);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_STALL);
}

/* irregular stalls, and a log whose clock is off; no absence rests on that */
static void clock_fitted(void **state)
{
	static const unsigned int at[] = { 200, 213, 260, 262, 331, 390, 427, 501, 530, 617 };

	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		stall(1, at[i] * SECOND, 100 * MS);
		reply(at[i] * SECOND + 840 * MS - 70 * MS, 70 * MS + BASE_NS);
	}
	reply(800 * SECOND, 100 * MS);
	correlation.clock.how = LOG_CLOCK_STAMPED;
	correlate();
	assert_int_equal(correlation.clock.how, LOG_CLOCK_FITTED);
	assert_in_range(correlation.clock.offset_ns, 840 * MS - 200000, 840 * MS + 200000);
	assert_int_equal(correlation.counts[CORRELATE_STALL], ARRAY_SIZE(at));
	assert_int_equal(correlation.counts[CORRELATE_CANNOT_TELL], 1);
}

/* --offset is wrong, as slow replies show */
static void clock_given_wrong(void **state)
{
	static const unsigned int at[] = { 200, 213, 260, 262, 331, 390, 427, 501, 530, 617 };

	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		stall(1, at[i] * SECOND, 100 * MS);
		reply(at[i] * SECOND + 2345 * MS - 70 * MS, 70 * MS + BASE_NS);
	}
	correlate();
	assert_true(correlation.clock.doubted);
	assert_int_equal(correlation.counts[CORRELATE_NO_STALL], 0);
}

/* a clock that is right in the middle of the log alone is not right */
static void clock_drifts(void **state)
{
	const __u64 from_s = 150, to_s = 950, middle_s = 550;

	for (__u64 at_s = from_s, i = 0; at_s < to_s; at_s += 13 + i * 7 % 31, i++) {
		__u64 end_ns = at_s * SECOND + i * 7919 % 997 * MS;
		double off_ns = 0.00005 * ((double)end_ns - middle_s * 1e9);

		stall(1, end_ns, 30 * MS);
		reply(end_ns - 25 * MS + (__s64)off_ns, 25 * MS + BASE_NS);
	}
	correlation.clock.how = LOG_CLOCK_STAMPED;
	correlate();
	assert_int_equal(correlation.clock.how, LOG_CLOCK_FITTED);
	assert_int_equal(correlation.counts[CORRELATE_STALL], correlation.slows.count);
}

static void lost(void **state)
{
	stall(1, 600 * SECOND, 100 * MS);
	lose(600 * SECOND - 50 * MS);
	lose(700 * SECOND);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_DROPPED);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_NO_STALL);
}

/* a long stall counts, and not a short one of another CPU at that moment */
static void lost_in_the_longer(void **state)
{
	stall(0, 600 * SECOND + 3 * MS, 8 * MS);
	stall(1, 600 * SECOND + 250 * MS, 500 * MS);
	lose(600 * SECOND);
	stall(0, 700 * SECOND + 3 * MS, 8 * MS);
	stall(1, 700 * SECOND + 250 * MS, 500 * MS);
	reply(700 * SECOND, SECOND + 2 * MS)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(correlation.counts[CORRELATE_DROPPED], 2);
	assert_string_equal(correlation.findings[0].suspect->name, "1:0");
}

/* nobody knows how long it waited, and of the last one not when it was sent either */
static void no_latency(void **state)
{
	stall(1, 600 * SECOND, 100 * MS);
	lose(600 * SECOND - 50 * MS);
	lose(700 * SECOND);
	stall(1, 800 * SECOND, 100 * MS);
	lose(800 * SECOND - 50 * MS);
	replies.all[2].unsure_ns = 86400 * SECOND;
	for (size_t i = 0; i < 3; i++)
		replies.all[i].kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_DROPPED);
	for (size_t i = 1; i < 3; i++) {
		assert_int_equal(correlation.findings[i].verdict, CORRELATE_CANNOT_TELL);
		assert_string_equal(correlation.findings[i].why,
				    "the log has no latency of the request");
	}
}

/* whatever else there is to say, nobody knows whether anything was lost */
static void untold(void **state)
{
	stall(1, 600 * SECOND, 100 * MS);
	lose(600 * SECOND - 50 * MS);
	replies.all[0].kind = REPLY_REQUEST;
	replies.all[0].untold = true;
	replies.lost--;
	replies.untold++;
	replies.grain_ns = SECOND;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_string_equal(only()->why, "the log has no latency of the request");
	assert_null(only()->suspect);
}

/* nobody knows just when it was sent */
static void lost_about_then(void **state)
{
	stall(1, 601 * SECOND + 250 * MS, 90 * MS);
	lose(601 * SECOND + 100 * MS);
	replies.all[replies.count - 1].unsure_ns = 100 * MS;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
}

static void lost_syn(void **state)
{
	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 50 * MS, SECOND + 20 * MS)->kind = REPLY_REQUEST;
	reply(700 * SECOND, 3 * SECOND + 100 * MS)->kind = REPLY_REQUEST;
	/* no retransmission takes so long; and of a ping nothing is sent again */
	reply(750 * SECOND, 2 * SECOND)->kind = REPLY_REQUEST;
	reply(800 * SECOND, SECOND);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_DROPPED);
	assert_int_equal(correlation.findings[0].resent_s, 1);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_LOST_SYN);
	assert_int_equal(correlation.findings[1].resent_s, 3);
	assert_int_equal(correlation.findings[2].verdict, CORRELATE_NO_STALL);
	assert_int_equal(correlation.findings[3].verdict, CORRELATE_NO_STALL);
}

static void whole_seconds(void **state)
{
	replies.grain_ns = SECOND;
	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	reply(700 * SECOND, SECOND)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_CANNOT_TELL);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_CANNOT_TELL);
}

/* 99, 89, 79 ms: one backlog */
static void train(void **state)
{
	stall(1, 600 * SECOND, 110 * MS);
	for (unsigned int i = 1; i <= 9; i++)
		reply(600 * SECOND - i * 11 * MS, i * 11 * MS + BASE_NS);
	reply(700 * SECOND, 20 * MS);
	correlate();
	assert_int_equal(correlation.slows.ntrains, 2);
	assert_int_equal(correlation.slows.trains[0].count, 9);
	assert_int_equal(correlation.slows.trains[0].need_ns, 99 * MS - MS - 99 * MS / 10);
	assert_int_equal(correlation.counts[CORRELATE_STALL], 9);
}

/* where stalls are frequent, chance explains a lot */
static void by_chance(void **state)
{
	for (__u64 at_ns = 110 * SECOND; at_ns < 900 * SECOND; at_ns += 200 * MS)
		stall(1, at_ns, 100 * MS);
	for (__u64 at_ns = 120 * SECOND; at_ns < 800 * SECOND; at_ns += 1700 * MS)
		reply(at_ns - 20 * MS, 20 * MS + BASE_NS);
	correlate();
	assert_true(correlate_explained(&correlation) > 50);
	assert_true(correlation.chance.mean > 50);
	assert_true(correlation.chance.most >= correlation.chance.mean);
}

/* connects at arbitrary times, while CPUs are stalled for half of the time */
static void dropped_by_chance(void **state)
{
	for (__u64 at_ns = 110 * SECOND; at_ns < 900 * SECOND; at_ns += 200 * MS)
		stall(1, at_ns, 100 * MS);
	for (unsigned int i = 0; i < 60; i++)
		reply(120 * SECOND + i * 11237 * MS, SECOND + 3 * MS)->kind = REPLY_REQUEST;
	correlate();
	assert_in_range(correlation.counts[CORRELATE_DROPPED], 15, 45);
	assert_true(correlation.chance.mean > 15);
}

/* in the time before stalls were recorded there is no chance */
static void chance_of_watched_time(void **state)
{
	double mean;

	for (__u64 at_ns = 510 * SECOND; at_ns < 900 * SECOND; at_ns += 2 * SECOND)
		stall(1, at_ns, 100 * MS);
	for (__u64 at_ns = 511 * SECOND; at_ns < 890 * SECOND; at_ns += 3700 * MS)
		reply(at_ns, 50 * MS);
	for (unsigned int i = 0; i < 2; i++)
		model->counters[i].watched_ns = 500 * SECOND;
	correlate();
	mean = correlation.chance.mean;
	assert_true(mean > 1);
	correlate_free(&correlation);
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN };
	for (__u64 at_ns = 110 * SECOND; at_ns < 500 * SECOND; at_ns += SECOND / 10)
		reply(at_ns, BASE_NS);
	correlate();
	assert_true(correlation.chance.mean > mean / 2);
}

static void resends(void **state)
{
	assert_int_equal(resend_second(SECOND, false), 1);
	assert_int_equal(resend_second(SECOND - 20 * MS, false), 0);
	assert_int_equal(resend_second(1120 * MS, false), 1);
	assert_int_equal(resend_second(1200 * MS, false), 0);
	assert_int_equal(resend_second(2 * SECOND, false), 0);
	assert_int_equal(resend_second(2 * SECOND, true), 2);
	assert_int_equal(resend_second(7 * SECOND + 256 * MS, false), 7);
	assert_int_equal(resend_second(31 * SECOND, false), 31);
}

/* what a recorder read at a moment: packets of CPUs 0 and 1, and what they dropped */
static void count(__u64 at_ns, unsigned int first, unsigned int second, unsigned int dropped)
{
	char text[512];
	const struct counted_file file = {
		.path = "/proc/net/softnet_stat", .text = text, .read = { at_ns, at_ns },
	};

	snprintf(text, sizeof(text), "%08x 0 0 0 0 0 0 0 0 0 0 0 00000000 0 0\n"
		 "%08x %08x 0 0 0 0 0 0 0 0 0 0 00000001 0 0\n", first, second, dropped);
	counted_file(&model->counted, &file);
}

static void count_tcp(__u64 at_ns, unsigned int retrans, unsigned int failed)
{
	char netstat[256], conntrack[256];
	const struct counted_file files[] = {
		{ .path = "/proc/net/netstat", .text = netstat, .read = { at_ns, at_ns } },
		{ .path = "/proc/net/stat/nf_conntrack", .text = conntrack,
		  .read = { at_ns, at_ns } },
	};

	snprintf(netstat, sizeof(netstat),
		 "TcpExt: ListenDrops TCPSynRetrans\nTcpExt: 0 %u\n", retrans);
	snprintf(conntrack, sizeof(conntrack), "entries insert_failed\n00000000 %08x\n", failed);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		counted_file(&model->counted, &files[i]);
}

/* one that took no packets in that time is not to blame */
static void took_no_packets(void **state)
{
	count(100 * SECOND, 10, 20, 0);
	count(995 * SECOND, 500, 20, 0);
	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_NO_STALL);
	assert_string_equal(correlation.nodes[0].how,
			    "CPU 0 took packets in that time (softnet_stat), the others are not asked");
}

static void serve(const char *dev, enum serving_why why, __u32 cpu)
{
	struct serving serving = { .why = why };

	if (!serving_any(why))
		cpuset_add(&serving.cpus, cpu);
	counted_serving(&model->counted, dev, &serving, SERVING_THEN);
	cpuset_free(&serving.cpus);
}

/* both took packets, and the device's interrupts go to one of them */
static void of_a_device(void **state)
{
	count(100 * SECOND, 10, 20, 0);
	count(995 * SECOND, 500, 600, 0);
	serve("eth0", SERVING_INTERRUPTS, 0);
	serve("eth1", SERVING_INTERRUPTS, 1);
	serve("veth0", SERVING_NO_INTERRUPTS, 0);
	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlation.dev = "eth0";
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_NO_STALL);
	correlate_free(&correlation);
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN, .dev = "eth1" };
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
	correlate_free(&correlation);
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN, .dev = "veth0" };
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
}

/* with RPS the CPU that is interrupted hands all packets on, and counts none */
static void steered(void **state)
{
	struct serving serving = { .why = SERVING_STEERED };

	cpuset_add(&serving.cpus, 0);
	cpuset_add(&serving.cpus, 1);
	counted_serving(&model->counted, "eth0", &serving, SERVING_THEN);
	cpuset_free(&serving.cpus);
	count(100 * SECOND, 0, 20, 0);
	count(995 * SECOND, 0, 5000, 0);
	stall(0, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS);
	correlation.dev = "eth0";
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
	correlate_free(&correlation);
	correlation = (struct correlation){ .clock.how = LOG_CLOCK_GIVEN };
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
}

/* tasks reply to requests, on CPUs that take no packets */
static void task_replies(void **state)
{
	count(100 * SECOND, 10, 20, 0);
	count(995 * SECOND, 500, 20, 0);
	stall(1, 600 * SECOND, 100 * MS);
	reply(600 * SECOND - 60 * MS, 60 * MS + BASE_NS)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_STALL);
}

/* one that took packets and went offline: nobody knows what it did */
static void went_offline(void **state)
{
	count(100 * SECOND, 10, 20, 0);
	count(995 * SECOND, 500, 600, 0);
	free(model->config.online);
	model->config.online = copy_text("0");
	reply(600 * SECOND, 60 * MS + BASE_NS);
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
	assert_non_null(strstr(only()->why, "CPU 1 "));
}

static void unknown_device(void **state)
{
	serve("eth0", SERVING_INTERRUPTS, 0);
	correlation.dev = "eth7";
	assert_int_equal(correlate_take(&correlation, &waiters, &filter), EXIT_FAILED);
}

/* counters say that a packet was dropped, or a SYN sent again, and why */
static void counted_losses(void **state)
{
	count(100 * SECOND, 10, 20, 0);
	count_tcp(100 * SECOND, 0, 0);
	count(650 * SECOND, 400, 400, 0);
	count_tcp(650 * SECOND, 0, 0);
	count(725 * SECOND, 500, 500, 7);
	count_tcp(725 * SECOND, 1, 0);
	count(780 * SECOND, 500, 500, 7);
	count_tcp(780 * SECOND, 2, 1);
	count(995 * SECOND, 900, 900, 7);
	count_tcp(995 * SECOND, 2, 1);
	stall(1, 600 * SECOND, 100 * MS);
	lose(600 * SECOND - 50 * MS);
	stall(1, 700 * SECOND, 100 * MS);
	lose(700 * SECOND - 50 * MS);
	reply(710 * SECOND, SECOND)->kind = REPLY_REQUEST;
	reply(760 * SECOND, SECOND)->kind = REPLY_REQUEST;
	reply(800 * SECOND, SECOND)->kind = REPLY_REQUEST;
	correlate();
	/* none was dropped then, and seven */
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_DROPPED);
	assert_true(correlation.findings[0].probable);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_DROPPED);
	assert_false(correlation.findings[1].probable);
	assert_false(correlation.findings[2].probable);
	assert_null(net_drops_cause(correlation.findings[2].losses));
	assert_false(correlation.findings[3].probable);
	assert_string_equal(net_drops_cause(correlation.findings[3].losses),
			    "conntrack-insert-failed");
	assert_true(correlation.findings[4].probable);
}

/* a capture that is given twice has not counted twice, and its losses are asked for 15 s */
static void counted_once(void **state)
{
	count_tcp(100 * SECOND, 0, 0);
	count_tcp(650 * SECOND, 0, 0);
	count_tcp(780 * SECOND, 1, 0);
	reply(700 * SECOND, 15 * SECOND + 5 * MS)->kind = REPLY_REQUEST;
	usual();
	correlation.replies = &replies;
	slows_find(&correlation.slows, &replies, 10 * MS);
	correlate_take(&correlation, &waiters, &filter);
	correlate_take(&correlation, &waiters, &filter);
	correlate_finish(&correlation);
	assert_int_equal(only()->resent_s, 15);
	assert_false(only()->probable);
	assert_int_equal(only()->losses->net[NET_SYN_RETRANS].value, 1);
}

/* where a kernel of 6.5 or newer sends them, the times of SYNs are others */
static void syn_linear(void **state)
{
	const struct counted_file file = { .path = SYN_LINEAR_PATH, .text = "4\n" };

	counted_file(&model->counted, &file);
	reply(700 * SECOND, 2 * SECOND)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_LOST_SYN);
	assert_int_equal(only()->resent_s, 2);
}

/* a page of each kind of verdict */
static void everything(void)
{
	char culprit[] = "estimation_timer";
	unsigned int i;

	stall(1, 600 * SECOND, 110 * MS);
	for (i = 1; i <= 9; i++)
		reply(600 * SECOND - i * 11 * MS, i * 11 * MS + BASE_NS);
	stall(0, 620 * SECOND, 80 * MS);
	lose(620 * SECOND - 40 * MS);
	reply(640 * SECOND, 3 * SECOND + 50 * MS)->kind = REPLY_REQUEST;
	reply(660 * SECOND, 70 * MS);
	reply(50 * SECOND, 70 * MS);
	correlate();
	for (size_t k = 0; k < correlation.suspects.count; k++) {
		free(correlation.suspects.all[k].culprit);
		correlation.suspects.all[k].culprit = copy_text(culprit);
	}
}

static void printed(void **state)
{
	struct log_names names = { 0 };
	struct page page;
	char *text;
	size_t size;
	FILE *out;

	everything();
	log_names_add(&names, "ping.log", replies.count);
	correlation.names = &names;
	out = open_memstream(&text, &size);
	page_of(&page, out);
	text_correlate(&page, &correlation);
	assert_golden("correlate.txt", out, &text);
	out = open_memstream(&text, &size);
	json_correlate(&correlation, out);
	assert_golden("correlate.json", out, &text);
	log_names_free(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_correlation(held_up),
		test_correlation(held_up_in_part),
		test_correlation(held_up_again),
		test_correlation(not_held_up),
		test_correlation(other_cpu),
		test_correlation(nobody_knows),
		test_correlation(nobody_knows_of_any),
		test_correlation(nobody_knows_of_some),
		test_correlation(too_short),
		test_correlation(perhaps_too_short),
		test_correlation(zone_unknown),
		test_correlation(clock_unknown),
		test_correlation(clock_given),
		test_correlation(clock_fitted),
		test_correlation(lost),
		test_correlation(lost_syn),
		test_correlation(whole_seconds),
		test_correlation(train),
		test_correlation(by_chance),
		test_correlation(took_no_packets),
		test_correlation(of_a_device),
		test_correlation(unknown_device),
		test_correlation(counted_losses),
		test_correlation(syn_linear),
		test_correlation(held_up_by_several),
		test_correlation(held_up_maybe),
		test_correlation(steered),
		test_correlation(task_replies),
		test_correlation(went_offline),
		test_correlation(clock_given_wrong),
		test_correlation(clock_drifts),
		test_correlation(lost_in_the_longer),
		test_correlation(lost_about_then),
		test_correlation(no_latency),
		test_correlation(untold),
		test_correlation(dropped_by_chance),
		test_correlation(chance_of_watched_time),
		test_correlation(counted_once),
		test_correlation(printed),
		cmocka_unit_test(resends),
	};

	return cmocka_run_group_tests_name("correlate", tests, NULL, NULL);
}
