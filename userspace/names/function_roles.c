// SPDX-License-Identifier: GPL-2.0-only
#include <fnmatch.h>
#include <string.h>

#include "base/say.h"
#include "compat/entry_names.h"
#include "names/function_roles.h"

/* spinning locks themselves; helpers, too */
static const char * const spinning[] = {
	"_raw_spin_*", "_raw_read_*", "_raw_write_*", "__raw_spin_*", "__raw_read_*",
	"__raw_write_*", "do_raw_spin_*", "do_raw_read_*", "do_raw_write_*", "arch_spin_*",
	"native_*spin*", "*queued_spin_*", "queued_read_lock_slowpath",
	"queued_write_lock_slowpath", "virt_spin_lock*", "pv_*", "__pv_*", "__raw_callee_save_*",
	/* guests sleep in these while the holder's virtual CPU does not run */
	"kvm_wait", "hv_qlock_wait", "xen_qlock_wait", "xen_poll_irq*", "native_halt",
	"native_safe_halt", "*_vcpu_is_preempted",
};

/*
 * Helpers, as shell patterns: functions that spin, wait, lock, copy, or enable
 * something for their caller. The caller is to blame, so they are passed over. Only
 * functions of the kernel image are: a module's function of such a name is its own, unless
 * it is one of a header's (role_is_inline()).
 */
static const char * const helpers[] = {
	/* delays and clocks */
	"delay_*", "__delay", "__const_udelay", "__udelay", "__ndelay", "udelay*", "cpu_relax",
	"ktime_get*", "read_tsc", "rdtsc*", "sched_clock*", "native_sched_clock", "local_clock*",
	"kvm_clock_*", "kvm_sched_clock_*", "pvclock_*", "read_hpet", "acpi_pm_read*",
	"arch_counter_*", "arch_timer_read_*",
	"timekeeping_get_*", "timekeeping_cycles_*",
	/* sleeping locks, which spin before they sleep */
	"mutex_lock*", "mutex_unlock*", "mutex_trylock*", "mutex_spin_on_owner", "__mutex_*",
	"__ww_mutex_*", "ww_mutex_*", "down_read*", "down_write*", "up_read*", "up_write*",
	"raw_spin_rq_*",
	/* lock and unlock for their caller */
	"folio_lruvec_lock*", "__lock_task_sighand", "lock_timer_base", "task_rq_lock",
	"__task_rq_lock", "double_rq_lock", "rcu_nocb_lock*", "rcu_nocb_unlock*",
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
	/* trees and queues, of timers above all */
	"rb_*", "__rb_*", "timerqueue_*", "__remove_hrtimer", "remove_hrtimer", "enqueue_hrtimer",
	"detach_timer", "detach_if_pending", "list_sort",
	/* the interrupt controller and the clock event device */
	"clockevents_program_event", "tick_program_event", "lapic_next_*",
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
	"__hrtimer_run_queues", "__run_hrtimer", "irq_poll_softirq", "irq_exit*", "__irq_exit*",
	"do_softirq*", "____do_softirq*", "invoke_softirq", "run_ksoftirqd", "smpboot_thread_fn",
	"asm_*", "sysvec_*", "__sysvec_*", "common_interrupt", "entry_SYSCALL_*", "do_syscall_64",
	"x64_sys_call", "x32_sys_call", "ia32_sys_call", "do_fast_syscall_32",
	"__do_fast_syscall_32", "do_int80_*",
	"el0_svc*", "el0t_64_*", "do_el0_svc", "invoke_syscall",
	"kthread", "worker_thread", "ret_from_fork*", "timer_expire_remote", "tmigr_handle_remote*",
	/* from an interrupt to its handlers; what the tick does is work, not plumbing */
	"__common_interrupt", "fred_entry_*", "fred_extint", "fred_sysvec_*", "irqentry_*",
	"irq_enter*", "handle_irq", "__handle_irq", "generic_handle_irq*",
	"generic_handle_domain_irq*", "handle_edge_irq", "handle_level_irq", "handle_fasteoi_*irq",
	"handle_simple_irq", "handle_percpu_irq", "handle_percpu_devid_*", "handle_irq_event*",
	"__handle_irq_event_percpu", "local_apic_timer_interrupt", "hrtimer_interrupt",
	"generic_smp_call_function_*interrupt", "flush_smp_call_function_*",
	"__flush_smp_call_function_queue", "csd_do_func", "irq_work_run*", "irq_work_single",
	"irq_work_tick", "irq_thread_fn",
	/* the same on x86 before v5.8 */
	"do_IRQ", "smp_*_interrupt", "smp_x86_platform_ipi", "hyperv_vector_handler",
	"hv_stimer0_vector_handler", "xen_evtchn_do_upcall",
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
	"common_interrupt", "asm_common_interrupt", "sysvec_*", "__sysvec_*", "asm_sysvec_*",
	"fred_extint",
	"fred_sysvec_*", "el1h_64_irq*", "el0t_64_irq*", "el?_interrupt",
	/* x86 before v5.8 */
	"ret_from_intr", "apic_timer_interrupt", "reschedule_interrupt",
	"call_function_interrupt", "call_function_single_interrupt", "irq_work_interrupt",
	"x86_platform_ipi", "thermal_interrupt", "threshold_interrupt",
	"deferred_error_interrupt", "error_interrupt", "spurious_interrupt",
	"hypervisor_callback", "xen_hvm_callback_vector", "hyperv_callback_vector",
	"hyperv_reenlightenment_vector", "hv_stimer0_callback_vector",
};

