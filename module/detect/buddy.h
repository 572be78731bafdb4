/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs watch one another, as in the kernel's watchdog_buddy.c, so that a stuck one is
 * seen while it is stuck.
 */
#ifndef _TIO_BUDDY_H
#define _TIO_BUDDY_H

#include "state/cpu.h"

void tio_buddy_init(struct tio_cpu *cpu);
void tio_buddy_walk(struct tio_cpu *cpu, u64 now_ns, bool late);
void tio_buddy_note(const struct tio_cpu *cpu);
void tio_buddy_paused(struct tio_cpu *cpu);
void tio_buddy_stop(struct tio_cpu *cpu);

#endif /* _TIO_BUDDY_H */
