// SPDX-License-Identifier: GPL-2.0-only
/* Logs of packets and their replies, whichever tool printed them. */
#include "logs.h"

/* read as it is printed: replies are there at once, and what is lost after ten seconds */
static void live(void **state)
{
	static const char late[] = "64 bytes from 10.0.0.2: icmp_seq=11 ttl=64 time=49000 ms\n";
	struct reply_log *log = reply_log("-", &options, &replies);
	char line[128];

	for (unsigned int i = 1; i < 60; i++) {
		size_t before = replies.count;

		if (i == 10 || i == 11)
			continue;
		sprintf(line, "64 bytes from 10.0.0.2: icmp_seq=%u ttl=64 time=3.00 ms\n", i);
		assert_int_equal(reply_log_line(log, line, at_ms(1000 * i)), EXIT_DONE);
		assert_reply(before, i, at_ms(1000 * i - 3), at_ms(1000 * i));
		assert_int_equal(count_lost(), i < 22 ? 0 : 2);
	}
	assert_lost(10, at_ms(9997));
	assert_lost(11, at_ms(10997));
	/* it comes after all, in the place of the lost one */
	assert_int_equal(reply_log_line(log, late, at_ms(60000)), EXIT_DONE);
	assert_int_equal(count_lost(), 1);
	assert_int_equal(number(11)->came_ns, at_ms(60000));
	assert_int_equal(replies.count, 59);
	assert_int_equal(reply_log_end(log), EXIT_DONE);
	assert_int_equal(replies.count, 59);
	assert_int_equal(replies.grain_ns, 1);
}

static void no_times(void **state)
{
	static const char fping[] =
		"127.0.0.1 : [0], 64 bytes, 0.034 ms (0.034 avg, 0% loss)\n";
	static const char hping[] =
		"len=40 ip=10.0.0.2 ttl=64 DF id=0 sport=80 flags=RA seq=0 win=0 rtt=0.7 ms\n";
	static const char text1[] =
		"PING localhost (127.0.0.1) 56(84) bytes of data.\n"
		"64 bytes from localhost (127.0.0.1): icmp_seq=1 ttl=64 time=0.023 ms\n";
	static const char text2[] =
		"PING 127.0.0.1 (127.0.0.1) 8(36) bytes of data.\n"
		"[1795731964.903819] 16 bytes from 127.0.0.1: icmp_seq=1 ttl=64\n";
	static const char text3[] =
		"PING 10.77.0.9 (10.77.0.9) 56(84) bytes of data.\n"
		"[1795732219.044075] no answer yet for icmp_seq=1\n"
		"[1795732219.044429] From 10.77.0.1 icmp_seq=2 Destination Port Unreachable\n"
		"\n--- 10.77.0.9 ping statistics ---\n"
		"3 packets transmitted, 0 received, +3 errors, 100% packet loss, time 2044ms\n";

	assert_int_equal(read_text("p.log", text1), EXIT_FAILED);
	assert_said("p.log: line 2 has no time of day; 'ping -D' prints it");
	assert_int_equal(read_text("f", fping), EXIT_FAILED);
	assert_said("f: line 1 has no time of day; 'fping -D' prints it");
	assert_int_equal(read_text("h", hping), EXIT_USAGE);
	assert_said("h: hping3 prints no time of day; pipe 'stdbuf -oL hping3 ...' into 'irqoff ");
	assert_said(" or give --start and --interval");
	/* too short for a time, and nothing came at all */
	assert_int_equal(read_text("p", text2), EXIT_FAILED);
	assert_said("p: no line of it is a reply; irqoff correlate reads ping -D, hping3, fping");
	assert_said(" -D, and CSV or JSON lines with time and latency\n");
	assert_int_equal(read_text("p", text3), EXIT_FAILED);
	assert_int_equal(replies.count, 0);
}

/* lines that ts(1) has stamped, and some that only look so */
static void stamped_by_others(void **state)
{
	static const char stamped[] =
		"1795244400.250000 HPING 10.0.0.2 (eth0 10.0.0.2): S set, 40 headers\n"
		"1795244400.500000 len=46 ip=10.0.0.2 ttl=64 sport=80 flags=SA seq=0 rtt=3.8 ms\n";

	assert_int_equal(read_text("log", stamped), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.all[0].came_ns, 1795244400 * SECOND + 500 * MS);
	assert_int_equal(read_text("log", "64 of bytes from ::1: icmp_seq=1 ttl=64 time=1 ms\n"),
			 EXIT_FAILED);
	assert_said("line 1 has no time of day");
	assert_int_equal(read_text("log", ""), EXIT_FAILED);
	assert_said("log is empty");
	assert_int_equal(read_text("log", "\x1f\x8b\x08"), EXIT_FAILED);
	assert_said("zcat log | irqoff correlate");
}

