// SPDX-License-Identifier: GPL-2.0-only
/* How width, colours, pager and columns are chosen. */
#include "page.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal/fold.h"
#include "terminal/pager.h"

static void widths(void **state)
{
	static const struct {
		const char *columns;
		unsigned int terminal;
		unsigned int wanted;
	} cases[] = {
		/* a pipe: no limit, unless COLUMNS sets one */
		{ NULL, 0, 0 }, { "", 0, 0 }, { "100", 0, 100 }, { "x", 0, 0 }, { "0", 0, 0 },
		{ NULL, 132, 132 }, { "100", 132, 100 }, { "-3", 132, 132 },
		/* too narrow for any table */
		{ NULL, 10, 40 }, { "1", 0, 40 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(screen_width(cases[i].columns, cases[i].terminal),
				 cases[i].wanted);
}

static void capable(void **state)
{
	assert_true(screen_capable(true, "xterm"));
	assert_false(screen_capable(false, "xterm"));
	/* a serial console that a script writes to, as in a guest of the tests */
	assert_false(screen_capable(true, "dumb"));
	assert_false(screen_capable(true, ""));
	assert_false(screen_capable(true, NULL));
}

static void colors(void **state)
{
	static const struct {
		enum color_when when;
		bool capable;
		const char *no_color;
		bool wanted;
	} cases[] = {
		{ COLOR_AUTO, true, NULL, true },
		{ COLOR_AUTO, false, NULL, false },
		{ COLOR_AUTO, true, "1", false },
		{ COLOR_AUTO, true, "0", false },
		{ COLOR_AUTO, true, "", true },
		/* the command line has the last word */
		{ COLOR_ALWAYS, false, "1", true },
		{ COLOR_NEVER, true, NULL, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(screen_color(cases[i].when, cases[i].capable, cases[i].no_color),
				 cases[i].wanted);
}

static void color_words(void **state)
{
	enum color_when when;

	assert_true(screen_parse_color(NULL, &when) && when == COLOR_ALWAYS);
	assert_true(screen_parse_color("always", &when) && when == COLOR_ALWAYS);
	assert_true(screen_parse_color("auto", &when) && when == COLOR_AUTO);
	assert_true(screen_parse_color("never", &when) && when == COLOR_NEVER);
	assert_false(screen_parse_color("", &when));
	assert_false(screen_parse_color("alway", &when));
}

static void pagers(void **state)
{
	static const struct {
		bool wanted;
		const char *own;
		const char *others;
		const char *pager;
	} cases[] = {
		{ true, NULL, NULL, "less" },
		{ true, NULL, "more", "more" },
		{ true, "most -s", "more", "most -s" },
		{ true, NULL, "cat", NULL },
		{ true, NULL, "", NULL },
		{ true, "", "more", NULL },
		{ true, "cat", "more", NULL },
		{ false, "most", "more", NULL },
		{ false, NULL, NULL, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *pager = screen_pager(cases[i].wanted, cases[i].own, cases[i].others);

		if (cases[i].pager)
			assert_string_equal(pager, cases[i].pager);
		else
			assert_null(pager);
	}
}

/* prints a line through @pager, in a process of its own, and compares the result */
static void assert_paged(const char *pager, const char *wanted)
{
	char path[] = "/tmp/irqoff-test-XXXXXX", got[64] = "";
	int fd = mkstemp(path), status;
	pid_t child;

	assert_true(fd >= 0);
	fflush(stdout);
	unsetenv("LESS");
	child = fork();
	if (!child) {
		dup2(fd, STDOUT_FILENO);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		pager_open(pager);
		puts("printed");
		_exit(!pager_close());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(pread(fd, got, sizeof(got) - 1, 0) >= 0);
	assert_string_equal(got, wanted);
	unlink(path);
	close(fd);
}

static void paged(void **state)
{
	assert_paged("sed s/^/it\\ is\\ /", "it is printed\n");
	assert_paged("true", "");
	assert_paged("false", "");
	assert_paged("X=is sh -c 'sed s/^/$X/'", "isprinted\n");
	assert_paged("echo \"$LESS\"", "FRX\n");
	/* ^C is the pager's */
	assert_paged("kill -INT $PPID; cat", "printed\n");
	/* a pager that does not exist is not used */
	assert_paged("no-such-pager-in-the-world -R", "printed\n");
	assert_false(pager_close());
}

static void selected(void **state)
{
	static const struct {
		const char *list;
		const char *wanted;
	} cases[] = {
		{ NULL, "ended record class min max culprit" },
		{ "culprit", "culprit" },
		{ "culprit,max,culprit", "culprit max" },
		{ "+task", "ended record class min max culprit task" },
		{ "+record,pod", "ended record class min max culprit pod" },
	};
	static const char * const wrong[] = { "", "+", "culprit,", "nonsense", "Culprit", ",max" };
	struct columns columns;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char got[128] = "";

		assert_int_equal(list_select(&columns, NULL, cases[i].list), EXIT_DONE);
		for (unsigned int n = 0; n < columns.count; n++) {
			strcat(got, n ? " " : "");
			strcat(got, columns.wanted[n]->name);
		}
		assert_string_equal(got, cases[i].wanted);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(list_select(&columns, NULL, wrong[i]), EXIT_USAGE);
}

/* a column of a key needs the report to be grouped by that key */
static void keys_need_by(void **state)
{
	struct columns columns;

	assert_int_equal(report_select(&columns, 1U << SUMMARY_CPU, false, "cpu,count"),
			 EXIT_DONE);
	assert_int_equal(report_select(&columns, 1U << SUMMARY_CPU, false, "culprit,count"),
			 EXIT_USAGE);
	assert_int_equal(report_select(&columns, 1U << SUMMARY_CPU, false, "+class"), EXIT_USAGE);
}

static void folds(void **state)
{
	static const struct {
		unsigned int width;
		const char *text;
		const char *wanted;
	} cases[] = {
		{ 0, "one two three", "one two three\n" },
		{ 13, "one two three", "one two three\n" },
		{ 12, "one two three", "one two\n  three\n" },
		{ 5, "one two three", "one\n  two\n  three\n" },
		{ 5, "incomprehensible", "incomprehensible\n" },
		{ 20, "a    b", "a    b\n" },
		{ 20, "", "\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t size;

		out = open_memstream(&text, &size);
		fold(out, cases[i].width, 0, 2, cases[i].text);
		fclose(out);
		assert_string_equal(text, cases[i].wanted);
		free(text);
	}
}

static void cpu_lists(void **state)
{
	static const __u32 cpus[] = { 8, 0, 1, 3, 2, 64, 63, 200, 65, 8 };
	struct cpuset set = { 0 };
	char buf[64], narrow[14];

	assert_string_equal(cpuset_print(buf, sizeof(buf), &set), "");
	assert_int_equal(cpuset_count(&set), 0);
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++)
		cpuset_add(&set, cpus[i]);
	assert_string_equal(cpuset_print(buf, sizeof(buf), &set), "0-3,8,63-65,200");
	assert_string_equal(cpuset_print(narrow, sizeof(narrow), &set), "0-3,8,...");
	assert_int_equal(cpuset_count(&set), 9);
	/* an impossible CPU number from the module is ignored */
	cpuset_add(&set, ~0U);
	assert_int_equal(cpuset_count(&set), 9);
	cpuset_free(&set);
}

/* expects a window to begin and end so many seconds before the present */
static void assert_window(const struct model *model, __u64 since_ns, __u64 until_ns, int from,
			  int to)
{
	struct window window = window_of(model, since_ns, until_ns);

	assert_int_equal((NOW_REALTIME_NS - window.from_ns) / (1000 * MS), from);
	assert_int_equal((NOW_REALTIME_NS - window.to_ns) / (1000 * MS), to);
}

static void windows(void **state)
{
	struct model *model = &collection.model;

	fixture_collect(&collection);
	/* records were lost, so the window begins with the first one left */
	assert_window(model, 0, ~0ULL, 600, 0);
	assert_window(model, NOW_REALTIME_NS - 60000 * MS, ~0ULL, 60, 0);
	assert_window(model, 0, NOW_REALTIME_NS - 60000 * MS, 600, 60);
	model->counters[0].lost = 0;
	model->counters[0].cleared = 0;
	assert_window(model, 0, ~0ULL, 7380, 0);
	assert_true(window_of(model, 0, ~0ULL).rates);
	/* a record that is newer than the clock's reading */
	model->config.now_ns -= 300000 * MS;
	model->config.realtime_ns -= 300000 * MS;
	assert_window(model, 0, ~0ULL, 7380, 0);
	model->config.now_ns += 300000 * MS;
	model->config.realtime_ns += 300000 * MS;
	/* watching was started again since then */
	model->config.enabled_ns = NOW_NS - 60000 * MS;
	assert_window(model, 0, ~0ULL, 600, 0);
	/* watching was stopped, so the open stall has ended */
	model->config.enabled = false;
	model->config.now_ns += 100000 * MS;
	model->config.realtime_ns += 100000 * MS;
	assert_window(model, 0, ~0ULL, 600, 0);
	assert_false(window_of(model, 0, ~0ULL).rates);
	/* it is known when */
	model->config.enabled_ns = NOW_NS - 700000 * MS;
	model->config.stopped_known = true;
	model->config.stopped_ns = NOW_NS + 50000 * MS;
	assert_true(window_of(model, 0, ~0ULL).rates);
	assert_int_equal(window_of(model, 0, ~0ULL).to_ns - NOW_REALTIME_NS, 50000 * MS);
	/* the last record is later */
	model->config.stopped_ns = NOW_NS - 300000 * MS;
	assert_window(model, 0, ~0ULL, 700, 0);
	/* records were lost */
	model->counters[0].lost = 1;
	assert_window(model, 0, ~0ULL, 600, 0);
	model->counters[0].lost = 0;
	model_forget_entries(model);
	assert_window(model, 0, ~0ULL, 700, 300);
	/* no clock goes back */
	model->config.stopped_ns = model->config.now_ns + 1;
	assert_false(window_of(model, 0, ~0ULL).rates);
	model->config.stopped_known = false;
	assert_int_equal(window_of(model, 0, ~0ULL).from_ns, window_of(model, 0, ~0ULL).to_ns);
	collect_free(&collection);
}

static void rates(void **state)
{
	struct window minute = { .to_ns = 60000 * MS, .rates = true }, none = { .rates = true };
	struct window stopped = { .to_ns = 60000 * MS };
	char buf[32];

	assert_string_equal(window_rate(buf, sizeof(buf), &minute, 3), "3.00");
	assert_string_equal(window_rate(buf, sizeof(buf), &minute, 12), "12.0");
	assert_string_equal(window_rate(buf, sizeof(buf), &minute, 1234), "1234");
	assert_string_equal(window_rate(buf, sizeof(buf), &none, 1), "-");
	assert_string_equal(window_share(buf, sizeof(buf), &minute, 6 * MS), "0.010");
	assert_string_equal(window_share(buf, sizeof(buf), &minute, 15000 * MS), "25.00");
	assert_string_equal(window_share(buf, sizeof(buf), &none, 1), "-");
	assert_string_equal(window_rate(buf, sizeof(buf), &stopped, 1), "-");
	assert_string_equal(window_share(buf, sizeof(buf), &stopped, 1), "-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths),
		cmocka_unit_test(capable),
		cmocka_unit_test(colors),
		cmocka_unit_test(color_words),
		cmocka_unit_test(pagers),
		cmocka_unit_test(paged),
		cmocka_unit_test(selected),
		cmocka_unit_test(keys_need_by),
		cmocka_unit_test(folds),
		cmocka_unit_test(cpu_lists),
		cmocka_unit_test(windows),
		cmocka_unit_test(rates),
	};

	return cmocka_run_group_tests_name("screen", tests, NULL, NULL);
}
