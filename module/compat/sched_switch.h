/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The arguments of the tracepoint sched:sched_switch. prev_state is one of them since
 * "sched/tracing: Append prev_state to tp args instead" (v5.19).
 */
#ifndef _TIO_COMPAT_SCHED_SWITCH_H
#define _TIO_COMPAT_SCHED_SWITCH_H

#include <linux/sched.h>

#ifdef HAVE_SCHED_SWITCH_PREV_STATE
#define SCHED_SWITCH_ARGS	bool preempt, struct task_struct *prev, \
				struct task_struct *next, unsigned int prev_state
#else
#define SCHED_SWITCH_ARGS	bool preempt, struct task_struct *prev, \
				struct task_struct *next
#endif

#endif /* _TIO_COMPAT_SCHED_SWITCH_H */
