/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory for the records of each CPU: allocated, put in place, given back. */
#ifndef _TIO_MEMORY_H
#define _TIO_MEMORY_H

#include <linux/cpumask.h>

size_t tio_memory_bytes(u32 records);
int tio_memory_refuse(const struct cpumask *cpus, u32 records, const char **rule);
int tio_memory_prepare(const struct cpumask *cpus, u32 records);
unsigned int tio_memory_rings(void);
void tio_memory_free(void);
void tio_memory_exit(void);

#endif /* _TIO_MEMORY_H */
