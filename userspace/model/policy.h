/* SPDX-License-Identifier: GPL-2.0-only */
/* How a task is scheduled, in words. */
#ifndef _IRQOFF_POLICY_H
#define _IRQOFF_POLICY_H

#include <stdbool.h>

#include "base/units.h"

const char *policy_word(unsigned int policy);
bool policy_is_plain(unsigned int policy, unsigned int prio);
const char *policy_print(char buf[UNITS_LEN], unsigned int policy, unsigned int prio);

#endif /* _IRQOFF_POLICY_H */
