/* SPDX-License-Identifier: GPL-2.0-only */
/* A look at a CPU that is stuck, asked for by another one and taken in an NMI. */
#ifndef _TIO_ASKED_H
#define _TIO_ASKED_H

#include <linux/atomic.h>
#include <linux/types.h>

struct pt_regs;
struct tio_cpu;
struct tio_record;

struct tio_asked {
	atomic_t state;		/* what of the last asking is not over, asked.c */
	u64 id;			/* of the stall it is about, tio_stall_id() */
	u64 sent_ns;
	unsigned int times;	/* asked about that stall */
	bool asker_late;
	/* the CPU's own: an NMI may still come for which a look was taken, see claim */
	bool credit;
	u64 taken_ns;		/* when that was */
	u64 settled_ns;		/* taken_ns, once the CPU has handled an interrupt since */
};

bool tio_ask(unsigned int cpu, u64 id, bool late);
bool tio_asked_take(struct pt_regs *regs);
bool tio_asked_claim(void);
bool tio_asked_record(struct tio_cpu *cpu, struct tio_record *rec);
void tio_asked_settle(struct tio_cpu *cpu);
void tio_asked_drain(unsigned int cpu);

#endif /* _TIO_ASKED_H */
