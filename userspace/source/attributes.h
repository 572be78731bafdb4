/* SPDX-License-Identifier: GPL-2.0-only */
/* The attributes of a netlink message, or of a nest in it, by their types. */
#ifndef _IRQOFF_ATTRIBUTES_H
#define _IRQOFF_ATTRIBUTES_H

#include <netlink/attr.h>
#include <stdbool.h>
#include <stddef.h>

bool attributes_find(struct nlattr **found, unsigned int most, const void *first, size_t len,
		     const struct nla_policy *policy);

#endif /* _IRQOFF_ATTRIBUTES_H */
