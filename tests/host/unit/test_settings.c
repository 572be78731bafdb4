// SPDX-License-Identifier: GPL-2.0-only
/* The agent's file of settings: what it says, and what is wrong with it in which line. */
#include "page.h"

#include "cli/agent_settings.h"
#include "cli/commands.h"
#include "said.h"

static struct settings settings;

static int end(void **state)
{
	settings_free(&settings);
	return 0;
}

static void nothing_set_watches(void **state)
{
	assert_int_equal(settings_parse(&settings, "f", "# none\n\n \t#\n#enable=no"), EXIT_DONE);
	for (unsigned int i = 0; i < KNOBS; i++)
		assert_int_equal(settings.knobs.given[i], i == TIO_KNOB_ENABLE);
	assert_int_equal(settings.knobs.numbers[TIO_KNOB_ENABLE], 1);
	assert_int_equal(settings.noptions, 0);
}

static void all_keys(void **state)
{
	static const char text[] =
		"threshold=2ms\n\tperiod=500us   # a comment\r\ncpus=0-3,8\nnmi=off\nnmi_cpu_rate=4\n"
		"nmi_rate=32\nguard=never\nmax_cost=none\nenable=no\nrotate=1M:3\ncounters=10s\n"
		"netns=blue\nnetns=a#b\nstrip=yes\nlines=yes\ntextfile=/a/b.prom\nstate=/s";
	const struct knobs *knobs = &settings.knobs;

	assert_int_equal(settings_parse(&settings, "f", text), EXIT_DONE);
	assert_int_equal(knobs->numbers[TIO_KNOB_THRESHOLD_US], 2000);
	assert_int_equal(knobs->numbers[TIO_KNOB_PERIOD_US], 500);
	assert_string_equal(knobs->cpus, "0-3,8");
	assert_int_equal(knobs->numbers[TIO_KNOB_NMI_CPU_RATE], 4);
	assert_int_equal(knobs->numbers[TIO_KNOB_NMI_RATE], 32);
	assert_int_equal(knobs->numbers[TIO_KNOB_MAX_COST_PPM], 0);
	assert_int_equal(knobs->numbers[TIO_KNOB_ENABLE], 0);
	assert_string_equal(knobs->words[TIO_KNOB_PERIOD_US], "period=500us");
	assert_int_equal(settings.noptions, 8);
	assert_int_equal(settings.options[0].option, OPTION_ROTATE);
	assert_string_equal(settings.options[0].value, "1M:3");
	assert_int_equal(settings.options[0].line, 10);
	assert_string_equal(settings.options[3].value, "a#b");
	assert_int_equal(settings.options[4].option, OPTION_STRIP);
	assert_null(settings.options[4].value);
	assert_int_equal(settings.options[5].option, OPTION_LINES);
	assert_null(settings.options[5].value);
	assert_int_equal(settings.options[6].option, OPTION_TEXTFILE);
	assert_string_equal(settings.options[6].value, "/a/b.prom");
	assert_int_equal(settings.options[7].option, OPTION_STATE);
}

static void space_around_the_sign(void **state)
{
	assert_int_equal(settings_parse(&settings, "f", "threshold = 2ms\n\tcpus\t=0-3, 8 \r\n"
					"enable= no # =\nstate =/a = b"), EXIT_DONE);
	assert_string_equal(settings.knobs.words[TIO_KNOB_THRESHOLD_US], "threshold=2ms");
	assert_string_equal(settings.knobs.cpus, "0-3, 8");
	assert_int_equal(settings.knobs.numbers[TIO_KNOB_ENABLE], 0);
	assert_string_equal(settings.options[0].value, "/a = b");
}

static void strip_may_be_no(void **state)
{
	assert_int_equal(settings_parse(&settings, "f", "strip=no\n"), EXIT_DONE);
	assert_int_equal(settings.options[0].option, OPTION_END);
}

static void faults_have_their_line(void **state)
{
	static const struct {
		const char *text, *wanted;
	} cases[] = {
		{ "\nthreshold\n",
		  "irqoff: /etc/file:2: 'threshold' is not KEY=VALUE, such as threshold=2ms\n" },
		{ "threshold=5\n",
		  "irqoff: /etc/file:1: threshold takes a number with ns, us, ms or s, " },
		{ "#\n#\nfoo=1\nbar=2\n", "irqoff: /etc/file:3: there is no key 'foo'; "
		  "trace-irqoff.conf(5) lists them\n" },
		{ "foo bar = 1", "irqoff: /etc/file:1: there is no key 'foo bar'; " },
		{ "=1", "irqoff: /etc/file:1: there is no key ''; " },
		{ "strip =", "irqoff: /etc/file:1: strip takes yes or no, not ''\n" },
		{ "enable=maybe", "irqoff: /etc/file:1: enable takes yes or no, not 'maybe'\n" },
		{ "enable=yes\nenable=yes",
		  "irqoff: /etc/file:2: enable is set by an earlier line\n" },
		{ "strip=", "irqoff: /etc/file:1: strip takes yes or no, not ''\n" },
		{ "lines=perhaps", "irqoff: /etc/file:1: lines takes yes or no, not 'perhaps'\n" },
		{ "rotate=1M:2\n\nrotate=1M:3", "irqoff: /etc/file:3: rotate is set by line 1\n" },
		{ "period=1ms\nperiod_us=1000",
		  "irqoff: /etc/file:2: 'period_us=1000' sets a knob that another word " },
		{ "ring_records=128",
		  "irqoff: /etc/file:1: ring_records is set as the module is loaded; " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int ret;

		said_begin();
		ret = settings_parse(&settings, "/etc/file", cases[i].text);
		said_end();
		if (ret != EXIT_USAGE || strncmp(said, cases[i].wanted, strlen(cases[i].wanted)) ||
		    strchr(said, '\n') != said + strlen(said) - 1)
			fail_msg("case %zu: status %d, %s", i, ret, said);
		settings_free(&settings);
	}
}

static void files_that_are_none(void **state)
{
	assert_int_equal(settings_read(&settings, "/nowhere/file"), EXIT_USAGE);
	settings_free(&settings);
	assert_int_equal(settings_read(&settings, "/dev/zero"), EXIT_USAGE);
	settings_free(&settings);
	assert_int_equal(settings_read(&settings, "/"), EXIT_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(nothing_set_watches, end),
		cmocka_unit_test_teardown(all_keys, end),
		cmocka_unit_test_teardown(space_around_the_sign, end),
		cmocka_unit_test_teardown(strip_may_be_no, end),
		cmocka_unit_test_teardown(faults_have_their_line, end),
		cmocka_unit_test_teardown(files_that_are_none, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
