// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/cache.h>

#include "record/guard.h"
#include "state/published.h"

/* guard time ends then, for all CPUs */
static atomic64_t until_ns __read_mostly;

/**
 * tio_guard_summon() - a hard stall has ended; guard time begins anew where that helps
 * @rec: its record
 *
 * Context: interrupts off.
 */
void tio_guard_summon(const struct tio_record *rec)
{
	u64 was_ns = atomic64_read(&until_ns);
	u64 end_ns = tio_guard_until(was_ns, rec->end_ns);

	if (end_ns == was_ns || !tio_guard_helps(rec))
		return;
	/* a CPU that comes first has moved it as far; this one may have been stopped */
	atomic64_cmpxchg(&until_ns, was_ns, end_ns);
}

/**
 * tio_guard_time() - does a CPU that is awake alone need a guard?
 * @now_ns: now
 *
 * Context: any.
 * Return: true in guard time, or always or never where the knob says so.
 */
bool tio_guard_time(u64 now_ns)
{
	return tio_guard_now(tio_published_knob(TIO_KNOB_GUARD),
			     atomic64_read(&until_ns), now_ns);
}
