// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whom several stacks of one stall blame, with the stacks of stalls that were met: of IPv6
 * routes that go with their device, of a driver that prints, of the kernel's own tests.
 */
#include "fixture.h"

#include "base/say.h"
#include "judge/culprit.h"

#define CORE(n)		(0xffffffff81000000ULL + ((n) << 12))
#define DRV(n)		(0xffffffffc0100000ULL + ((n) << 8))

enum {
	SYSCALL = 1, NETDEV_DOWN, FIB6_IFDOWN, FIB6_CLEAN_ALL, FIB6_CLEAN_NODE, FIB6_DEL,
	CALL_RCU, BH_ENABLE, DO_SOFTIRQ, SOFTIRQS, UNLOCK_IRQ, PRINTK, CONSOLE, SERIAL,
	TIMERS, CALL_TIMER, RX, NAPI_POLL, BACKLOG, IP_RCV, HOOKS, HOOK, UDELAY, SYSVEC, UNLOCK_BH,
	HRTIMERS, TICK, TICK_WORK, KTHREAD, RCU_BATCH, NOCB, THUNK, ENTRY, ON_EACH, MANY,
	RECEIVE, FLUSH, FLUSH_QUEUE, IDLE, CORE_END,
};

enum { LOUD, LOUD_COLD, DRV_TIMER, DRV_OTHER, DRV_JUMPS, DRV_CALLER, DRV_INLINE };

static const char kallsyms[] =
	"ffffffff81000000 T _stext\n"
	"ffffffff81001000 T do_syscall_64\n"
	"ffffffff81002000 T dev_close_many\n"
	"ffffffff81003000 T rt6_sync_down_dev\n"
	"ffffffff81004000 t __fib6_clean_all\n"
	"ffffffff81005000 t fib6_clean_node\n"
	"ffffffff81006000 T fib6_del\n"
	"ffffffff81007000 T call_rcu\n"
	"ffffffff81008000 T __local_bh_enable_ip\n"
	"ffffffff81009000 t do_softirq.part.0\n"
	"ffffffff8100a000 T __do_softirq\n"
	"ffffffff8100b000 T _raw_spin_unlock_irqrestore\n"
	"ffffffff8100c000 T _printk\n"
	"ffffffff8100d000 T console_unlock\n"
	"ffffffff8100e000 t io_serial_out\n"
	"ffffffff8100f000 t __run_timers\n"
	"ffffffff81010000 t call_timer_fn\n"
	"ffffffff81011000 t net_rx_action\n"
	"ffffffff81012000 t __napi_poll\n"
	"ffffffff81013000 t process_backlog\n"
	"ffffffff81014000 T ip_rcv\n"
	"ffffffff81015000 T nf_hook_slow\n"
	"ffffffff81016000 t slow_hook\n"
	"ffffffff81017000 T __udelay\n"
	"ffffffff81018000 T sysvec_apic_timer_interrupt\n"
	"ffffffff81019000 T _raw_spin_unlock_bh\n"
	"ffffffff8101a000 t __hrtimer_run_queues\n"
	"ffffffff8101b000 t tick_sched_timer\n"
	"ffffffff8101c000 T update_process_times\n"
	"ffffffff8101d000 t kthread\n"
	"ffffffff8101e000 t rcu_do_batch\n"
	"ffffffff8101f000 t rcu_nocb_cb_kthread\n"
	"ffffffff81020000 T __x86_indirect_thunk_rax\n"
	"ffffffff81021000 T asm_sysvec_apic_timer_interrupt\n"
	"ffffffff81022000 T on_each_cpu_cond_mask\n"
	"ffffffff81023000 t smp_call_function_many_cond\n"
	"ffffffff81024000 t __netif_receive_skb_one_core\n"
	"ffffffff81025000 T flush_smp_call_function_queue\n"
	"ffffffff81026000 t __flush_smp_call_function_queue\n"
	"ffffffff81027000 t do_idle\n"
	"ffffffff81028000 T _etext\n"
	"ffffffffc0100000 t loud_print\t[drv]\n"
	"ffffffffc0100100 t loud_print.cold\t[drv]\n"
	"ffffffffc0100200 t drv_timer\t[drv]\n"
	"ffffffffc0100300 t drv_other_timer\t[drv]\n"
	"ffffffffc0100400 t drv_jumps\t[drv]\n"
	"ffffffffc0100500 t drv_caller\t[drv]\n"
	"ffffffffc0100600 t arch_local_irq_restore\t[drv]\n";