/* once one line has a stamp of somebody, that of each line is cut off */
static void stamped_throughout(void **state)
{
	static const char ping[] =
		"PING 10.0.0.2 (10.0.0.2): 56 data bytes\n"
		"2026-11-21T06:53:21.5Z 64 bytes from 10.0.0.2: seq=0 ttl=64 time=0.3 ms\n"
		"2026-11-21T06:53:22.5Z 64 bytes from 10.0.0.2: seq=1 ttl=64 time=0.3 ms\n"
		"2026-11-21T06:53:23.5Z From 10.0.0.1 icmp_seq=2 Destination Host Unreachable\n"
		"2026-11-21T06:53:24.5Z no answer yet for icmp_seq=3\n"
		"2026-11-21T06:53:25.5Z\x20\n"
		"2026-11-21T06:53:25.5Z --- 10.0.0.2 ping statistics ---\n"
		"2026-11-21T06:53:25.5Z 5 packets transmitted, 2 packets received, 60% loss\n"
		"2026-11-21T06:53:25.5Z round-trip min/avg/max = 0.3/0.3/0.3 ms\n";
	static const char seconds[] =
		"1795244400 64 bytes from 10.0.0.2: seq=0 ttl=64 time=0.3 ms\n"
		"1795244401 64 bytes from 10.0.0.2: seq=1 ttl=64 time=0.3 ms\n"
		"1795244409 4 packets transmitted, 2 packets received, 50% packet loss\n";
	static const char hping[] =
		"1795244400.1 HPING 10.0.0.2 (eth0 10.0.0.2): S set, 40 headers + 0 data bytes\n"
		"1795244400.1 len=44 ip=10.0.0.2 ttl=64 sport=80 flags=SA seq=0 rtt=0.3 ms\n"
		"1795244401.1 DUP! len=44 ip=10.0.0.2 ttl=64 sport=80 flags=SA seq=0 rtt=0.3 ms\n"
		"1795244401.1 ICMP Host Unreachable from ip=10.0.0.1 name=UNKNOWN\n"
		"1795244401.1\n"
		"1795244401.1 --- 10.0.0.2 hping statistic ---\n"
		"1795244401.1 1 packets transmitted, 1 packets received, 0% packet loss\n"
		"1795244402.1 something else\n";
	/* nothing shows that a stamp is one */
	static const char bare[] =
		"[1795244400.5] 64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.3 ms\n"
		"1795244409 4 packets transmitted, 1 received, 75% packet loss\n"
		"1795244409.5 4 packets transmitted, 1 received, 75% packet loss\n";

	assert_read(ping, 5, 3, 0);
	assert_lost(2, NOW_REALTIME_NS - 396500 * MS);
	assert_read(seconds, 4, 2, 0);
	assert_int_equal(replies.grain_ns, SECOND);
	assert_read(hping, 1, 0, 1);
	assert_int_equal(replies.grain_ns, 100 * MS);
	assert_int_equal(replies.first_ignored, 8);
	assert_read(bare, 1, 0, 2);
}

/* a request that could not be sent has no reply */
static void not_sent(void **state)
{
	/* as iputils tells it, for IPv6 and by its path, and as BSD and busybox do */
	static const char * const ping[] = {
		"ping: sendmsg: Network is unreachable", "ping6: sendmsg: Operation not permitted",
		"/bin/ping: sendmsg: No route to host", "ping: sendto: No route to host",
	};
	static const char first[] =
		"PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n"
		"[1795244400.5] 64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0.3 ms\n";
	static const char next[] =
		"[1795244403.5] 64 bytes from 10.0.0.2: icmp_seq=4 ttl=64 time=0.3 ms\n";
	/* a packet is counted once, however often it is told of */
	static const char told_twice[] =
		"PING 10.0.0.2 (10.0.0.2) 2000(2028) bytes of data.\n"
		"ping: sendmsg: Message too long\n"
		"ping: local error: message too long, mtu=1500\n"
		"[1795244401.5] 64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time=0.3 ms\n"
		"ping: local error: Message too long\n"
		"2 packets transmitted, 1 received, +1 errors, 50% packet loss, time 1000ms\n";
	static const char fping[] =
		"[1795244400.1] 10.0.0.2 : [0], 64 bytes, 0.312 ms (0.312 avg, 0% loss)\n"
		"10.0.0.2 (10.0.0.2): error while sending ping: Network is unreachable\n"
		"10.0.0.2 error while sending ping: Network is unreachable\n";
	static const char hping[] =
		"HPING 10.0.0.2 (eth0 10.0.0.2): S set, 40 headers + 0 data bytes\n"
		"1795244400.1 len=56 ip=10.0.0.2 ttl=64 sport=80 flags=SA seq=0 rtt=0.3 ms\n"
		"[send_ip] sendto: Operation not permitted\n";
	/* a target of which nothing is known was sent nothing that is known */
	static const char hping_alone[] =
		"HPING 10.0.0.2 (eth0 10.0.0.2): S set, 40 headers + 0 data bytes\n"
		"[send_ip] sendto: Operation not permitted\n";

	for (size_t i = 0; i < ARRAY_SIZE(ping); i++) {
		char text[512];

		snprintf(text, sizeof(text), "%s%s\n%s\n%s%s\n", first, ping[i], ping[i], next,
			 ping[i]);
		assert_read(text, 5, 3, 0);
		assert_int_equal(replies.lost, 3);
		assert_lost(3, 1795244402 * SECOND + 500 * MS);
		assert_lost(5, 1795244404 * SECOND + 500 * MS);
	}
	assert_read(told_twice, 2, 1, 0);
	assert_lost(1, 1795244400 * SECOND + 500 * MS);
	assert_read(fping, 3, 2, 0);
	assert_int_equal(replies.lost, 2);
	assert_read(hping, 2, 1, 0);
	assert_lost(1, 1795244401 * SECOND + 100 * MS);
	replies_free(&replies);
	assert_int_equal(read_text("h", hping_alone), EXIT_FAILED);
	assert_int_equal(replies.count, 0);
}

