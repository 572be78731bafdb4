// SPDX-License-Identifier: GPL-2.0-only
/*
 * All capabilities are asked for in the initial user namespace: root of a container is
 * not root of the node. A file's reader is asked once, at open. A request's sender is
 * asked as it comes, and so is whoever opened its socket, which may have been handed on.
 */
#include <linux/capability.h>
#include <linux/module.h>
#include <linux/netlink.h>
#include <linux/string.h>
#include <linux/user_namespace.h>

#include "compat/perfmon.h"
#include "report/access.h"

/*
 * Does the current task have a capability? A denial by capable() is a line in the audit
 * log. Where one of several is enough, only the last is asked for by it.
 */
static bool has(int cap)
{
	return ns_capable_noaudit(&init_user_ns, cap);
}

/*
 * Do the sender of a request and whoever opened its socket have it? The kernel logs a denial
 * where the opener alone has not: netlink_capable() has no form that does not.
 */
static bool request_has(struct sk_buff *skb, int cap)
{
	return has(cap) && netlink_capable(skb, cap);
}

/**
 * tio_may_change() - may the current task change settings, or drop records?
 *
 * The parameters given at load come from whoever may load modules.
 *
 * Context: task.
 * Return: whether it may.
 */
bool tio_may_change(void)
{
	return (THIS_MODULE->state == MODULE_STATE_COMING && has(CAP_SYS_MODULE)) ||
	       capable(CAP_SYS_ADMIN);
}

/**
 * tio_may_read() - may the current task read records, counters and settings?
 *
 * Context: task.
 * Return: whether it may.
 */
bool tio_may_read(void)
{
	return has(CAP_SYSLOG) || has(CAP_SYS_ADMIN) || capable(CAP_PERFMON);
}

/*
 * Does kptr_restrict hide addresses from the current task? Modules cannot read it on
 * all kernels, but "%pK" obeys it: it prints zeros then, and otherwise an address or
 * its hash.
 */
static bool pointers_hidden(void)
{
	char text[2 * sizeof(void *) + 1];

	snprintf(text, sizeof(text), "%pK", THIS_MODULE);
	return !text[strspn(text, "0")];
}

/**
 * tio_may_see_addresses() - may the current task see addresses of the kernel?
 *
 * Context: task.
 * Return: whether it may.
 */
bool tio_may_see_addresses(void)
{
	return has(CAP_SYSLOG) && !pointers_hidden();
}

/**
 * tio_request_may_change() - may a request change settings, or drop records?
 * @skb: the request
 * @extack: gets a sentence where it may not
 *
 * Context: task; the sender's.
 * Return: 0 or -EPERM.
 */
int tio_request_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_capable(skb, CAP_SYS_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, "changing takes CAP_SYS_ADMIN");
	return -EPERM;
}

/**
 * tio_request_may_read() - may a request read records, counters and settings?
 * @skb: the request
 * @extack: gets a sentence where it may not
 *
 * Context: task; the sender's.
 * Return: 0 or -EPERM.
 */
int tio_request_may_read(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (request_has(skb, CAP_SYSLOG) || request_has(skb, CAP_SYS_ADMIN) ||
	    netlink_capable(skb, CAP_PERFMON))
		return 0;
	NL_SET_ERR_MSG(extack, "reading takes CAP_PERFMON, CAP_SYSLOG or CAP_SYS_ADMIN");
	return -EPERM;
}

/**
 * tio_request_may_see_addresses() - may the answer to a request hold addresses?
 * @skb: the request
 *
 * Context: task; the sender's.
 * Return: whether it may.
 */
bool tio_request_may_see_addresses(struct sk_buff *skb)
{
	return request_has(skb, CAP_SYSLOG) && !pointers_hidden();
}