static const char modules[] = "drv 4096 0 - Live 0xffffffffc0100000\n";

static struct symbols *symbols;
static struct model model;

static int open_symbols(void **state)
{
	symbols = symbols_of(kallsyms, modules);
	return 0;
}

static int close_symbols(void **state)
{
	symbols_close(symbols);
	return 0;
}

static int forget(void **state)
{
	model_free(&model);
	return 0;
}

/* adds a sample like the first one, at that part of the stall in percent */
static struct tio_sample *more(struct entry *entry, unsigned int percent)
{
	struct tio_record *rec = &entry->rec;
	struct tio_sample *sample = &rec->samples[rec->nsamples++];

	*sample = rec->samples[0];
	sample->at_ns = rec->end_ns - rec->min_ns + rec->min_ns / 100 * percent;
	return sample;
}

static void assert_holder(struct entry *entry, const char *culprit, const char *by,
			  const char *busy_in)
{
	tio_judge(&entry->rec, &entry->found.verdict);
	culprit_find(symbols, entry);
	assert_string_equal(entry->found.culprit ?: "", culprit);
	assert_string_equal(entry->found.culprit ? culprit_by_name(entry->found.culprit_by) : "",
			    by);
	assert_string_equal(entry->found.busy_in ?: "", busy_in);
}

/* the way from the culprit to what it was busy in, each step once */
static void way(void **state)
{
	static const char * const wanted[] = {
		"__fib6_clean_all", "fib6_clean_node", "fib6_del", "call_rcu",
	};
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 430 * MS, TRACE_IRQOFF_F_BH_OFF);
	struct tio_record *rec = &entry->rec;
	const char *step;
	bool jumped;

	set_stack(&rec->samples[0], CORE(CALL_RCU) + 9, CORE(FIB6_DEL) + 5,
		  CORE(FIB6_CLEAN_NODE) + 5, CORE(FIB6_CLEAN_ALL) + 5, CORE(FIB6_IFDOWN) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(DO_SOFTIRQ) + 5, CORE(BH_ENABLE) + 5,
		  CORE(FIB6_CLEAN_ALL) + 25, CORE(FIB6_IFDOWN) + 5, CORE(SYSCALL) + 5, 0ULL);
	tio_judge(rec, &entry->found.verdict);
	culprit_find(symbols, entry);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		step = culprit_step(symbols, entry, i, &jumped);
		assert_non_null(step);
		assert_string_equal(step, wanted[i]);
		assert_false(jumped);
	}
	assert_null(culprit_step(symbols, entry, ARRAY_SIZE(wanted), &jumped));
}

