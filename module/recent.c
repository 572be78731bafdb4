// SPDX-License-Identifier: GPL-2.0-only
#include <linux/string.h>

#include "peek.h"
#include "recent.h"
#include "ring.h"

static void empty(struct tio_recent *recent, unsigned int drops)
{
	/* pairs with tio_recent_read(): who sees this sees that records were dropped */
	smp_store_release(&recent->drops, TIO_RECENT_EMPTIED);
	/* pairs with read_once(): what is emptied is seen as that */
	smp_wmb();
	memset(&recent->hard, 0, sizeof(recent->hard));
	memset(&recent->soft, 0, sizeof(recent->soft));
	/* pairs with read_once(): nothing of before is seen with this number */
	smp_store_release(&recent->drops, drops);
}

/**
 * tio_recent_add() - count one length
 * @ring: the ring of this CPU
 * @kind: what kind of stall lasted that long
 * @ns: length in nanoseconds
 *
 * Context: interrupts off. No NMI counts.
 */
void tio_recent_add(struct tio_ring *ring, enum trace_irqoff_kind kind, u64 ns)
{
	struct tio_recent *recent = &ring->recent;
	/* pairs with tio_ring_clear() */
	unsigned int drops = smp_load_acquire(&ring->drops);

	if (recent->drops != drops)
		empty(recent, drops);
	tio_histogram_add(kind == TRACE_IRQOFF_KIND_SOFT ? &recent->soft : &recent->hard, ns);
}

/* nothing, unless the CPU has counted since records were dropped for the time number @drops */
static void read_once(const struct tio_recent *recent, unsigned int drops,
		      struct tio_recent *copy)
{
	/* pairs with empty() */
	if (smp_load_acquire(&recent->drops) == drops) {
		tio_peek_histogram(&recent->hard, &copy->hard);
		tio_peek_histogram(&recent->soft, &copy->soft);
		/* pairs with empty() */
		smp_rmb();
		if (READ_ONCE(recent->drops) == drops)
			return;
	}
	memset(copy, 0, sizeof(*copy));
}

/**
 * tio_recent_read() - copy what a CPU has counted since its records were dropped last
 * @ring: the CPU's ring
 * @copy: filled in; one of the fields may be a step ahead of another
 *
 * Context: any.
 * Return: when they were dropped, by ktime_get_ns(); 0: never.
 */
u64 tio_recent_read(const struct tio_ring *ring, struct tio_recent *copy)
{
	unsigned int drops;
	u64 dropped_ns;

	do {
		/* pairs with tio_ring_clear() */
		drops = smp_load_acquire(&ring->drops);
		dropped_ns = READ_ONCE(ring->dropped[drops % 2].at_ns);
		read_once(&ring->recent, drops, copy);
		/* pairs with tio_ring_clear(): what is found empty for it is of this number */
		smp_rmb();
	} while (READ_ONCE(ring->drops) != drops);
	copy->drops = drops;
	return dropped_ns;
}
