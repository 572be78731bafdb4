/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * KUnit on top of cmocka, as far as the suites of tests/kunit need it. An expectation
 * that does not hold is printed and counted, and the case fails at its end. An
 * assertion that does not hold ends the case at once. See ../../kunit.c.
 */
#ifndef _KUNIT_TEST_H
#define _KUNIT_TEST_H

#include <errno.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/types.h>

struct kunit;

struct kunit_case {
	void (*run_case)(struct kunit *test);
	const char *name;
};

struct kunit_suite {
	const char *name;
	int (*init)(struct kunit *test);
	void (*exit)(struct kunit *test);
	const struct kunit_case *test_cases;
};

struct kunit {
	void *priv;
	/* for the runner only */
	const struct kunit_suite *suite;
	const struct kunit_case *running;
	struct kunit_memory *memory;
	unsigned int failures;
	const char *file;	/* where the first failure is */
	int line;
};

#define KUNIT_CASE(function)	{ .run_case = function, .name = #function }

/* a program has one suite */
extern const struct kunit_suite *const kunit_suite;

#define kunit_test_suites(only)	const struct kunit_suite *const kunit_suite = only

/* an expectation or assertion that does not hold, and the values of its operands */
struct kunit_claim {
	const char *file;
	int line;
	bool fatal;
	const char *text;
	const char *left;
	const char *right;
};

/* a comment of TAP */
#define kunit_info(test, format, ...)	((void)(test), printf("# " format "\n", ##__VA_ARGS__))

void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t gfp);
const char *kunit_number(char text[24], long long number);
__attribute((format(printf, 3, 4)))
void kunit_failed(struct kunit *test, const struct kunit_claim *claim,
		  const char *format, ...);

#define KUNIT_FAILED(test, fatal, text, left, right, ...)			\
	kunit_failed(test, &(const struct kunit_claim) {			\
		__FILE__, __LINE__, fatal, text, left, right,			\
	}, __VA_ARGS__)

#define KUNIT_NUMBERS(test, fatal, a, op, b, ...) do {				\
	__auto_type a_ = (a);							\
	__auto_type b_ = (b);							\
	if (!(a_ op b_))							\
		KUNIT_FAILED(test, fatal, #a " " #op " " #b,			\
			     kunit_number((char[24]) { }, (long long)a_),	\
			     kunit_number((char[24]) { }, (long long)b_),	\
			     __VA_ARGS__);					\
} while (0)

#define KUNIT_STRINGS(test, a, op, b, ...) do {					\
	const char *a_ = (a);							\
	const char *b_ = (b);							\
	if (!(strcmp(a_, b_) op 0))						\
		KUNIT_FAILED(test, false, #a " " #op " " #b, a_, b_,		\
			     __VA_ARGS__);					\
} while (0)

#define KUNIT_TRUTH(test, fatal, condition, wanted, ...) do {			\
	bool truth_ = (condition);						\
	if (truth_ != (wanted))							\
		KUNIT_FAILED(test, fatal, #condition, truth_ ? "true" : "false", \
			     #wanted, __VA_ARGS__);				\
} while (0)

#define KUNIT_EXPECT_EQ(test, a, b)	KUNIT_NUMBERS(test, false, a, ==, b, NULL)
#define KUNIT_EXPECT_EQ_MSG(test, a, b, ...) \
	KUNIT_NUMBERS(test, false, a, ==, b, __VA_ARGS__)
#define KUNIT_EXPECT_LE(test, a, b)	KUNIT_NUMBERS(test, false, a, <=, b, NULL)
#define KUNIT_EXPECT_GT(test, a, b)	KUNIT_NUMBERS(test, false, a, >, b, NULL)
#define KUNIT_EXPECT_STREQ(test, a, b)	KUNIT_STRINGS(test, a, ==, b, NULL)
#define KUNIT_EXPECT_STRNEQ(test, a, b)	KUNIT_STRINGS(test, a, !=, b, NULL)
#define KUNIT_EXPECT_TRUE(test, condition) \
	KUNIT_TRUTH(test, false, condition, true, NULL)
#define KUNIT_EXPECT_TRUE_MSG(test, condition, ...) \
	KUNIT_TRUTH(test, false, condition, true, __VA_ARGS__)
#define KUNIT_EXPECT_FALSE(test, condition) \
	KUNIT_TRUTH(test, false, condition, false, NULL)
#define KUNIT_ASSERT_NOT_ERR_OR_NULL(test, pointer) \
	KUNIT_TRUTH(test, true, (pointer) != NULL, true, NULL)

#endif /* _KUNIT_TEST_H */