/* the outermost functions of a softirq's own part of the stack */
static const char * const softirq_loop[] = {
	"__do_softirq", "handle_softirqs", "__softirqentry_text_start",
};

/*
 * Dispatchers: functions that call whatever was registered, queued or armed. The time
 * belongs to what they call. An interrupt's or a softirq's own part of a stack nests
 * them: the innermost one that all samples share says most.
 */
static const char * const dispatchers[] = {
	/* timers */
	"call_timer_fn", "expire_timers", "__run_timers", "__run_timer_base",
	"__hrtimer_run_queues", "__run_hrtimer",
	/* tasklets, RCU callbacks, softirqs' actions, works in softirq context (6.9) */
	"tasklet_action*", "tasklet_hi_action*", "rcu_do_batch", "process_one_work",
	"__do_softirq", "handle_softirqs", "__softirqentry_text_start",
	/* interrupts, their threads, IPIs, functions called on this CPU as if by an IPI */
	"__handle_irq_event_percpu", "handle_percpu_irq", "handle_percpu_devid_*",
	"irq_work_single", "irq_work_run_list", "csd_do_func", "flush_smp_call_function_*",
	"__flush_smp_call_function_queue", "generic_exec_single", "irq_forced_thread_fn",
	"irq_thread_fn", "multi_cpu_stop", "on_each_cpu*", "smp_call_function_many_cond",
	/* the network stack; net_rx_action() before v5.12 and busy polls call the drivers */
	"__napi_poll", "napi_poll", "net_rx_action", "*napi_busy_loop", "busy_poll_stop",
	"nf_hook_slow*",
	/* ... and protocols, and a device's own receiver; packets that were merged come in lists */
	"__netif_receive_skb_core*", "__netif_receive_skb_one_core",
	"__netif_receive_skb_list_core", "__netif_receive_skb_list_ptype", "deliver_skb",
	/* the block layer */
	"irq_poll_softirq", "blk_complete_reqs", "blk_done_softirq",
};

/*
 * What keeps interrupts or softirqs off while it calls whatever was registered: the time
 * belongs to what it calls, although the section ends in here.
 */
static const char * const calling_sections[] = {
	"nocb_cb_wait", "rcu_nocb_cb_kthread", "rcu_cpu_kthread", "irq_forced_thread_fn",
	"napi_threaded_poll*", "*napi_busy_loop", "busy_poll_stop", "generic_exec_single",
	"multi_cpu_stop", "on_each_cpu*", "smp_call_function_many_cond",
	/* an idle task that polls makes the calls of other CPUs itself */
	"flush_smp_call_function_*", "__flush_smp_call_function_queue", "csd_do_func",
};

