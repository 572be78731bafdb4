/* SPDX-License-Identifier: GPL-2.0-only */
/* "sched: Provide sched_set_fifo()" (v5.9) */
#ifndef _TIO_COMPAT_SCHED_POLICY_H
#define _TIO_COMPAT_SCHED_POLICY_H

#include <linux/sched.h>

#ifndef HAVE_SCHED_SET_FIFO
#include <linux/sched/prio.h>
#include <uapi/linux/sched/types.h>

static inline void sched_set_fifo(struct task_struct *task)
{
	struct sched_param param = { .sched_priority = MAX_RT_PRIO / 2 };

	WARN_ON_ONCE(sched_setscheduler_nocheck(task, SCHED_FIFO, &param));
}

static inline void sched_set_normal(struct task_struct *task, int nice)
{
	struct sched_param param = { };

	WARN_ON_ONCE(sched_setscheduler_nocheck(task, SCHED_NORMAL, &param));
	set_user_nice(task, nice);
}
#endif

#endif /* _TIO_COMPAT_SCHED_POLICY_H */
