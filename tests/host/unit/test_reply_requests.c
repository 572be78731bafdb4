// SPDX-License-Identifier: GPL-2.0-only
/* Logs of requests, as CSV and as JSON; their units and fields. */
#include "logs.h"

#include <unistd.h>

#include "base/latency.h"
#include "base/units.h"

/* writes a file, and reads it as a log; its name is cut off of what was said */
static int read_file(const char *text)
{
	char name[] = "/tmp/test_reply_requests-XXXXXX", *colon;
	int file = mkstemp(name), ret;

	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	said_begin();
	ret = reply_log_read(name, &options, &replies);
	said_end();
	colon = strstr(said, name);
	if (colon)
		memmove(said, colon + strlen(name) + 2, strlen(colon + strlen(name) + 2) + 1);
	close(file);
	unlink(name);
	return ret;
}

/* local time that names no zone, and lines that nobody knows, are counted */
static void told_of_the_log(void **state)
{
	assert_int_equal(read_file("2026-11-21 07:00:00.5,3ms\n"), EXIT_DONE);
	assert_true(replies.zoneless);
	assert_int_equal(replies.ignored, 0);
	replies_free(&replies);
	assert_null(replies.ignored_text);
	assert_int_equal(read_file("2026-11-21T07:00:00.5Z,3ms\nw\x1bords\r\nmore\n"), EXIT_DONE);
	assert_false(replies.zoneless);
	assert_int_equal(replies.ignored, 2);
	assert_int_equal(replies.first_ignored, 2);
	assert_string_equal(replies.ignored_text, "w?ords");
	assert_non_null(strstr(replies.ignored_log, "/tmp/test_reply_requests-"));
}

static void assert_request(size_t i, __u64 sent_ns, __u64 took_ns, const char *target)
{
	assert_true(i < replies.count);
	assert_int_equal(replies.all[i].kind, REPLY_REQUEST);
	assert_false(replies.all[i].lost);
	assert_int_equal(replies.all[i].sent_ns, sent_ns);
	assert_int_equal(replies.all[i].came_ns, sent_ns + took_ns);
	assert_string_equal(replies.targets[replies.all[i].target], target);
}

/* reads one request of 250 ms at NOW_REALTIME_NS; replies are forgotten */
static void assert_one(const char *text, const char *target)
{
	if (read_file(text) != EXIT_DONE)
		fail_msg("%s%s", text, said);
	assert_int_equal(replies.count, 1);
	assert_request(0, NOW_REALTIME_NS, 250 * MS, target);
	replies_free(&replies);
}

/* the same of JSON, in which ' stands for " */
static int read_json(const char *json)
{
	char *text = copy_text(json);
	int ret;

	for (char *quote = text; (quote = strchr(quote, '\''));)
		*quote = '"';
	ret = read_file(text);
	free(text);
	return ret;
}

