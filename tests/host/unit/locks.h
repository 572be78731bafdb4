/* SPDX-License-Identifier: GPL-2.0-only */
/* Made-up stalls that wait for locks that are known, and functions that take these. */
#ifndef _LOCKS_H
#define _LOCKS_H

#include "fixture.h"

/* variables: of the kernel, of a module, of each CPU as x86 has them before 6.15 */
#define TASKLIST	0xffffffff82606080ULL
#define MODULE_LOCK	0xffffffffc0103040ULL
#define RUNQUEUES	0x1f000ULL
#define TIMER_BASES	0x20000ULL
#define PER_CPU_END	0x21000ULL

/* memory that was allocated, and the number that stands for it where addresses are hidden */
#define ALLOCATED	0xffff888004c0ff00ULL
#define OPAQUE		0x4b1d0000c0ff0010ULL

#define AT_WRITE_PATH	0xffffffff81001000ULL
#define AT_SPIN_PATH	0xffffffff81002000ULL
#define AT_WRITE_LOCK	0xffffffff81003000ULL
#define AT_SPIN_SAVE	0xffffffff81004000ULL
#define AT_EXIT		0xffffffff81005000ULL
#define AT_COPY_PROCESS	0xffffffff81006000ULL
#define AT_RMQUEUE_BULK	0xffffffff81008000ULL
#define AT_FREELIST	0xffffffff81009000ULL
#define AT_STAT_FORMAT	0xffffffff8100a000ULL
#define AT_KILL_INFO	0xffffffff8100b000ULL
#define AT_SYS_KILL	0xffffffff8100c000ULL
#define AT_WRITE_UNLOCK	0xffffffff8100d000ULL

struct symbols *locks_symbols(void);
void set_lock(struct tio_sample *sample, enum trace_irqoff_lock kind, __u64 lock);

/* the module sends the name of a variable */
void name_lock(struct entry *entry, __u64 lock, const char *symbol);

/* a hard stall in which @in waits to write what tasklist_lock protects, sampled half way */
struct entry *add_task_waiter(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns,
			      __u64 min_ns, __u64 in);

/* another CPU walked all tasks meanwhile, as one of so many that may have had the lock */
void set_meanwhile(struct tio_record *rec, struct tio_sample *sample, __u32 candidates);

/* a page's records: waits for locks of all kinds, and one of which the holder is known */
void fixture_collect_locks(struct collection *collection);

#endif /* _LOCKS_H */
