/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that shows what is printed to stdout, page by page. */
#ifndef _IRQOFF_PAGER_H
#define _IRQOFF_PAGER_H

#include <stdbool.h>

void pager_open(const char *command);
bool pager_close(void);

#endif /* _IRQOFF_PAGER_H */
