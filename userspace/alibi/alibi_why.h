/* SPDX-License-Identifier: GPL-2.0-only */
/* Why nobody can tell whether a time was free of stalls, and what would tell. */
#ifndef _IRQOFF_ALIBI_WHY_H
#define _IRQOFF_ALIBI_WHY_H

#include "alibi/alibi.h"
#include "base/units.h"

const char *alibi_clock(char buf[UNITS_LEN], const struct model *model, __u64 at_ns);
char *alibi_settings(const struct alibi *alibi);
char *alibi_why(const struct model *model, const struct alibi *alibi);
char *alibi_remedy(const struct alibi *alibi);

#endif /* _IRQOFF_ALIBI_WHY_H */
