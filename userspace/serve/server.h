/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers requests until a signal comes. */
#ifndef _IRQOFF_SERVER_H
#define _IRQOFF_SERVER_H

#include "cli/serve.h"

int server_run(const struct serve *serve);

#endif /* _IRQOFF_SERVER_H */
