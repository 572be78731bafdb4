/* SPDX-License-Identifier: GPL-2.0-only */
/* What other CPUs do while one waits for a lock: one of them holds it. */
#ifndef _TIO_MEANWHILE_H
#define _TIO_MEANWHILE_H

#include <linux/types.h>

struct tio_cpu;
struct tio_record;
struct tio_sample;

extern u64 tio_meanwhile_asked_ns;	/* read alone, to see whether there is a question */

int tio_meanwhile_init(void);
void tio_meanwhile_exit(void);
void tio_meanwhile_ask(const struct tio_sample *sample);
void tio_meanwhile_answer(struct tio_cpu *cpu, u64 now_ns);
void tio_meanwhile_fill(struct tio_record *rec);
void tio_meanwhile_sample(const struct tio_record *rec, struct tio_sample *sample);

#endif /* _TIO_MEANWHILE_H */
