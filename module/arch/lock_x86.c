// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code that waits for a queued lock spins in one of four functions, all of which are called
 * with the lock as first argument and are exported. Each one's text is read once, as the module
 * is loaded, for the register that holds the lock at each instruction. In a guest the waiter for
 * a paravirtual lock halts after a while, in a function that leaves that register alone.
 */
#include <linux/cache.h>
#include <linux/kallsyms.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "arch/lock.h"
#include "compat/nofault.h"
#include "compat/pv_wait.h"
#include "core/argument_register.h"
#include "core/kernel_text.h"

struct slow_path {
	const void *function;
	u32 kind;		/* enum trace_irqoff_lock */
	unsigned int len;	/* of its text; 0: it is not known */
	u8 *regs;		/* by offset, as tio_argument_find() has them */
};

static struct slow_path slow_paths[] __ro_after_init = {
#ifdef CONFIG_PARAVIRT_SPINLOCKS
	{ native_queued_spin_lock_slowpath, TRACE_IRQOFF_LOCK_SPIN },
	{ __pv_queued_spin_lock_slowpath, TRACE_IRQOFF_LOCK_SPIN },
#elif defined(CONFIG_QUEUED_SPINLOCKS)
	{ queued_spin_lock_slowpath, TRACE_IRQOFF_LOCK_SPIN },
#endif
	/* on PREEMPT_RT rwlocks sleep */
#ifdef CONFIG_QUEUED_RWLOCKS
	{ queued_read_lock_slowpath, TRACE_IRQOFF_LOCK_READ },
	{ queued_write_lock_slowpath, TRACE_IRQOFF_LOCK_WRITE },
#endif
};

/* a paravirtual slow path halts in these after a while (pv_wait.h) */
struct halt {
	const void *function;
	unsigned int len;	/* of its text; 0: it is not known, or there is none */
	u16 *unwritten;		/* by offset, as tio_argument_unwritten() has them */
};

static struct halt halts[TIO_PV_HALTS] __ro_after_init;

/* how long a function is, by the kernel's own symbols; 0: not known */
static unsigned int length_of(const void *function)
{
	char *symbol = kmalloc(KSYM_SYMBOL_LEN, GFP_KERNEL);
	const char *plus;
	unsigned int len;

	if (!symbol)
		return 0;
	scnprintf(symbol, KSYM_SYMBOL_LEN, "%pS", function);
	plus = strstr(symbol, "+0x0/0x");
	if (!plus || sscanf(plus, "+0x0/0x%x", &len) != 1)
		len = 0;
	kfree(symbol);
	return len;
}

/* a copy of a function's text; NULL where it cannot be read */
static u8 *text_of(const void *function, unsigned int *len)
{
	u8 *text;

	*len = length_of(function);
	if (!*len || *len > TIO_ARGUMENT_TEXT)
		return NULL;
	text = kmalloc(*len, GFP_KERNEL);
	if (text && copy_from_kernel_nofault(text, function, *len)) {
		kfree(text);
		text = NULL;
	}
	return text;
}

static bool read_slow_path(struct slow_path *path, struct tio_argument_work *work)
{
	unsigned int len;
	u8 *text = text_of(path->function, &len);
	u8 *regs = text ? kmalloc(len, GFP_KERNEL) : NULL;

	if (regs && tio_argument_find(text, len, work, regs)) {
		path->regs = regs;
		path->len = len;
	} else {
		kfree(regs);
	}
	kfree(text);
	return path->len;
}

static void read_halt(struct halt *halt, const void *function, struct tio_argument_work *work)
{
	unsigned int len;
	u8 *text = function ? text_of(function, &len) : NULL;
	u16 *unwritten = text ? kmalloc_array(len, sizeof(*unwritten), GFP_KERNEL) : NULL;

	if (unwritten && tio_argument_unwritten(text, len, work, unwritten)) {
		halt->function = function;
		halt->unwritten = unwritten;
		halt->len = len;
	} else {
		kfree(unwritten);
	}
	kfree(text);
}

/* slow paths that were not read, by name; "" where there are none */
static char unread[4 * KSYM_NAME_LEN] __ro_after_init;

/**
 * tio_lock_unread() - in which slow paths do samples not tell the lock?
 *
 * Context: any, after tio_lock_init().
 * Return: their names, separated by spaces; "" where there are none.
 */
const char *tio_lock_unread(void)
{
	return unread;
}

static void note_unread(const void *function)
{
	size_t len = strlen(unread);

	pr_info("cannot tell which lock is waited for in %ps\n", function);
	scnprintf(unread + len, sizeof(unread) - len, "%s%ps", len ? " " : "", function);
}

/**
 * tio_lock_init() - read the slow paths of locks
 *
 * Where that fails, locks have no names. The kernel's log and the status say so.
 *
 * Context: module init.
 */
void tio_lock_init(void)
{
	struct tio_argument_work *work = kmalloc(sizeof(*work), GFP_KERNEL);
	const void *functions[TIO_PV_HALTS] = { };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(slow_paths); i++)
		if (!work || !read_slow_path(&slow_paths[i], work))
			note_unread(slow_paths[i].function);
	if (!work)
		return;
	tio_pv_halts(functions);
	for (i = 0; i < ARRAY_SIZE(halts); i++)
		read_halt(&halts[i], functions[i], work);
	kfree(work);
}

/**
 * tio_lock_exit() - free what was read
 *
 * Context: task; no CPU is watched.
 */
void tio_lock_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(slow_paths); i++)
		kfree(slow_paths[i].regs);
	for (i = 0; i < ARRAY_SIZE(halts); i++)
		kfree(halts[i].unwritten);
}

static const struct slow_path *slow_path_at(unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(slow_paths); i++)
		if (ip - (unsigned long)slow_paths[i].function < slow_paths[i].len)
			return &slow_paths[i];
	return NULL;
}

