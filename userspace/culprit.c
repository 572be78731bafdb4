// SPDX-License-Identifier: GPL-2.0-only
#include <fnmatch.h>
#include <string.h>

#include "culprit.h"
#include "frame.h"
#include "say.h"

/*
 * Helpers, as shell patterns: functions that spin, wait, lock, copy, or enable
 * something for their caller. The caller is to blame, so they are passed over. Only
 * functions of the kernel image are: a module's function of such a name is its own.
 */
static const char * const helpers[] = {
	/* delays and clocks */
	"delay_*", "__delay", "__const_udelay", "__udelay", "__ndelay", "udelay*", "cpu_relax",
	"ktime_get*", "read_tsc", "rdtsc*", "sched_clock*", "native_sched_clock", "local_clock*",
	"kvm_clock_*", "kvm_sched_clock_*", "pvclock_*", "read_hpet", "acpi_pm_read*",
	"arch_counter_*", "arch_timer_read_*",
	"timekeeping_get_*", "timekeeping_cycles_*",
	/* spinning locks */
	"_raw_spin_*", "_raw_read_*", "_raw_write_*", "__raw_spin_*", "__raw_read_*",
	"__raw_write_*", "do_raw_spin_*", "do_raw_read_*", "do_raw_write_*", "arch_spin_*",
	"native_*spin*", "*queued_spin_*", "queued_read_lock_slowpath",
	"queued_write_lock_slowpath", "virt_spin_lock*", "pv_*", "__pv_*", "__raw_callee_save_*",
	/* guests sleep in these while the holder's virtual CPU does not run */
	"kvm_wait", "hv_qlock_wait", "xen_qlock_wait", "xen_poll_irq*", "native_halt",
	"native_safe_halt", "*_vcpu_is_preempted",
	/* sleeping locks, which spin before they sleep */
	"mutex_lock*", "mutex_unlock*", "mutex_trylock*", "mutex_spin_on_owner", "__mutex_*",
	"__ww_mutex_*", "ww_mutex_*", "down_read*", "down_write*", "up_read*", "up_write*",
	"rwsem_*", "osq_*", "rt_mutex_*", "__rt_mutex_*", "rt_spin_*", "rt_read_*", "rt_write_*",
	/* lockdep */
	"lock_acquire*", "lock_release*", "lock_is_held*", "lockdep_*", "__lock_acquire*",
	/* what multi_cpu_stop() does while it waits */
	"stop_machine_yield", "rcu_momentary_*", "arch_touch_nmi_watchdog",
	"touch_nmi_watchdog", "touch_softlockup_watchdog",
	/* waiting for other CPUs to answer */
	"smp_call_function", "smp_call_function_single", "__smp_call_function_single",
	"smp_call_function_any", "smp_call_function_many", "smp_call_function_many_cond",
	"on_each_cpu*", "kick_all_cpus_sync", "csd_lock_wait*", "__csd_lock_wait*",
	/* disabling and enabling interrupts, softirqs and preemption */
	"trace_hardirqs_*", "trace_irq_*", "trace_preempt_*", "trace_softirqs_*", "local_irq_*",
	"native_irq_*", "native_save_fl", "native_restore_fl", "__local_bh_*", "_local_bh_*",
	"local_bh_*", "preempt_*", "rcu_read_*", "__rcu_read_*", "cond_resched*", "_cond_resched",
	"__cond_resched*", "dynamic_cond_resched*",
	/* memory and strings */
	"memset*", "__memset*", "memcpy*", "__memcpy*", "memmove*", "__memmove*", "memcmp*",
	"clear_page_*", "copy_page*", "copy_user_*", "__arch_copy_*", "rep_stos_*", "rep_movs_*",
	"strlen", "strnlen", "strcmp", "strncmp", "find_*_bit*", "_find_*_bit*",
	/* the interrupt controller */
	"native_apic_*", "native_x2apic_*", "x2apic_*", "apic_eoi*", "ack_APIC_irq", "apic_ack_*",
	"gic_eoi*_irq", "gic_mask_irq", "gic_unmask_irq", "gic_poke_irq",
	/* calls through pointers, returns */
	"__x86_indirect_*", "__x86_return_thunk", "srso_*", "retbleed_*", "zen_untrain_ret",
	"__traceiter_*", "__SCT__*", "__fentry__", "ftrace_*caller*",
};

