// SPDX-License-Identifier: GPL-2.0-only
/* Packets and SYNs that were lost, and requests of which nobody knows. */
#include "correlated.h"

static void lost(void **state)
{
	add_stall(1, 600 * SECOND, 100 * MS);
	add_lost(600 * SECOND - 50 * MS);
	add_lost(700 * SECOND);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_DROPPED);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_NO_STALL);
}

/* a long stall counts, and not a short one of another CPU at that moment */
static void lost_in_the_longer(void **state)
{
	add_stall(0, 600 * SECOND + 3 * MS, 8 * MS);
	add_stall(1, 600 * SECOND + 250 * MS, 500 * MS);
	add_lost(600 * SECOND);
	add_stall(0, 700 * SECOND + 3 * MS, 8 * MS);
	add_stall(1, 700 * SECOND + 250 * MS, 500 * MS);
	add_reply(700 * SECOND, SECOND + 2 * MS)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(correlation.counts[CORRELATE_DROPPED], 2);
	assert_string_equal(correlation.findings[0].suspect->name, "1:0");
}

/* nobody knows how long it waited, and of the last one not when it was sent either */
static void no_latency(void **state)
{
	add_stall(1, 600 * SECOND, 100 * MS);
	add_lost(600 * SECOND - 50 * MS);
	add_lost(700 * SECOND);
	add_stall(1, 800 * SECOND, 100 * MS);
	add_lost(800 * SECOND - 50 * MS);
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
	add_stall(1, 600 * SECOND, 100 * MS);
	add_lost(600 * SECOND - 50 * MS);
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
	add_stall(1, 601 * SECOND + 250 * MS, 90 * MS);
	add_lost(601 * SECOND + 100 * MS);
	replies.all[replies.count - 1].unsure_ns = 100 * MS;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_CANNOT_TELL);
}

static void lost_syn(void **state)
{
	add_stall(1, 600 * SECOND, 100 * MS);
	add_reply(600 * SECOND - 50 * MS, SECOND + 20 * MS)->kind = REPLY_REQUEST;
	add_reply(700 * SECOND, 3 * SECOND + 100 * MS)->kind = REPLY_REQUEST;
	/* no retransmission takes so long; and of a ping nothing is sent again */
	add_reply(750 * SECOND, 2 * SECOND)->kind = REPLY_REQUEST;
	add_reply(800 * SECOND, SECOND);
	correlate();
	assert_int_equal(correlation.findings[0].verdict, CORRELATE_DROPPED);
	assert_int_equal(correlation.findings[0].resent_s, 1);
	assert_int_equal(correlation.findings[1].verdict, CORRELATE_LOST_SYN);
	assert_int_equal(correlation.findings[1].resent_s, 3);
	assert_int_equal(correlation.findings[2].verdict, CORRELATE_NO_STALL);
	assert_int_equal(correlation.findings[3].verdict, CORRELATE_NO_STALL);
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

/* counters say that a packet was dropped, or a SYN sent again, and why */
static void counted_losses(void **state)
{
	count_packets(100 * SECOND, 10, 20, 0);
	count_tcp(100 * SECOND, 0, 0);
	count_packets(650 * SECOND, 400, 400, 0);
	count_tcp(650 * SECOND, 0, 0);
	count_packets(725 * SECOND, 500, 500, 7);
	count_tcp(725 * SECOND, 1, 0);
	count_packets(780 * SECOND, 500, 500, 7);
	count_tcp(780 * SECOND, 2, 1);
	count_packets(995 * SECOND, 900, 900, 7);
	count_tcp(995 * SECOND, 2, 1);
	add_stall(1, 600 * SECOND, 100 * MS);
	add_lost(600 * SECOND - 50 * MS);
	add_stall(1, 700 * SECOND, 100 * MS);
	add_lost(700 * SECOND - 50 * MS);
	add_reply(710 * SECOND, SECOND)->kind = REPLY_REQUEST;
	add_reply(760 * SECOND, SECOND)->kind = REPLY_REQUEST;
	add_reply(800 * SECOND, SECOND)->kind = REPLY_REQUEST;
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
	add_reply(700 * SECOND, 15 * SECOND + 5 * MS)->kind = REPLY_REQUEST;
	add_usual();
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
	add_reply(700 * SECOND, 2 * SECOND)->kind = REPLY_REQUEST;
	correlate();
	assert_int_equal(only()->verdict, CORRELATE_LOST_SYN);
	assert_int_equal(only()->resent_s, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_correlation(lost),
		test_correlation(lost_syn),
		test_correlation(lost_in_the_longer),
		test_correlation(lost_about_then),
		test_correlation(no_latency),
		test_correlation(untold),
		test_correlation(counted_losses),
		test_correlation(counted_once),
		test_correlation(syn_linear),
		cmocka_unit_test(resends),
	};

	return cmocka_run_group_tests_name("correlate: lost", tests, NULL, NULL);
}
