/* SPDX-License-Identifier: GPL-2.0-only */
/* The timer of a CPU's heartbeat: armed, lent, paused, resumed, stopped. */
#ifndef _TIO_BEAT_TIMER_H
#define _TIO_BEAT_TIMER_H

#include "state/cpu.h"

struct pt_regs;

void tio_beat_timer_move(struct tio_cpu *cpu, u64 due_ns);
void tio_beat_timer_begin(struct tio_cpu *cpu, u64 now_ns, u64 due_ns);
void tio_beat_timer_leave(struct tio_cpu *cpu);
void tio_beat_timer_sleep(struct tio_cpu *cpu);
void tio_beat_timer_held(struct tio_cpu *cpu, u64 from_ns, u64 to_ns);
void tio_beat_timer_paused(struct tio_cpu *cpu);
void tio_beat_timer_cancel(struct tio_cpu *cpu);
void tio_beat_timer_lend(struct tio_cpu *cpu);
void tio_beat_timer_lent_again(struct tio_cpu *cpu);
void tio_beat_timer_irq_end(struct tio_cpu *cpu, struct pt_regs *regs, u64 entry_ns,
			    u64 now_ns, bool idle);
void tio_beat_timer_end(struct tio_cpu *cpu, u64 now_ns);
void tio_beat_timer_note_hangs(struct tio_cpu *cpu);
void tio_beat_timer_slow_from(struct tio_cpu *cpu);

#endif /* _TIO_BEAT_TIMER_H */