/*
 * What dispatchers call for everybody: it says no more than the dispatcher does, so the
 * name comes from further in.
 */
static const char * const everybodys[] = {
	"net_rx_action", "net_tx_action", "process_backlog", "gro_cell_poll", "rcu_core*",
	"rcu_process_callbacks",
	"ip_rcv", "ip_list_rcv", "ipv6_rcv", "ipv6_list_rcv",
	"blk_done_softirq", "blk_complete_reqs", "workqueue_softirq_action", "bh_worker",
	/* the tick */
	"tick_sched_timer", "tick_nohz_handler", "tick_nohz_highres_handler", "tick_sched_handle",
	"tick_handle_periodic", "tick_periodic",
};

static bool any_matches(const char * const *patterns, size_t count, const char *function)
{
	for (size_t i = 0; i < count; i++)
		if ((*patterns[i] == *function || *patterns[i] == '*') &&
		    !fnmatch(patterns[i], function, 0))
			return true;
	return false;
}

/**
 * role_is_spinning() - does a function do nothing but take or release a spinning lock?
 * @function: a function of the kernel image
 */
bool role_is_spinning(const char *function)
{
	return any_matches(spinning, ARRAY_SIZE(spinning), function);
}

/**
 * role_is_helper() - does a function only spin, wait, lock, copy or enable for its caller?
 * @function: a function of the kernel image
 */
bool role_is_helper(const char *function)
{
	return role_is_spinning(function) || any_matches(helpers, ARRAY_SIZE(helpers), function);
}

/*
 * Inline functions of the kernel's headers that disable or enable interrupts for their
 * caller. A compiler may make a function of one, as gcc 10 does with those of paravirt:
 * twenty modules of Debian's 5.10 have a copy.
 */
static const char * const inlines[] = { "arch_local_irq_*", "arch_local_save_flags" };

/**
 * role_is_inline() - does a function serve its caller, because it is one of a header's?
 * @function: a function of the kernel image or of a module
 */
bool role_is_inline(const char *function)
{
	return any_matches(inlines, ARRAY_SIZE(inlines), function);
}

/* how a section ends that had a lock with interrupts off */
static const char * const unlocks[] = {
	"_raw_spin_unlock_irq*", "_raw_read_unlock_irq*", "_raw_write_unlock_irq*",
	"_raw_spin_unlock", "_raw_read_unlock", "_raw_write_unlock",
};

/**
 * role_is_unlock() - does a function release a spinning lock?
 * @function: a function of the kernel image
 */
bool role_is_unlock(const char *function)
{
	return any_matches(unlocks, ARRAY_SIZE(unlocks), function);
}

/**
 * role_is_softirq_loop() - is it the outermost function of a softirq's part of a stack?
 * @function: a function of the kernel image
 */
bool role_is_softirq_loop(const char *function)
{
	return any_matches(softirq_loop, ARRAY_SIZE(softirq_loop), function);
}

/**
 * role_is_irq_entry() - is it the outermost function of an interrupt's part of a stack?
 * @function: a function of the kernel image
 */
bool role_is_irq_entry(const char *function)
{
	return any_matches(irq_entry, ARRAY_SIZE(irq_entry), function);
}

/**
 * role_is_plumbing() - does the kernel get to handlers, softirqs or system calls by it?
 * @function: a function of the kernel image
 */
bool role_is_plumbing(const char *function)
{
	return role_is_softirq_loop(function) || tio_is_old_entry(function) ||
	       any_matches(plumbing, ARRAY_SIZE(plumbing), function);
}

/**
 * role_is_dispatcher() - does the time of a function belong to what it calls?
 * @function: a function of the kernel image
 */
bool role_is_dispatcher(const char *function)
{
	return any_matches(dispatchers, ARRAY_SIZE(dispatchers), function);
}

