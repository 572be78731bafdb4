/* SPDX-License-Identifier: GPL-2.0-only */
/* For one thread: nothing is freed while it reads. */
#ifndef _LINUX_KERNEL_RCUPDATE_H
#define _LINUX_KERNEL_RCUPDATE_H

#define __rcu

struct rcu_head {
	void *unused;
};

#define rcu_read_lock()				((void)0)
#define rcu_read_unlock()			((void)0)
#define rcu_dereference(pointer)		(pointer)
#define rcu_dereference_protected(pointer, c)	(pointer)
#define rcu_assign_pointer(pointer, to)		((pointer) = (to))
#define RCU_INIT_POINTER(pointer, to)		((pointer) = (to))

#endif /* _LINUX_KERNEL_RCUPDATE_H */
