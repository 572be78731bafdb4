/* SPDX-License-Identifier: GPL-2.0-only */
/* A capability of this program, known without a denied request in an audit log. */
#ifndef _IRQOFF_RIGHT_H
#define _IRQOFF_RIGHT_H

#include <stdbool.h>

bool right_has(int cap);

#endif /* _IRQOFF_RIGHT_H */
