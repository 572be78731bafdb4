/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From interrupted registers to the callers. x86 has its own unwinder
 * (unwind_x86.c). Elsewhere stacktrace.h walks (unwind_saved.c), and what the
 * architecture adds to it is in unwind_arm64.c or unwind_generic.c.
 */
#ifndef _TIO_UNWIND_H
#define _TIO_UNWIND_H

#include <linux/types.h>

struct pt_regs;

unsigned int tio_unwind_regs(struct pt_regs *regs, unsigned long *frames,
			     unsigned int max);
bool tio_unwind_way_out(struct pt_regs *regs);
bool tio_unwind_link(const struct pt_regs *regs, unsigned long caller,
		     unsigned long *link);

#endif /* _TIO_UNWIND_H */
