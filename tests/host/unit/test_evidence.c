// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "group/evidence.h"

/* the newest, and the worst of all */
static const struct entry worst = {
	.found.verdict = { .evidence = TIO_EVIDENCE_NONE, .wide = true },
	.found.culprit_by = CULPRIT_BY_LEAF,
	.found.or_caller = true,
	.rec = { .open = true, .end_ns = 1000 },
};

static void assert_better(const struct entry *entry, const struct entry *than)
{
	assert_true(evidence_better(entry, than));
	assert_false(evidence_better(than, entry));
}

static void end_it(struct entry *entry)
{
	entry->rec.open = false;
}

static void narrow(struct entry *entry)
{
	entry->found.verdict.wide = false;
}

static void name_by_end(struct entry *entry)
{
	entry->found.culprit_by = CULPRIT_BY_END;
}

static void clear_caller(struct entry *entry)
{
	entry->found.or_caller = false;
}

static void see_end(struct entry *entry)
{
	entry->found.verdict.evidence = TIO_EVIDENCE_END;
}

static void sample(struct entry *entry)
{
	entry->found.verdict.evidence = TIO_EVIDENCE_SAMPLE;
}

/* each of these is worth more than all before it, and than being the newer one */
static void orders(void **state)
{
	void (*const better[])(struct entry *entry) = {
		end_it, narrow, name_by_end, clear_caller, see_end, sample
	};
	struct entry before = worst;

	for (size_t i = 0; i < ARRAY_SIZE(better); i++) {
		struct entry entry = worst;

		entry.rec.end_ns = 1;
		better[i](&entry);
		assert_better(&entry, &before);
		better[i](&before);
	}
}

static void newer_of_equals(void **state)
{
	struct entry older = worst;

	older.rec.end_ns--;
	assert_better(&worst, &older);
	assert_true(evidence_better(&worst, &worst));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders),
		cmocka_unit_test(newer_of_equals),
	};

	return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
