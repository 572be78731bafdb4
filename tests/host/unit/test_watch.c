// SPDX-License-Identifier: GPL-2.0-only
/* What irqoff watch makes of what a follower hands on. */
#include "fixture.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/watch_lines.h"
#include "output/out.h"
#include "said.h"
#include "source/follow.h"

static struct watch watch;
static struct follow following;
static struct model model;
static char *text;	/* what was printed, after shown() */
static size_t size;
static bool hearing;	/* what it says */

static int begin(void **state)
{
	struct collection collection;

	watch = (struct watch){
		.mountinfo = "/nowhere",
		.hook.every_ns = ~0ULL,
	};
	filter_init(&watch.filter);
	watch_select(&watch.columns, NULL);
	watch.out = open_memstream(&text, &size);
	fixture_begin(&collection);
	watch.names.symbols = collection.symbols;
	model = collection.model;
	following = (struct follow){ 0 };
	watch_follow(&watch, &following);
	said_begin();
	hearing = true;
	return 0;
}

static void heard(void)
{
	if (hearing)
		said_end();
	hearing = false;
}

static int end(void **state)
{
	heard();
	fclose(watch.out);
	free(text);
	model_free(&model);
	names_free(&watch.names);
	filter_free(&watch.filter);
	return 0;
}

static void ends_at(__u64 seq, __u64 min_ns, bool context)
{
	struct entry *entry = add_hard(&model, 0, seq, NOW_NS - 1000 * MS + seq * MS, min_ns);

	set_stack(&entry->rec.end, AT_SPIN_UNLOCK + 0x15, AT_MEMORY_STAT + 0x100, 0ULL);
	entry->view.context = context;
}

static void hand_on(void)
{
	assert_int_equal(observers_records(&following.observers, &model), EXIT_DONE);
	model_forget_entries(&model);
}

static int finish(void)
{
	int status = watch_end(&watch);

	heard();
	fflush(watch.out);
	return status;
}

static void a_line_a_stall(void **state)
{
	static const char wanted[] =
		"ENDED         RECORD CLASS            MIN ms CULPRIT\n"
		"06:59:59.010    0:10 hardirq-off      24.000 memory_stat_format\n"
		"lost 12 on CPU 1\n"
		"06:59:59.011    0:11 hardirq-off    1024.000 memory_stat_format\n";

	watch_select(&watch.columns, "ended,record,class,min,culprit");
	watch_head(&watch);
	ends_at(9, 90 * MS, true);
	ends_at(10, 24 * MS, false);
	hand_on();
	observers_lost(&following.observers, 1, 12);
	ends_at(11, 1024 * MS, false);
	hand_on();
	assert_int_equal(finish(), EXIT_DONE);
	assert_string_equal(text, wanted);
	assert_string_equal(said, "");
}

static void only_what_passes(void **state)
{
	watch.filter.min_ns = 30 * MS;
	watch.count = 2;
	ends_at(10, 24 * MS, false);
	ends_at(11, 34 * MS, false);
	ends_at(12, 24 * MS, false);
	hand_on();
	assert_false(watch.done);
	ends_at(13, 44 * MS, false);
	ends_at(14, 54 * MS, false);
	hand_on();
	assert_true(watch.done);
	assert_int_equal(watch.shown, 2);
	assert_int_equal(finish(), EXIT_DONE);
	assert_non_null(strstr(text, "0:11 "));
	assert_non_null(strstr(text, "0:13 "));
	assert_null(strstr(text, "0:14 "));
	assert_null(strstr(text, "0:12 "));
}

static void open_ones_end_nothing(void **state)
{
	struct entry *entry;

	watch.count = 1;
	watch.fail_above_ns = 20 * MS;
	entry = add_soft(&model, 1, 0, NOW_NS, 31 * MS, TRACE_IRQOFF_F_BH_OFF);
	entry->rec.open = true;
	hand_on();
	assert_false(watch.done);
	assert_int_equal(finish(), EXIT_DONE);
	assert_non_null(strstr(text, "1:open softirq-off "));
}

