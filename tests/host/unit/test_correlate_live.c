// SPDX-License-Identifier: GPL-2.0-only
/* Slow replies are judged while a ping goes on. */
#include "waiters.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/units.h"
#include "correlate/correlate_live.h"
#include "output/out.h"

#define SECOND		(1000 * MS)
#define TO_NS		(1000 * SECOND)
/* the wall clock at the kernel's 0 */
#define BOOT_NS		(1700000000 * SECOND)

static struct replies replies;
static struct reply_options options;
static struct filter filter;
static const struct log_clock clock_same = { .how = LOG_CLOCK_SAME };
static unsigned int taken;
static unsigned int taken_first;	/* as the log went on */
static size_t told[2];		/* before the log went on, and behind that */
static bool goes_on;
static int go_on[2];
static char last[1024];

static int begin(void **state)
{
	open_waiters(state);
	watch_waiters(&(struct watching){
		.cpus = 1, .from_ns = SECOND, .to_ns = TO_NS, .threshold_ns = 5 * MS,
		.boot_ns = BOOT_NS,
	});
	model->counters[0].produced = 1;
	model->counters[0].kept = 1;
	add_soft(model, 0, 0, 900 * SECOND, 99 * MS, 0)->rec.max_ns = 100 * MS;
	model_sort(model);
	judge_all(model);
	filter = (struct filter){ .until_ns = ~0ULL };
	replies = (struct replies){ 0 };
	taken = 0;
	taken_first = 0;
	memset(told, 0, sizeof(told));
	goes_on = false;
	return 0;
}

static int end(void **state)
{
	replies_free(&replies);
	return close_waiters(state);
}

static int take(struct correlation *correlation, void *context)
{
	taken++;
	return correlate_take(correlation, &waiters, &filter);
}

static void tell(const struct correlation *correlation, size_t slow, void *context)
{
	struct model none = { 0 };
	struct page page = { .model = &none, .out = fmemopen(last, sizeof(last), "w") };

	text_correlate_line(&page, correlation, slow);
	fclose(page.out);
	told[goes_on]++;
	/* the writer waits until something was told */
	if (!goes_on && told[0] == 3) {
		taken_first = taken;
		close(go_on[1]);
	}
	goes_on = goes_on || told[0] == 3;
}

/* a ping's line, of a reply that came so long behind 899 s */
static void say(FILE *log, unsigned int seq, unsigned int at_ms, const char *took)
{
	fprintf(log, "[%u.%03u000] 64 bytes from 10.0.0.2: icmp_seq=%u ttl=64 time=%s ms\n",
		1700000899 + at_ms / 1000, at_ms % 1000, seq, took);
}

/* three replies that a stall held up; and once they were told, one more and a silent end */
static void ping(FILE *log)
{
	char none;

	fprintf(log, "PING 10.0.0.2 (10.0.0.2) 56(84) bytes of data.\n");
	for (unsigned int seq = 1; seq <= 9; seq++)
		say(log, seq, 100 * seq, "0.120");
	say(log, 10, 1000, "90.1");
	say(log, 11, 1000, "60.1");
	say(log, 12, 1000, "30.1");
	/* with one write(), so that no pause parts them */
	fflush(log);
	(void)!read(go_on[0], &none, 1);
	say(log, 13, 1300, "50.0");
	fprintf(log, "[1700000900.400000] 64 bytes from 10.0.0.2: icmp_seq=14 ttl=64 time=20.0 ms");
}

static void run(struct live *live, void (*write_log)(FILE *log), int status)
{
	int log[2];
	FILE *out;
	pid_t pid;

	assert_int_equal(pipe(log), 0);
	assert_int_equal(pipe(go_on), 0);
	pid = fork();
	if (!pid) {
		close(log[0]);
		close(go_on[1]);
		out = fdopen(log[1], "w");
		write_log(out);
		fclose(out);
		_exit(0);
	}
	close(log[1]);
	close(go_on[0]);
	live->fd = log[0];
	assert_int_equal(live_run(live), status);
	close(log[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void judged_as_they_come(void **state)
{
	struct live live = {
		.over_ns = 10 * MS, .options = &options, .replies = &replies,
		.take = take, .told = tell, .clock = &clock_same,
	};

	run(&live, ping, EXIT_DONE);
	/* the stall's replies were told before the ping went on */
	assert_int_equal(told[0], 3);
	assert_int_equal(told[1], 2);
	assert_int_equal(live.counts[CORRELATE_STALL], 3);
	assert_int_equal(live.counts[CORRELATE_NO_STALL], 2);
	assert_int_equal(live_slow(&live), 5);
	assert_non_null(strstr(last, "20.000  no stall\n"));
	/* together, and not one by one; the log may end a while after its last line */
	assert_int_equal(taken_first, 1);
	assert_in_range(taken, 2, 3);
}

static void quick(FILE *log)
{
	say(log, 1, 100, "0.120");
	say(log, 2, 200, "0.120");
}

/* where nothing is slow the module is not asked */
static void nothing_slow(void **state)
{
	struct live live = {
		.over_ns = 10 * MS, .options = &options, .replies = &replies,
		.take = take, .told = tell, .clock = &clock_same,
	};

	run(&live, quick, EXIT_DONE);
	assert_int_equal(taken, 0);
	assert_int_equal(live_slow(&live), 0);
	close(go_on[1]);
}

static void wrong_options(void **state)
{
	const struct reply_options wrong = { .unit_ns = MS };
	struct live live = {
		.over_ns = 10 * MS, .options = &wrong, .replies = &replies,
		.take = take, .told = tell, .clock = &clock_same,
	};

	run(&live, quick, EXIT_USAGE);
	assert_int_equal(replies.count, 1);
	close(go_on[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(judged_as_they_come, begin, end),
		cmocka_unit_test_setup_teardown(nothing_slow, begin, end),
		cmocka_unit_test_setup_teardown(wrong_options, begin, end),
	};

	return cmocka_run_group_tests_name("correlate_live", tests, NULL, NULL);
}
