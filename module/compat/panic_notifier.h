/* SPDX-License-Identifier: GPL-2.0-only */
/* where panic_notifier_list is declared: "kernel.h: split out panic and oops helpers" (v5.14) */
#ifndef _TIO_COMPAT_PANIC_NOTIFIER_H
#define _TIO_COMPAT_PANIC_NOTIFIER_H

#ifdef HAVE_PANIC_NOTIFIER
#include <linux/panic_notifier.h>
#else
#include <linux/kernel.h>
#endif

#endif /* _TIO_COMPAT_PANIC_NOTIFIER_H */