/* registers by the numbers that instructions have */
static const u8 reg_offset[TIO_X86_REGS] = {
	offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
	offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
	offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
	offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
};

/* @unwritten: the registers that still have what they had at @ip */
static u64 argument_at(const struct slow_path *path, unsigned long ip,
		       const struct pt_regs *regs, u16 unwritten)
{
	u8 reg = path->regs[ip - (unsigned long)path->function];

	if (reg == TIO_ARGUMENT_NONE || !(unwritten & BIT(reg)))
		return 0;
	return *(u64 *)((const u8 *)regs + reg_offset[reg]);
}

/* registers that the functions that halt have not written by @ip; 0: it lies in none */
static u16 unwritten_at(unsigned long ip)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(halts); i++)
		if (ip - (unsigned long)halts[i].function < halts[i].len)
			return halts[i].unwritten[ip - (unsigned long)halts[i].function];
	return 0;
}

/*
 * May this be the word of a lock that is held? A spinlock's has a byte that is 1, or 3 where
 * a paravirtual waiter sleeps, and one that is 1 while somebody is first in the queue
 * (asm-generic/qspinlock_types.h). A rwlock's low byte is 0xff for a writer
 * (asm-generic/qrwlock.h).
 */
static bool is_held(u64 lock, u32 kind)
{
	u32 word, locked;

	if (lock & (sizeof(word) - 1) ||
	    copy_from_kernel_nofault(&word, (const void *)(unsigned long)lock, sizeof(word)))
		return false;
	locked = word & 0xff;
	if (kind == TRACE_IRQOFF_LOCK_SPIN)
		return word && (locked <= 1 || locked == 3) && (word >> 8 & 0xff) <= 1;
	return word && (!locked || locked == 0xff);
}

/* the spinlock inside of a rwlock, which its waiters queue for */
static u64 rwlock_of(u64 wait_lock)
{
#ifdef CONFIG_QUEUED_RWLOCKS
	return wait_lock - offsetof(struct qrwlock, wait_lock);
#else
	return wait_lock;
#endif
}

/* how many functions lie between a slow path and the instruction that halts */
#define HALT_FRAMES	2

/**
 * tio_lock_find() - which lock does the interrupted code wait for?
 * @regs: interrupted registers
 * @frames: its stack, innermost first
 * @nframes: how many there are
 * @kind: set to how it is wanted, an enum trace_irqoff_lock
 *
 * Context: any.
 * Return: the lock's address; 0, and no kind, where it waits for none that is known.
 */
u64 tio_lock_find(const struct pt_regs *regs, const u64 *frames, unsigned int nframes,
		  u8 *kind)
{
	const struct slow_path *path = slow_path_at(regs->ip), *caller = NULL;
	unsigned long ip = regs->ip;
	u16 unwritten = U16_MAX;
	unsigned int frame = 0;
	u64 lock;

	*kind = TRACE_IRQOFF_LOCK_NONE;
	while (!path && frame < HALT_FRAMES && frame + 1 < nframes) {
		unwritten &= unwritten_at(ip);
		if (likely(!unwritten))
			return 0;
		ip = frames[++frame];
		path = slow_path_at(ip);
	}
	if (!path)
		return 0;
	lock = argument_at(path, ip, regs, unwritten);
	if (!lock || !is_held(lock, path->kind))
		return 0;
	*kind = path->kind;
	if (frame + 1 < nframes)
		caller = slow_path_at(frames[frame + 1]);
	if (*kind != TRACE_IRQOFF_LOCK_SPIN || !caller)
		return lock;
	*kind = caller->kind;
	return rwlock_of(lock);
}

/*
 * Where the kernel's per-CPU variables begin by its symbols. Up to "x86/percpu/64: Use
 * relative percpu offsets" (v6.15) that is 0. Since then it is an address of the image, and
 * the area of CPU 0 begins at a multiple of PMD_SIZE (setup_per_cpu_areas()): so do its
 * symbols, but for the offset between the two.
 */
static u64 variables_begin(void)
{
	u64 some = (__force unsigned long)&this_cpu_off;

	if (some < __START_KERNEL_map)
		return 0;
	return some - ((some + per_cpu_offset(0)) & (PMD_SIZE - 1));
}

/* how far it is to the nearest other CPU's area; each one is that long, or shorter */
static u64 distance_of(unsigned int cpu)
{
	u64 least = PMD_SIZE;
	unsigned int i;

	for_each_possible_cpu(i)
		if (per_cpu_offset(i) > per_cpu_offset(cpu))
			least = min_t(u64, least, per_cpu_offset(i) - per_cpu_offset(cpu));
		else if (per_cpu_offset(i) < per_cpu_offset(cpu))
			least = min_t(u64, least, per_cpu_offset(cpu) - per_cpu_offset(i));
	return least;
}

/**
 * tio_lock_variable() - does a lock lie in a CPU's area of per-CPU variables?
 * @lock: its address; replaced by that of the variable by the kernel's symbols
 * @cpu: set to whose area it is
 *
 * Memory that was allocated for each CPU may lie there as well, behind the variables.
 *
 * Context: any.
 * Return: true where it does; false, and nothing is replaced, elsewhere.
 */
bool tio_lock_variable(u64 *lock, unsigned int *cpu)
{
	u64 begin = variables_begin(), best = PMD_SIZE, offset;
	unsigned int i;

	for_each_possible_cpu(i) {
		offset = *lock - per_cpu_offset(i) - begin;
		if (offset < best) {
			best = offset;
			*cpu = i;
		}
	}
	if (best == PMD_SIZE || best >= distance_of(*cpu))
		return false;
	*lock = begin + best;
	return true;
}
