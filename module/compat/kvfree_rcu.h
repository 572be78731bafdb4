/* SPDX-License-Identifier: GPL-2.0-only */
/* "rcu: Introduce 2 arg kvfree_rcu() interface" (v5.9) */
#ifndef _TIO_COMPAT_KVFREE_RCU_H
#define _TIO_COMPAT_KVFREE_RCU_H

#include <linux/rcupdate.h>

#ifndef kvfree_rcu
#include <linux/build_bug.h>
#include <linux/mm.h>
#include <linux/stddef.h>

/*
 * kfree_rcu() frees no memory of vmalloc(). The callback is kvfree() itself, which takes the
 * head for the pointer: the head comes first. A callback of this module would have to be
 * waited for before the module goes.
 */
static __always_inline void tio_kvfree_rcu(void *ptr, size_t offset)
{
	BUILD_BUG_ON(offset);
	call_rcu(ptr, (rcu_callback_t)(void *)kvfree);
}

#define kvfree_rcu(ptr, rhf) ({							\
	typeof(ptr) _ptr = (ptr);						\
	tio_kvfree_rcu(_ptr, offsetof(typeof(*_ptr), rhf));			\
})
#endif

#endif /* _TIO_COMPAT_KVFREE_RCU_H */
