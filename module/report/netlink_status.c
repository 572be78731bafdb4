// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>
#include <net/netlink.h>

#include "arch/lock.h"
#include "control/status.h"
#include "core/knobs.h"
#include "report/netlink_record.h"
#include "report/netlink_status.h"
#include "version.h"

static int put_string(struct sk_buff *skb, int attr,
		      int (*print)(char *buf, size_t size))
{
	char *buf = kmalloc(PAGE_SIZE, GFP_KERNEL);
	int ret;

	if (!buf)
		return -ENOMEM;
	ret = print(buf, PAGE_SIZE);
	if (ret >= 0)
		ret = nla_put_string(skb, attr, buf);
	kfree(buf);
	return ret;
}

static int put_knobs(struct sk_buff *skb, const u32 knobs[TIO_KNOBS])
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < TIO_KNOBS; i++)
		ret = tio_knobs[i].byte ? nla_put_u8(skb, tio_knobs[i].attr, knobs[i]) :
					  nla_put_u32(skb, tio_knobs[i].attr, knobs[i]);
	return ret;
}

/**
 * tio_put_status() - the settings, and what became of them
 * @skb: message with room for TIO_STATUS_BYTES
 *
 * Context: task, may sleep.
 * Return: 0, -EMSGSIZE or -ENOMEM.
 */
int tio_put_status(struct sk_buff *skb)
{
	struct tio_status status;
	int ret;

	tio_status(&status);
	if (nla_put_u32(skb, TRACE_IRQOFF_A_VERSION, TRACE_IRQOFF_API) ||
	    nla_put_string(skb, TRACE_IRQOFF_A_MODULE_VERSION, TRACE_IRQOFF_VERSION) ||
	    (*tio_lock_unread() &&
	     nla_put_string(skb, TRACE_IRQOFF_A_NO_LOCKS, tio_lock_unread())) ||
	    put_knobs(skb, status.knobs) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_RING_BYTES, status.ring_bytes) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_RINGS, status.rings) ||
	    (status.freeing && nla_put_flag(skb, TRACE_IRQOFF_A_FREEING)) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_INSTANCE, status.instance) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_NOW_NS, status.now_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_GENERATION, status.generation) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_SELF_STOPS, status.self_stops) ||
	    (status.enabled_ns &&
	     tio_put_u64(skb, TRACE_IRQOFF_A_ENABLED_NS, status.enabled_ns)) ||
	    (status.stopped_ns &&
	     (tio_put_u64(skb, TRACE_IRQOFF_A_STOPPED_NS, status.stopped_ns) ||
	      nla_put_u8(skb, TRACE_IRQOFF_A_STOPPED_BY, status.stopped_by))) ||
	    (status.attached && nla_put_flag(skb, TRACE_IRQOFF_A_ATTACHED)) ||
	    (status.detaching && nla_put_flag(skb, TRACE_IRQOFF_A_DETACHING)))
		return -EMSGSIZE;
	ret = put_string(skb, TRACE_IRQOFF_A_CPUS, tio_status_cpus);
	ret = ret ?: put_string(skb, TRACE_IRQOFF_A_WATCHED, tio_status_watched);
	return ret ?: put_string(skb, TRACE_IRQOFF_A_BEHIND, tio_status_behind);
}
