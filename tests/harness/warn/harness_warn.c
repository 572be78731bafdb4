// SPDX-License-Identifier: GPL-2.0-only
/*
 * A real kernel warning, to see that the VM harness notices one; with forget=1
 * memory that is never freed instead, to see that kmemleak does.
 */
#include <linux/bug.h>
#include <linux/module.h>
#include <linux/slab.h>

static bool forget;
module_param(forget, bool, 0);
MODULE_PARM_DESC(forget, "Leak memory instead of the warning");

static int __init harness_warn_init(void)
{
	if (forget)
		return kmalloc(1000, GFP_KERNEL) ? 0 : -ENOMEM;
	WARN(1, "harness_warn: a deliberate warning\n");
	return 0;
}

static void __exit harness_warn_exit(void)
{
}

module_init(harness_warn_init);
module_exit(harness_warn_exit);
MODULE_DESCRIPTION("Warns once, to test the VM harness");
MODULE_LICENSE("GPL");
