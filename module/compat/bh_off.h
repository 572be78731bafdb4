/* SPDX-License-Identifier: GPL-2.0-only */
/* the part of a task's state that PREEMPT_RT alone has */
#ifndef _TIO_COMPAT_BH_OFF_H
#define _TIO_COMPAT_BH_OFF_H

#include <linux/sched.h>

/* of any task, be it running or not: softirq_count() there */
static inline int tio_task_softirq_count(const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_RT
	return task->softirq_disable_cnt;
#else
	return 0;
#endif
}

#endif /* _TIO_COMPAT_BH_OFF_H */
