/* SPDX-License-Identifier: GPL-2.0-only */
/* A capability of this program, known without a denied request in an audit log. */
#ifndef _IRQOFF_CAPABILITY_H
#define _IRQOFF_CAPABILITY_H

#include <stdbool.h>

bool capability_has(int cap);

#endif /* _IRQOFF_CAPABILITY_H */
