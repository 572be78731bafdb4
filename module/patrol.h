/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs look at one another, so that a stuck one is seen while it is stuck. */
#ifndef _TIO_PATROL_H
#define _TIO_PATROL_H

#include "cpu.h"

void tio_patrol_init(struct tio_cpu *cpu);
void tio_patrol_walk(struct tio_cpu *cpu, u64 now_ns, bool late);
void tio_patrol_guard(struct tio_cpu *cpu);
void tio_patrol_stop(struct tio_cpu *cpu);

#endif /* _TIO_PATROL_H */
