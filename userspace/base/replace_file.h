/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that others read at any time. */
#ifndef _IRQOFF_REPLACE_FILE_H
#define _IRQOFF_REPLACE_FILE_H

#include <stdbool.h>

bool replace_file(const char *path, const char *text);

#endif /* _IRQOFF_REPLACE_FILE_H */
