// SPDX-License-Identifier: GPL-2.0-only
/*
 * The bench's measuring tools, which run on the CPU of the task that asks:
 *
 *	echo "COMMAND NUMBER [NUMBER]" > /proc/bench
 *	cat /proc/bench
 *
 * timer PERIOD_NS	start the yardstick, an hrtimer that does nothing (0: stop)
 * others COUNT		arm so many timers that don't expire for an hour
 * probes 0|1		attach empty probes around the timer interrupt
 * count 0|1		count how often the event device is programmed
 * loop BLOCKS		run so many blocks of BLOCK instructions
 * tasklet LAPS		raise and run a tasklet
 * ipi LAPS		send this CPU an interrupt and take it
 * device LAPS		the same with a device's interrupt, through its controller
 * nap LAPS		go idle and be woken
 * depth FRAMES LENGTH_US	turn interrupts off, so many calls deep, and time
 *			the pending interrupts when they are turned on
 *
 * The answer to a command that measures is how long it took, and what was counted
 * meanwhile.
 */
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <trace/events/power.h>

#include "compat/proc_ops.h"
#include "compat/tasklet.h"

/* the parallel port's interrupt, edge-triggered; the emulated PC has no such port */
#define DEVICE_IRQ	7

static DEFINE_MUTEX(bench_mutex);

static struct {
	u64 ns;
	u64 laps;
	u64 instructions;	/* of the loop itself */
	u64 programmed;
} result;

static u64 clock(void)
{
	return ktime_get_ns();
}

static struct hrtimer timer;
static u64 timer_period_ns;

static enum hrtimer_restart timer_func(struct hrtimer *timer)
{
	hrtimer_forward_now(timer, ns_to_ktime(timer_period_ns));
	return HRTIMER_RESTART;
}

static int set_timer(u64 period_ns)
{
	hrtimer_cancel(&timer);
	timer_period_ns = period_ns;
	if (period_ns)
		hrtimer_start(&timer, ns_to_ktime(period_ns),
			      HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

/*
 * The cost of taking a timer out of its tree and putting it back depends on the shape
 * of the tree, and so on the other timers in it.
 */
static struct hrtimer others[8];

static enum hrtimer_restart other_func(struct hrtimer *timer)
{
	return HRTIMER_NORESTART;
}

static int set_others(u64 count)
{
	unsigned int i;

	if (count > ARRAY_SIZE(others))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(others); i++)
		hrtimer_cancel(&others[i]);
	for (i = 0; i < count; i++)
		hrtimer_start(&others[i], ns_to_ktime((3600 + i) * NSEC_PER_SEC),
			      HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static void probe_nothing(void *data, int vector)
{
}

static struct {
	const char *name;
	struct tracepoint *tp;
} probed[] = {
	{ "local_timer_entry" },
	{ "local_timer_exit" },
};

static void find(struct tracepoint *tp, void *priv)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probed); i++)
		if (!strcmp(tp->name, probed[i].name))
			probed[i].tp = tp;
}

static bool probes_on;

static int set_probes(u64 on)
{
	unsigned int i;

	if (probes_on == !!on)
		return 0;
	for (i = 0; i < ARRAY_SIZE(probed); i++) {
		if (!probed[i].tp)
			return -ENOENT;
		if (on)
			tracepoint_probe_register(probed[i].tp, probe_nothing,
						  NULL);
		else
			tracepoint_probe_unregister(probed[i].tp,
						    probe_nothing, NULL);
	}
	tracepoint_synchronize_unregister();
	probes_on = on;
	return 0;
}

static u64 programmed;

static int program_func(struct kprobe *probe, struct pt_regs *regs)
{
	programmed++;
	return 0;
}

static struct kprobe program_probe;
static bool counting;

static int set_count(u64 on)
{
	int ret = 0;

	if (counting == !!on)
		return 0;
	if (on) {
		program_probe = (struct kprobe) {
			.symbol_name = "clockevents_program_event",
			.pre_handler = program_func,
		};
		ret = register_kprobe(&program_probe);
	} else {
		unregister_kprobe(&program_probe);
	}
	counting = on && !ret;
	return ret;
}

