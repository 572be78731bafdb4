// SPDX-License-Identifier: GPL-2.0-only
/* Logs of packets and their replies, as ping, hping3 and fping print them. */
#include "fixture.h"

#include <unistd.h>

#include "base/units.h"
#include "replies/reply_log.h"

#define SECOND	(1000 * MS)
#define US	1000ULL

static struct replies replies;
static struct reply_options options;
static char *said;	/* on standard error, since it was asked last */

static int begin(void **state)
{
	replies = (struct replies){ 0 };
	options = (struct reply_options){ 0 };
	return 0;
}

static int end(void **state)
{
	replies_free(&replies);
	free(said);
	said = NULL;
	return 0;
}

/* reads a log as a file; returns its status, and keeps what was said */
static int read_text(const char *name, const char *text)
{
	FILE *file = tmpfile();
	int kept = dup(STDERR_FILENO), ret = EXIT_DONE;
	struct reply_log *log;
	size_t len = 0;

	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	log = reply_log(name, &options, &replies);
	while (log && *text && !ret) {
		const char *end = strchr(text, '\n');
		char *line = strndup(text, end ? (size_t)(end - text) + 1 : strlen(text));

		ret = reply_log_line(log, line, 0);
		text = end ? end + 1 : "";
		free(line);
	}
	ret = log ? reply_log_end(log) : EXIT_USAGE;
	fflush(stderr);
	dup2(kept, STDERR_FILENO);
	close(kept);
	free(said);
	rewind(file);
	said = NULL;
	if (getdelim(&said, &len, '\0', file) < 0)
		strcpy(said = realloc(said, 1), "");
	fclose(file);
	return ret;
}

static void assert_said(const char *what)
{
	if (!strstr(said, what))
		fail_msg("%s", said);
}

static void assert_reply(size_t i, __u64 seq, __u64 sent_ns, __u64 came_ns)
{
	assert_true(i < replies.count);
	assert_int_equal(replies.all[i].seq, seq);
	assert_int_equal(replies.all[i].sent_ns, sent_ns);
	assert_int_equal(replies.all[i].came_ns, came_ns);
	assert_int_equal(replies.all[i].lost, !came_ns);
}

/* the only reply, or lost packet, with this number */
static const struct reply *number(__u64 seq)
{
	const struct reply *found = NULL;

	for (size_t i = 0; i < replies.count; i++) {
		if (replies.all[i].seq != seq)
			continue;
		assert_null(found);
		found = &replies.all[i];
	}
	assert_non_null(found);
	return found;
}

static void assert_lost(__u64 seq, __u64 sent_ns)
{
	const struct reply *reply = number(seq);

	assert_true(reply->lost);
	assert_int_equal(reply->came_ns, 0);
	if (reply->sent_ns + MS < sent_ns || reply->sent_ns > sent_ns + MS)
		fail_msg("%llu was sent at %llu", seq, reply->sent_ns);
}

static size_t count_lost(void)
{
	size_t lost = 0;

	for (size_t i = 0; i < replies.count; i++)
		lost += replies.all[i].lost;
	return lost;
}

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

	assert_int_equal(read_text("ping.log", text), EXIT_DONE);
	assert_int_equal(replies.count, 3);
	assert_reply(0, 1, 1795731963686966000, 1795731963687273000);
	assert_reply(1, 2, 1795731963879139000, 1795731963891639000);
	assert_reply(2, 3, 1795731964092133000, 1795731964092175000);
	assert_int_equal(replies.all[1].line, 3);
	assert_int_equal(replies.all[1].kind, REPLY_ECHO);
	assert_int_equal(replies.ntargets, 1);
	assert_string_equal(replies.targets[0], "127.0.0.1");
	assert_int_equal(replies.grain_ns, US);
	assert_int_equal(replies.ignored, 0);
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

/* lines at one packet each 200 ms from second 1000 on: "[1795001000.000500] ... time=0.500 ms" */
static void put_ping(FILE *out, unsigned int seq, __u64 sent_ms, __u64 took_us)
{
	__u64 came_us = sent_ms * 1000 + took_us;

	fprintf(out, "[%llu.%06llu] ", 1795000000 + came_us / 1000000, came_us % 1000000);
	fprintf(out, "64 bytes from 10.0.0.2: icmp_seq=%u ttl=64 time=%llu.%03llu ms\n",
		seq & 0xffff, took_us / 1000, took_us % 1000);
}

