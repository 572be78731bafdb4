// SPDX-License-Identifier: GPL-2.0-only
/* A kprobe that makes the tracer's beats slow. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#include "kinds.h"

#define BEAT_MAX_US	1000

static unsigned int beat_us;

static int on_beat(struct kprobe *probe, struct pt_regs *regs)
{
	struct span span = { 0 };

	/* not udelay(): each CPU measures its loops as it boots, falsely on a busy host */
	busy_work(&span, READ_ONCE(beat_us) * NSEC_PER_USEC);
	return 0;
}

static struct kprobe probe = {
	.symbol_name = "trace_irqoff:heartbeat",
	.pre_handler = on_beat,
};

/* no lock: the kernel sets parameters one at a time */
static int slow_beat_set(const char *text, const struct kernel_param *param)
{
	unsigned int us;
	int ret = kstrtouint(text, 10, &us);

	if (ret || us > BEAT_MAX_US)
		return ret ?: -ERANGE;
	if (us && !beat_us) {
		probe.addr = NULL;
		probe.flags = 0;
		ret = register_kprobe(&probe);
		if (ret)
			return ret;
	}
	if (!us)
		slow_beat_end();
	WRITE_ONCE(beat_us, us);
	return 0;
}

/* called before the tracer or this module is unloaded */
void slow_beat_end(void)
{
	if (beat_us)
		unregister_kprobe(&probe);
	beat_us = 0;
}

static const struct kernel_param_ops slow_beat_ops = {
	.set = slow_beat_set,
	.get = param_get_uint,
};

module_param_cb(beat_us, &slow_beat_ops, &beat_us, 0600);
