/* SPDX-License-Identifier: GPL-2.0-only */
/* The lock that interrupted code waits for in a slow path. */
#ifndef _TIO_LOCK_H
#define _TIO_LOCK_H

#include <linux/types.h>

#include "uapi/linux/trace_irqoff.h"

struct pt_regs;

#ifdef CONFIG_X86_64
void tio_lock_init(void);
void tio_lock_exit(void);
u64 tio_lock_find(const struct pt_regs *regs, const u64 *frames, unsigned int nframes,
		  u8 *kind);
bool tio_lock_variable(u64 *lock, unsigned int *cpu);
const char *tio_lock_unread(void);
#else
static inline void tio_lock_init(void) { }
static inline void tio_lock_exit(void) { }
static inline u64 tio_lock_find(const struct pt_regs *regs, const u64 *frames,
				unsigned int nframes, u8 *kind)
{
	*kind = TRACE_IRQOFF_LOCK_NONE;
	return 0;
}

static inline bool tio_lock_variable(u64 *lock, unsigned int *cpu)
{
	return false;
}

static inline const char *tio_lock_unread(void)
{
	return "all";
}
#endif

#endif /* _TIO_LOCK_H */
