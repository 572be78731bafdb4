/* SPDX-License-Identifier: GPL-2.0-only */
/* where STACK_FRAME_NON_STANDARD is: "objtool: Rename frame.h -> objtool.h" (v5.10) */
#ifndef _TIO_COMPAT_OBJTOOL_H
#define _TIO_COMPAT_OBJTOOL_H

#ifdef HAVE_OBJTOOL_H
#include <linux/objtool.h>
#else
#include <linux/frame.h>
#endif

#endif /* _TIO_COMPAT_OBJTOOL_H */
