/* SPDX-License-Identifier: GPL-2.0-only */
/* When TCP sends a SYN again that nobody answered. */
#ifndef _IRQOFF_RESEND_H
#define _IRQOFF_RESEND_H

#include <linux/types.h>
#include <stdbool.h>

unsigned int resend_second(__u64 excess_ns, bool linear);

#endif /* _IRQOFF_RESEND_H */