/* what enables bottom halves runs the softirq that waited: it stands in the section */
static void softirq_section(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 430 * MS, TRACE_IRQOFF_F_BH_OFF);
	struct tio_record *rec = &entry->rec;

	set_stack(&rec->samples[0], CORE(CALL_RCU) + 9, CORE(FIB6_DEL) + 5,
		  CORE(FIB6_CLEAN_NODE) + 5, CORE(FIB6_CLEAN_ALL) + 5, CORE(FIB6_IFDOWN) + 5,
		  CORE(NETDEV_DOWN) + 5, CORE(SYSCALL) + 5, 0ULL);
	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(DO_SOFTIRQ) + 5, CORE(BH_ENABLE) + 5,
		  CORE(FIB6_CLEAN_ALL) + 25, CORE(FIB6_IFDOWN) + 5, CORE(NETDEV_DOWN) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "__fib6_clean_all", "end", "call_rcu");
	assert_false(entry->found.or_caller);

	/* samples that differ show what it was busy in */
	set_stack(more(entry, 50), CORE(FIB6_DEL) + 9, CORE(FIB6_CLEAN_NODE) + 7,
		  CORE(FIB6_CLEAN_ALL) + 5, CORE(FIB6_IFDOWN) + 5, CORE(NETDEV_DOWN) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "__fib6_clean_all", "end", "fib6_clean_node");

	/* an unlock in between is passed over */
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(DO_SOFTIRQ) + 5, CORE(BH_ENABLE) + 5,
		  CORE(UNLOCK_BH) + 5, CORE(FIB6_CLEAN_ALL) + 25, CORE(FIB6_IFDOWN) + 5,
		  CORE(NETDEV_DOWN) + 5, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "__fib6_clean_all", "end", "fib6_clean_node");

	/* an interrupt that came just after they were enabled ran the softirq */
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(SYSVEC) + 5, CORE(ENTRY) + 5,
		  CORE(DO_SOFTIRQ) + 1, CORE(BH_ENABLE) + 5, CORE(FIB6_CLEAN_ALL) + 25,
		  CORE(FIB6_IFDOWN) + 5, CORE(NETDEV_DOWN) + 5, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "__fib6_clean_all", "end", "fib6_clean_node");

	/* any other interrupt says nothing of the section, nor of one further out */
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(SYSVEC) + 5, CORE(ENTRY) + 5,
		  CORE(FIB6_DEL) + 1, CORE(BH_ENABLE) + 5, CORE(FIB6_CLEAN_ALL) + 25,
		  CORE(FIB6_IFDOWN) + 5, CORE(NETDEV_DOWN) + 5, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "fib6_clean_node", "shared", "fib6_clean_node");
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 25,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "fib6_clean_node", "shared", "fib6_clean_node");

	/* nor does the end of another task's time */
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(BH_ENABLE) + 5, CORE(NETDEV_DOWN) + 25,
		  CORE(SYSCALL) + 5, 0ULL);
	rec->end.pid = 1;
	assert_holder(entry, "fib6_clean_node", "shared", "fib6_clean_node");

	/* ksoftirqd was awake already, and ran what waited */
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(KTHREAD) + 5, 0ULL);
	assert_holder(entry, "fib6_clean_node", "shared", "fib6_clean_node");
	assert_true(entry->found.or_caller);
	rec->nsamples = 1;
	assert_holder(entry, "call_rcu", "leaf", "call_rcu");
	assert_true(entry->found.or_caller);
	/* nobody calls it */
	set_stack(&rec->samples[0], CORE(CALL_RCU) + 9, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "call_rcu", "leaf", "call_rcu");
	assert_false(entry->found.or_caller);
	/* or the stack was cut off */
	rec->samples[0].flags |= TRACE_IRQOFF_F_TRUNCATED;
	assert_holder(entry, "call_rcu", "leaf", "call_rcu");
	assert_true(entry->found.or_caller);
}

static void hard_section(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, 0);
	struct tio_record *rec = &entry->rec;

	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->samples[0], CORE(SERIAL) + 9, CORE(CONSOLE) + 5, CORE(PRINTK) + 5,
		  DRV(LOUD_COLD) + 5, CORE(SYSCALL) + 5, 0ULL);
	set_stack(&rec->end, CORE(UNLOCK_IRQ) + 9, DRV(LOUD) + 5, CORE(SYSCALL) + 5, 0ULL);
	/* two parts of one function */
	assert_holder(entry, "loud_print [drv]", "end", "io_serial_out");
	set_stack(more(entry, 75), CORE(CONSOLE) + 19, CORE(PRINTK) + 5, DRV(LOUD_COLD) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "loud_print [drv]", "end", "console_unlock");
	/* the end lies in other code, with interrupts on all the while */
	rec->end.flags &= ~TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	assert_holder(entry, "console_unlock", "shared", "console_unlock");
}

/* the section's last call is a jump: its caller is the unlocking function's caller */
static void tail_call(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, 0);
	struct tio_record *rec = &entry->rec;

	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, DRV(DRV_JUMPS) + 5, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	set_stack(&rec->end, CORE(UNLOCK_IRQ) + 9, DRV(DRV_CALLER) + 5, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "drv_jumps [drv]", "end", "drv_jumps [drv]");
	/* what it jumps to has a frame of its own and calls what unlocks */
	set_stack(&rec->end, CORE(UNLOCK_IRQ) + 9, DRV(DRV_OTHER) + 5, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "drv_jumps [drv]", "end", "drv_jumps [drv]");
}

