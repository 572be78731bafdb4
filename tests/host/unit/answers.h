/* SPDX-License-Identifier: GPL-2.0-only */
/* A fake kernel that gives the answer it was told to give. */
#ifndef _ANSWERS_H
#define _ANSWERS_H

#include <stddef.h>

struct source;

/*
 * There is one at a time. It answers each request with these bytes, in one piece,
 * which the caller keeps until then. Close it with source_close().
 */
struct source *answers_source(const void *bytes, size_t len);

#endif /* _ANSWERS_H */