static __u64 at_ms(__u64 ms)
{
	return 1795000000 * SECOND + ms * MS;
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
	fclose(out);
	assert_int_equal(read_text("ping", text), EXIT_DONE);
	free(text);
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

	assert_int_equal(read_text("p", text), EXIT_DONE);
	assert_int_equal(replies.count, 3);
	assert_int_equal(replies.ignored, 0);
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
	fclose(out);
	assert_int_equal(read_text("ping", text), EXIT_DONE);
	free(text);
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

		begin(state);
		for (unsigned int run = 0; run < 3; run++) {
			fputs(with ? first : "", out);
			for (unsigned int i = 1; i < 5 + run; i++)
				put_ping(out, i, 10000 * run + 200 * i, 500);
		}
		/* numbers go on though there was no time for so many packets */
		fputs(with ? first : "", out);
		put_ping(out, 3000, 35000, 500);
		fclose(out);
		assert_int_equal(read_text("ping", text), EXIT_DONE);
		free(text);
		/* a run that begins with 3000 has lost those before, as far as ping tells */
		assert_int_equal(replies.count, 4 + 5 + 6 + 1 + (with ? 2999 : 0));
		assert_int_equal(count_lost(), with ? 2999 : 0);
		assert_int_equal(replies.ntargets, 1);
		end(state);
	}
}

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

/* what fping 5.1 prints; lines of several targets are aligned */
static void of_fping(void **state)
{
	static const char text[] =
		"[1795732217.21611] 127.0.0.1    : [0], 64 bytes, 0.037 ms (0.037 avg, 0% loss)\n"
		"[1795732217.22611] 10.0.0.9     : [0], 64 bytes, 1.65 ms (1.65 avg, 0% loss)\n"
		"[1795732217.40617] 203.0.113.77 : [0], timed out (NaN avg, 100% loss)\n"
		"[1795732217.51623] 127.0.0.1    : [1], 64 bytes, 0.038 ms (0.038 avg, 0% loss)\n"
		"[1795732217.70649] 203.0.113.77 : [1], timed out (NaN avg, 100% loss)\n"
		"[1795732217.72649] 10.0.0.9     : [1], timed out (1.65 avg, 50% loss)\n"
		"[1795732217.81626] 127.0.0.1    : [2], 64 bytes, 0.041 ms (0.039 avg, 0% loss)\n"
		"[1795732217.82626] 10.0.0.9     : [2], 64 bytes, 1.25 ms (1.45 avg, 33% loss)\n"
		"[1795732218.32626] 10.0.0.9     : [3], timed out (1.45 avg, 50% loss)\n"
		"\n"
		"127.0.0.1 : xmt/rcv/%loss = 2/2/0%, min/avg/max = 0.031/0.034/0.038\n"
		"ICMP Port Unreachable from 21.4.25.121 for ICMP Echo sent to 203.0.113.77\n";

	assert_int_equal(read_text("fping.log", text), EXIT_DONE);
	assert_int_equal(replies.ntargets, 3);
	assert_string_equal(replies.targets[1], "10.0.0.9");
	assert_reply(0, 0, 1795732217216110000 - 37000, 1795732217216110000);
	assert_int_equal(replies.all[0].target, 0);
	assert_int_equal(replies.count, 9);
	assert_int_equal(count_lost(), 4);
	for (size_t i = 5; i < 7; i++) {
		assert_int_equal(replies.all[i].target, 1);
		assert_int_equal(replies.all[i].seq, i == 5 ? 1 : 3);
	}
	assert_int_equal(replies.grain_ns, 10 * US);
	assert_int_equal(replies.ignored, 0);
}