static void assert_one_json(const char *json, const char *target)
{
	assert_int_equal(read_json(json), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_request(0, NOW_REALTIME_NS, 250 * MS, target);
	replies_free(&replies);
}

static void latencies(void **state)
{
	static const struct {
		const char *text;
		__u64 unit_ns, ns;
	} good[] = {
		{ "250", MS, 250 * MS },
		{ "0.25", SECOND, 250 * MS },
		{ "0", SECOND, 0 },
		{ "5e-05", SECOND, 50 * US },
		{ "2.5E+2", MS, 250 * MS },
		{ "1e-99", SECOND, 0 },
		{ "0.000000000000000000000000025", SECOND, 0 },
		{ "250ms", 0, 250 * MS },
		{ "250 ms", SECOND, 250 * MS },
		{ "1.2s", 0, 1200 * MS },
		{ "12.5\u00b5s", 0, 12500 },
		{ "12.5\u03bcs", 0, 12500 },
		{ "7us", 0, 7 * US },
		{ "9NS", 0, 9 },
		{ "1m2.5s", 0, 62500 * MS },
		{ "1h0m0s", 0, 3600 * SECOND },
		{ "86400", SECOND, 86400 * SECOND },
	};
	static const char * const bad[] = {
		"ms", "1 parsec", "1ms2", "1..5ms", "0x10", "86401s", "25h", "23h61m", "1e99",
		"1e9999999999", "18446744073709551616s", "1,5ms", "12ms ", "1e", "1e+", "- 5", "-x",
		"nano", "timed", "none known",
	};
	/* no reply came */
	static const char * const none[] = {
		"*", "-1ms", "-5", "-0.25", "NaN", "-nan", "nan ms", "inf",
		"timeout", "Timed out",
	};
	/* nobody says whether one came */
	static const char * const untold[] = {
		"", "-", "--", "- ms", "null", "None", "N/A", "n/a ms",
	};
	__u64 ns;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		if (latency_read(good[i].text, good[i].unit_ns, &ns) != LATENCY_KNOWN)
			fail_msg("%s", good[i].text);
		assert_int_equal(ns, good[i].ns);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (latency_read(bad[i], SECOND, &ns) != LATENCY_WRONG)
			fail_msg("%s", bad[i]);
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		if (latency_read(none[i], 0, &ns) != LATENCY_NONE)
			fail_msg("%s", none[i]);
		assert_int_equal(ns, 0);
	}
	for (size_t i = 0; i < ARRAY_SIZE(untold); i++) {
		if (latency_read(untold[i], 0, &ns) != LATENCY_UNTOLD)
			fail_msg("%s", untold[i]);
		assert_int_equal(ns, 0);
	}
	assert_int_equal(latency_read("0.25", 0, &ns), LATENCY_NO_UNIT);
}

static void columns(void **state)
{
	assert_one("time,latency_ms\n1795244400,250\n", "");
	assert_one("\xef\xbb\xbfTime;Host;Latency (ms)\r\n1795244400;a;250\r\n", "a");
	assert_one("# comment\n\nid\t@timestamp\ttook_us\turl\n7\t1795244400000\t250000\t/?a,b\n",
		   "/?a,b");
	assert_one("\"timestamp\",\"response-time[s]\",\"path\"\n"
		   "\"2026-11-21 07:00:00,000\",\"0.25\",\"a, \"\"b\"\"\"\n", "a, \"b\"");
	assert_one("ts , elapsed , target\n1795244400 , 250ms ,a b \r\n", "a b");
	/* no line of names */
	assert_one("1795244400,250ms\n", "");
	assert_one("1795244400,250ms,\n", "");
	assert_one("2026-11-21 07:00:00,000;0.25s;10.0.0.2\n", "10.0.0.2");
	assert_one("2026-11-21T07:00:00Z\t0.25 s\ta\n", "a");
	options.unit_ns = SECOND;
	assert_one("1795244400,0.25\n", "");
	/* decimal commas, as a German spreadsheet writes them; that of a target is none */
	assert_one("time;latency;url\n1795244400,0;0,25;a,b\n", "a,b");
	assert_one("2026-11-21 07:00:00,000;0,25;a,b\n", "a,b");
	assert_one("1795244400;\"0,25\"\n", "");
	options.unit_ns = 0;
	assert_one("1795244400,000;250,0 ms\n", "");
	/* that of thousands is none */
	assert_int_equal(read_file("time\tlatency_ms\n1795244400\t1,500\n"), EXIT_FAILED);
	assert_int_equal(read_file("time,latency_ms\n1795244400,\"1,500\"\n"), EXIT_FAILED);
	/* JMeter's: of two latencies, the first one */
	options.unit_ns = MS;
	assert_one("timeStamp,elapsed,label,responseCode,URL,Latency,Connect\n"
		   "1795244400000,250,HTTP Request,200,http://a/,7,1\n", "http://a/");
}

