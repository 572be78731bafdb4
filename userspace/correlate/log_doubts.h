/* SPDX-License-Identifier: GPL-2.0-only */
/* Are the logs what the user takes them for? */
#ifndef _IRQOFF_LOG_DOUBTS_H
#define _IRQOFF_LOG_DOUBTS_H

#include "replies/slow.h"

void log_doubts_ignored(const struct replies *replies);
void log_doubts(const struct replies *replies, const struct slows *slows);

#endif /* _IRQOFF_LOG_DOUBTS_H */
