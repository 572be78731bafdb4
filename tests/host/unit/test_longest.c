// SPDX-License-Identifier: GPL-2.0-only
/* The longest stall since any moment, compared with a search of all stalls. */
#include "fixture.h"

#include "model/longest.h"

#define STALLS	2000

static struct longest longest;

static int end(void **state)
{
	longest_free(&longest);
	return 0;
}

static void add(__u64 end_ns, __u64 ns, __u64 seq)
{
	longest_add(&longest, &(struct longest_stall){ .end_ns = end_ns, .ns = ns, .seq = seq });
}

static __u64 since(__u64 at_ns)
{
	const struct longest_stall *stall = longest_since(&longest, at_ns);

	return stall ? stall->ns : 0;
}

static void as_a_search_says(void **state)
{
	static __u64 ends[STALLS], lengths[STALLS];

	srandom(22);
	for (int i = 0; i < STALLS; i++) {
		/* nearly in order, some at the same moment */
		ends[i] = 1000 + 10 * i - random() % 60 / 10 * 10;
		lengths[i] = 1 + random() % 500;
		add(ends[i], lengths[i], i);
		if (i % 37)
			continue;
		for (__u64 at = 900; at < ends[i] + 200; at += 35) {
			__u64 most = 0;

			for (int k = 0; k <= i; k++)
				if (ends[k] >= at && lengths[k] > most)
					most = lengths[k];
			assert_int_equal(since(at), most);
		}
	}
	assert_true(longest.count < 60);
	assert_int_equal(longest.from_ns, 0);
}

/* what has no room is told of, and not guessed */
static void forgets_the_oldest(void **state)
{
	for (__u64 i = 0; i < LONGEST_STALLS; i++)
		add(100 + i, 10000 - i, i);
	assert_int_equal(longest.from_ns, 0);
	add(100 + LONGEST_STALLS, 1, LONGEST_STALLS);
	assert_int_equal(longest.count, LONGEST_STALLS);
	assert_int_equal(longest.from_ns, 101);
	assert_int_equal(since(101), 9999);
	/* one that is older still */
	add(50, 1000000, 0);
	assert_int_equal(since(101), 9999);
	assert_int_equal(longest.count, LONGEST_STALLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(as_a_search_says, end),
		cmocka_unit_test_teardown(forgets_the_oldest, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