/*
 * With short blocks the emulator would spend its time between them. No instruction in
 * a block waits, so a block has as many instructions as lines.
 */
#define BLOCK	64

/* Without this a kernel that is not preemptible would keep ksoftirqd waiting. */
#define AT_ONCE	5000

static int run_loop(u64 blocks)
{
	u64 left, chunk;
	u64 from_ns = clock();

	for (left = blocks; left; left -= chunk) {
		u64 laps = min_t(u64, left, AT_ONCE);

		chunk = laps;
		asm volatile("1:\n\t"
			     ".rept 62\n\t"
			     "nop\n\t"
			     ".endr\n\t"
			     "dec %0\n\t"
			     "jnz 1b"
			     : "+r" (laps)
			     :
			     : "cc");
		cond_resched();
	}
	result.ns = clock() - from_ns;
	result.laps = blocks;
	result.instructions = blocks * BLOCK;
	return 0;
}

static u64 runs;

static void tasklet_func(struct tasklet_struct *tasklet)
{
	runs++;
}

static DECLARE_TASKLET(tasklet, tasklet_func);

static int run_tasklet(u64 laps)
{
	u64 from_ns, i;

	runs = 0;
	from_ns = clock();
	for (i = 0; i < laps; i++) {
		local_bh_disable();
		tasklet_schedule(&tasklet);
		local_bh_enable();
	}
	result.ns = clock() - from_ns;
	result.laps = laps;
	return runs == laps ? 0 : -EIO;
}

static void ipi_func(struct irq_work *work)
{
	runs++;
}

static struct irq_work ipi_work = IRQ_WORK_INIT_HARD(ipi_func);

static int run_ipi(u64 laps)
{
	u64 from_ns, i;

	runs = 0;
	from_ns = clock();
	for (i = 0; i < laps; i++) {
		irq_work_queue(&ipi_work);
		irq_work_sync(&ipi_work);
	}
	result.ns = clock() - from_ns;
	result.laps = laps;
	return runs == laps ? 0 : -EIO;
}

static irqreturn_t device_func(int irq, void *data)
{
	runs++;
	return IRQ_HANDLED;
}

static int run_device(u64 laps)
{
	u64 from_ns, i;
	int ret;

	ret = request_irq(DEVICE_IRQ, device_func, 0, "bench", NULL);
	if (ret)
		return ret;
	runs = 0;
	from_ns = clock();
	for (i = 0; i < laps && !ret; i++)
		ret = irq_inject_interrupt(DEVICE_IRQ);
	result.ns = clock() - from_ns;
	result.laps = laps;
	free_irq(DEVICE_IRQ, NULL);
	if (ret)
		return ret;
	return runs == laps ? 0 : -EIO;
}

/*
 * The CPU itself sends the interrupt that ends a nap, after it has decided to sleep
 * and turned interrupts off. The interrupt is pending when the CPU halts, so the CPU
 * sleeps no time, and the time of a lap is that of the instructions run.
 */
static struct task_struct *napper;
static bool nap_armed;

static void wake_func(struct irq_work *work)
{
	wake_up_process(napper);
}

static struct irq_work wake_work = IRQ_WORK_INIT_HARD(wake_func);

static void probe_idle(void *data, unsigned int state, unsigned int cpu)
{
	if (state == (unsigned int)PWR_EVENT_EXIT || !nap_armed)
		return;
	nap_armed = false;
	runs++;
	irq_work_queue(&wake_work);
}

static int run_nap(u64 laps)
{
	u64 from_ns, i;
	int ret;

	ret = register_trace_cpu_idle(probe_idle, NULL);
	if (ret)
		return ret;
	runs = 0;
	napper = current;
	from_ns = clock();
	for (i = 0; i < laps; i++) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		nap_armed = true;
		schedule();
	}
	result.ns = clock() - from_ns;
	result.laps = laps;
	unregister_trace_cpu_idle(probe_idle, NULL);
	tracepoint_synchronize_unregister();
	irq_work_sync(&wake_work);
	return runs == laps ? 0 : -EIO;
}

