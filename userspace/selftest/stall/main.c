// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes a stall of a given kind and length on a given CPU, and reports its true length
 * from its own clock readings:
 *
 *	echo "KIND CPU LENGTH_US [comm=NAME] [renamed]" > /proc/stall
 *	cat /proc/stall
 *
 * "inner" is read within the section, "outer" around it. The true length lies between
 * them, however often the section was interrupted. "comm=" names the task, "renamed"
 * uses a function of another name. "gap" is the longest time between two clock readings.
 * If it is far longer than an interrupt, the virtual CPU did not run. "gaps" is the sum of
 * those that last 50 us or longer. "waits" is the time of all other CPUs that queued for it.
 *
 *	echo CPU > /sys/module/stall/parameters/ipi
 *
 * makes no stall: it sends that CPU an IPI and waits until it is handled.
 *
 *	echo irqoff|bhoff LENGTH_US > /sys/module/stall/parameters/here
 *
 * makes a stall on the writing CPU and reports nothing. Many writers can run at once, and
 * while CPUs go offline and online.
 *
 *	echo US > /sys/module/stall/parameters/beat_us
 *
 * makes each of the tracer's beats take that much longer, as on a slow machine; 0 ends
 * this.
 *
 *	echo MS > /sys/module/stall/parameters/offline_ms
 *
 * makes each CPU that goes offline take that much longer; 0 ends this.
 *
 * Kinds that take a second CPU take the one of the parameter "other" (insmod), by
 * default any other one that is online.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "compat/proc_ops.h"
#include "kinds.h"

#define LENGTH_MAX_US	15000000

static DEFINE_MUTEX(stall_mutex);

static int other = -1;
module_param(other, int, 0400);
MODULE_PARM_DESC(other, "the second CPU of stalls that take two (default: any other one)");

static int stall_thread(void *data)
{
	struct request *req = data;

	kind_make(req);
	complete(&req->done);
	return 0;
}

static int make_stall(struct request *req)
{
	struct task_struct *thread;

	if (req->renamed && !req->kind->renamed)
		return -EINVAL;
	req->other = other >= 0 ? other :
				  cpumask_any_but(cpu_online_mask, req->cpu);
	if (req->other >= nr_cpu_ids || !cpu_online(req->other))
		req->other = req->cpu;
	memset(&result, 0, sizeof(result));
	result.req = *req;
	result.function = req->renamed ? req->kind->renamed :
					 req->kind->function;
	init_completion(&req->done);

	thread = kthread_create_on_node(stall_thread, req,
					cpu_to_node(req->cpu), "%s", req->comm);
	if (IS_ERR(thread))
		return PTR_ERR(thread);
	kthread_bind(thread, req->cpu);
	wake_up_process(thread);
	wait_for_completion(&req->done);
	return 0;
}

static char *next_word(char **text)
{
	return strsep(text, " ");
}

static int parse(char *text, struct request *req)
{
	unsigned int length_us;
	char *word;

	word = next_word(&text);
	req->kind = kind_find(word);
	if (!req->kind)
		return -EINVAL;
	word = next_word(&text);
	if (!word || kstrtouint(word, 10, &req->cpu))
		return -EINVAL;
	word = next_word(&text);
	if (!word || kstrtouint(word, 10, &length_us) ||
	    length_us > LENGTH_MAX_US)
		return -EINVAL;
	req->length_ns = length_us * (u64)NSEC_PER_USEC;

	strscpy(req->comm, "stall", sizeof(req->comm));
	while ((word = next_word(&text))) {
		if (!strncmp(word, "comm=", 5))
			strscpy(req->comm, word + 5, sizeof(req->comm));
		else if (!strcmp(word, "renamed"))
			req->renamed = true;
		else if (*word)
			return -EINVAL;
	}
	return 0;
}

static ssize_t stall_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	struct request *req;
	char *text;
	int ret;

	if (count > 128)
		return -EINVAL;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	req = kzalloc(sizeof(*req), GFP_KERNEL);
	ret = req ? parse(strim(text), req) : -ENOMEM;
	kfree(text);
	if (!ret) {
		mutex_lock(&stall_mutex);
		if (req->kind->prepare)
			ret = req->kind->prepare();
		cpus_read_lock();
		if (!ret)
			ret = req->cpu < nr_cpu_ids && cpu_online(req->cpu) ?
			      make_stall(req) : -ENODEV;
		cpus_read_unlock();
		mutex_unlock(&stall_mutex);
	}
	kfree(req);
	return ret ?: count;
}

static u64 length(const struct span *span)
{
	return span->to_ns - span->from_ns;
}

static int stall_show(struct seq_file *m, void *v)
{
	mutex_lock(&stall_mutex);
	if (result.function)
		seq_printf(m, "kind=%s cpu=%u function=%s inner_ns=%llu outer_ns=%llu from_ns=%llu to_ns=%llu nested_inner_ns=%llu nested_outer_ns=%llu waits_inner_ns=%llu waits_outer_ns=%llu gap_ns=%llu gaps_ns=%llu\n",
			   result.req.kind->name, result.req.cpu,
			   result.function, length(&result.inner),
			   length(&result.outer), result.outer.from_ns,
			   result.outer.to_ns, length(&result.nested_inner),
			   length(&result.nested_outer), result.waits_inner_ns,
			   result.waits_outer_ns, result.gap_ns, result.gaps_ns);
	mutex_unlock(&stall_mutex);
	return 0;
}

static int stall_open(struct inode *inode, struct file *file)
{
	return single_open(file, stall_show, NULL);
}

static const struct proc_ops stall_proc_ops = {
	.proc_open = stall_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = stall_write,
};

static noinline void stall_here(bool irqs, u64 length_ns)
{
	unsigned long flags = 0;
	struct span span = { 0 };

	if (irqs)
		local_irq_save(flags);
	else
		local_bh_disable();
	busy_work(&span, length_ns);
	if (irqs)
		local_irq_restore(flags);
	else
		local_bh_enable();
	section_end("stall_here");
}

static int ipi_set(const char *text, const struct kernel_param *param)
{
	unsigned int cpu;
	int ret = kstrtouint(text, 10, &cpu);

	return ret ?: smp_call_function_single(cpu, nothing, NULL, true);
}

static const struct kernel_param_ops ipi_ops = {
	.set = ipi_set,
};

module_param_cb(ipi, &ipi_ops, NULL, 0200);

static int here_set(const char *text, const struct kernel_param *param)
{
	unsigned int length_us;
	char what[8];

	if (sscanf(text, "%7s %u", what, &length_us) != 2 ||
	    length_us > LENGTH_MAX_US)
		return -EINVAL;
	if (!strcmp(what, "irqoff"))
		stall_here(true, length_us * (u64)NSEC_PER_USEC);
	else if (!strcmp(what, "bhoff"))
		stall_here(false, length_us * (u64)NSEC_PER_USEC);
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops here_ops = {
	.set = here_set,
};

module_param_cb(here, &here_ops, NULL, 0200);

static int __init stall_init(void)
{
	kinds_init();
	return proc_create("stall", 0600, NULL, &stall_proc_ops) ? 0 : -ENOMEM;
}

static void __exit stall_exit(void)
{
	remove_proc_entry("stall", NULL);
	idle_poll_exit();
	idling_exit();
	slow_beat_end();
	slow_offline_end();
}

module_init(stall_init);
module_exit(stall_exit);

MODULE_DESCRIPTION("Makes stalls of known kind and length");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
