// SPDX-License-Identifier: GPL-2.0-only
/* A kprobe that makes the tracer's beats dear. */
#include <linux/delay.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "kinds.h"

#define DEAR_MAX_US	1000

static unsigned int dear_us;

static int on_beat(struct kprobe *probe, struct pt_regs *regs)
{
	udelay(READ_ONCE(dear_us));
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "trace_irqoff:heartbeat",
	.pre_handler = on_beat,
};

/* parameters are set one at a time */
static int dear_set(const char *text, const struct kernel_param *param)
{
	unsigned int us;
	int ret = kstrtouint(text, 10, &us);

	if (ret || us > DEAR_MAX_US)
		return ret ?: -ERANGE;
	if (us && !dear_us) {
		probe.addr = NULL;
		probe.flags = 0;
		ret = register_kprobe(&probe);
		if (ret)
			return ret;
	}
	if (!us)
		dear_end();
	WRITE_ONCE(dear_us, us);
	return 0;
}

/* before the tracer or this module goes */
void dear_end(void)
{
	if (dear_us)
		unregister_kprobe(&probe);
	dear_us = 0;
}

static const struct kernel_param_ops dear_ops = {
	.set = dear_set,
	.get = param_get_uint,
};

module_param_cb(dear_us, &dear_ops, &dear_us, 0600);
