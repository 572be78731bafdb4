/* SPDX-License-Identifier: GPL-2.0-only */
/* Breaks text into lines of a width. */
#ifndef _IRQOFF_FOLD_H
#define _IRQOFF_FOLD_H

#include <stdio.h>

#define FOLD_WIDTH	80	/* of help, which is the same on every screen */

void fold(FILE *out, unsigned int width, unsigned int column, unsigned int indent,
	  const char *text);

#endif /* _IRQOFF_FOLD_H */
