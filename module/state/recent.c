// SPDX-License-Identifier: GPL-2.0-only
#include <asm/barrier.h>
#include <linux/string.h>

#include "core/peek.h"
#include "state/recent.h"

static void empty(struct tio_recent *recent, unsigned int drops)
{
	/* pairs with tio_ring_counted(): who sees what is emptied sees why, @drops */
	smp_mb();
	memset(&recent->hard, 0, sizeof(recent->hard));
	memset(&recent->soft, 0, sizeof(recent->soft));
	/* pairs with tio_recent_read(): nothing of before is seen with this number */
	smp_store_release(&recent->drops, drops);
}

/**
 * tio_recent_add() - count one length
 * @recent: this CPU's histograms
 * @drops: how often its records were dropped
 * @kind: what kind of stall lasted that long
 * @ns: length in nanoseconds
 *
 * Context: interrupts off; not in NMIs.
 */
void tio_recent_add(struct tio_recent *recent, unsigned int drops,
		    enum trace_irqoff_kind kind, u64 ns)
{
	if (recent->drops != drops)
		empty(recent, drops);
	tio_histogram_add(kind == TRACE_IRQOFF_KIND_SOFT ? &recent->soft : &recent->hard, ns);
}

/**
 * tio_recent_read() - copy what a CPU has counted since its records were dropped last
 * @recent: the CPU's histograms
 * @drops: how often its records were dropped
 * @copy: filled in; one of the fields may be a step ahead of another. Empty where the CPU
 *	has counted nothing since
 *
 * The caller has to read that number again, and take nothing of this if it has changed.
 *
 * Context: any.
 */
void tio_recent_read(const struct tio_recent *recent, unsigned int drops,
		     struct tio_recent *copy)
{
	memset(copy, 0, sizeof(*copy));
	copy->drops = drops;
	/* pairs with empty() */
	if (smp_load_acquire(&recent->drops) != drops)
		return;
	tio_peek_histogram(&recent->hard, &copy->hard);
	tio_peek_histogram(&recent->soft, &copy->soft);
}
