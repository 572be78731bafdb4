/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes that many records share, kept once: stacks, and the names of addresses. */
#ifndef _IRQOFF_POOL_H
#define _IRQOFF_POOL_H

#include <stddef.h>

struct pool;

struct pool *pool_new(void);
void pool_free(struct pool *pool);
unsigned long hash_bytes(const void *bytes, size_t len, unsigned long seed);
const void *pool_keep(struct pool *pool, const void *bytes, size_t len);

#endif /* _IRQOFF_POOL_H */