/*
 * Plumbing: how the kernel gets to a handler, a softirq's action or a system call. It is
 * passed over as well. Where nothing else is left, it is blamed before a helper.
 */
static const char * const plumbing[] = {
	"call_timer_fn", "expire_timers", "__run_timers*", "__run_timer_base", "run_timer_base",
	"run_timer_softirq", "tasklet_action*", "tasklet_hi_action*", "hrtimer_run_softirq",
	"__hrtimer_run_queues", "irq_poll_softirq", "irq_exit*", "__irq_exit*", "do_softirq*",
	"____do_softirq*", "invoke_softirq", "run_ksoftirqd", "smpboot_thread_fn",
	"asm_*", "sysvec_*", "__sysvec_*", "common_interrupt", "entry_SYSCALL_*", "do_syscall_64",
	"el0_svc*", "el0t_64_*", "do_el0_svc", "invoke_syscall",
	"kthread", "ret_from_fork*",
	/* from an interrupt to its handlers; what the tick does is work, not plumbing */
	"__common_interrupt", "fred_entry_*", "fred_extint", "fred_sysvec_*", "irqentry_*",
	"irq_enter*", "handle_irq", "__handle_irq", "generic_handle_irq*",
	"generic_handle_domain_irq*", "handle_edge_irq", "handle_level_irq", "handle_fasteoi_*irq",
	"handle_simple_irq", "handle_percpu_irq", "handle_percpu_devid_*", "handle_irq_event*",
	"__handle_irq_event_percpu", "local_apic_timer_interrupt", "hrtimer_interrupt",
	"generic_smp_call_function_*interrupt", "flush_smp_call_function_*",
	"__flush_smp_call_function_queue", "csd_do_func", "irq_work_run*", "irq_work_single",
	"irq_work_tick",
	/* the same on arm64 */
	"el1h_64_irq*", "el?_interrupt", "el0_irq", "el1_irq", "do_interrupt_handler",
	"call_on_irq_stack", "gic_handle_irq", "__gic_handle_*", "arch_timer_handler_*",
	"ipi_handler", "do_handle_IPI",
};

/*
 * The outermost functions of an interrupt's own part of the stack. asm_* as a whole is
 * not one: exceptions have it too, and one inside of a handler has the handler further
 * out.
 */
static const char * const irq_entry[] = {
	"common_interrupt", "asm_common_interrupt", "sysvec_*", "asm_sysvec_*", "fred_extint",
	"fred_sysvec_*", "el1h_64_irq*", "el0t_64_irq*", "el?_interrupt",
};

/* the outermost functions of a softirq's own part of the stack */
static const char * const softirq_loop[] = {
	"__do_softirq", "handle_softirqs", "__softirqentry_text_start",
};

static bool any_matches(const char * const *patterns, size_t count, const char *function)
{
	for (size_t i = 0; i < count; i++)
		if (!fnmatch(patterns[i], function, 0))
			return true;
	return false;
}

bool culprit_is_helper(const char *function)
{
	return any_matches(helpers, ARRAY_SIZE(helpers), function);
}

/* the tracer's own code, which an NMI may interrupt */
static bool is_tracer(const struct symbol *symbol)
{
	return !symbol->unloaded && !strcmp(symbol->module, "trace_irqoff");
}

static bool is_softirq_loop(const char *function)
{
	return any_matches(softirq_loop, ARRAY_SIZE(softirq_loop), function);
}

bool culprit_is_plumbing(const char *function)
{
	return is_softirq_loop(function) || any_matches(plumbing, ARRAY_SIZE(plumbing), function);
}

/* What stands further out was interrupted: it had interrupts or softirqs on. */
static bool own_part_ends(const struct entry *entry, const struct tio_sample *sample,
			  const char *function)
{
	if (sample->flags & TRACE_IRQOFF_F_SERVING_SOFTIRQ && is_softirq_loop(function))
		return true;
	return entry->rec.kind == TRACE_IRQOFF_KIND_HARD &&
	       any_matches(irq_entry, ARRAY_SIZE(irq_entry), function);
}

