/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tells the registers that an arm64 exception saved from a function's frame, by the
 * frame record in them. It is a copy of fp and pc, or, since "arm64: stacktrace: unwind
 * exception boundaries" (v6.13), a mark.
 */
#ifndef _TIO_COMPAT_ENTRY_FRAME_H
#define _TIO_COMPAT_ENTRY_FRAME_H

#include <linux/ptrace.h>

/* did an exception save @regs? Otherwise a function's frame lies there */
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
