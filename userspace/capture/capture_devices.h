/* SPDX-License-Identifier: GPL-2.0-only */
/* Which CPUs served network devices, in a capture. */
#ifndef _IRQOFF_CAPTURE_DEVICES_H
#define _IRQOFF_CAPTURE_DEVICES_H

#include "capture/capture_write.h"
#include "model/counted.h"

void capture_put_devices(struct capture_writer *writer, const char *root);
void capture_take_devices(struct nlmsghdr *message, struct net_counted *counted);

#endif /* _IRQOFF_CAPTURE_DEVICES_H */
