/* SPDX-License-Identifier: GPL-2.0-only */
/* Where this program is, and so what was installed with it. */
#ifndef _IRQOFF_PROGRAM_H
#define _IRQOFF_PROGRAM_H

#include <limits.h>
#include <stdbool.h>

bool cut_name(char *path);
bool program_directory(char path[PATH_MAX]);

#endif /* _IRQOFF_PROGRAM_H */
