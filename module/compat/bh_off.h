/* SPDX-License-Identifier: GPL-2.0-only */
/* the part of a task's state that PREEMPT_RT alone has */
#ifndef _TIO_COMPAT_BH_OFF_H
#define _TIO_COMPAT_BH_OFF_H

#include <linux/sched.h>

/* it has bottom halves disabled, or serves a softirq, be it running or not */
static inline bool tio_task_bh_off(const struct task_struct *task)
{
#ifdef CONFIG_PREEMPT_RT
	return task->softirq_disable_cnt;
#else
	return false;
#endif
}

#endif /* _TIO_COMPAT_BH_OFF_H */
