// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs that wait for a lock with interrupts off, or with bottom halves off, while another CPU
 * holds it with interrupts on. "KIND HOLDER WAITERS MS" is written to the parameter wait: CPU
 * HOLDER holds the lock for MS ms, and WAITERS CPUs behind it wait. The kernel's log has each
 * wait: its CPU and the holder's, the lock's address, and the times right before and behind it.
 * Of locks of the kernel the addresses are parameters, because none of them is exported.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <asm-generic/qspinlock_types.h>

/* what reads the text of slow paths, with its own functions */
#include "../../../module/core/argument_register.c"

static DEFINE_RAW_SPINLOCK(harness_spinlock);
static raw_spinlock_t *allocated;

static void static_hold(void)
	__acquires(&harness_spinlock)
{
	raw_spin_lock(&harness_spinlock);
}

static void static_release(void)
	__releases(&harness_spinlock)
{
	raw_spin_unlock(&harness_spinlock);
}

static void allocated_hold(void)
	__acquires(allocated)
{
	raw_spin_lock(allocated);
}

static void allocated_release(void)
	__releases(allocated)
{
	raw_spin_unlock(allocated);
}

/* one of many in a variable */
static struct {
	raw_spinlock_t lock;
} __aligned(256) harness_table[8] = {
	[0 ... 7] = { __RAW_SPIN_LOCK_UNLOCKED(harness_table) },
};

static raw_spinlock_t *const bucket = &harness_table[5].lock;

static void bucket_hold(void)
	__acquires(bucket)
{
	raw_spin_lock(bucket);
}

static void bucket_release(void)
	__releases(bucket)
{
	raw_spin_unlock(bucket);
}

static const void *bucket_address(void)
{
	return bucket;
}

/* a spinlock of the kernel that no interrupt takes */
static unsigned long kernel_lock;
module_param(kernel_lock, ulong, 0200);

static void kernel_hold(void)
	__acquires(kernel_lock)
{
	raw_spin_lock((raw_spinlock_t *)kernel_lock);
}

static void kernel_release(void)
	__releases(kernel_lock)
{
	raw_spin_unlock((raw_spinlock_t *)kernel_lock);
}

static const void *kernel_address(void)
{
	return (const void *)kernel_lock;
}

/* before v5.14 the lock is the first member of a run queue, and has no functions of its own */
static void first_member_lock(void *rq, int subclass)
	__acquires(rq)
{
	raw_spin_lock((raw_spinlock_t *)rq);
}

static void first_member_unlock(void *rq)
	__releases(rq)
{
	raw_spin_unlock((raw_spinlock_t *)rq);
}

/*
 * The run queue of the holder's CPU: the variable, of which each CPU has one, and the functions
 * that lock and unlock it. A tick takes it, so the holder has interrupts off as well.
 */
static unsigned long runqueues;
static unsigned long runqueue_lock = (unsigned long)first_member_lock;
static unsigned long runqueue_unlock = (unsigned long)first_member_unlock;
module_param(runqueues, ulong, 0200);
module_param(runqueue_lock, ulong, 0200);
module_param(runqueue_unlock, ulong, 0200);

static unsigned int holder_cpu(void);

/* the words of a run queue in which its lock is looked for */
#define RUNQUEUE_WORDS	1024

/* the word that is the lock, where no function unlocks it */
static unsigned int lock_at;

static void unlock_found(void *rq)
	__releases(rq)
{
	raw_spin_unlock((raw_spinlock_t *)((u32 *)rq + lock_at));
}

/* Finds the lock: the word of this CPU's run queue that is one of a held lock once it is locked. */
static int runqueue_find(void)
{
	static u32 before[RUNQUEUE_WORDS];
	unsigned int i, number = 0;
	unsigned long flags;
	u32 *rq;

	local_irq_save(flags);
	rq = this_cpu_ptr((void __percpu *)runqueues);
	memcpy(before, rq, sizeof(before));
	((void (*)(void *rq, int subclass))runqueue_lock)(rq, 0);
	__acquire(rq);
	for (i = 0; i < RUNQUEUE_WORDS; i++) {
		if (before[i] || READ_ONCE(rq[i]) != _Q_LOCKED_VAL)
			continue;
		lock_at = i;
		number++;
	}
	unlock_found(rq);
	local_irq_restore(flags);
	return number == 1 ? 0 : -ENOENT;
}

