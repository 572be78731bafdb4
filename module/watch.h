/* SPDX-License-Identifier: GPL-2.0-only */
/* Watching a CPU: begun, changed, ended. */
#ifndef _TIO_WATCH_H
#define _TIO_WATCH_H

#include <linux/cpumask.h>

#include "cpu.h"

void tio_watch_init(void);
int tio_watch_prepare(unsigned int cpu, u32 records);
void tio_watch_sync(const struct tio_timing *timing, bool watch);
void tio_watch_drain(const struct cpumask *cpus);
void tio_watch_exit(void);
size_t tio_watch_bytes(u32 records);

#endif /* _TIO_WATCH_H */
