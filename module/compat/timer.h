/* SPDX-License-Identifier: GPL-2.0-only */
/* "timers: Rename del_timer_sync() to timer_delete_sync()" (v6.2) */
#ifndef _TIO_COMPAT_TIMER_H
#define _TIO_COMPAT_TIMER_H

#include <linux/timer.h>

#ifndef HAVE_TIMER_DELETE_SYNC
#define timer_delete_sync	del_timer_sync
#endif

#endif /* _TIO_COMPAT_TIMER_H */
