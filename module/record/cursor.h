/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over the records of all CPUs, bounded by what had been produced when it
 * began, and then over the stalls that are open when it gets to them. A sweep is
 * one in no order, which costs less.
 */
#ifndef _TIO_CURSOR_H
#define _TIO_CURSOR_H

#include "core/record.h"

struct tio_cursor {
	unsigned int cpu;
	u64 now_ns;		/* 0 until the open stalls are reached */
	bool open_hard_done;	/* this CPU's open hard stall; its softirq stall is next */
	u64 *next;		/* per CPU: the next number */
	u64 *end;		/* per CPU: stop before it */
	struct tio_record rec;
};

/* a CPU's open stalls come before its records, so that one that ends meanwhile is met */
struct tio_sweep {
	unsigned int cpu;
	u32 slot;		/* the next one */
	u8 nopen;		/* open stalls looked at; hard, then soft */
	u64 since_ns;		/* records that ended before are left out */
	struct tio_record rec;
};

struct tio_cursor *tio_cursor_create(void);
void tio_cursor_destroy(struct tio_cursor *cursor);
void tio_cursor_rewind(struct tio_cursor *cursor);
void tio_cursor_again(struct tio_cursor *cursor);
bool tio_cursor_next(struct tio_cursor *cursor);
bool tio_cursor_next_open(struct tio_cursor *cursor);

void tio_sweep_begin(struct tio_sweep *sweep, u64 since_ns);
bool tio_sweep_next(struct tio_sweep *sweep);

#endif /* _TIO_CURSOR_H */
