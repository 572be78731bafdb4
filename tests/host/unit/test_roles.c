// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.h"

#include "names/function_roles.h"

/* functions that do real work but are named almost like a helper */
static void table(void **state)
{
	static const char * const passed[] = {
		"native_queued_spin_lock_slowpath", "_raw_spin_lock_irqsave", "delay_tsc",
		"__const_udelay", "ktime_get_mono_fast_ns", "__local_bh_enable_ip",
		"preempt_count_add", "__pv_queued_spin_lock_slowpath", "memset_erms",
		"clear_page_erms", "__rcu_read_unlock", "mutex_spin_on_owner",
		"__x86_indirect_thunk_rax", "native_halt_spin_x", "native_apic_mem_write",
		"x2apic_send_IPI", "folio_lruvec_lock_irqsave", "rcu_nocb_unlock_irqrestore",
		"__lock_task_sighand", "lock_timer_base", "task_rq_lock",
		"_find_next_bit", "kvm_wait", "native_halt",
		"__kvm_vcpu_is_preempted", "stop_machine_yield", "rcu_momentary_eqs",
		"rcu_momentary_dyntick_idle", "resilient_queued_spin_lock_slowpath",
		"arch_counter_read", "arch_timer_read_cntvct_el0", "gic_eoimode1_eoi_irq",
		"__arch_copy_to_user", "smp_call_function_many_cond", "smp_call_function_single",
		"__smp_call_function_single", "on_each_cpu_cond_mask", "csd_lock_wait_toolong",
		"kick_all_cpus_sync",
	};
	static const char * const blamed[] = {
		"memory_stat_format", "mem_cgroup_css_rstat_flush", "cgroup_rstat_flush_locked",
		"delayed_work_timer_fn", "process_one_work", "net_rx_action", "memdup_user",
		"estimation_timer", "rcu_core", "preemptible", "local_flush", "finish_task_switch",
		"clear_huge_page", "ktime_add_safe", "udev_x", "lock_page", "apic_timer_x",
		"tick_sched_timer", "tick_nohz_handler", "update_process_times", "hrtimer_wakeup",
		"add_interrupt_randomness", "note_interrupt", "handle_mm_fault", "handle_irq_storm",
		"irq_work_queue", "smp_call_function_single_async", "sched_ttwu_pending",
		"multi_cpu_stop", "halt_poll_x",
		"arch_timer_evtstrm_starting_cpu", "gic_irq_domain_alloc", "el0_do_x", "ipi_send_x",
	};
	static const char * const plumbing[] = {
		"hrtimer_interrupt", "local_apic_timer_interrupt", "handle_irq_event",
		"handle_irq_event_percpu", "__handle_irq_event_percpu", "handle_edge_irq",
		"handle_fasteoi_irq", "handle_fasteoi_ack_irq", "handle_level_irq",
		"__common_interrupt", "common_interrupt", "generic_handle_irq_safe",
		"flush_smp_call_function_queue", "__flush_smp_call_function_queue",
		"generic_smp_call_function_single_interrupt", "irq_work_run", "irq_work_run_list",
		"irq_work_single", "__sysvec_apic_timer_interrupt", "asm_call_irq_on_stack",
		"fred_sysvec_irq_work", "asm_fred_entrypoint_kernel",
		"el1h_64_irq", "el1h_64_irq_handler", "el0_interrupt", "do_interrupt_handler",
		"call_on_irq_stack", "gic_handle_irq", "arch_timer_handler_virt", "ipi_handler",
		"do_handle_IPI", "handle_percpu_devid_irq", "el0t_64_sync_handler", "el0_svc",
		"do_IRQ", "ret_from_intr", "apic_timer_interrupt", "smp_apic_timer_interrupt",
		"smp_call_function_single_interrupt", "hyperv_callback_vector", "page_fault",
	};

	for (size_t i = 0; i < ARRAY_SIZE(passed); i++)
		if (!role_is_helper(passed[i]))
			fail_msg("%s is a helper", passed[i]);
	for (size_t i = 0; i < ARRAY_SIZE(blamed); i++)
		if (role_is_helper(blamed[i]) || role_is_plumbing(blamed[i]))
			fail_msg("%s is no helper", blamed[i]);
	for (size_t i = 0; i < ARRAY_SIZE(plumbing); i++)
		if (!role_is_plumbing(plumbing[i]))
			fail_msg("%s is plumbing", plumbing[i]);
}

/* whose time belongs to what they call, and what they call for everybody */
static void dispatchers(void **state)
{
	static const char * const calling[] = {
		"call_timer_fn", "__hrtimer_run_queues", "__run_hrtimer", "tasklet_action_common",
		"rcu_do_batch",
		"irq_work_single", "__flush_smp_call_function_queue", "process_one_work",
		"__handle_irq_event_percpu", "__napi_poll", "net_rx_action", "nf_hook_slow",
		"handle_softirqs", "__netif_receive_skb_core",
		"__netif_receive_skb_core.constprop.0",
	};
	static const char * const called[] = {
		"estimation_timer", "tick_sched_timer", "process_backlog",
		"nf_conntrack_in", "nf_hook_entries_grow",
	};
	static const char * const everybodys[] = {
		"net_rx_action", "process_backlog", "tick_nohz_handler", "rcu_core_si",
		"rcu_process_callbacks",
	};

	for (size_t i = 0; i < ARRAY_SIZE(calling); i++)
		if (!role_is_dispatcher(calling[i]))
			fail_msg("%s is a dispatcher", calling[i]);
	for (size_t i = 0; i < ARRAY_SIZE(called); i++)
		if (role_is_dispatcher(called[i]))
			fail_msg("%s is no dispatcher", called[i]);
	for (size_t i = 0; i < ARRAY_SIZE(everybodys); i++)
		if (!role_is_everybodys(everybodys[i]))
			fail_msg("%s is everybody's", everybodys[i]);
	assert_false(role_is_everybodys("estimation_timer"));
	assert_true(role_calls_in_section("napi_threaded_poll_loop"));
	assert_false(role_calls_in_section("napi_complete_done"));
}

/* where an interrupt's part of a stack ends: on x86 since v5.8 and before, and on arm64 */
static void entries(void **state)
{
	static const char * const outermost[] = {
		"asm_sysvec_apic_timer_interrupt", "asm_common_interrupt", "common_interrupt",
		"ret_from_intr", "apic_timer_interrupt", "call_function_single_interrupt",
		"hyperv_callback_vector", "el1h_64_irq",
	};
	static const char * const others[] = {
		"asm_exc_page_fault", "page_fault", "do_IRQ", "smp_apic_timer_interrupt",
		"hrtimer_interrupt",
	};

	for (size_t i = 0; i < ARRAY_SIZE(outermost); i++)
		if (!role_is_irq_entry(outermost[i]))
			fail_msg("%s is an interrupt's entry", outermost[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (role_is_irq_entry(others[i]))
			fail_msg("%s is no interrupt's entry", others[i]);
	assert_int_equal(role_wait("smp_call_function_many"), WAIT_IPI);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(dispatchers),
		cmocka_unit_test(entries),
	};

	return cmocka_run_group_tests_name("roles", tests, NULL, NULL);
}