static void json(void **state)
{
	static const char odd[] =
		"{'@timestamp':1795244400000,'time':null,'elapsed':null,'took_s':2.5e-1,\n";

	assert_one_json("{'time': '2026-11-21T07:00:00Z', 'duration_ms': 250, 'host': 'a'}\n", "a");
	assert_one_json("{'latency':'250ms','ts':1795244400.0}", "");
	/* the first one that has a value; what terminals would act on; what is nested */
	assert_int_equal(read_json(odd), EXIT_FAILED);
	assert_one_json("{'@timestamp':1795244400000,'elapsed':null,'took_s':2.5e-1,'rtt':1}", "");
	assert_one_json("{'time':[],'ts':1795244400,'rtt':'0.25s','url':'a\\u001bb'}", "a?b");
	assert_one_json("{'more':{'time':1},'ts':1795244400,'rtt':'0.25s'}", "");
	/* no digit is lost */
	assert_int_equal(read_json("{'ts':1795244400.123456789,'rtt_ns':123456789}"), EXIT_DONE);
	assert_request(0, NOW_REALTIME_NS + 123456789, 123456789, "");
	assert_int_equal(replies.grain_ns, 1);
}

static void assert_no_latency(size_t i, __u64 sent_ns, __u64 unsure_ns)
{
	assert_true(i < replies.count);
	assert_int_equal(replies.all[i].kind, REPLY_REQUEST);
	assert_true(replies.all[i].lost);
	assert_int_equal(replies.all[i].sent_ns, sent_ns);
	assert_int_equal(replies.all[i].came_ns, 0);
	assert_int_equal(replies.all[i].unsure_ns, unsure_ns);
}

/* a request of which nobody knows how long it waited is none that was quick */
static void no_latency(void **state)
{
	static const char csv[] =
		"time,latency,status\n1795244400,250ms,200\n1795244401.5,,504\n1795244402,nan,504\n"
		"1795244403,-5,504\n1795244404,-\n";

	assert_int_equal(read_file(csv), EXIT_DONE);
	assert_int_equal(replies.count, 5);
	assert_int_equal(replies.lost, 2);
	assert_int_equal(replies.untold, 2);
	assert_int_equal(replies.ignored, 0);
	for (size_t i = 0; i < replies.count; i++)
		assert_int_equal(replies.all[i].untold, i == 1 || i == 4);
	assert_no_latency(1, NOW_REALTIME_NS + 1500 * MS, 0);
	assert_int_equal(replies.all[1].line, 3);
	assert_no_latency(4, NOW_REALTIME_NS + 4 * SECOND, 0);
	replies_free(&replies);
	/* without a line of names, and without any latency */
	assert_int_equal(read_file("1795244400,-,a\n"), EXIT_DONE);
	assert_no_latency(0, NOW_REALTIME_NS, 0);
	assert_int_equal(replies.grain_ns, SECOND);
	replies_free(&replies);
	assert_int_equal(read_json("{'time':1795244400,'latency':null,'host':'a'}\n"
				   "{'time':1795244401,'rtt_ms':NaN}\n{'ts':1795244402}\n"),
			 EXIT_DONE);
	assert_int_equal(replies.count, 2);
	assert_int_equal(replies.ignored, 0);
	assert_no_latency(0, NOW_REALTIME_NS, 0);
	assert_string_equal(replies.targets[replies.all[0].target], "a");
	assert_true(replies.all[0].untold);
	assert_false(replies.all[1].untold);
	assert_no_latency(1, NOW_REALTIME_NS + SECOND, 0);
	replies_free(&replies);
	options.fields = "a.at,a.took";
	assert_int_equal(read_json("{'a':{'at':1795244400,'took':null}}\n"), EXIT_DONE);
	assert_no_latency(0, NOW_REALTIME_NS, 0);
	replies_free(&replies);
	/* it ended then: nobody knows when it was sent */
	options.fields = NULL;
	options.time_is_end = true;
	assert_int_equal(read_file("1795244400,-,a\n"), EXIT_DONE);
	assert_no_latency(0, NOW_REALTIME_NS, LATENCY_MOST_NS);
}

