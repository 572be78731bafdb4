// SPDX-License-Identifier: GPL-2.0-only
/* Stalls that consist of many short handlers, or that come through another subsystem. */
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#include "kinds.h"

/* how long each of a storm's handlers takes */
#define DROP_NS		(20 * NSEC_PER_USEC)

static bool over;

static noinline void stall_storm(struct irq_work *work)
{
	struct span drop = { 0 };

	busy_work(&drop, DROP_NS);
	result.inner.to_ns = drop.to_ns;
	/* runs again at once: its vector has priority over the timer's */
	if (drop.to_ns - result.inner.from_ns < result.req.length_ns)
		irq_work_queue(work);
	else
		WRITE_ONCE(over, true);
	section_end("stall_storm");
}

static struct irq_work storm_work = IRQ_WORK_INIT_HARD(stall_storm);

void make_storm(const struct request *req)
{
	WRITE_ONCE(over, false);
	result.outer.from_ns = clock();
	result.inner.from_ns = result.outer.from_ns;
	irq_work_queue(&storm_work);
	while (!READ_ONCE(over))
		cpu_relax();
	irq_work_sync(&storm_work);
	result.outer.to_ns = clock();
}

/* the EtherType for local experiments (IEEE 802), which no other handler takes */
#define PROTOCOL	cpu_to_be16(0x88b5)

static noinline int stall_netrx(struct sk_buff *skb, struct net_device *dev,
				struct packet_type *type,
				struct net_device *orig)
{
	wait_begins();
	busy_work(&result.inner, result.req.length_ns);
	WRITE_ONCE(over, true);
	kfree_skb(skb);
	section_end("stall_netrx");
	return 0;
}

static struct packet_type packet_type = {
	.type = PROTOCOL,
	.func = stall_netrx,
};

/* sends a packet to itself, whose receiver takes long */
void make_netrx(const struct request *req)
{
	struct net_device *lo = init_net.loopback_dev;
	struct sk_buff *skb = alloc_skb(256, GFP_KERNEL);

	if (!skb)
		return;
	skb_reserve(skb, 64);
	skb_put_zero(skb, 64);
	skb_reset_network_header(skb);
	skb->dev = lo;
	skb->protocol = PROTOCOL;
	dev_hard_header(skb, lo, 0x88b5, lo->dev_addr, lo->dev_addr, skb->len);

	WRITE_ONCE(over, false);
	dev_add_pack(&packet_type);
	result.outer.from_ns = clock();
	dev_queue_xmit(skb);
	while (!READ_ONCE(over))
		cond_resched();
	outer_end();
	dev_remove_pack(&packet_type);
}

/* no stall, but interrupts are off a third of the time, when a CPU may be stolen */
static noinline void stall_short(void)
{
	unsigned long flags;
	struct span span = { 0 };

	local_irq_save(flags);
	busy_work(&span, 3 * NSEC_PER_USEC);
	local_irq_restore(flags);
	busy_work(&span, 6 * NSEC_PER_USEC);
}

void make_short(const struct request *req)
{
	result.outer.from_ns = clock();
	result.inner.from_ns = result.outer.from_ns;
	do {
		stall_short();
		cond_resched();
		result.inner.to_ns = clock();
	} while (result.inner.to_ns - result.inner.from_ns < req->length_ns);
	result.outer.to_ns = result.inner.to_ns;
}
