/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed to standard error. */
#ifndef _SAID_H
#define _SAID_H

/* between the last said_begin() and said_end() */
extern char said[16384];

void said_begin(void);
void said_end(void);
void assert_said(const char *part);

#endif /* _SAID_H */
