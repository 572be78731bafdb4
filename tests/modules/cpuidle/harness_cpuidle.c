// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives the kernel's idle governor states to choose from. All but the first one halt the
 * CPU alike: they differ only in what the governor is told. The kernel itself counts how
 * often and for how long each one was entered (/sys/devices/system/cpu/cpuN/cpuidle/).
 *
 * POLL is the kernel's own, which the drivers for x86 have. With poll=0 there is none, as
 * on arm64. LIGHT is worth its while for any sleep, MIDDLE for half a millisecond, as the
 * deepest states of servers are. DEEP takes 8 ms, so that a guard, which wakes each 5 ms
 * at the default threshold, rules it out as a beat in 1 ms does.
 */
#include <linux/cpuidle.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/string.h>

static bool poll = true;
module_param(poll, bool, 0);
MODULE_PARM_DESC(poll, "Is the lightest state the one that polls?");

static int sleep(struct cpuidle_device *dev, struct cpuidle_driver *drv, int index)
{
	/* no tracepoint may be here, because RCU does not watch this CPU any more */
	if (!need_resched()) {
		raw_safe_halt();
		raw_local_irq_disable();
	}
	return index;
}

static struct cpuidle_driver driver = {
	.name = "harness_cpuidle",
	.owner = THIS_MODULE,
};

static void add(const char *name, unsigned int residency_us, unsigned int exit_us)
{
	struct cpuidle_state *state = &driver.states[driver.state_count++];

	strscpy(state->name, name, sizeof(state->name));
	strscpy(state->desc, name, sizeof(state->desc));
	state->target_residency = residency_us;
	state->exit_latency = exit_us;
	state->enter = sleep;
}

static int __init harness_cpuidle_init(void)
{
	if (poll) {
		cpuidle_poll_state_init(&driver);
		driver.state_count = 1;
	}
	add("LIGHT", 2, 2);
	add("MIDDLE", 500, 50);
	add("DEEP", 8000, 100);
	return cpuidle_register(&driver, NULL);
}

static void __exit harness_cpuidle_exit(void)
{
	cpuidle_unregister(&driver);
}

module_init(harness_cpuidle_init);
module_exit(harness_cpuidle_exit);

MODULE_DESCRIPTION("Idle states for the kernel's idle governor to choose from");
MODULE_AUTHOR("The trace_irqoff authors");
MODULE_LICENSE("GPL");