static void json_is_stalls_alone(void **state)
{
	static const char wanted[] =
		"irqoff: lost 12 on CPU 1\n"
		"irqoff: the module trace_irqoff was loaded again (new instance)\n"
		"irqoff: the module trace_irqoff was unloaded\n";

	watch.json = true;
	watch_head(&watch);
	ends_at(10, 24 * MS, false);
	hand_on();
	observers_lost(&following.observers, 1, 12);
	observers_instance(&following.observers, &model.config);
	observers_gone(&following.observers);
	observers_gone(&following.observers);
	assert_int_equal(finish(), EXIT_DONE);
	assert_int_equal(strncmp(text, "{\"schema_version\":1,", 20), 0);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	assert_string_equal(said, wanted);
}

static void verbose(void **state)
{
	watch.verbose = true;
	watch_head(&watch);
	ends_at(10, 24 * MS, false);
	ends_at(11, 24 * MS, false);
	hand_on();
	finish();
	assert_int_equal(strncmp(text, "record 0:10: hard, hardirq-off\n", 31), 0);
	assert_non_null(strstr(text, "\n\nrecord 0:11: hard, hardirq-off\n"));
	/* with stacks */
	assert_non_null(strstr(text, "\n        _raw_spin_unlock_irqrestore+0x15"));
}

static void fails_above(void **state)
{
	watch.fail_above_ns = 20 * MS;
	ends_at(10, 20 * MS, false);
	hand_on();
	assert_false(watch.done);
	ends_at(11, 20 * MS + 1, false);
	ends_at(12, 90 * MS, false);
	hand_on();
	assert_true(watch.done);
	assert_int_equal(watch.shown, 2);
	/* what was unsure before does not matter any more */
	watch.unsure = true;
	assert_int_equal(finish(), EXIT_FOUND);
	assert_string_equal(said,
			    "irqoff: stall 0:11 exceeded --fail-above 20 ms: it lasted at least 20 ms; "
			    "type irqoff list -v 0:11\n");
}

static void cannot_tell(void **state)
{
	struct config config = { .enabled = true, .watched = "0-3", .cpus = "all" };

	watch.fail_above_ns = 20 * MS;
	observers_settings(&following.observers, &config);
	assert_false(watch.unsure);
	observers_lost(&following.observers, 0, 1);
	assert_true(watch.unsure);
	watch.unsure = false;
	observers_gone(&following.observers);
	assert_true(watch.unsure);
	watch.unsure = false;
	observers_instance(&following.observers, &config);
	assert_true(watch.unsure);
	watch.unsure = false;
	filter_option(&watch.filter, FILTER_CPU, "4-5");
	observers_settings(&following.observers, &config);
	assert_true(watch.unsure);
	watch.unsure = false;
	filter_option(&watch.filter, FILTER_CPU, "3");
	observers_settings(&following.observers, &config);
	assert_false(watch.unsure);
	config.threshold_us = 20000;
	observers_settings(&following.observers, &config);
	assert_false(watch.unsure);
	config.threshold_us = 20001;
	observers_settings(&following.observers, &config);
	assert_true(watch.unsure);
	watch.unsure = false;
	config.threshold_us = 0;
	config.enabled = false;
	observers_settings(&following.observers, &config);
	assert_true(watch.unsure);
	assert_int_equal(finish(), EXIT_CANNOT_TELL);
	assert_non_null(strstr(said, "threshold 20.001 ms is higher than --fail-above 20 ms, "));
	assert_non_null(strstr(text, "\nthe module trace_irqoff is not enabled (irqoff start "));
	assert_non_null(strstr(said, "irqoff: no stall longer than 20 ms was seen, but "));
	/* that is about --fail-above alone */
	watch.fail_above_ns = 0;
	assert_int_equal(watch_end(&watch), EXIT_DONE);
}

/* waits until the command has ended */
static void until_ended(void)
{
	siginfo_t info;

	assert_int_equal(waitid(P_PID, watch.hook.pid, &info, WEXITED | WNOWAIT), 0);
	hook_ended(&watch.hook);
}

