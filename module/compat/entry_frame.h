/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arm64's frame record in the registers that an exception saved: a copy of fp and pc
 * until "arm64: stacktrace: unwind exception boundaries" (v6.13), a mark since then
 */
#ifndef _TIO_COMPAT_ENTRY_FRAME_H
#define _TIO_COMPAT_ENTRY_FRAME_H

#include <linux/ptrace.h>

/* are these such registers, or another function's frame? */
static inline bool tio_is_entry_frame(const struct pt_regs *regs)
{
#ifdef HAVE_FRAME_RECORD_META
	return !regs->stackframe.record.fp && !regs->stackframe.record.lr &&
	       regs->stackframe.type == FRAME_META_TYPE_PT_REGS;
#else
	return regs->stackframe[0] == regs->regs[29] &&
	       regs->stackframe[1] == regs->pc;
#endif
}

#endif /* _TIO_COMPAT_ENTRY_FRAME_H */
