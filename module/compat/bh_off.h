/* SPDX-License-Identifier: GPL-2.0-only */
/* whether a task has bottom halves disabled: PREEMPT_RT alone keeps that in the task */
#ifndef _TIO_COMPAT_BH_OFF_H
#define _TIO_COMPAT_BH_OFF_H

#include <linux/sched.h>

/* what softirq_count() is on PREEMPT_RT while @task runs; @task need not run */
static inline int tio_task_softirq_count(const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_RT
	return task->softirq_disable_cnt;
#else
	return 0;
#endif
}

#endif /* _TIO_COMPAT_BH_OFF_H */
