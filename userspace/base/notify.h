/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells the service manager how far irqoff is. */
#ifndef _IRQOFF_NOTIFY_H
#define _IRQOFF_NOTIFY_H

#include "base/say.h"

__printf(1, 2) void notify(const char *format, ...);

#endif /* _IRQOFF_NOTIFY_H */
