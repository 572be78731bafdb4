// SPDX-License-Identifier: GPL-2.0-only
/* Logs of hping3. */
#include "logs.h"

/* what hping3 3.0.0-alpha-2 prints */
static void of_hping(void **state)
{
	static const char text[] =
		"HPING 127.0.0.1 (lo 127.0.0.1): S set, 40 headers + 0 data bytes\n"
		"len=40 ip=127.0.0.1 ttl=64 DF id=0 sport=80 flags=RA seq=0 win=0 rtt=0.7 ms\n"
		"DUP! len=40 ip=127.0.0.1 ttl=64 DF id=0 sport=80 flags=RA seq=0 win=0 rtt=7.7 ms\n"
		"len=46 ip=127.0.0.1 ttl=64 DF id=0 tos=0 iplen=40\n"
		"sport=80 flags=SA seq=1 win=64240 rtt=1.0 ms\n"
		"seq=0 ack=41328682 sum=5007 urp=0\n"
		"len=40 ip=127.0.0.1 ttl=64 DF id=0 sport=80 flags=RA seq=3 win=0 rtt=0.7 ms\n"
		"\n"
		"--- 127.0.0.1 hping statistic ---\n"
		"4 packets transmitted, 3 packets received, 25% packet loss\n"
		"round-trip min/avg/max = 0.7/0.8/1.0 ms\n";
	static const char damaged[] =
		"HPING 127.0.0.1 (lo 127.0.0.1): S set, 40 headers + 0 data bytes\n"
		"len=40 ip=127.0.0.1 ttl=64 DF id=0 sport=80 flags=RA seq=0 win=0 rtt=0.7 ms\n"
		"len=40 ip=127.0.0.1 ttl=64 DF id=0 sport=80 flags=RA seq=1 win=0 rtt=-0.7 ms\n"
		"len=40 ip=127.0.0.1 ttl=64 DF id=0 sport=80 flags=RA win=0 rtt=0.7 ms\n";
	static const char again[] =
		"HPING 127.0.0.1 (lo 127.0.0.1): icmp mode set, 28 headers + 0 data bytes\n"
		"len=28 ip=127.0.0.1 ttl=64 id=41440 icmp_seq=0 rtt=1.0 ms\n"
		"HPING 127.0.0.1 (lo 127.0.0.1): icmp mode set, 28 headers + 0 data bytes\n";

	options.start_ns = at_ms(0);
	assert_int_equal(read_text("h", text), EXIT_USAGE);
	options.interval_ns = 10 * MS;
	assert_read(text, 4, 1, 0);
	assert_reply(0, 0, at_ms(0), at_ms(0) + 700 * US);
	assert_reply(1, 1, at_ms(10), at_ms(11));
	assert_lost(2, at_ms(20));
	assert_int_equal(number(2)->kind, REPLY_CONNECT);
	assert_int_equal(replies.grain_ns, 100 * US);
	/* a round trip that is damaged is not the tool's own */
	assert_read(damaged, 1, 0, 2);
	assert_int_equal(replies.first_ignored, 3);
	/* the first packet of another run was sent nobody knows when */
	replies_free(&replies);
	assert_int_equal(read_text("h", again), EXIT_USAGE);
	assert_int_equal(replies.all[0].kind, REPLY_ECHO);
	assert_said("h: line 3 begins another run of hping3, and --start is of one");
}

static struct reply_log *hping_log;

static void hping_line(unsigned int seq, __u64 now_ms, __u64 took_ms)
{
	char line[128];

	sprintf(line, "len=28 ip=10.0.0.2 ttl=64 id=1 icmp_seq=%u rtt=%llu.0 ms\n", seq & 0xffff,
		took_ms);
	assert_int_equal(reply_log_line(hping_log, line, at_ms(now_ms)), EXIT_DONE);
}

