// SPDX-License-Identifier: GPL-2.0-only
/* Logs of fping. */
#include "logs.h"

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

	assert_read(text, 9, 4, 0);
	assert_int_equal(replies.ntargets, 3);
	assert_string_equal(replies.targets[1], "10.0.0.9");
	assert_reply(0, 0, 1795732217216110000 - 37000, 1795732217216110000);
	assert_int_equal(replies.all[0].target, 0);
	for (size_t i = 5; i < 7; i++) {
		assert_int_equal(replies.all[i].target, 1);
		assert_int_equal(replies.all[i].seq, i == 5 ? 1 : 3);
	}
	assert_int_equal(replies.grain_ns, 10 * US);
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

	/* as long as the other one tells when they were sent */
	assert_read(rounds, 6, 4, 0);
	assert_int_equal(replies.lost, 4);
	for (size_t i = 3; i < 6; i++) {
		const struct reply *lost = &replies.all[i], *beside = &replies.all[i - 3];

		assert_string_equal(replies.targets[lost->target], "10.0.0.9");
		assert_reply(i, i - 3, beside->sent_ns, 0);
		assert_int_equal(lost->line, 7);
		assert_int_equal(lost->unsure_ns, beside->unsure_ns + SECOND);
	}
	for (size_t i = 0; i < 2; i++) {
		assert_read(i ? listed : summed, 6, 4, 0);
		assert_int_equal(replies.lost, 4);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_log(of_fping),
		test_log(fping_silent),
		test_log(fping_formats),
	};

	return cmocka_run_group_tests_name("replies to fping", tests, NULL, NULL);
}
