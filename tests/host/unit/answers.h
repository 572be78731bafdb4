/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel that answers what it is told to. */
#ifndef _ANSWERS_H
#define _ANSWERS_H

#include <stddef.h>

struct source;

/*
 * One at a time: each request to it is answered by these bytes, in one piece that the
 * caller keeps until then. Take source_close() for it.
 */
struct source *answers_source(const void *bytes, size_t len);

#endif /* _ANSWERS_H */