/* what programs say besides tells of no request; what is broken may hide one */
static void other_objects(void **state)
{
	static const char * const others[] = {
		"{'time':1795244401,'level':'info','msg':'listening'}", "{'level':'info'}", "{}",
	};
	static const char * const unread[] = {
		"{'time':1795244401,'rtt':true}", "{'time':1795244401,'rtt':[1]}",
		"{'time':1795244401,'rtt':{'ms':1}}", "{'time':1795244401,'rtt':'fast'}",
		"{'rtt':'1s'}", "{'time':null,'rtt':'1s'}", "{'time':1795244401,", "listening",
	};

	for (size_t i = 0; i < ARRAY_SIZE(others) + ARRAY_SIZE(unread); i++) {
		bool other = i < ARRAY_SIZE(others);
		const char *line = other ? others[i] : unread[i - ARRAY_SIZE(others)];
		char text[256];

		/* also before the first request */
		snprintf(text, sizeof(text), "%s\n{'time':1795244400,'rtt':'1s'}\n%s\n", line,
			 line);
		assert_int_equal(read_json(text), EXIT_DONE);
		assert_int_equal(replies.count, 1);
		if (replies.ignored != (other ? 0 : 2))
			fail_msg("%s", line);
		replies_free(&replies);
	}
	options.fields = "at.s,a.rtt";
	assert_int_equal(read_json("{'at':{'s':1795244400},'a':{'rtt':'1s'}}\n{'a':{}}\n"
				   "{'at':{'s':1795244400},'a':{'rtt':false}}\n"
				   "{'at':{'s':1795244400},'a':5}\n"), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 1);
	replies_free(&replies);
	options.fields = NULL;
	assert_int_equal(read_json("{'level':'info'}\n1795244400,1s\n"), EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 0);
}

static void named_fields(void **state)
{
	/* as in Caddy's log */
	options.fields = "ts,duration,request.host";
	options.unit_ns = SECOND;
	assert_one_json("{'ts':1795244400.0,'request':{'host':'a','x':1},'duration':0.25}", "a");
	options.unit_ns = 0;
	options.fields = "a.b.at,a.b.took_ms";
	assert_one_json("{'a.b':{'at':1795244400,'took_ms':250},'host':'x'}", "");
	assert_one_json("{'a':{'b':{'took_ms':250},'b.at':1795244400},'host':'x'}", "");
	options.fields = "When,ms_ms,to";
	assert_one("some line\ntime,latency,when,ms_ms,to\n1,1s,1795244400,250,a\n", "a");
	assert_int_equal(read_file("time,latency\n1795244400,250ms\n"), EXIT_USAGE);
	assert_string_equal(said, "no line of it has the fields of --fields When,ms_ms,to; "
			    "line 1 has time, latency\n");
	assert_int_equal(read_file("1795244400,250ms\n"), EXIT_FAILED);
	assert_string_equal(said, "no line of it has the fields of --fields When,ms_ms,to\n");
}

