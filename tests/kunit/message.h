/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request as bytes, checked as the generic netlink family checks it: nla_parse()
 * with the family's policy, then the code that reads the attributes.
 */
#ifndef _TIO_MESSAGE_H
#define _TIO_MESSAGE_H

#include <linux/skbuff.h>
#include <net/netlink.h>

#include "report/request.h"
#include "suite.h"

struct fixture {
	struct sk_buff *skb;
	struct nlattr *tb[TRACE_IRQOFF_A_MAX + 1];
	struct netlink_ext_ack extack;
	struct tio_settings settings;
};

/* an empty message */
static inline struct fixture *begin(struct kunit *test)
{
	struct fixture *fix = test->priv;

	skb_trim(fix->skb, 0);
	memset(&fix->extack, 0, sizeof(fix->extack));
	return fix;
}

static inline int parse(struct fixture *fix)
{
	return nla_parse(fix->tb, TRACE_IRQOFF_A_MAX, (struct nlattr *)fix->skb->data,
			 fix->skb->len, tio_request_policy, &fix->extack);
}

static inline void put(struct kunit *test, int type, int len, const void *data)
{
	struct fixture *fix = test->priv;

	KUNIT_ASSERT_EQ(test, nla_put(fix->skb, type, len, data), 0);
}

static const struct tio_settings default_settings = { .knobs = TIO_KNOBS_DEFAULT };

static inline int message_setup(struct kunit *test)
{
	struct fixture *fix = kunit_kzalloc(test, sizeof(*fix), GFP_KERNEL);

	if (!fix)
		return -ENOMEM;
	fix->skb = alloc_skb(3 * PAGE_SIZE, GFP_KERNEL);
	fix->settings = default_settings;
	test->priv = fix;
	return fix->skb ? 0 : -ENOMEM;
}

static inline void message_teardown(struct kunit *test)
{
	struct fixture *fix = test->priv;

	if (fix)
		kfree_skb(fix->skb);
}

#endif /* _TIO_MESSAGE_H */