/* what the call instruction calls has left by a jump: it has no frame, and is the owner */
static void call_target(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, 0);
	struct tio_record *rec = &entry->rec;
	const char *step;
	bool jumped;

	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, DRV(DRV_OTHER) + 5, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	set_stack(&rec->end, CORE(UNLOCK_IRQ) + 9, DRV(DRV_CALLER) + 5, CORE(SYSCALL) + 5, 0ULL);
	set_call(&rec->samples[0], 2, DRV(DRV_JUMPS));
	set_call(&rec->end, 1, DRV(DRV_JUMPS));
	assert_holder(entry, "drv_jumps [drv]", "end", "drv_other_timer [drv]");
	/* the way says which of them have no frame */
	tio_judge(rec, &entry->found.verdict);
	culprit_find(symbols, entry);
	step = culprit_step(symbols, entry, 0, &jumped);
	assert_string_equal(step, "drv_jumps [drv]");
	assert_true(jumped);
	step = culprit_step(symbols, entry, 1, &jumped);
	assert_string_equal(step, "drv_other_timer [drv]");
	assert_false(jumped);
	/* the sample was taken before it jumped */
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, DRV(DRV_JUMPS) + 5, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	set_call(&rec->samples[0], 2, DRV(DRV_JUMPS));
	assert_holder(entry, "drv_jumps [drv]", "end", "drv_jumps [drv]");
	/* two samples of what it jumped to in turn; without an end */
	rec->end.flags &= ~TRACE_IRQOFF_F_AT_IRQ_ENABLE;
	set_stack(&rec->samples[0], DRV(DRV_TIMER) + 9, DRV(DRV_CALLER) + 5, CORE(SYSCALL) + 5,
		  0ULL);
	set_call(&rec->samples[0], 1, DRV(DRV_JUMPS));
	set_stack(more(entry, 75), DRV(DRV_OTHER) + 9, DRV(DRV_CALLER) + 5, CORE(SYSCALL) + 5,
		  0ULL);
	set_call(&rec->samples[1], 1, DRV(DRV_JUMPS));
	assert_holder(entry, "drv_jumps [drv]", "shared", "drv_jumps [drv]");
}

/* calls that say nothing */
static void call_target_unknown(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);
	struct tio_sample *end = &entry->rec.end;

	set_stack(end, CORE(UNLOCK_IRQ) + 9, DRV(LOUD) + 5, CORE(KTHREAD) + 5, 0ULL);
	set_call(end, 1, CORE(THUNK));
	assert_holder(entry, "loud_print [drv]", "end", "");
	/* the function whose frame is there */
	set_call(end, 1, CORE(UNLOCK_IRQ));
	assert_holder(entry, "loud_print [drv]", "end", "");
	/* the last bytes of another instruction, or code that has changed since */
	set_call(end, 1, DRV(DRV_JUMPS) + 3);
	assert_holder(entry, "loud_print [drv]", "end", "");
	set_call(end, 1, 0x1234567);
	assert_holder(entry, "loud_print [drv]", "end", "");
	set_call(end, 1, DRV(DRV_JUMPS));
	entry->rec.end.stale = 2;
	assert_holder(entry, "[unloaded]", "end", "");
	entry->rec.end.stale = 0;
	assert_holder(entry, "drv_jumps [drv]", "end", "");
	/* no call at all: an interrupt came in there */
	set_stack(end, CORE(UNLOCK_IRQ) + 9, CORE(ENTRY) + 5, DRV(LOUD) + 5, CORE(KTHREAD) + 5,
		  0ULL);
	set_call(end, 2, DRV(DRV_JUMPS));
	end->flags |= TRACE_IRQOFF_F_HARDIRQ;
	assert_holder(entry, "", "", "");
}

/* the function that all CPUs are to call, called on this one with interrupts off */
static void called_locally(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, 0);
	struct tio_record *rec = &entry->rec;

	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, DRV(DRV_OTHER) + 5,
		  CORE(MANY) + 5, CORE(ON_EACH) + 5, DRV(DRV_CALLER) + 5, CORE(SYSCALL) + 5, 0ULL);
	set_stack(&rec->end, CORE(MANY) + 25, CORE(ON_EACH) + 5, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "drv_other_timer [drv]", "dispatch", "fib6_del");
	/* who waits for the others to answer does so for its caller */
	set_stack(&rec->samples[0], CORE(MANY) + 45, CORE(ON_EACH) + 5, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "drv_caller [drv]", "end", "drv_caller [drv]");
}

