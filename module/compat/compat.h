/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included before every file by the compiler's command line. It lets code written for
 * the newest kernel build on older ones. Conditionals on kernel features are in this
 * directory only. Kbuild.probes defines HAVE_*.
 */
#ifndef _TIO_COMPAT_H
#define _TIO_COMPAT_H

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched/isolation.h>

/* "hrtimers: Introduce hrtimer_setup() to replace hrtimer_init()" (v6.13) */
#ifndef HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock_id, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock_id, mode);
	timer->function = function;
}
#endif

/* "hrtimer: Introduce HARD expiry mode" (v5.4); before, what is not soft is hard */
#ifndef HAVE_HRTIMER_MODE_HARD
#define HRTIMER_MODE_ABS_PINNED_HARD	HRTIMER_MODE_ABS_PINNED
#define HRTIMER_MODE_REL_PINNED_HARD	HRTIMER_MODE_REL_PINNED
#endif

/* "workqueue: Add system_percpu_wq and system_dfl_wq" (v6.17) */
#ifndef HAVE_SYSTEM_DFL_WQ
#define system_dfl_wq	system_unbound_wq
#endif

/* "module: replace module_layout with module_memory" (v6.4) */
static inline void *module_core_base(const struct module *module)
{
#ifdef HAVE_MODULE_CORE_LAYOUT
	return module->core_layout.base;
#else
	return module->mem[MOD_TEXT].base;
#endif
}

static inline unsigned int module_core_size(const struct module *module)
{
#ifdef HAVE_MODULE_CORE_LAYOUT
	return module->core_layout.size;
#else
	return module->mem[MOD_TEXT].size;
#endif
}

static inline void *module_init_base(const struct module *module)
{
#ifdef HAVE_MODULE_CORE_LAYOUT
	return module->init_layout.base;
#else
	return module->mem[MOD_INIT_TEXT].base;
#endif
}

static inline unsigned int module_init_size(const struct module *module)
{
#ifdef HAVE_MODULE_CORE_LAYOUT
	return module->init_layout.size;
#else
	return module->mem[MOD_INIT_TEXT].size;
#endif
}

/* "sched/isolation: Use single feature type while referring to housekeeping cpumask" (v5.18) */
#ifndef HAVE_HK_TYPE
#define HK_TYPE_DOMAIN	HK_FLAG_DOMAIN
#define HK_TYPE_TICK	HK_FLAG_TICK
#endif

/* "arm64: ptrace: Replace interrupts_enabled() with regs_irqs_disabled()" (v6.18); x86: v5.8 */
#ifndef HAVE_REGS_IRQS_DISABLED
#ifdef CONFIG_X86
#define regs_irqs_disabled(regs)	(!((regs)->flags & X86_EFLAGS_IF))
#else
#define regs_irqs_disabled(regs)	(!interrupts_enabled(regs))
#endif
#endif

/* "irq_work: Cleanup" (v5.11); before "lockdep: Annotate irq_work" (v5.7) all are hard */
#ifndef IRQ_WORK_INIT_HARD
#ifdef HAVE_IRQ_WORK_HARD_IRQ
#define IRQ_WORK_INIT_HARD(_func) \
	{ .flags = ATOMIC_INIT(IRQ_WORK_HARD_IRQ), .func = (_func) }
#else
#define IRQ_WORK_INIT_HARD(_func)	{ .func = (_func) }
#endif
#endif

#if !defined(data_race) || defined(__READ_ONCE_SIZE)
#undef data_race
/*
 * "include/linux/compiler.h: Introduce data_race(expr) macro" (v5.8). That of RHEL 8 takes no
 * constant: it lacks "READ_ONCE: Simplify implementations of {READ,WRITE}_ONCE()" (v5.8).
 */
#define data_race(expr)	(expr)
#endif

#endif /* _TIO_COMPAT_H */
