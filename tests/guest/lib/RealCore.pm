# SPDX-License-Identifier: GPL-2.0-only
# Real stalls of processes, timers, memory, control groups and the console (Real.pm says what the words mean).
package RealCore;
use strict;
use warnings;

our @stalls = (
	{
		name => 'threads exit',
		script => 'herd_of threads 2000',
		class => 'hardirq-off',
		culprit => qr/^do_group_exit$/,
		cause => 'threads-killed',
		source => 'kernel/exit.c: it kills the other threads under siglock',
		cheap => 1,
	},
	{
		name => 'children get a parent',
		script => 'herd_of children 2000',
		class => 'hardirq-off',
		# exit_notify() is static and called once, so most compilers inline it
		culprit => qr/^(?:exit_notify|do_exit)$/,
		cause => 'tasklist-lock',
		source => 'kernel/exit.c: exit_notify() reparents them under tasklist_lock',
		cheap => 1,
	},
	{
		name => 'timers expire',
		script => 'herd_of timers 40000',
		class => 'hardirq-long',
		culprit => qr/^timerfd_tmrproc$/,
		cause => '',
		source => 'fs/timerfd.c: __hrtimer_run_queues() calls it for each',
		cheap => 1,
	},
	{
		name => 'epolls are woken',
		script => 'herd_of watchers 20000',
		class => 'hardirq-off',
		culprit => qr/^eventfd_write$/,
		busy => qr/^(?:eventfd_write|__wake_up_|ep_poll_callback)/,
		cause => '',
		source => 'fs/eventfd.c: it wakes all who wait under the lock of their queue',
		cheap => 1,
	},
	{
		name => 'threads change cgroup',
		script => '[ -z "$movers" ] || wait "$movers"; herd_of movers 3000 & movers=$!; sleep 4',
		after => 'wait "$movers"',
		class => 'hardirq-off',
		# one after the other, each with a section of its own under css_set_lock
		culprit => qr/^cgroup_(?:attach_task|migrate|migrate_execute)$/,
		cause => '',
		source => 'kernel/cgroup/cgroup.c: all threads of a process move under css_set_lock',
	},
	{
		name => 'perf events scheduled',
		script => 'herd_of events 4000',
		class => 'hardirq-off',
		# generic_exec_single() turns interrupts off and calls it, as an IPI would
		culprit => qr/^remote_function$/,
		closes => qr/^generic_exec_single$/,
		cause => '',
		source => 'kernel/events/core.c: task_function_call() installs one event, and schedules all of them again',
	},
	{
		name => 'slab validated',
		script => 'again; echo 1 > /sys/kernel/slab/kernfs_node_cache/validate',
		class => 'hardirq-off',
		# it is static and called once
		culprit => qr/^validate_s(?:lab_node|lab_cache|tore)$/,
		cause => 'slab-listing',
		source => 'mm/slub.c: validate_slab_node() checks each object under list_lock',
	},
	{
		name => 'slab traces listed',
		script => 'again; head -n 1 /sys/kernel/debug/slab/kernfs_node_cache/alloc_traces > /dev/null',
		class => 'hardirq-off',
		culprit => qr/^slab_debug_trace_open$/,
		cause => 'slab-listing',
		source => 'mm/slub.c: it counts the allocations of each object under list_lock',
	},
	{
		name => 'memory.stat, dying cgroups',
		once => 'memcg make /tmp/pages 6000 > /dev/null',
		script => 'again; memcg read /tmp/pages 3',
		class => 'hardirq-off',
		# 7.2 lets go of the lock after each CPU, and had no stall of 2 ms
		kernels => qr/^6\.1$/,
		culprit => qr/^(?:__mem_cgroup_flush_stats|mem_cgroup_flush_stats|flush_memcg_stats_dwork)$/,
		cause => 'memcg-stat-flush',
		source => 'mm/memcontrol.c: __mem_cgroup_flush_stats() has stats_flush_lock for the whole tree, interrupts off',
	},
	{
		name => 'idle after tasks of many cgroups',
		# their making and their end are stalls of other kinds, and a worker flushes their statistics meanwhile
		about => qr/^(?:sched_balance_)?update_blocked_averages\b/,
		script => '[ -z "${herd:-}" ] || kill -9 $herd; : > /tmp/herd; herd cgroups 6000 & herd=$!; until [ -s /tmp/herd ] || ! kill -0 $herd; do sleep 0.5; done; ' .
			'again; kill -USR1 $herd; sleep 2',
		after => 'kill -9 $herd',
		class => 'hardirq-off',
		culprit => qr/^(?:sched_balance_)?update_blocked_averages$/,
		source => 'kernel/sched/fair.c: newidle_balance() has it walk all cgroups that ran there, interrupts off',
	},
	{
		name => 'sysrq-l',
		script => 'again; echo l > /proc/sysrq-trigger',
		class => 'hardirq-off',
		# later kernels do not print while the CPU has that lock
		kernels => qr/^6\.1$/,
		culprit => qr/^nmi_cpu_backtrace$/,
		cause => 'printk-serial',
		source => 'lib/nmi_backtrace.c: it prints under printk_cpu_sync_get_irqsave()',
	},
	{
		name => 'a long line is printed',
		once => 'printf "<1>%900s\n" line | tr " " - > /tmp/line',
		script => 'again; cat /tmp/line > /dev/kmsg',
		least => 3,
		class => 'hardirq-off',
		# some of these are static, and some kernels have the others
		culprit => qr/^console_(?:emit_next_record|flush_one_record|flush_all|unlock)$/,
		cause => 'printk-serial',
		source => 'kernel/printk/printk.c: console_emit_next_record() has the console write under printk_safe_enter_irqsave()',
	},
);

1;
