/* SPDX-License-Identifier: GPL-2.0-only */
/* When a CPU's heartbeat runs next: armed, paused, resumed, stopped. */
#ifndef _TIO_BEAT_TIMER_H
#define _TIO_BEAT_TIMER_H

#include "cpu.h"

void tio_beat_timer_arm(struct tio_cpu *cpu, u64 due_ns);
void tio_beat_timer_begin(struct tio_cpu *cpu, u64 now_ns, u64 due_ns);
void tio_beat_timer_resume(struct tio_cpu *cpu, u64 now_ns);
void tio_beat_timer_paused(struct tio_cpu *cpu);
void tio_beat_timer_cancel(struct tio_cpu *cpu);
void tio_beat_timer_end(struct tio_cpu *cpu);
bool tio_beat_timer_hung(struct tio_cpu *cpu);
void tio_beat_timer_slow_from(struct tio_cpu *cpu);

#endif /* _TIO_BEAT_TIMER_H */