/**
 * culprit_frame() - a frame's function, by its name in the source
 * @symbols: names
 * @entry: a record
 * @sample: one of its samples, or its end
 * @frame: which frame, from the innermost
 * @symbol: the result, as of frame_symbol()
 *
 * Compilers append a suffix to functions that they split or specialize (.isra.0,
 * .constprop.0, .part.0, .cold). It begins with a dot, which no C function has in its
 * name.
 */
void culprit_frame(const struct symbols *symbols, const struct entry *entry,
		   const struct tio_sample *sample, unsigned int frame, struct symbol *symbol)
{
	char *dot;

	frame_symbol(symbols, entry, sample, frame, symbol);
	dot = *symbol->name ? strchr(symbol->name + 1, '.') : NULL;
	if (dot)
		*dot = '\0';
}

/* the frame as a culprit: "name" or "name [module]" */
static char *print_culprit(const struct symbol *symbol)
{
	char text[SYMBOL_TEXT_LEN];

	if (symbol->unloaded)
		return copy_text(print_symbol(text, symbol));
	if (!*symbol->module)
		return copy_text(symbol->name);
	return print_text("%s [%s]", symbol->name, symbol->module);
}

/* "(interrupt 24 eth0)"; NULL where the interrupt is not known */
static char *print_interrupt(const struct tio_irq *irq)
{
	if (!*irq->name)
		return NULL;
	if (irq->number == TIO_NO_IRQ)
		return print_text("(interrupt %s)", irq->name);
	return print_text("(interrupt %d %s)", irq->number, irq->name);
}

/* a task in user mode, of which there is no kernel stack */
static char *print_user(const struct tio_sample *sample)
{
	return print_text("(user %s)", sample->comm);
}

/**
 * culprit_find() - whom to blame
 * @symbols: names
 * @entry: a record, judged
 *
 * Walks the deciding sample's stack from the innermost function outwards, past
 * helpers, plumbing and the tracer's own functions. A stall of which only the end
 * shows that a handler took it, and a storm, blame the interrupt.
 *
 * Return: the first function that is left. Where none is: the interrupt, for a
 * handler; else the first function that is no helper, else the innermost one. NULL
 * where the evidence blames nobody.
 */
char *culprit_find(const struct symbols *symbols, const struct entry *entry)
{
	const struct tio_sample *sample = entry_deciding_sample(entry);
	const enum tio_class class = entry->verdict.class;
	struct symbol symbol, second, innermost;
	char *interrupt;
	bool have_second = false, have_innermost = false;

	if (!sample || class == TIO_CLASS_UNKNOWN || class == TIO_CLASS_STOLEN)
		return NULL;
	/* a task that did not run has them off; the one that was sampled may be innocent */
	if (class == TIO_CLASS_SOFTIRQ_OFF && !(sample->flags & TRACE_IRQOFF_F_BH_OFF))
		return NULL;
	/* an end has no stack of a handler, and a storm's sample hits any of its handlers */
	if (class == TIO_CLASS_HARDIRQ_LONG &&
	    (sample == &entry->rec.end || entry->verdict.storm))
		return print_interrupt(&entry->rec.end.irq);
	if (!sample->nframes)
		return sample->flags & TRACE_IRQOFF_F_USER ? print_user(sample) : NULL;

	for (unsigned int i = 0; i < sample->nframes; i++) {
		bool core;

		culprit_frame(symbols, entry, sample, i, &symbol);
		if (is_tracer(&symbol))
			continue;
		core = !symbol.unloaded && !*symbol.module;
		if (!have_innermost)
			innermost = symbol;
		have_innermost = true;
		if (core && culprit_is_helper(symbol.name))
			continue;
		if (!core || !culprit_is_plumbing(symbol.name))
			return print_culprit(&symbol);
		if (!have_second)
			second = symbol;
		have_second = true;
		if (own_part_ends(entry, sample, symbol.name))
			break;
	}
	/* the interrupt says more than the plumbing, which all handlers share */
	interrupt = class == TIO_CLASS_HARDIRQ_LONG ? print_interrupt(&sample->irq) : NULL;
	if (interrupt || !have_innermost)
		return interrupt;
	return print_culprit(have_second ? &second : &innermost);
}