/* what tools print around replies is passed over, and nothing that may be one */
static void own_lines(void **state)
{
	static const char first[] =
		"[1795244400.5] 64 bytes from 10.0.0.2: icmp_seq=0 ttl=64 time=0.3 ms\n";
	static const char * const ping[] = {
		"^C", "^C--- 10.0.0.2 ping statistics ---",
		"1/1 packets, 0% loss, min/avg/ewma/max = 0.3/0.3/0.3/0.3 ms",
		"^\\1/1 packets, 0% loss", "WARNING: time of day goes back (-1us), taking counter",
		"ping: Warning: time of day goes back (-1us), taking countermeasures",
		"wrong data byte #16 should be 0x10 but was 0x0", "#16\t10 11 12", "cp:10 11",
		"\t 18 19", "dp: 0 1",
	};
	static const char * const not_ping[] = {
		"1/1 packet", "/1 packets, ", "^D", "x ^C", "Request timeout", "wrong data",
		"Request timeout for icmp_seq x", "ping: connect: Network is unreachable",
	};
	static const char fping[] =
		"[1795244400.1] 10.0.0.2 : [0], 64 bytes, 0.312 ms (0.312 avg, 0% loss)\n"
		"[1795244400.2] 10.0.0.2 : duplicate for [0], 64 bytes, 0.3 ms\n"
		"[07:00:01]\n       3 targets\n       1 alive\n 0.03 ms (min round trip time)\n"
		"        2.001 sec (elapsed real time)\n"
		"       0 timeouts (waiting for response)\n       3 ICMP Echos sent\n";
	static const char not_fping[] =
		"[1795244400.1] 10.0.0.2 : [0], 64 bytes, 0.312 ms (0.312 avg, 0% loss)\n"
		"[07:00:01] x\n[07:00:0]\n3 targetss\n targets\n10.0.0.2 is alive\n";
	static const char bsd[] =
		"PING 10.0.0.2 (10.0.0.2): 56 data bytes\n"
		"[1795244400.5] 64 bytes from 10.0.0.2: icmp_seq=0 ttl=64 time=0.3 ms\n"
		"Request timeout for icmp_seq 1\nRequest timeout for icmp_seq 2\n";
	static const char hping[] =
		"1795244400.1 len=56 ip=10.0.0.2 ttl=64 sport=80 flags=SA seq=0 rtt=0.3 ms\n"
		"  TCP timestamp: tcpts=12345\n\n  HZ seems hz=250\n"
		"  System uptime seems: 1 days, 2 hours, 3 minutes, 4 seconds\n"
		"1795244401.1 TTL 0 during transit from ip=10.0.0.1 name=UNKNOWN\n";

	for (size_t i = 0; i < ARRAY_SIZE(ping) + ARRAY_SIZE(not_ping); i++) {
		bool own = i < ARRAY_SIZE(ping);
		const char *line = own ? ping[i] : not_ping[i - ARRAY_SIZE(ping)];
		char text[256];

		snprintf(text, sizeof(text), "%s%s\n", first, line);
		assert_int_equal(read_text("p", text), EXIT_DONE);
		assert_int_equal(replies.count, 1);
		if (replies.ignored != !own)
			fail_msg("%s", line);
		replies_free(&replies);
	}
	assert_read(fping, 1, 0, 0);
	assert_read(not_fping, 1, 0, 5);
	assert_read(bsd, 3, 2, 0);
	assert_read(hping, 1, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_log(live),
		test_log(no_times),
		test_log(stamped_by_others),
		test_log(stamped_throughout),
		test_log(not_sent),
		test_log(own_lines),
	};

	return cmocka_run_group_tests_name("replies", tests, NULL, NULL);
}
