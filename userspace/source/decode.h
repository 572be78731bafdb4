/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns the module's messages into the model. Trusts no length in them. */
#ifndef _IRQOFF_DECODE_H
#define _IRQOFF_DECODE_H

#include <netlink/msg.h>

#include "model/model.h"

bool decode_lists_cpus(struct nlattr *attr);
bool decode_config(struct nlmsghdr *message, struct model *model);
bool decode_record(struct nlmsghdr *message, struct model *model);
bool decode_counters(struct nlmsghdr *message, struct model *model);
bool decode_histograms(struct nlmsghdr *message, struct model *model);

/* decode_wake.c */
bool decode_wake(struct nlmsghdr *message, struct wake *wake);

/* decode_number.c */
bool decode_number(struct nlmsghdr *message, struct record_number *number);

#endif /* _IRQOFF_DECODE_H */
