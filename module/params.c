// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters. Their files exist before init and until after exit, so
 * what a write does depends on the module's state: see tio_control_end().
 */
#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>

#include "control.h"
#include "settings.h"

/* root of a container may own the file, but has no say over the node */
static struct tio_settings *begin(void)
{
	if (!capable(CAP_NET_ADMIN) && !capable(CAP_SYS_MODULE))
		return ERR_PTR(-EPERM);
	return tio_control_begin();
}

static int set_number(const char *text, const struct kernel_param *kp)
{
	enum tio_knob knob = (uintptr_t)kp->arg;
	struct tio_settings *settings;
	const char *rule = NULL;
	int ret;

	/* who may not write hears no more than that, nor does the log */
	settings = begin();
	if (IS_ERR(settings))
		return PTR_ERR(settings);
	ret = tio_knob_parse(knob, text, &settings->knobs[knob]);
	if (ret) {
		tio_control_abort(settings);
		pr_err("%s\n", tio_knobs[knob].rule);
		return ret;
	}
	ret = tio_control_end(settings, &rule);
	if (rule)
		pr_err("%s\n", rule);
	return ret;
}

static int get_number(char *buf, const struct kernel_param *kp)
{
	return scnprintf(buf, PAGE_SIZE, "%u\n",
			 tio_control_knob((uintptr_t)kp->arg));
}

static const struct kernel_param_ops number_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = set_number,
	.get = get_number,
};

static int set_cpus(const char *text, const struct kernel_param *kp)
{
	struct tio_settings *settings;
	const char *rule = NULL;
	int ret;

	settings = begin();
	if (IS_ERR(settings))
		return PTR_ERR(settings);
	ret = tio_cpus_parse(settings, text);
	if (ret) {
		tio_control_abort(settings);
		if (ret == -EINVAL)
			pr_err("%s\n", tio_cpus_rule);
		return ret;
	}
	ret = tio_control_end(settings, &rule);
	if (rule)
		pr_err("%s\n", rule);
	return ret;
}

static int get_cpus(char *buf, const struct kernel_param *kp)
{
	int len = tio_control_cpus(buf, PAGE_SIZE - 1);

	buf[len++] = '\n';
	buf[len] = '\0';
	return len;
}

static const struct kernel_param_ops cpus_ops = {
	.set = set_cpus,
	.get = get_cpus,
};

module_param_cb(enable, &number_ops, (void *)TIO_KNOB_ENABLE, 0644);
MODULE_PARM_DESC(enable, "Watch for stalls, 0 or 1 (default 0)");
module_param_cb(threshold_us, &number_ops, (void *)TIO_KNOB_THRESHOLD_US, 0644);
MODULE_PARM_DESC(threshold_us,
		 "Shortest stall recorded in microseconds, 100 to 60000000, at least two periods (default 10000)");
module_param_cb(period_us, &number_ops, (void *)TIO_KNOB_PERIOD_US, 0644);
MODULE_PARM_DESC(period_us,
		 "Time between two heartbeats in microseconds, 50 to 1000000 (default 1000)");
module_param_cb(cpus, &cpus_ops, NULL, 0644);
MODULE_PARM_DESC(cpus,
		 "CPUs to watch: default (all but isolated and nohz_full ones), all, or a list such as 0-3,8");
module_param_cb(ring_records, &number_ops, (void *)TIO_KNOB_RING_RECORDS, 0444);
MODULE_PARM_DESC(ring_records,
		 "Records kept for each CPU, 2 to 4096, when loading only (default 64)");