/* what is missing is told, with what is there in its place */
static void unknown_fields(void **state)
{
	static const struct {
		const char *text;
		int status;
		const char *said;
	} cases[] = {
		{ "stamp,bytes,rt\n1795244400,250,1\n", EXIT_USAGE,
		  "no column of line 1 is known as a time or a latency (stamp, bytes, rt); "
		  "name time and latency with --fields\n" },
		{ "# x\nwhen;a b;rtt_ms;d\n1795244400;1;2;3\n", EXIT_USAGE,
		  "no column of line 2 is known as a time (when, a b, rtt_ms, d); "
		  "name time and latency with --fields\n" },
		{ ",time,rt\n0,1795244400,2\n", EXIT_USAGE,
		  "no column of line 1 is known as a latency (, time, rt); "
		  "name time and latency with --fields\n" },
		{ "{'when':1795244400,'request_time':'1s','a':{'b':1,'c':[]}}\n", EXIT_USAGE,
		  "no key of line 1 is known as a time (when, request_time, a.b, a.c); "
		  "name time and latency with --fields\n" },
		{ "{'ts':1795244400,'x':'a\\u001bb'}\n", EXIT_USAGE,
		  "no key of line 1 is known as a latency (ts, x); "
		  "name time and latency with --fields\n" },
		{ "time,latency\n21/Nov/2026:06:00:00 +0000,1ms\n", EXIT_FAILED,
		  "'21/Nov/2026:06:00:00 +0000' in line 2 is no time that is known; "
		  "2026-11-21T07:00:00.25Z and seconds since 1970 are\n" },
		{ "time,latency\n1795244400,1 parsec\n1795244401,2 parsecs\n", EXIT_FAILED,
		  "'1 parsec' in line 2 is no latency that is known; 0.25, 250ms and 1.5 s are\n" },
		{ "{\n'time':1795244400,\n'latency':'1s'}\n", EXIT_FAILED,
		  "line 1 is no whole JSON object; "
		  "correlate reads one on each line, as jq -c prints them\n" },
		{ "[{'time':1795244400,'latency':'1s'}]\n", EXIT_FAILED,
		  "line 1 begins a JSON array; "
		  "correlate reads an object on each line, as jq -c '.[]' prints them\n" },
		{ "Nov 21 06:00:00 len=40 ip=10.0.0.2 seq=0 win=0 rtt=0.7 ms\n", EXIT_FAILED,
		  "line 1 begins with no time that is known; one that ts '%.s' puts there is\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (read_json(cases[i].text) != cases[i].status)
			fail_msg("%s%s", cases[i].text, said);
		assert_string_equal(said, cases[i].said);
		assert_int_equal(replies.count, 0);
	}
	/* of the same log that is understood later on, nothing is said */
	assert_one("stamp,bytes,rt\nseen: this, that\ntime,rtt_ms\n1795244400,250\n", "");
	assert_string_equal(said, "");
	assert_one_json("{'when':1}\n{'msec':1795244400.000,'request_time':'0.250s'}\n", "");
	assert_string_equal(said, "");
}

static void wrong_fields(void **state)
{
	static const char * const wrong[] = { "", "a", "a,", "a,b,c,d", "a,b,", ",b" };
	static const char takes[] = "--fields takes TIME,LATENCY or TIME,LATENCY,TARGET, not";

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		char text[128];

		options.fields = wrong[i];
		snprintf(text, sizeof(text), "irqoff: %s '%s'\n", takes, wrong[i]);
		assert_int_equal(read_file("1795244400,1ms\n"), EXIT_USAGE);
		assert_string_equal(said, text);
	}
}

static void stamped_at_end(void **state)
{
	options.time_is_end = true;
	assert_int_equal(read_file("time,latency_ms\n1795244400.25,250\n"), EXIT_DONE);
	assert_request(0, NOW_REALTIME_NS, 250 * MS, "");
}

static void no_unit(void **state)
{
	static const char * const texts[] = {
		"time,latency\n1795244400,250\n", "1795244400,250\n",
		"{\"time\":1795244400,\"latency\":250}\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(read_file(texts[i]), EXIT_USAGE);
		assert_non_null(strstr(said, "the latencies have no unit; give --unit"));
	}
	/* --unit is for those without: a latency's own unit holds, and a name may not differ */
	options.unit_ns = SECOND;
	assert_one("time,latency\n1795244400,250ms\n", "");
	assert_one("time,latency_s\n1795244400,0.25\n", "");
	assert_int_equal(read_file("time,latency_us\n1795244400,0.25\n"), EXIT_USAGE);
}

