// SPDX-License-Identifier: GPL-2.0-only
/*
 * A hotplug callback that makes CPUs slow to go offline. Meanwhile the kernel holds off all
 * who count CPUs.
 */
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "kinds.h"

#define OFFLINE_MAX_MS	15000

static unsigned int offline_ms;
/* of cpuhp_setup_state_nocalls(); 0 if there is none */
static int state;

static int stall_offline(unsigned int cpu)
{
	msleep(READ_ONCE(offline_ms));
	return 0;
}

/* no lock: the kernel sets parameters one at a time */
static int slow_offline_set(const char *text, const struct kernel_param *param)
{
	unsigned int ms;
	int ret = kstrtouint(text, 10, &ms);

	if (ret || ms > OFFLINE_MAX_MS)
		return ret ?: -ERANGE;
	if (ms && !state) {
		ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "stall:offline", NULL,
						stall_offline);
		if (ret < 0)
			return ret;
		state = ret;
	}
	WRITE_ONCE(offline_ms, ms);
	return 0;
}

/* called before this module is unloaded */
void slow_offline_end(void)
{
	if (state)
		cpuhp_remove_state_nocalls(state);
}

static const struct kernel_param_ops slow_offline_ops = {
	.set = slow_offline_set,
	.get = param_get_uint,
};

module_param_cb(offline_ms, &slow_offline_ops, &offline_ms, 0600);