/* does the kernel have the function that locks a run queue, and none that unlocks it? */
static bool no_unlock(void)
{
	return runqueues && runqueue_lock != (unsigned long)first_member_lock &&
	       runqueue_unlock == (unsigned long)first_member_unlock;
}

static void *runqueue(void)
{
	return per_cpu_ptr((void __percpu *)runqueues, holder_cpu());
}

static void runqueue_hold(void)
{
	((void (*)(void *rq, int subclass))runqueue_lock)(runqueue(), 0);
}

static void runqueue_release(void)
{
	((void (*)(void *rq))runqueue_unlock)(runqueue());
}

static const void *runqueue_address(void)
{
	return (const void *)runqueues;
}

static const void *static_address(void)
{
	return &harness_spinlock;
}

static const void *allocated_address(void)
{
	return allocated;
}

#ifndef CONFIG_PREEMPT_RT
static DEFINE_RWLOCK(harness_rwlock);

static void reader_hold(void)
	__acquires(&harness_rwlock)
{
	read_lock(&harness_rwlock);
}

static void reader_release(void)
	__releases(&harness_rwlock)
{
	read_unlock(&harness_rwlock);
}

static void writer_hold(void)
	__acquires(&harness_rwlock)
{
	write_lock(&harness_rwlock);
}

static void writer_release(void)
	__releases(&harness_rwlock)
{
	write_unlock(&harness_rwlock);
}

static const void *rwlock_address(void)
{
	return &harness_rwlock;
}
#endif

static const struct kind {
	const char *name;
	void (*hold)(void);
	void (*hold_release)(void);
	void (*wait)(void);
	void (*wait_release)(void);
	const void *(*address)(void);	/* returns NULL where there is no such lock */
	bool bottom_halves;	/* these alone are off while it waits */
	bool irqs_off;		/* interrupts are off while it is held */
} kinds[] = {
	{ "spin", static_hold, static_release, static_hold, static_release,
	  static_address },
	{ "allocated", allocated_hold, allocated_release, allocated_hold, allocated_release,
	  allocated_address },
	{ "bucket", bucket_hold, bucket_release, bucket_hold, bucket_release,
	  bucket_address },
	{ "kernel", kernel_hold, kernel_release, kernel_hold, kernel_release,
	  kernel_address },
	{ "runqueue", runqueue_hold, runqueue_release, runqueue_hold, runqueue_release,
	  runqueue_address, .irqs_off = true },
	{ "bh", static_hold, static_release, static_hold, static_release,
	  static_address, true },
#ifndef CONFIG_PREEMPT_RT
	{ "read", writer_hold, writer_release, reader_hold, reader_release,
	  rwlock_address },
	{ "write", reader_hold, reader_release, writer_hold, writer_release,
	  rwlock_address },
#endif
};

#define WAITERS_MOST	16

/* what one round is */
static struct {
	const struct kind *kind;
	unsigned int holder, waiters, ms;
	struct completion held, done;
} now;

static unsigned int holder_cpu(void)
{
	return now.holder;
}

static void hold_for_ms(void)
{
	now.kind->hold();
	mdelay(now.ms);
	now.kind->hold_release();
}

static int hold(void *unused)
{
	/* waking somebody may take the lock of a run queue */
	complete(&now.held);
	if (now.kind->irqs_off)
		local_irq_disable();
	/* preemption is off in the lock; interrupts are on, but for those */
	hold_for_ms();
	if (now.kind->irqs_off)
		local_irq_enable();
	complete(&now.done);
	return 0;
}

static int wait_for_it(void *unused)
{
	u64 from, to;

	if (now.kind->bottom_halves)
		local_bh_disable();
	else
		local_irq_disable();
	from = ktime_get_mono_fast_ns();
	now.kind->wait();
	to = ktime_get_mono_fast_ns();
	now.kind->wait_release();
	if (now.kind->bottom_halves)
		local_bh_enable();
	else
		local_irq_enable();
	pr_info("wait: %s cpu %d holder %u lock 0x%lx from %llu to %llu\n", now.kind->name,
		raw_smp_processor_id(), now.holder, (unsigned long)now.kind->address(), from, to);
	complete(&now.done);
	return 0;
}

