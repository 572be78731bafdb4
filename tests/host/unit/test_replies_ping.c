// SPDX-License-Identifier: GPL-2.0-only
/* Logs of ping. */
#include "logs.h"

/* what iputils 20221126 prints */
static void of_ping(void **state)
{
	static const char text[] =
		"PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.\n"
		"[1795731963.687273] 64 bytes from 127.0.0.1: icmp_seq=1 ttl=64 time=0.307 ms\n"
		"[1795731963.891639] 64 bytes from 127.0.0.1: icmp_seq=2 ttl=64 time=12.5 ms\a\n"
		"[1795731964.092175] 64 bytes from 127.0.0.1: icmp_seq=3 ttl=64 time=0.042 ms\t(same route)\n"
		"\n"
		"--- 127.0.0.1 ping statistics ---\n"
		"3 packets transmitted, 3 received, 0% packet loss, time 405ms\n"
		"rtt min/avg/max/mdev = 0.031/0.126/0.307/0.127 ms\n";

	assert_read(text, 3, 0, 0);
	assert_reply(0, 1, 1795731963686966000, 1795731963687273000);
	assert_reply(1, 2, 1795731963879139000, 1795731963891639000);
	assert_reply(2, 3, 1795731964092133000, 1795731964092175000);
	assert_int_equal(replies.all[1].line, 3);
	assert_int_equal(replies.all[1].kind, REPLY_ECHO);
	assert_int_equal(replies.ntargets, 1);
	assert_string_equal(replies.targets[0], "127.0.0.1");
	assert_int_equal(replies.grain_ns, US);
	assert_string_equal(said, "");
}

static void ping_names(void **state)
{
	static const char text1[] =
		"PING ::1(::1) 56 data bytes\n"
		"[1795731964.701411] 64 bytes from ::1: icmp_seq=1 ttl=64 time=0.963 ms\n";
	static const char text2[] =
		"PING localhost (127.0.0.1) 56(84) bytes of data.\n"
		"[1795731964.7] 8 bytes from localhost (127.0.0.1): icmp_seq=1 time=0.2 ms\n";
	static const char text3[] =
		"[1795731965.322964] 64 bytes from localhost (127.0.0.1): icmp_seq=9 ident=29 time=0.038 ms\n"
		"[1795731966.322964] 64 bytes from fe80::1%eth0: icmp_seq=9 ttl=64 time=0.038 ms\n";

	assert_int_equal(read_text("a", text1), 0);
	assert_int_equal(read_text("b", text2), 0);
	/* the first line is not there */
	assert_int_equal(read_text("c", text3), 0);
	assert_int_equal(replies.count, 4);
	assert_int_equal(replies.ntargets, 3);
	assert_string_equal(replies.targets[0], "::1");
	assert_string_equal(replies.targets[1], "localhost");
	assert_string_equal(replies.targets[2], "fe80::1%eth0");
	assert_int_equal(replies.all[2].target, 1);
	/* the coarsest log's */
	assert_int_equal(replies.grain_ns, 100 * MS);
}

static void ping_lost(void **state)
{
	static const char text1[] =
		"[1795000001.220000] 64 bytes from 10.0.0.2: icmp_seq=7 ttl=64 time=20 ms (DUP!)\n"
		"[1795000001.600000] no answer yet for icmp_seq=8\n"
		"[1795000001.700000] From 10.0.0.1 icmp_seq=9 Destination Host Unreachable\n";
	static const char text2[] =
		"[1795000002.700000] 56 bytes from 10.0.0.2: icmp_seq=14 ttl=64 (truncated)\n"
		"\n--- 10.0.0.2 ping statistics ---\n"
		"16 packets transmitted, 10 received, 37% packet loss, time 3000ms\n"
		"pipe 3\n";
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n", out);
	/* 1 is lost, 4 comes after 5, 7 twice, 8 and 9 are lost, 10 is sent 150 ms late */
	put_ping(out, 2, 200, 500);
	put_ping(out, 3, 400, 500);
	put_ping(out, 5, 800, 500);
	put_ping(out, 4, 600, 220000);
	put_ping(out, 6, 1000, 500);
	put_ping(out, 7, 1200, 500);
	fputs(text1, out);
	put_ping(out, 10, 1950, 500);
	put_ping(out, 11, 2000, 500);
	put_ping(out, 13, 2400, 500);
	fputs(text2, out);
	read_written(out, &text);
	assert_lost(1, at_ms(0));
	assert_int_equal(number(4)->came_ns, at_ms(820));
	assert_lost(8, at_ms(1400));
	assert_lost(9, at_ms(1600));
	assert_lost(12, at_ms(2200));
	/*
	 * A reply to 14 came, and nobody knows how late. Those to 15 and 16 may have been on
	 * their way as ping ended: one took 220 ms.
	 */
	assert_lost(14, at_ms(2600));
	assert_int_equal(replies.count, 14);
	assert_int_equal(count_lost(), 5);
	assert_int_equal(replies.ignored, 1);
}

