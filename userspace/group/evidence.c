// SPDX-License-Identifier: GPL-2.0-only
#include "group/evidence.h"

/* what makes evidence good: each counts for more than all below it together */
enum {
	IS_OVER		= 1 << 0,
	IS_NARROW	= 1 << 1,	/* its bounds */
	IS_AGREED	= 1 << 2,	/* more than one stack names the culprit, or its end does */
	IS_OWN		= 1 << 3,	/* no caller of the culprit may be to blame */
	IS_END		= 1 << 4,
	IS_SAMPLED	= 1 << 5,
};

static unsigned int rank(const struct entry *entry)
{
	return (entry->found.verdict.evidence & TIO_EVIDENCE_SAMPLE ? IS_SAMPLED : 0) |
	       (entry->found.verdict.evidence & TIO_EVIDENCE_END ? IS_END : 0) |
	       (entry->found.or_caller ? 0 : IS_OWN) |
	       (entry->found.culprit_by == CULPRIT_BY_LEAF ? 0 : IS_AGREED) |
	       (entry->found.verdict.wide ? 0 : IS_NARROW) |
	       (entry->rec.open ? 0 : IS_OVER);
}

/**
 * evidence_better() - does a record show better whom to blame than another one?
 * @entry: a record, judged
 * @than: another one of the same culprit
 *
 * What was seen while a stall went on says more than its end. Among equals the newer is better,
 * since more of what it names is still there.
 */
bool evidence_better(const struct entry *entry, const struct entry *than)
{
	unsigned int left = rank(entry), right = rank(than);

	return left != right ? left > right : entry->rec.end_ns >= than->rec.end_ns;
}