/* none is created while a CPU is stuck: the thread that creates them may be there */
static struct task_struct *create(int (*work)(void *unused), unsigned int cpu)
{
	struct task_struct *task = kthread_create(work, NULL, "harness_locks/%u", cpu);

	if (!IS_ERR(task))
		kthread_bind(task, cpu);
	return task;
}

static int wait_set(const char *val, const struct kernel_param *kp)
{
	struct task_struct *tasks[1 + WAITERS_MOST];
	unsigned int i;
	char name[16];

	if (sscanf(val, "%15s %u %u %u", name, &now.holder, &now.waiters, &now.ms) != 4)
		return -EINVAL;
	now.kind = NULL;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			now.kind = &kinds[i];
	if (!now.kind || !now.kind->address() || now.waiters > WAITERS_MOST)
		return -EINVAL;
	if (now.kind->hold == runqueue_hold && no_unlock()) {
		if (runqueue_find())
			return -ENOENT;
		runqueue_unlock = (unsigned long)unlock_found;
	}
	init_completion(&now.held);
	init_completion(&now.done);
	for (i = 0; i <= now.waiters; i++) {
		tasks[i] = create(i ? wait_for_it : hold, (now.holder + i) % num_online_cpus());
		if (!IS_ERR(tasks[i]))
			continue;
		while (i--)
			kthread_stop(tasks[i]);
		return -ENOMEM;
	}
	wake_up_process(tasks[0]);
	wait_for_completion(&now.held);
	for (i = 1; i <= now.waiters; i++)
		wake_up_process(tasks[i]);
	for (i = 0; i <= now.waiters; i++)
		wait_for_completion(&now.done);
	return 0;
}

static const char * const reg_names[] = {
	"ax", "cx", "dx", "bx", "sp", "bp", "si", "di",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

static void print_registers(const char *what, unsigned int at, u16 mask)
{
	unsigned int reg;

	for (reg = 0; reg < ARRAY_SIZE(reg_names); reg++)
		if (mask & BIT(reg))
			pr_info("text: +0x%x %s %s\n", at, what, reg_names[reg]);
}

struct text {
	struct tio_argument_work work;
	u8 regs[TIO_ARGUMENT_TEXT];
	u16 unwritten[TIO_ARGUMENT_TEXT];
};

/*
 * What is known of registers in a function behind each call and at each hlt: which one holds
 * its first argument, and which ones it has not written
 */
static int print_text(const u8 *function, unsigned int len, struct text *text)
{
	struct insn insn;
	unsigned int at, behind;

	if (!tio_argument_find(function, len, &text->work, text->regs) ||
	    !tio_argument_unwritten(function, len, &text->work, text->unwritten))
		return -EINVAL;
	for (at = 0; at < len; at++) {
		if (!text->work.state[at] || !read_insn(function, len, at, &insn))
			continue;
		if (function[at] == 0xf4)
			behind = at;
		else if ((insn.writes & CALLER_SAVED) == CALLER_SAVED && at + insn.len < len)
			behind = at + insn.len;
		else
			continue;
		print_registers("unwritten", behind, text->unwritten[behind]);
		if (text->regs[behind] != TIO_ARGUMENT_NONE)
			print_registers("argument", behind, BIT(text->regs[behind]));
	}
	return 0;
}

static int text_set(const char *val, const struct kernel_param *kp)
{
	struct text *text;
	unsigned long from, to;
	int ret = -EINVAL;

	if (sscanf(val, "%lx %lx", &from, &to) != 2)
		return ret;
	text = kvmalloc(sizeof(*text), GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = print_text((const u8 *)from, to - from, text);
	kvfree(text);
	return ret;
}

static const struct kernel_param_ops text_ops = { .set = text_set };

/* "FROM TO": addresses of a function and of what is behind it */
module_param_cb(text, &text_ops, NULL, 0200);

static const struct kernel_param_ops wait_ops = { .set = wait_set };

module_param_cb(wait, &wait_ops, NULL, 0200);

static int __init harness_locks_init(void)
{
	allocated = kmalloc(sizeof(*allocated), GFP_KERNEL);
	if (!allocated)
		return -ENOMEM;
	raw_spin_lock_init(allocated);
	return 0;
}

static void __exit harness_locks_exit(void)
{
	kfree(allocated);
}

module_init(harness_locks_init);
module_exit(harness_locks_exit);

MODULE_DESCRIPTION("Waits for locks whose addresses are known");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