/**
 * role_calls_in_section() - does it call others while it keeps interrupts or softirqs off?
 * @function: a function of the kernel image
 */
bool role_calls_in_section(const char *function)
{
	return any_matches(calling_sections, ARRAY_SIZE(calling_sections), function);
}

/**
 * role_is_everybodys() - does a dispatcher call it whoever has work to do?
 * @function: a function of the kernel image
 */
bool role_is_everybodys(const char *function)
{
	return any_matches(everybodys, ARRAY_SIZE(everybodys), function);
}

/*
 * Functions of the kernel that do nothing but wait. _raw_spin_lock() and the like are
 * not among them: their slow path spins, and a sample in them may be of a lock that is
 * free. Spinning for a mutex is not either: it stops as soon as another task is to
 * run, so it holds up no softirq.
 */
static const struct {
	const char *function;
	enum wait wait;
} waiting[] = {
	{ "native_queued_spin_lock_slowpath", WAIT_LOCK },
	{ "__pv_queued_spin_lock_slowpath", WAIT_LOCK },
	{ "queued_spin_lock_slowpath", WAIT_LOCK },
	{ "resilient_queued_spin_lock_slowpath", WAIT_LOCK },
	{ "queued_read_lock_slowpath", WAIT_LOCK },
	{ "queued_write_lock_slowpath", WAIT_LOCK },
	{ "smp_call_function_many_cond", WAIT_IPI },
	{ "smp_call_function_many", WAIT_IPI },		/* before v5.7 */
	{ "smp_call_function_single", WAIT_IPI },
	{ "__smp_call_function_single", WAIT_IPI },	/* from v7.3 on */
	{ "smp_call_function_any", WAIT_IPI },
	{ "csd_lock_wait", WAIT_IPI },
	{ "__csd_lock_wait", WAIT_IPI },
	{ "csd_lock_wait_toolong", WAIT_IPI },
	{ "multi_cpu_stop", WAIT_STOP },
};

/**
 * role_wait() - what a CPU waits for in a function that does nothing else
 * @function: a function of the kernel image
 *
 * Return: it; WAIT_NONE: the function is none of those.
 */
enum wait role_wait(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(waiting); i++)
		if (!strcmp(function, waiting[i].function))
			return waiting[i].wait;
	return WAIT_NONE;
}

/**
 * role_rwlock() - how a function that waits for a rwlock, or releases one, has it
 * @function: a function of the kernel image
 *
 * Return: for reading or for writing; TRACE_IRQOFF_LOCK_NONE: it does neither.
 */
enum trace_irqoff_lock role_rwlock(const char *function)
{
	static const char * const reads[] = { "_raw_read_unlock*", "queued_read_lock_slowpath" };
	static const char * const writes[] = { "_raw_write_unlock*", "queued_write_lock_slowpath" };

	if (any_matches(reads, ARRAY_SIZE(reads), function))
		return TRACE_IRQOFF_LOCK_READ;
	return any_matches(writes, ARRAY_SIZE(writes), function) ? TRACE_IRQOFF_LOCK_WRITE :
								   TRACE_IRQOFF_LOCK_NONE;
}

/**
 * role_calls_handler() - does a system call have it call what serves this message or file?
 * @function: a function of the kernel image
 */
bool role_calls_handler(const char *function)
{
	static const char * const callers[] = {
		/* netlink; genl_rcv_msg() has the next one inlined before v5.6 */
		"rtnetlink_rcv_msg", "genl_rcv_msg", "genl_family_rcv_msg_doit",
		"genl_family_rcv_msg", "nfnetlink_rcv_msg", "nfnetlink_rcv", "netlink_dump",
		"genl_lock_dumpit", "genl_dumpit",
		/* files that are written or made up as they are read */
		"seq_read", "seq_read_iter", "kernfs_seq_show", "cgroup_seqfile_show",
		"sysfs_kf_seq_show", "kernfs_fop_write", "kernfs_fop_write_iter",
		"cgroup_file_write", "proc_sys_call_handler",
	};

	return any_matches(callers, ARRAY_SIZE(callers), function);
}