static void irqoff(u64 length_ns)
{
	unsigned long flags;
	u64 from_ns, to_ns;

	local_irq_save(flags);
	from_ns = clock();
	do {
		cpu_relax();
		to_ns = clock();
	} while (to_ns - from_ns < length_ns);
	local_irq_restore(flags);
	/* all pending interrupts have run by now */
	result.ns = clock() - to_ns;
}

static noinline void irqoff_down(u64 frames, u64 length_ns)
{
	if (frames)
		irqoff_down(frames - 1, length_ns);
	else
		irqoff(length_ns);
	/* prevents a tail call, which would leave no frame */
	asm volatile("");
}

#define FRAMES_MAX	64

static void wait_after_tick(u64 us)
{
	unsigned long now = jiffies;
	u64 from_ns;

	while (READ_ONCE(jiffies) == now)
		cpu_relax();
	from_ns = clock();
	while (clock() - from_ns < us * NSEC_PER_USEC)
		cpu_relax();
}

static int run_depth(u64 frames, u64 length_us)
{
	if (frames > FRAMES_MAX || length_us > USEC_PER_SEC)
		return -EINVAL;
	/* so that the same ticks are pending every time */
	wait_after_tick(200);
	irqoff_down(frames, length_us * NSEC_PER_USEC);
	result.laps = 1;
	return 0;
}

static int run(const char *command, u64 first, u64 second)
{
	u64 before = programmed;
	int ret;

	if (!strcmp(command, "timer"))
		return set_timer(first);
	if (!strcmp(command, "others"))
		return set_others(first);
	if (!strcmp(command, "probes"))
		return set_probes(first);
	if (!strcmp(command, "count"))
		return set_count(first);

	memset(&result, 0, sizeof(result));
	if (!strcmp(command, "loop"))
		ret = first ? run_loop(first) : -EINVAL;
	else if (!strcmp(command, "tasklet"))
		ret = run_tasklet(first);
	else if (!strcmp(command, "ipi"))
		ret = run_ipi(first);
	else if (!strcmp(command, "device"))
		ret = run_device(first);
	else if (!strcmp(command, "nap"))
		ret = run_nap(first);
	else if (!strcmp(command, "depth"))
		ret = run_depth(first, second);
	else
		ret = -EINVAL;
	result.programmed = programmed - before;
	return ret;
}

static ssize_t bench_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	char text[64], command[16];
	u64 first, second = 0;
	int ret;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, count))
		return -EFAULT;
	text[count] = '\0';
	if (sscanf(text, "%15s %llu %llu", command, &first, &second) < 2)
		return -EINVAL;
	mutex_lock(&bench_mutex);
	ret = run(command, first, second);
	mutex_unlock(&bench_mutex);
	return ret ?: count;
}

static int bench_show(struct seq_file *m, void *v)
{
	mutex_lock(&bench_mutex);
	seq_printf(m, "ns=%llu laps=%llu instructions=%llu programmed=%llu\n",
		   result.ns, result.laps, result.instructions,
		   result.programmed);
	mutex_unlock(&bench_mutex);
	return 0;
}

static int bench_open(struct inode *inode, struct file *file)
{
	return single_open(file, bench_show, NULL);
}

static const struct proc_ops bench_proc_ops = {
	.proc_open = bench_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = bench_write,
};

static int __init bench_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(find, NULL);
	for (i = 0; i < ARRAY_SIZE(others); i++)
		hrtimer_setup(&others[i], other_func, CLOCK_MONOTONIC,
			      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_setup(&timer, timer_func, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	return proc_create("bench", 0600, NULL, &bench_proc_ops) ? 0 : -ENOMEM;
}

static void __exit bench_exit(void)
{
	remove_proc_entry("bench", NULL);
	set_timer(0);
	set_others(0);
	set_probes(0);
	set_count(0);
	tasklet_kill(&tasklet);
	irq_work_sync(&ipi_work);
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_DESCRIPTION("Measures the cost of watching");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