/* one that never replied was sent each packet in the round in which another was sent it */
static void fping_silent(void **state)
{
	static const char rounds[] =
		"[1795244400.00030] 10.0.0.2 : [0], 64 bytes, 0.300 ms (0.300 avg, 0% loss)\n"
		"[1795244401.00030] 10.0.0.2 : [1], 64 bytes, 0.300 ms (0.300 avg, 0% loss)\n"
		"[1795244402.01000] 10.0.0.9 : [0], timed out (NaN avg, 100% loss)\n"
		"[1795244403.01000] 10.0.0.9 : [1], timed out (NaN avg, 100% loss)\n"
		"[1795244404.00000] 10.0.0.2 : [2], timed out (0.300 avg, 33% loss)\n"
		"[1795244404.01000] 10.0.0.9 : [2], timed out (NaN avg, 100% loss)\n"
		"[1795244405.01000] 10.0.0.9 : [3], timed out (NaN avg, 100% loss)\n";
	/* before 5.0 nothing else tells of them; the last one may be on its way */
	static const char summed[] =
		"[1795244400.00030] 10.0.0.2 : [0], 64 bytes, 0.300 ms (0.300 avg, 0% loss)\n"
		"[1795244401.00030] 10.0.0.2 : [1], 64 bytes, 0.300 ms (0.300 avg, 0% loss)\n"
		"\n"
		"10.0.0.2 : xmt/rcv/%loss = 4/2/50%, min/avg/max = 0.300/0.300/0.300\n"
		"10.0.0.9 : xmt/rcv/%loss = 4/0/100%\n"
		"10.0.0.8 : xmt/rcv/%loss = 0/0/0%\n";
	static const char listed[] =
		"[1795244400.00030] 10.0.0.2    : [0], 64 bytes, 0.300 ms (0.300 avg, 0% loss)\n"
		"[1795244401.00030] 10.0.0.2    : [1], 64 bytes, 0.300 ms (0.300 avg, 0% loss)\n"
		"\n"
		"10.0.0.2    : 0.300 0.300 - -\n"
		"10.0.0.9    : - - - -\n"
		"203.0.113.7 :\n";

	assert_int_equal(read_text("f", rounds), EXIT_DONE);
	/* as long as the other one tells when they were sent */
	assert_int_equal(replies.count, 6);
	assert_int_equal(replies.lost, 4);
	for (size_t i = 3; i < 6; i++) {
		const struct reply *lost = &replies.all[i], *beside = &replies.all[i - 3];

		assert_string_equal(replies.targets[lost->target], "10.0.0.9");
		assert_reply(i, i - 3, beside->sent_ns, 0);
		assert_int_equal(lost->line, 7);
		assert_int_equal(lost->unsure_ns, beside->unsure_ns + SECOND);
	}
	replies_free(&replies);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(read_text("f", i ? listed : summed), EXIT_DONE);
		assert_int_equal(replies.ignored, 0);
		assert_int_equal(replies.count, 6);
		assert_int_equal(replies.lost, 4);
		replies_free(&replies);
	}
}