static void malformed(void **state)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fputs("Started.\ntime,latency_ms,target\n1795244400,250,a\n1795244401\n1795244402,,a\n"
	      "1795244403,-1,a\n1795244404,NaN,a\n1795244405,86400001,a\n0,1,a\n"
	      "7258118400,1,a\n1795244406,\"1,a\n,,\n\"\",\"\"\nfoo\n"
	      "time,target,latency_s\n1795244407,b,0.001\n", out);
	for (unsigned int i = 0; i < 100000; i++)
		fputc(i % 3 ? ',' : '"', out);
	fputs("\n1795244408,a,0.002", out);
	fclose(out);
	assert_int_equal(read_file(text), EXIT_DONE);
	free(text);
	assert_int_equal(replies.count, 6);
	assert_int_equal(replies.lost, 2);
	assert_int_equal(replies.untold, 1);
	assert_int_equal(replies.ignored, 8);
	assert_request(4, NOW_REALTIME_NS + 7 * SECOND, MS, "b");
	assert_request(5, NOW_REALTIME_NS + 8 * SECOND, 2 * MS, "a");
	assert_int_equal(replies.all[4].seq, 16);
	assert_int_equal(replies.all[4].line, 16);
	replies_free(&replies);
	assert_int_equal(read_json("[]\n{}\n{'time':[],'latency':{}}\n{'time':\n{'ts':1795244400}\n"
				   "{'time':1795244400,'latency':'1s'}\n{'time':true,'rtt':1}\n"),
			 EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 4);
	assert_int_equal(read_file(""), EXIT_FAILED);
	assert_int_equal(read_file("hello\n\n# world\n"), EXIT_FAILED);
	assert_non_null(strstr(said, "no line of it is a reply"));
}

/* what spreadsheets write besides rows */
static void spreadsheets(void **state)
{
	assert_int_equal(read_file("sep=;\n;\ntime;rtt_ms\n1795244400,5;0,3\n;\n;;;\n\"\";\"\"\n"),
			 EXIT_DONE);
	assert_int_equal(replies.count, 1);
	assert_int_equal(replies.ignored, 0);
	replies_free(&replies);
	assert_int_equal(read_file("sep=;;\ntime,rtt_ms\n1795244400,3\n,,x\n,3\n\",\n"
				   "\",\",\n1795244401,\n"), EXIT_DONE);
	assert_int_equal(replies.count, 2);
	assert_int_equal(replies.ignored, 5);
}

/* zeros at the end may be left out; the coarsest log of all counts */
static void grain(void **state)
{
	assert_int_equal(read_file("1795244400.5,1ms\n1795244400.123456,1ms\n1795244400,1ms\n"),
			 EXIT_DONE);
	assert_int_equal(replies.grain_ns, US);
	assert_int_equal(read_file("1795244400.5,1ms\n1795244400,1ms\n"), EXIT_DONE);
	assert_int_equal(replies.grain_ns, 100 * MS);
	assert_int_equal(read_file("1795244400.123456,1ms\n"), EXIT_DONE);
	assert_int_equal(replies.grain_ns, 100 * MS);
	assert_int_equal(replies.count, 6);
}

static void unreadable(void **state)
{
	assert_int_equal(reply_log_read("/nonexistent", &options, &replies), EXIT_FAILED);
	assert_int_equal(reply_log_read("/tmp", &options, &replies), EXIT_FAILED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_log(told_of_the_log),
		test_log(latencies),
		test_log(columns),
		test_log(json),
		test_log(no_latency),
		test_log(other_objects),
		test_log(named_fields),
		test_log(unknown_fields),
		test_log(wrong_fields),
		test_log(stamped_at_end),
		test_log(no_unit),
		test_log(malformed),
		test_log(spreadsheets),
		test_log(grain),
		test_log(unreadable),
	};

	return cmocka_run_group_tests_name("reply requests", tests, NULL, NULL);
}
