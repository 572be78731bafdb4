/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters of the module that the kernel does not know, and ignored as it loaded it. */
#ifndef _IRQOFF_IGNORED_H
#define _IRQOFF_IGNORED_H

#include "model/machine.h"

#define IGNORED_LEN	sizeof(((struct machine *)0)->ignored)

void ignored_find(char names[IGNORED_LEN], char *log);
void ignored_read(char names[IGNORED_LEN]);

#endif /* _IRQOFF_IGNORED_H */