/* functions called in turn at one place, as from a list: the one that calls them */
static void callees_in_turn(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, 0);

	entry->rec.end.flags = 0;
	set_stack(&entry->rec.samples[0], DRV(DRV_TIMER) + 9, DRV(DRV_CALLER) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	set_stack(more(entry, 75), DRV(DRV_OTHER) + 9, DRV(DRV_CALLER) + 5, CORE(SYSCALL) + 5,
		  0ULL);
	assert_holder(entry, "drv_caller [drv]", "shared", "drv_caller [drv]");
	/* nothing but the system call in common */
	set_stack(&entry->rec.samples[1], DRV(DRV_OTHER) + 9, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "drv_timer [drv]", "leaf", "");
	assert_false(culprit_is_many(entry));
	/* half of the time each: neither is named */
	entry->rec.samples[0].at_ns = entry->rec.end_ns - 45 * MS;
	entry->rec.samples[0].delay_ns = 0;
	entry->rec.samples[1].at_ns = entry->rec.end_ns - 30 * MS;
	entry->rec.samples[1].delay_ns = 0;
	assert_holder(entry, "(many functions)", "leaf", "");
	assert_false(entry->found.or_caller);
	/* of three two were taken in one function, which another one called the second time */
	set_stack(more(entry, 75), DRV(DRV_TIMER) + 9, DRV(DRV_JUMPS) + 5, CORE(SYSCALL) + 5,
		  0ULL);
	assert_holder(entry, "drv_timer [drv]", "leaf", "");
}

/* samples of one softirq that share no function share the softirq, if it is one */
static void softirqs_in_turn(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 100 * MS,
				       TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	struct tio_sample *first = &entry->rec.samples[0], *second;

	first->softirq = 1 + 3;
	set_stack(first, CORE(FIB6_DEL) + 9, CORE(IP_RCV) + 5, CORE(SOFTIRQS) + 5,
		  CORE(SYSVEC) + 5, 0ULL);
	second = more(entry, 50);
	set_stack(second, CORE(CALL_RCU) + 9, CORE(BACKLOG) + 5, CORE(SOFTIRQS) + 5,
		  CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "(softirq NET_RX)", "leaf", "");
	second->softirq = 1 + 1;
	assert_holder(entry, "(softirqs)", "leaf", "");
	/* most of the time in one of them */
	second->at_ns = entry->rec.end_ns - 40 * MS;
	assert_holder(entry, "fib6_del", "leaf", "");
}

/* the section of a function that calls others in it belongs to them */
static void calling_section(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 100 * MS, TRACE_IRQOFF_F_BH_OFF);
	struct tio_record *rec = &entry->rec;

	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, DRV(DRV_OTHER) + 5,
		  CORE(RCU_BATCH) + 5, CORE(NOCB) + 5, CORE(KTHREAD) + 5, 0ULL);
	set_stack(&rec->end, CORE(SOFTIRQS) + 9, CORE(DO_SOFTIRQ) + 5, CORE(BH_ENABLE) + 5,
		  CORE(NOCB) + 25, CORE(KTHREAD) + 5, 0ULL);
	assert_holder(entry, "drv_other_timer [drv]", "dispatch", "fib6_del");
	/* where it calls nobody it is its own */
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(NOCB) + 5, CORE(KTHREAD) + 5, 0ULL);
	assert_holder(entry, "rcu_nocb_cb_kthread", "end", "rcu_nocb_cb_kthread");
}

/* an idle task that polls makes the calls of other CPUs itself, by a queue in a queue */
static void calls_of_idle_task(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, TRACE_IRQOFF_F_IDLE_LOOP);
	struct tio_record *rec = &entry->rec;

	rec->end.pid = rec->samples[0].pid;
	rec->end.flags |= TRACE_IRQOFF_F_IDLE_LOOP;
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, DRV(DRV_OTHER) + 5,
		  CORE(FLUSH_QUEUE) + 5, CORE(FLUSH) + 5, CORE(IDLE) + 5, 0ULL);
	set_stack(&rec->end, CORE(FLUSH) + 25, CORE(IDLE) + 5, 0ULL);
	assert_holder(entry, "drv_other_timer [drv]", "dispatch", "fib6_del");
}

