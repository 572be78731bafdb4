// SPDX-License-Identifier: GPL-2.0-only
/*
 * Comes and goes, and holds interrupts off meanwhile, on the CPU that it is done on:
 *
 *	insmod passing.ko [init_us=US] [exit_us=US] [fails=1]
 *	echo US > /sys/module/passing/parameters/now_us
 *	rmmod passing
 *
 * With "fails" its init returns an error after its stall.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/module.h>

static unsigned int init_us;
module_param(init_us, uint, 0400);

static unsigned int exit_us;
module_param(exit_us, uint, 0400);

static bool fails;
module_param(fails, bool, 0400);

static __always_inline void hold(unsigned int us)
{
	u64 until_ns = ktime_get_mono_fast_ns() + us * (u64)NSEC_PER_USEC;
	unsigned long flags;

	if (!us)
		return;
	local_irq_save(flags);
	while (ktime_get_mono_fast_ns() < until_ns)
		cpu_relax();
	local_irq_restore(flags);
	/* the interrupt that ends the stall shall find this function */
	cpu_relax();
}

static noinline void passing_now(unsigned int us)
{
	hold(us);
}

static int now_set(const char *text, const struct kernel_param *param)
{
	unsigned int us;
	int ret = kstrtouint(text, 10, &us);

	if (!ret)
		passing_now(us);
	return ret;
}

static const struct kernel_param_ops now_ops = {
	.set = now_set,
};

module_param_cb(now_us, &now_ops, NULL, 0200);

static noinline void __init passing_in_init(void)
{
	hold(init_us);
}

static noinline void __exit passing_in_exit(void)
{
	hold(exit_us);
}

static int __init passing_init(void)
{
	passing_in_init();
	return fails ? -EIO : 0;
}

static void __exit passing_exit(void)
{
	passing_in_exit();
}

module_init(passing_init);
module_exit(passing_exit);

MODULE_DESCRIPTION("Comes and goes, and holds interrupts off meanwhile");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