static void fping_formats(void **state)
{
	static const char text1[] =
		"[1362046436.12345] host : [65534], timed out (NaN avg, 100% loss)\n"
		"[1362046437.12345] host : [65535], 84 bytes, 0.5 ms (0.05 avg, 0% loss)\n"
		"[1362046438.12345] host : [65536], 84 bytes, 0.5 ms (0.05 avg, 0% loss)\n";
	static const char text2[] =
		"[2026-11-21T07:00:05+0100] localhost (127.0.0.1) : [0], 64 bytes, 0.03 ms (0.03 avg, 0%)\n"
		"[2026-11-21 06:00:06] localhost : [1], 64 bytes, 0.030 ms (0.030 avg, 0% loss)\n"
		"[Sat Nov 21 06:00:07 2026] localhost : [2], 64 bytes, 0.03 ms (0.03 avg, 0%)\n";

	/* not answered at first; numbers that do not wrap; --timestamp-format; with -A -n */
	assert_int_equal(read_text("fping.log", text1), EXIT_DONE);
	assert_lost(65534, 1362046436122950000);
	assert_int_equal(number(65536)->came_ns, 1362046438123450000);
	assert_int_equal(read_text("fping.log", text2), EXIT_DONE);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(number(i)->came_ns, NOW_REALTIME_NS - (3595 - i) * SECOND);
	assert_int_equal(replies.grain_ns, SECOND);
}

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
	assert_int_equal(read_text("h", text), EXIT_DONE);
	assert_int_equal(replies.count, 4);
	assert_reply(0, 0, at_ms(0), at_ms(0) + 700 * US);
	assert_reply(1, 1, at_ms(10), at_ms(11));
	assert_lost(2, at_ms(20));
	assert_int_equal(number(2)->kind, REPLY_CONNECT);
	assert_int_equal(replies.grain_ns, 100 * US);
	assert_int_equal(replies.ignored, 0);
	/* a round trip that is damaged is not the tool's own */
	replies_free(&replies);
	assert_int_equal(read_text("h", damaged), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 2);
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
	fclose(out);
	assert_int_equal(read_text("h", text), EXIT_DONE);
	free(text);
	assert_int_equal(replies.count, 6);
	assert_int_equal(replies.ignored, 9);
	assert_said("h: hping3 --icmp prints no round trips after 65536 packets; with -S");
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

	assert_int_equal(read_text("p", ping), EXIT_DONE);
	assert_int_equal(replies.ignored, 0);
	assert_int_equal(replies.count, 5);
	assert_int_equal(count_lost(), 3);
	assert_lost(2, NOW_REALTIME_NS - 396500 * MS);
	replies_free(&replies);
	assert_int_equal(read_text("s", seconds), EXIT_DONE);
	assert_int_equal(replies.ignored, 0);
	assert_int_equal(replies.count, 4);
	assert_int_equal(count_lost(), 2);
	assert_int_equal(replies.grain_ns, SECOND);
	replies_free(&replies);
	assert_int_equal(read_text("h", hping), EXIT_DONE);
	assert_int_equal(replies.grain_ns, 100 * MS);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 1);
	assert_int_equal(replies.first_ignored, 8);
	replies_free(&replies);
	assert_int_equal(read_text("b", bare), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 2);
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
		assert_int_equal(read_text("p", text), EXIT_DONE);
		assert_int_equal(replies.ignored, 0);
		assert_int_equal(replies.count, 5);
		assert_int_equal(replies.lost, 3);
		assert_lost(3, 1795244402 * SECOND + 500 * MS);
		assert_lost(5, 1795244404 * SECOND + 500 * MS);
		replies_free(&replies);
	}
	assert_int_equal(read_text("p", told_twice), EXIT_DONE);
	assert_int_equal(replies.ignored, 0);
	assert_int_equal(replies.count, 2);
	assert_lost(1, 1795244400 * SECOND + 500 * MS);
	replies_free(&replies);
	assert_int_equal(read_text("f", fping), EXIT_DONE);
	assert_int_equal(replies.ignored, 0);
	assert_int_equal(replies.lost, 2);
	replies_free(&replies);
	assert_int_equal(read_text("h", hping), EXIT_DONE);
	assert_int_equal(replies.ignored, 0);
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
	assert_int_equal(read_text("f", fping), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 0);
	assert_int_equal(read_text("f", not_fping), EXIT_DONE);
	assert_int_equal(replies.ignored, 5);
	replies_free(&replies);
	assert_int_equal(read_text("b", bsd), EXIT_DONE);
	assert_int_equal(replies.ignored, 0);
	assert_int_equal(count_lost(), 2);
	replies_free(&replies);
	assert_int_equal(read_text("h", hping), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 0);
}

#define test_replies(test)	cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_replies(of_ping),
		test_replies(ping_names),
		test_replies(ping_lost),
		test_replies(ping_below),
		test_replies(ping_translated),
		test_replies(ping_wraps),
		test_replies(ping_runs),
		test_replies(live),
		test_replies(no_times),
		test_replies(of_fping),
		test_replies(fping_silent),
		test_replies(fping_formats),
		test_replies(of_hping),
		test_replies(hping_quirks),
		test_replies(hping_wraps),
		test_replies(stamped_by_others),
		test_replies(stamped_throughout),
		test_replies(not_sent),
		test_replies(own_lines),
	};

	return cmocka_run_group_tests_name("replies", tests, NULL, NULL);
}