/* some round trips are a second too long; those that hping3 forgot are 0.0 ms */
static void hping_quirks(void **state)
{
	hping_log = reply_log("-", &options, &replies);
	for (unsigned int i = 0; i < 500; i++)
		if (i != 50)
			hping_line(i, i * 10 + 2, i % 100 ? 2 : i ? 1002 : 2);
	for (unsigned int i = 0; i < replies.count; i++)
		assert_int_equal(replies.all[i].came_ns - replies.all[i].sent_ns, 2 * MS);
	/* 50 comes after more than 400 others */
	hping_line(50, 5000, 0);
	assert_int_equal(number(50)->sent_ns, at_ms(500));
	assert_int_equal(number(50)->came_ns, at_ms(5000));
	assert_int_equal(reply_log_end(hping_log), EXIT_DONE);
	assert_int_equal(count_lost(), 0);

	/* a second too long, in a file; and one that really is so long */
	replies_free(&replies);
	options.start_ns = at_ms(0);
	options.interval_ns = 10 * MS;
	hping_log = reply_log("-", &options, &replies);
	hping_line(0, 0, 2);
	hping_line(1, 0, 1002);
	hping_line(3, 0, 1002);
	hping_line(4, 0, 2);
	hping_line(5, 0, 1002);
	hping_line(6, 0, 992);
	assert_int_equal(reply_log_end(hping_log), EXIT_DONE);
	assert_reply(1, 1, at_ms(10), at_ms(12));
	assert_reply(2, 3, at_ms(30), at_ms(32));
	assert_reply(4, 5, at_ms(50), at_ms(1052));
}

/* numbers of --icmp have 16 bits, and then there are no round trips; those of TCP have more */
static void hping_wraps(void **state)
{
	/* the same packet twice, which the log passes first: nothing of it counts */
	static const char passed[] =
		"len=28 ip=10.0.0.4 ttl=64 id=1 icmp_seq=652006 rtt=0.0 ms\n"
		"len=28 ip=10.0.0.4 ttl=64 id=1 icmp_seq=652006 rtt=0.1 ms\n";
	/* whatever else there is, the log is not ping's */
	static const char passed_first[] =
		"len=28 ip=10.0.0.4 ttl=64 id=1 icmp_seq=652006 rtt=0.0 ms\n"
		"[1795733057.900000] no answer yet for icmp_seq=652010\n";
	/* the packet between these is lost, in a log of which nothing else is known */
	static const char passed_by[] =
		"len=28 ip=10.0.0.4 ttl=64 id=1 icmp_seq=652006 rtt=0.0 ms\n"
		"len=28 ip=10.0.0.4 ttl=64 id=1 icmp_seq=652008 rtt=0.0 ms\n";
	static const char tcp[] =
		"len=40 ip=10.0.0.3 ttl=64 DF id=0 sport=9 flags=RA seq=65535 win=0 rtt=0.1 ms\n"
		"len=40 ip=10.0.0.3 ttl=64 DF id=0 sport=9 flags=RA seq=65537 win=0 rtt=0.0 ms\n"
		"len=40 ip=10.0.0.3 ttl=64 DF id=0 sport=9 flags=RA seq=0 win=0 rtt=0.0 ms\n";

	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	options.start_ns = at_ms(0);
	options.interval_ns = MS;
	for (unsigned int i = 65530; i < 65545; i++)
		fprintf(out, "len=28 ip=10.0.0.2 ttl=64 id=1 icmp_seq=%u rtt=%s ms\n", i & 0xffff,
			i < 65536 ? "0.3" : "0.0");
	read_written(out, &text);
	assert_int_equal(replies.count, 6);
	assert_int_equal(replies.ignored, 9);
	assert_said("log: hping3 --icmp prints no round trips after 65536 packets; with -S");
	assert_int_equal(read_text("t", tcp), EXIT_DONE);
	assert_int_equal(replies.count, 9);
	assert_reply(7, 65537, at_ms(65537), at_ms(65537));
	assert_lost(65536, at_ms(65536));
	assert_int_equal(read_text("p", passed), EXIT_FAILED);
	assert_said("p: no line of it is a reply");
	assert_int_equal(read_text("q", passed_first), EXIT_FAILED);
	assert_said("q: no line of it is a reply");
	assert_int_equal(replies.count, 9);
	replies_free(&replies);
	assert_int_equal(read_text("r", passed_by), EXIT_FAILED);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.grain_ns, 100 * US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_log(of_hping),
		test_log(hping_quirks),
		test_log(hping_wraps),
	};

	return cmocka_run_group_tests_name("replies to hping3", tests, NULL, NULL);
}
