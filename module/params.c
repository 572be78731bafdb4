// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters. Their files exist before init and until after exit, so
 * what a write does depends on the module's state: see tio_control_set().
 */
#include <linux/capability.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "params.h"

/**
 * tio_settings_default() - what is in force when nobody says anything
 * @settings: filled in
 */
void tio_settings_default(struct tio_settings *settings)
{
	unsigned int i;

	memset(settings, 0, sizeof(*settings));
	for (i = 0; i < TIO_KNOBS; i++)
		settings->knobs[i] = tio_knobs[i].def;
}

/**
 * tio_cpus_parse() - read a value of the knob "cpus"
 * @settings: its CPUs are set, nothing else, and nothing on failure
 * @text: "default", "all" or a CPU list; white space around it is ignored
 *
 * Return: 0, -EINVAL for anything else, an empty list or an impossible CPU,
 * -ENOMEM.
 */
int tio_cpus_parse(struct tio_settings *settings, const char *text)
{
	cpumask_var_t mask;
	char *copy, *word;
	int ret = 0;

	copy = kstrdup(text, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	if (!zalloc_cpumask_var(&mask, GFP_KERNEL)) {
		kfree(copy);
		return -ENOMEM;
	}

	word = strim(copy);
	if (!strcmp(word, "default")) {
		settings->cpus_mode = TIO_CPUS_DEFAULT;
	} else if (!strcmp(word, "all")) {
		settings->cpus_mode = TIO_CPUS_ALL;
	} else if (!isdigit(*word) || cpulist_parse(word, mask) ||
		   cpumask_empty(mask) ||
		   !cpumask_subset(mask, cpu_possible_mask)) {
		ret = -EINVAL;
	} else {
		settings->cpus_mode = TIO_CPUS_LIST;
		cpumask_copy(&settings->cpus, mask);
	}

	free_cpumask_var(mask);
	kfree(copy);
	return ret;
}

/**
 * tio_cpus_print() - write the knob "cpus" as tio_cpus_parse() reads it
 * @settings: settings
 * @buf: buffer
 * @size: its size
 *
 * Return: length without the terminating zero.
 */
int tio_cpus_print(const struct tio_settings *settings, char *buf, size_t size)
{
	switch (settings->cpus_mode) {
	case TIO_CPUS_DEFAULT:
		return scnprintf(buf, size, "default");
	case TIO_CPUS_ALL:
		return scnprintf(buf, size, "all");
	default:
		return scnprintf(buf, size, "%*pbl",
				 cpumask_pr_args(&settings->cpus));
	}
}

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
	bool on;
	u32 value;
	int ret;

	/* as every boolean parameter does, "enable" alone and y or n included */
	if (knob == TIO_KNOB_ENABLE) {
		ret = text ? kstrtobool(text, &on) : 0;
		value = text ? on : 1;
	} else {
		ret = text ? kstrtouint(text, 0, &value) : -EINVAL;
	}
	if (ret) {
		pr_err("%s\n", tio_knobs[knob].rule);
		return -EINVAL;
	}

	settings = begin();
	if (IS_ERR(settings))
		return PTR_ERR(settings);
	settings->knobs[knob] = value;
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
