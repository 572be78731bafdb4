// SPDX-License-Identifier: GPL-2.0-only
/* A real kernel warning, to see that the VM harness notices one. */
#include <linux/bug.h>
#include <linux/module.h>

static int __init harness_warn_init(void)
{
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
