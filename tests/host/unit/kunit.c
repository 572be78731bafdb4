// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a suite of tests/kunit with cmocka. The program is the suite, the code that it
 * tests, and this.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include <kunit/test.h>

/* at most so many failures of a case are printed */
#define TOLD	20

struct kunit_memory {
	struct kunit_memory *next;
	void *memory;
};

/**
 * kunit_kzalloc() - zeroed memory until the end of the case
 * @test: the case
 * @size: its size
 * @gfp: ignored
 *
 * Return: the memory.
 */
void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp)
{
	struct kunit_memory *kept = malloc(sizeof(*kept));

	(void)gfp;
	assert_non_null(kept);
	kept->memory = calloc(1, size);
	assert_non_null(kept->memory);
	kept->next = test->memory;
	test->memory = kept;
	return kept->memory;
}

/**
 * kunit_number() - format a number
 * @text: the buffer
 * @number: the number
 *
 * Return: @text.
 */
const char *kunit_number(char text[24], long long number)
{
	snprintf(text, 24, "%lld", number);
	return text;
}

/**
 * kunit_failed() - report an expectation or assertion that does not hold
 * @test: the case; it has failed
 * @claim: the expectation or assertion
 * @format: a further message, or NULL
 *
 * Does not return from an assertion.
 */
void kunit_failed(struct kunit *test, const struct kunit_claim *claim,
		  const char *format, ...)
{
	va_list args;

	if (!test->failures++) {
		test->file = claim->file;
		test->line = claim->line;
	}
	if (test->failures <= TOLD) {
		fprintf(stderr, "# %s: %s:%d: failed: %s: \"%s\" against \"%s\"",
			test->running->name, claim->file, claim->line, claim->text,
			claim->left, claim->right);
		if (format) {
			fputs(", ", stderr);
			va_start(args, format);
			vfprintf(stderr, format, args);
			va_end(args);
		}
		fputc('\n', stderr);
	}
	if (claim->fatal)
		_fail(claim->file, claim->line);
}

static int end(void **state)
{
	struct kunit *test = *state;

	if (test->suite->exit)
		test->suite->exit(test);
	while (test->memory) {
		struct kunit_memory *kept = test->memory;

		test->memory = kept->next;
		free(kept->memory);
		free(kept);
	}
	return 0;
}

static int begin(void **state)
{
	struct kunit *test = *state;
	int ret = test->suite->init ? test->suite->init(test) : 0;

	/* KUnit calls exit() even if init() failed; cmocka calls it only after a case that ran */
	if (ret)
		end(state);
	return ret;
}

static void run(void **state)
{
	struct kunit *test = *state;

	test->running->run_case(test);
	if (test->failures > TOLD)
		fprintf(stderr, "# %s: %u failures in all\n", test->running->name, test->failures);
	if (test->failures)
		_fail(test->file, test->line);
}

int main(void)
{
	const struct kunit_case *cases = kunit_suite->test_cases;
	struct CMUnitTest *tests;
	struct kunit *states;
	size_t i, n = 0;
	int failed;

	while (cases[n].run_case)
		n++;
	if (!n) {
		printf("1..1\nnot ok 1 - %s: no cases\n", kunit_suite->name);
		return 1;
	}
	tests = calloc(n, sizeof(*tests));
	states = calloc(n, sizeof(*states));
	assert_true(tests && states);
	for (i = 0; i < n; i++) {
		states[i].suite = kunit_suite;
		states[i].running = &cases[i];
		tests[i] = (struct CMUnitTest) { cases[i].name, run, begin, end, &states[i] };
	}
	failed = _cmocka_run_group_tests(kunit_suite->name, tests, n, NULL, NULL);
	free(states);
	free(tests);
	return failed;
}
