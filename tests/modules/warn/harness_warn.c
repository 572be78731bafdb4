// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the faults that kernels are built to detect, to test that they are noticed:
 *
 *	insmod harness_warn.ko fault=NAME
 *
 * "warn" is a real kernel warning. "leak" is memory that is never freed. "stale" is for
 * kernels that check slabs, the others are for the debug kernels.
 */
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>

static char *fault = "warn";
module_param(fault, charp, 0);
MODULE_PARM_DESC(fault, "warn, leak, stale, overrun, shift, sleep, race or inversion");

static int warn(void)
{
	WARN(1, "harness_warn: a deliberate warning\n");
	return 0;
}

static int leak(void)
{
	return kmalloc(1000, GFP_KERNEL) && vmalloc(PAGE_SIZE) ? 0 : -ENOMEM;
}

/* writes to freed memory, which the kernel notices when it gives that memory out again */
static int stale(void)
{
	char *bytes = kmalloc(64, GFP_KERNEL);
	void *again[64];
	unsigned int i;

	if (!bytes)
		return -ENOMEM;
	kfree(bytes);
	WRITE_ONCE(bytes[60], 1);
	for (i = 0; i < ARRAY_SIZE(again); i++)
		again[i] = kmalloc(64, GFP_KERNEL);
	while (i)
		kfree(again[--i]);
	return 0;
}

static unsigned int far = 40;
module_param(far, uint, 0);
MODULE_PARM_DESC(far, "How far to go wrong; a parameter, so that the compiler cannot know");

static int overrun(void)
{
	char *bytes = kmalloc(far, GFP_KERNEL);

	if (!bytes)
		return -ENOMEM;
	bytes[far] = 1;
	kfree(bytes);
	return 0;
}

static int shift(void)
{
	far = 1 << far;
	return 0;
}

static DEFINE_SPINLOCK(lock);

static int sleep(void)
{
	spin_lock(&lock);
	might_sleep();
	spin_unlock(&lock);
	return 0;
}

static unsigned long count;

static int race_thread(void *unused)
{
	while (!kthread_should_stop()) {
		count++;
		cond_resched();
	}
	return 0;
}

static int race(void)
{
	struct task_struct *thread = kthread_run(race_thread, NULL, "race");
	unsigned long end = jiffies + 2 * HZ;

	if (IS_ERR(thread))
		return PTR_ERR(thread);
	while (time_before(jiffies, end)) {
		count++;
		cond_resched();
	}
	return kthread_stop(thread);
}

static DEFINE_MUTEX(one);
static DEFINE_MUTEX(other);

static int inversion(void)
{
	mutex_lock(&one);
	mutex_lock(&other);
	mutex_unlock(&other);
	mutex_unlock(&one);
	mutex_lock(&other);
	mutex_lock(&one);
	mutex_unlock(&one);
	mutex_unlock(&other);
	return 0;
}

static const struct {
	const char *name;
	int (*make)(void);
} faults[] = {
	{ "warn", warn },
	{ "leak", leak },
	{ "stale", stale },
	{ "overrun", overrun },
	{ "shift", shift },
	{ "sleep", sleep },
	{ "race", race },
	{ "inversion", inversion },
};

static int __init harness_warn_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(faults); i++)
		if (!strcmp(fault, faults[i].name))
			return faults[i].make();
	return -EINVAL;
}

static void __exit harness_warn_exit(void)
{
}

module_init(harness_warn_init);
module_exit(harness_warn_exit);
MODULE_DESCRIPTION("Makes faults, to test that they are noticed");
MODULE_LICENSE("GPL");