static void runs_a_command(void **state)
{
	char command[160], path[] = "/tmp/irqoff-test-XXXXXX", ran[65536];
	int fd = mkstemp(path), go[2];
	ssize_t len;

	/* each run waits for a line, so none ends before the test has looked */
	assert_int_equal(pipe(go), 0);
	snprintf(command, sizeof(command),
		 "cat >> %s; echo held $IRQOFF_HELD_BACK >> %s; read line < /dev/fd/%d; exit 9",
		 path, path, go[0]);
	watch.hook.command = command;
	ends_at(10, 24 * MS, false);
	ends_at(11, 24 * MS, false);
	ends_at(12, 24 * MS, false);
	hand_on();
	assert_true(watch.hook.pid > 0);
	assert_int_equal(watch.hook.held, 2);
	assert_int_equal(write(go[1], "\n\n", 2), 2);
	until_ended();
	assert_int_equal(watch.hook.pid, 0);
	/* it has ended, but the time is not over */
	ends_at(13, 24 * MS, false);
	hand_on();
	assert_int_equal(watch.hook.held, 3);
	watch.hook.every_ns = 0;
	ends_at(14, 24 * MS, false);
	hand_on();
	until_ended();
	watch.hook.every_ns = ~0ULL;
	ends_at(15, 24 * MS, false);
	hand_on();
	assert_int_equal(finish(), EXIT_DONE);
	len = read(fd, ran, sizeof(ran) - 1);
	ran[len > 0 ? len : 0] = '\0';
	close(fd);
	close(go[0]);
	close(go[1]);
	unlink(path);
	assert_non_null(strstr(ran, "\"record\":\"0:10\""));
	assert_non_null(strstr(ran, "}\nheld 0\n{"));
	assert_non_null(strstr(ran, "\"record\":\"0:14\""));
	assert_null(strstr(ran, "\"record\":\"0:11\""));
	assert_non_null(strstr(ran, "}\nheld 3\n"));
	assert_non_null(strstr(said, "irqoff: 3 stalls were not passed to the --exec "));
	assert_non_null(strstr(said, "irqoff: 1 stall was not passed to the --exec "));
	assert_non_null(strstr(said, "irqoff: the --exec command exited with status 9\n"));
}

static void one_at_a_time(void **state)
{
	struct hook hook = { .every_ns = 100 };

	/* the clock may begin with 0 */
	assert_true(hook_ready(&hook, 0));
	hook.ran = true;
	hook.ran_ns = 1000;
	assert_false(hook_ready(&hook, 1099));
	assert_true(hook_ready(&hook, 1100));
	hook.pid = 17;
	assert_false(hook_ready(&hook, 100000));
}

static void write_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(content, file);
	fclose(file);
}

/* kallsyms is not read again while the same modules are there */
static void names_are_read_once(void **state)
{
	char modules[] = "/tmp/irqoff-test-XXXXXX", kallsyms[] = "/tmp/irqoff-test-XXXXXX";
	struct names names = { .kallsyms = kallsyms, .modules = modules };

	close(mkstemp(modules));
	close(mkstemp(kallsyms));
	write_file(modules, "one 4096 0 - Live 0xffffffffc0100000\n");
	write_file(kallsyms, fixture_kallsyms);
	names_renew(&names);
	names_renew(&names);
	assert_int_equal(names.reads, 1);
	/* another user of a module changes nothing */
	write_file(modules, "one 4096 1 two, Live 0xffffffffc0100000\n");
	names_renew(&names);
	assert_int_equal(names.reads, 1);
	/* the tracer's own functions have the names that it sends */
	write_file(modules, "one 4096 1 - Live 0xffffffffc0100000\n"
		   "trace_irqoff 4096 0 - Loading 0xffffffffc0300000\n");
	names_renew(&names);
	assert_int_equal(names.reads, 1);
	/* the same one elsewhere */
	write_file(modules, "one 4096 1 - Live 0xffffffffc0200000\n");
	names_renew(&names);
	assert_int_equal(names.reads, 2);
	write_file(modules, "");
	names_renew(&names);
	assert_int_equal(names.reads, 3);
	/* what cannot be read may have changed */
	unlink(modules);
	names_renew(&names);
	names_renew(&names);
	assert_int_equal(names.reads, 5);
	assert_true(symbols_hidden(names.symbols));
	unlink(kallsyms);
	names_free(&names);
}

#define test(name)	cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_line_a_stall),
		test(only_what_passes),
		test(open_ones_end_nothing),
		test(json_is_stalls_alone),
		test(verbose),
		test(fails_above),
		test(cannot_tell),
		test(runs_a_command),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(names_are_read_once),
	};

	return cmocka_run_group_tests_name("watch", tests, NULL, NULL);
}
