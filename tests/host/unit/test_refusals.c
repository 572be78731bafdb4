// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "base/say.h"
#include "cli/commands.h"
#include "command_line.h"
#include "model/knob_words.h"
#include "source/refusal.h"

static void knobs(void **state)
{
	struct knobs knobs = { 0 };

	assert_int_equal(knobs_parse(&knobs, "threshold=1.5ms", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "period_us=500", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus=0-7,9", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "enable=0", NULL), EXIT_DONE);
	assert_true(knobs.given[TIO_KNOB_THRESHOLD_US] && knobs.given[TIO_KNOB_PERIOD_US] &&
		    knobs.given[KNOB_CPUS] && knobs.given[TIO_KNOB_ENABLE]);
	assert_false(knobs.given[TIO_KNOB_RING_RECORDS]);
	assert_int_equal(knobs.numbers[TIO_KNOB_THRESHOLD_US], 1500);
	assert_int_equal(knobs.numbers[TIO_KNOB_PERIOD_US], 500);
	assert_int_equal(knobs.numbers[TIO_KNOB_ENABLE], 0);
	assert_string_equal(knobs.cpus, "0-7,9");
	assert_int_equal(knobs_parse(&knobs, "nmi=off", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "nmi_cpu_rate=16", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "nmi_rate=0", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "guard=never", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "max_cost=0.25%", NULL), EXIT_DONE);
	for (unsigned int i = TIO_KNOB_NMI; i < TIO_KNOBS; i++)
		assert_true(knobs.given[i]);
	assert_int_equal(knobs.numbers[TIO_KNOB_NMI], TRACE_IRQOFF_NMI_OFF);
	assert_int_equal(knobs.numbers[TIO_KNOB_NMI_CPU_RATE], 16);
	assert_int_equal(knobs.numbers[TIO_KNOB_NMI_RATE], 0);
	assert_int_equal(knobs.numbers[TIO_KNOB_GUARD], TRACE_IRQOFF_GUARD_NEVER);
	assert_int_equal(knobs.numbers[TIO_KNOB_MAX_COST_PPM], 2500);
	/* the module checks limits and has its own messages for them */
	assert_int_equal(knobs_parse(&knobs, "ring_records=1", NULL), EXIT_DONE);
	knobs = (struct knobs){ 0 };
	assert_int_equal(knobs_parse(&knobs, "threshold=0us", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "cpus=", NULL), EXIT_DONE);
	assert_string_equal(knobs.cpus, "");
}

#define RELOAD	"rmmod trace_irqoff && modprobe trace_irqoff"

/* the module's sentences, and what was typed instead of its names and units */
static void refusals(void **state)
{
	static const char takes[] = "threshold_us takes 100 to 60000000 microseconds";
	static const char twice[] = "threshold_us must be at least two times period_us";
	static const char ring[] = "ring_records is fixed while the module is loaded";
	static const char ring_takes[] = "ring_records takes 2 to 4096 records";
	static const char cpus[] = "cpus takes anything";
	static const char cost[] = "max_cost_ppm takes 0 to 1000000 parts per million";
	static const struct {
		const char *words[3];
		const char *rule;
		const char *wanted;
	} cases[] = {
		{ { "threshold=10us" }, takes,
		  "threshold=10us is out of range: threshold takes 100us to 60s" },
		{ { "cpus=0", "threshold=61s" }, takes,
		  "threshold=61s is out of range: threshold takes 100us to 60s" },
		{ { "period=49us" }, "period_us takes 50 to 1000000 microseconds",
		  "period=49us is out of range: period takes 50us to 1s" },
		{ { "threshold=5000s" }, takes,
		  "threshold=5000s is out of range: threshold takes 100us to 60s" },
		{ { "threshold_us=10" }, takes,
		  "threshold_us=10: threshold_us takes 100 to 60000000 microseconds" },
		{ { "threshold=1.5ms" }, twice,
		  "threshold=1.5ms is less than two periods of 1ms; "
		  "type threshold=1.5ms period=750us to change both" },
		{ { "threshold_us=1999" }, twice,
		  "threshold_us=1999 is less than two periods of 1ms; "
		  "type threshold=1.999ms period=999us to change both" },
		{ { "period=8ms" }, twice,
		  "period=8ms is more than half of the threshold of 10ms; "
		  "type threshold=16ms period=8ms to change both" },
		{ { "period_us=600001" }, twice,
		  "period_us=600001 is more than half of the threshold of 10ms; "
		  "type threshold=1200002us period=600.001ms to change both" },
		{ { "threshold=1s", "period=600ms" }, twice,
		  "threshold=1s is less than two times period=600ms" },
		{ { "ring_records=128" }, ring,
		  "ring_records is fixed while the module is loaded; "
		  "this loads it again and drops all records: " RELOAD " ring_records=128" },
		{ { "ring_records=1" }, ring_takes,
		  "ring_records=1: ring_records takes 2 to 4096 records" },
		{ { "cpus=17" }, cpus,
		  "cpus=17: cpus takes default, all or a list of CPUs out of 0-1" },
		{ { "period=1us", "cpus=x" }, cpus,
		  "cpus=x: cpus takes default, all or a list of CPUs out of 0-1" },
		{ { "max_cost=101%" }, cost,
		  "max_cost=101% is out of range: max_cost takes 0% to 100%" },
		{ { "max_cost_ppm=1000001" }, cost,
		  "max_cost_ppm=1000001: max_cost_ppm takes 0 to 1000000 parts per million" },
		{ { "nmi=auto", "nmi_rate=0" }, "nmi_rate takes 1 to 100000 NMIs a second",
		  "nmi=auto nmi_rate=0: nmi_rate takes 1 to 100000 NMIs a second" },
		/* the reader finds no rule broken that it knows */
		{ { "threshold=5ms", "enable=1" }, "a rule of a newer module",
		  "enable=1 threshold=5ms: a rule of a newer module" },
		{ { NULL }, "a rule of a newer module", "a rule of a newer module" },
	};
	const struct model model = {
		.machine.cpus = "0-1",
		.config = { .threshold_us = 10000, .period_us = 1000, .ring_records = 64 },
	}, unknown = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct knobs knobs = { 0 };
		char *text;

		for (unsigned int k = 0; k < 3 && cases[i].words[k]; k++)
			assert_int_equal(knobs_parse(&knobs, cases[i].words[k], NULL), EXIT_DONE);
		text = refusal_text(&knobs, &model, cases[i].rule);
		assert_string_equal(text, cases[i].wanted);
		free(text);
		/* nothing is known of the module and the machine */
		text = refusal_text(&knobs, &unknown, cases[i].rule);
		assert_true(*text);
		free(text);
	}
}

/* what came with interface 5, to a module of interface 4 */
static void refused_by_older(void **state)
{
	struct model model = { .config.version = 4 };
	static const char rule[] = "Unknown attribute type";
	struct knobs knobs = { 0 };
	char *text;

	assert_int_equal(knobs_parse(&knobs, "threshold=5ms", NULL), EXIT_DONE);
	assert_int_equal(knobs_parse(&knobs, "guard=never", NULL), EXIT_DONE);
	text = refusal_text(&knobs, &model, rule);
	assert_string_equal(text,
			    "guard=never: the loaded module has interface 4 and no such knob");
	free(text);
	knobs = (struct knobs){ .free = true };
	text = refusal_text(&knobs, &model, rule);
	assert_string_equal(text, "the loaded module has interface 4 and gives no memory back");
	free(text);
	model.config.version = 5;
	text = refusal_text(&knobs, &model, "a rule");
	assert_string_equal(text, "a rule");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knobs),
		cmocka_unit_test(refusals),
		cmocka_unit_test(refused_by_older),
	};

	return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