/* a task that had the CPU while ksoftirqd waited need not have done one thing */
static void others_work(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 100 * MS, 0);

	entry->rec.samples[0].pending = 1;
	set_stack(&entry->rec.samples[0], CORE(IP_RCV) + 9, CORE(NETDEV_DOWN) + 5,
		  CORE(SYSCALL) + 5, 0ULL);
	set_stack(more(entry, 50), CORE(FIB6_DEL) + 9, CORE(NETDEV_DOWN) + 25, CORE(SYSCALL) + 5,
		  0ULL);
	assert_holder(entry, "(task swapper/1)", "shared", "dev_close_many");
	/* nobody holds a section */
	assert_false(entry->found.or_caller);
}

/* what a task does with bottom halves on says nothing of the section before */
static void section_left(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 100 * MS, TRACE_IRQOFF_F_BH_OFF);
	struct tio_sample *later;

	set_stack(&entry->rec.samples[0], DRV(LOUD) + 9, CORE(NETDEV_DOWN) + 5, CORE(SYSCALL) + 5,
		  0ULL);
	entry->rec.samples[0].at_ns = entry->rec.end_ns - 30 * MS;
	later = more(entry, 80);
	later->flags &= ~TRACE_IRQOFF_F_BH_OFF;
	set_stack(later, CORE(IP_RCV) + 9, CORE(NETDEV_DOWN) + 25, CORE(SYSCALL) + 5, 0ULL);
	assert_holder(entry, "loud_print [drv]", "leaf", "loud_print [drv]");
}

/* stacks that were cut off at their outer ends, at different depths */
static void cut_off(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 60 * MS, 0);
	struct tio_record *rec = &entry->rec;

	rec->end.pid = rec->samples[0].pid;
	set_stack(&rec->samples[0], CORE(SERIAL) + 9, CORE(PRINTK) + 5, DRV(LOUD) + 5,
		  DRV(DRV_CALLER) + 5, 0ULL);
	set_stack(&rec->end, CORE(UNLOCK_IRQ) + 9, DRV(LOUD) + 25, DRV(DRV_CALLER) + 5,
		  CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "loud_print [drv]", "end", "io_serial_out");
}

static void timers(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 100 * MS,
				       TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	struct tio_record *rec = &entry->rec;

	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, DRV(DRV_TIMER) + 5,
		  CORE(CALL_TIMER) + 5, CORE(TIMERS) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5,
		  CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "drv_timer [drv]", "dispatch", "fib6_del");
	set_stack(more(entry, 20), CORE(IP_RCV) + 9, DRV(DRV_TIMER) + 25, CORE(CALL_TIMER) + 5,
		  CORE(TIMERS) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5,
		  0ULL);
	assert_holder(entry, "drv_timer [drv]", "dispatch", "drv_timer [drv]");
	/* another timer took a small part of the time */
	set_stack(more(entry, 90), DRV(DRV_OTHER) + 9, CORE(CALL_TIMER) + 5, CORE(TIMERS) + 5,
		  CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "drv_timer [drv]", "dispatch", "");
	/* the last sample met the way out of the softirq */
	rec->nsamples = 2;
	rec->samples[0].at_ns = rec->end_ns - 90 * MS;
	set_stack(&rec->samples[1], CORE(UNLOCK_BH) + 9, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5,
		  CORE(NETDEV_DOWN) + 5, 0ULL);
	rec->samples[1].at_ns = rec->end_ns - 20 * MS;
	assert_holder(entry, "drv_timer [drv]", "dispatch", "fib6_del");
	rec->samples[1].at_ns = rec->end_ns - MS / 2;
	assert_holder(entry, "drv_timer [drv]", "dispatch", "fib6_del");
	/* three of them take 40, 30 and 30 % */
	rec->nsamples = 1;
	set_stack(more(entry, 40), DRV(DRV_OTHER) + 9, CORE(CALL_TIMER) + 5, CORE(TIMERS) + 5,
		  CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	set_stack(more(entry, 70), DRV(DRV_JUMPS) + 9, CORE(CALL_TIMER) + 5, CORE(TIMERS) + 5,
		  CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "call_timer_fn (many)", "dispatch", "");
	/* the two shorter ones are the same */
	set_stack(&rec->samples[2], DRV(DRV_OTHER) + 25, CORE(CALL_TIMER) + 5, CORE(TIMERS) + 5,
		  CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "drv_other_timer [drv]", "dispatch", "");
}