/* no reply under 1 ms is slow at 1 ms, and none of them is a gap */
static void ping_below(void **state)
{
	static const char text[] =
		"[1795244400.5] 64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time<1 ms\n"
		"[1795244401.5] 64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time<10 ms\n"
		"[1795244402.5] 64 bytes from 10.0.0.2: icmp_seq=2 ttl=64 time<1 ms (DUP!)\n"
		"[1795244403.5] 64 bytes from 10.0.0.2: icmp_seq=3 ttl=64 time=1 ms\n";

	assert_read(text, 3, 0, 0);
	for (unsigned int i = 0; i < 3; i++) {
		static const __u64 took_ns[] = { MS - 1, 10 * MS - 1, MS };

		assert_int_equal(replies.all[i].came_ns - replies.all[i].sent_ns, took_ns[i]);
	}
}

/* as ping prints by other locales; of other tools nothing is taken for it */
static void ping_translated(void **state)
{
	static const char * const lines[] = {
		"64 Bytes von 10.0.0.2: icmp_seq=1 ttl=64 Zeit=0,2 ms",
		"64 octets de 10.0.0.2 : icmp_seq=1 ttl=64 temps=0.034 ms",
		"8 octets de 10.0.0.2 : icmp_seq=1 temps=0.034 ms",
		"64 \u0431\u0430\u0439\u0442 10.0.0.2: icmp_seq=1 ttl=64 \u0432=0.2 \u043c\u0441",
		"64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 time=0,307 ms",
		"64 bytes from 10.0.0.2: icmp_seq=1 ttl=64 tempo=0.307 ms",
	};
	static const char hping[] =
		"len=28 ip=10.0.0.2 ttl=64 id=1 icmp_seq=0 r\n"
		"1795244400.5 len=28 ip=10.0.0.2 ttl=64 id=1 icmp_seq=0 rtt=0.7 ms\n";

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		char text[256];

		snprintf(text, sizeof(text), "PING 10.0.0.2 (10.0.0.2) 56(84)\n"
			 "[1795731963.687273] %s\n", lines[i]);
		assert_int_equal(read_text("p", text), EXIT_FAILED);
		assert_said("p: line 2 is of a ping that speaks another language; "
			    "run it as LC_ALL=C ping -D ...\n");
		assert_int_equal(read_text("p", strchr(text, '\n') + 1), EXIT_FAILED);
		assert_said("p: line 1 is of a ping that speaks another language");
	}
	assert_int_equal(read_text("h", hping), EXIT_DONE);
	assert_int_equal(replies.ignored, 1);
}

static void ping_wraps(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned int i = 65530; i < 65545; i++)
		if (i != 65536 && i != 65540)
			put_ping(out, i, 200 * i, 500);
	put_ping(out, 65536, 200 * 65536, 1800000);
	read_written(out, &text);
	assert_int_equal(replies.count, 15);
	assert_lost(65540, at_ms(200 * 65540));
	assert_int_equal(number(65536)->came_ns - number(65536)->sent_ns, 1800 * MS);
	assert_int_equal(number(65544)->sent_ns, at_ms(200 * 65544));
}

/* files that were put together, with the first lines of ping and without */
static void ping_runs(void **state)
{
	static const char first[] = "PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n";

	for (int with = 0; with < 2; with++) {
		char *text;
		size_t size;
		FILE *out = open_memstream(&text, &size);

		for (unsigned int run = 0; run < 3; run++) {
			fputs(with ? first : "", out);
			for (unsigned int i = 1; i < 5 + run; i++)
				put_ping(out, i, 10000 * run + 200 * i, 500);
		}
		/* numbers go on though there was no time for so many packets */
		fputs(with ? first : "", out);
		put_ping(out, 3000, 35000, 500);
		read_written(out, &text);
		/* a run that begins with 3000 has lost those before, as far as ping tells */
		assert_int_equal(replies.count, 4 + 5 + 6 + 1 + (with ? 2999 : 0));
		assert_int_equal(count_lost(), with ? 2999 : 0);
		assert_int_equal(replies.ntargets, 1);
		replies_free(&replies);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_log(of_ping),
		test_log(ping_names),
		test_log(ping_lost),
		test_log(ping_below),
		test_log(ping_translated),
		test_log(ping_wraps),
		test_log(ping_runs),
	};

	return cmocka_run_group_tests_name("replies to ping", tests, NULL, NULL);
}
