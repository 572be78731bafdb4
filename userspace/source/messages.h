/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's messages as it sent them, by operation. */
#ifndef _IRQOFF_MESSAGES_H
#define _IRQOFF_MESSAGES_H

#include <linux/netlink.h>
#include <stddef.h>

#include "uapi/linux/trace_irqoff.h"

struct messages {
	struct {
		char *bytes;
		size_t len;
		size_t room;
	} of[TRACE_IRQOFF_CMD_MAX + 1];
};

void messages_keep(struct messages *messages, const struct nlmsghdr *message);
void messages_forget(struct messages *messages, unsigned int cmd);
const struct nlmsghdr *messages_next(const struct messages *messages, unsigned int cmd,
				     const struct nlmsghdr *last);
void messages_free(struct messages *messages);

#endif /* _IRQOFF_MESSAGES_H */