/* the innermost dispatcher says most; what it calls for everybody says nothing */
static void nested(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 100 * MS,
				       TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	struct tio_record *rec = &entry->rec;

	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, CORE(HOOK) + 5,
		  CORE(HOOKS) + 5, CORE(IP_RCV) + 5, CORE(BACKLOG) + 5, CORE(NAPI_POLL) + 5,
		  CORE(RX) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "slow_hook", "dispatch", "fib6_del");
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(IP_RCV) + 5, CORE(BACKLOG) + 5,
		  CORE(NAPI_POLL) + 5, CORE(RX) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "ip_rcv", "leaf", "ip_rcv");
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, CORE(IP_RCV) + 5,
		  CORE(RECEIVE) + 5, CORE(BACKLOG) + 5, CORE(NAPI_POLL) + 5, CORE(RX) + 5,
		  CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "fib6_del", "leaf", "fib6_del");
	/* a protocol that is not everybody's */
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(FIB6_DEL) + 5, DRV(DRV_OTHER) + 5,
		  CORE(RECEIVE) + 5, CORE(BACKLOG) + 5, CORE(NAPI_POLL) + 5, CORE(RX) + 5,
		  CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "drv_other_timer [drv]", "dispatch", "fib6_del");
	/* before v5.12 net_rx_action() called drivers itself */
	set_stack(&rec->samples[0], CORE(UDELAY) + 9, CORE(IP_RCV) + 5, DRV(DRV_OTHER) + 5,
		  CORE(RX) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "drv_other_timer [drv]", "dispatch", "ip_rcv");
	/* different hooks of one timer: the timer; of no timer: the one with most of the time */
	set_stack(&rec->samples[0], CORE(HOOK) + 9, CORE(HOOKS) + 5, DRV(DRV_TIMER) + 5,
		  CORE(CALL_TIMER) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	set_stack(more(entry, 60), DRV(DRV_OTHER) + 9, CORE(HOOKS) + 5, DRV(DRV_TIMER) + 5,
		  CORE(CALL_TIMER) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "drv_timer [drv]", "dispatch", "nf_hook_slow");
	set_stack(&rec->samples[0], CORE(HOOK) + 9, CORE(HOOKS) + 5, CORE(IP_RCV) + 5,
		  CORE(BACKLOG) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	set_stack(&rec->samples[1], DRV(DRV_OTHER) + 9, CORE(HOOKS) + 5, CORE(IP_RCV) + 5,
		  CORE(BACKLOG) + 5, CORE(SOFTIRQS) + 5, CORE(SYSVEC) + 5, 0ULL);
	assert_holder(entry, "slow_hook", "dispatch", "");
	model_free(&model);

	entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_HARDIRQ);
	entry->rec.samples[0].handler_ns = 19 * MS;
	set_stack(&entry->rec.samples[0], CORE(UDELAY) + 9, CORE(TICK_WORK) + 5, CORE(TICK) + 5,
		  CORE(HRTIMERS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "update_process_times", "leaf", "update_process_times");
	set_stack(&entry->rec.samples[0], CORE(UDELAY) + 9, DRV(DRV_TIMER) + 5,
		  CORE(HRTIMERS) + 5, CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "drv_timer [drv]", "dispatch", "drv_timer [drv]");
}

/* 20,000 timers that expired at one moment; the longest sample met the queue between two */
static void between_calls(void **state)
{
	struct entry *entry = add_asked(&model, 0, 0, 1000 * MS, 40 * MS, TRACE_IRQOFF_F_HARDIRQ);
	struct tio_record *rec = &entry->rec;
	struct tio_sample *between;
	const char *step;
	bool jumped;

	rec->samples[0].handler_ns = 19 * MS;
	rec->samples[0].at_ns = rec->end_ns - 38 * MS;
	set_stack(&rec->samples[0], CORE(IP_RCV) + 9, DRV(DRV_TIMER) + 5, CORE(HRTIMERS) + 5,
		  CORE(SYSVEC) + 5, CORE(NETDEV_DOWN) + 5, 0ULL);
	between = more(entry, 25);
	between->handler_ns = 29 * MS;
	set_stack(between, CORE(UNLOCK_IRQ), CORE(HRTIMERS) + 25, CORE(SYSVEC) + 5,
		  CORE(NETDEV_DOWN) + 5, 0ULL);
	assert_holder(entry, "drv_timer [drv]", "dispatch", "ip_rcv");
	/* the way is in the stack that has both, not in the one that decides the class */
	tio_judge(rec, &entry->found.verdict);
	assert_ptr_equal(entry_deciding_sample(entry), between);
	culprit_find(symbols, entry);
	assert_ptr_equal(entry_naming_sample(entry), &rec->samples[0]);
	step = culprit_step(symbols, entry, 1, &jumped);
	assert_string_equal(step, "ip_rcv");
	/* nothing else was seen: nobody's function is named */
	rec->samples[0] = *between;
	rec->nsamples = 1;
	strcpy(rec->samples[0].irq.name, "local_timer");
	rec->samples[0].irq.number = TIO_NO_IRQ;
	assert_holder(entry, "(interrupt local_timer)", "interrupt", "");
}

/*
 * packets through a long chain of rules; the longest sample met the network stack on the
 * way to it
 */
static void most_elsewhere(void **state)
{
	struct entry *entry = add_soft(&model, 0, 0, 1000 * MS, 16 * MS,
				       TRACE_IRQOFF_F_SERVING_SOFTIRQ);
	struct tio_record *rec = &entry->rec;

	rec->samples[0].at_ns = rec->end_ns - 16 * MS;
	set_stack(&rec->samples[0], CORE(FIB6_DEL) + 9, CORE(IP_RCV) + 5, CORE(BACKLOG) + 5,
		  CORE(NAPI_POLL) + 5, CORE(RX) + 5, CORE(SOFTIRQS) + 5, CORE(BH_ENABLE) + 5, 0ULL);
	for (unsigned int i = 1; i < 3; i++)
		set_stack(more(entry, 25 + 25 * i), CORE(UDELAY) + 9, CORE(HOOK) + 5,
			  CORE(HOOKS) + 5, CORE(IP_RCV) + 25, CORE(BACKLOG) + 5,
			  CORE(NAPI_POLL) + 5, CORE(RX) + 5, CORE(SOFTIRQS) + 5,
			  CORE(BH_ENABLE) + 5, 0ULL);
	/* half of the time: what all were taken in */
	assert_holder(entry, "ip_rcv", "shared", "ip_rcv");
	rec->samples[1].at_ns -= 1 * MS;
	assert_holder(entry, "slow_hook", "dispatch", "");
	/* the stack that is shown has it */
	assert_ptr_equal(entry_deciding_sample(entry), &rec->samples[0]);
	assert_ptr_equal(entry_naming_sample(entry), &rec->samples[1]);
}

/* an end alone: who closed it */
static void end_alone(void **state)
{
	struct entry *entry = add_hard(&model, 0, 0, 1000 * MS, 40 * MS);

	set_stack(&entry->rec.end, CORE(UNLOCK_IRQ) + 9, DRV(LOUD) + 5, CORE(KTHREAD) + 5, 0ULL);
	assert_holder(entry, "loud_print [drv]", "end", "");
	/* the module has a copy of an inline function of the kernel's headers */
	set_stack(&entry->rec.end, DRV(DRV_INLINE) + 9, DRV(LOUD) + 5, CORE(KTHREAD) + 5, 0ULL);
	assert_holder(entry, "loud_print [drv]", "end", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(softirq_section, forget),
		cmocka_unit_test_teardown(hard_section, forget),
		cmocka_unit_test_teardown(way, forget),
		cmocka_unit_test_teardown(tail_call, forget),
		cmocka_unit_test_teardown(call_target, forget),
		cmocka_unit_test_teardown(call_target_unknown, forget),
		cmocka_unit_test_teardown(called_locally, forget),
		cmocka_unit_test_teardown(callees_in_turn, forget),
		cmocka_unit_test_teardown(softirqs_in_turn, forget),
		cmocka_unit_test_teardown(calling_section, forget),
		cmocka_unit_test_teardown(calls_of_idle_task, forget),
		cmocka_unit_test_teardown(others_work, forget),
		cmocka_unit_test_teardown(section_left, forget),
		cmocka_unit_test_teardown(cut_off, forget),
		cmocka_unit_test_teardown(timers, forget),
		cmocka_unit_test_teardown(nested, forget),
		cmocka_unit_test_teardown(between_calls, forget),
		cmocka_unit_test_teardown(most_elsewhere, forget),
		cmocka_unit_test_teardown(end_alone, forget),
	};

	return cmocka_run_group_tests_name("holder", tests, open_symbols, close_symbols);
}
