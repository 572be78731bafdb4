/* SPDX-License-Identifier: GPL-2.0-only */
/* Points in time, from text. */
#ifndef _IRQOFF_MOMENT_H
#define _IRQOFF_MOMENT_H

#include <linux/types.h>
#include <stdbool.h>

bool stamp_read(const char *text, __u64 *ns, __u64 *grain_ns);
bool stamp_names_zone(const char *text);
bool moment_with_date(const char *text, __u64 *ns);
bool moment_parse(const char *text, __u64 now_ns, __u64 *ns);

#endif /* _IRQOFF_MOMENT_H */
