// SPDX-License-Identifier: GPL-2.0-only
/*
 * Module parameters. Their files exist before init and until after exit. What a write
 * does therefore depends on the module's state, see tio_control_end().
 */
#include <linux/capability.h>
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/sched/signal.h>
#include <linux/stringify.h>
#include <linux/timekeeping.h>

#include "control/control.h"
#include "control/status.h"
#include "core/settings.h"
#include "report/access.h"
#include "state/published.h"

/* how long a write waits for probes to be attached: a CPU has 50 ms to answer */
#define WAIT_NS		NSEC_PER_SEC

typedef int parse_fn(struct tio_settings *settings, const char *text,
		     const struct kernel_param *kp);

static int parse_number(struct tio_settings *settings, const char *text,
			const struct kernel_param *kp)
{
	enum tio_knob knob = (uintptr_t)kp->arg;

	return tio_knob_parse(knob, text, &settings->knobs[knob]);
}

static int parse_cpus(struct tio_settings *settings, const char *text,
		      const struct kernel_param *kp)
{
	return tio_cpus_parse(settings, text);
}

/* @rule: set to what is wrong with the settings */
static int try_to_set(const char *text, const struct kernel_param *kp, const char **rule,
		      const char *syntax, parse_fn *parse)
{
	struct tio_settings *settings = tio_control_begin();
	int ret;

	if (IS_ERR(settings))
		return PTR_ERR(settings);
	ret = parse(settings, text, kp);
	if (ret) {
		tio_control_abort(settings);
		if (ret == -EINVAL)
			*rule = syntax;
		return ret;
	}
	return tio_control_end(settings, false, false, rule);
}

/*
 * The kernel's lock of this module's parameters is held: other parameter files wait for
 * this one, netlink does not. @syntax is logged where @parse returns -EINVAL.
 */
static int set(const char *text, const struct kernel_param *kp, const char *syntax,
	       parse_fn *parse)
{
	u64 end_ns = ktime_get_ns() + WAIT_NS;
	const char *rule;
	int ret;

	/*
	 * Root of a container may own the file, but has no say over the node. Check
	 * permission before parsing or logging.
	 */
	if (!tio_may_change())
		return -EPERM;
	for (;;) {
		rule = NULL;
		ret = try_to_set(text, kp, &rule, syntax, parse);
		if (ret != -EINPROGRESS)
			break;
		ret = fatal_signal_pending(current) ? -EINTR : -EAGAIN;
		if (ret == -EINTR || ktime_get_ns() > end_ns)
			break;
		usleep_range(USEC_PER_MSEC, 2 * USEC_PER_MSEC);
	}
	if (ret && rule)
		pr_err("%s\n", rule);
	return ret;
}

static int set_number(const char *text, const struct kernel_param *kp)
{
	return set(text, kp, tio_knobs[(uintptr_t)kp->arg].rule, parse_number);
}

static int get_number(char *buf, const struct kernel_param *kp)
{
	enum tio_knob knob = (uintptr_t)kp->arg;
	u32 value = tio_published_knob(knob);

	if (tio_knobs[knob].words)
		return scnprintf(buf, PAGE_SIZE, "%s\n", tio_knobs[knob].words[value]);
	return scnprintf(buf, PAGE_SIZE, "%u\n", value);
}

static const struct kernel_param_ops number_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = set_number,
	.get = get_number,
};

/* what is logged where the text is no such measure; limits are those of the knob */
static const char *measure_rule(enum tio_knob knob)
{
	switch (knob) {
	case TIO_KNOB_THRESHOLD_US:
		return "threshold takes a time such as 10ms or 500us";
	case TIO_KNOB_PERIOD_US:
		return "period takes a time such as 1ms or 500us";
	default:
		return "max_cost takes a percentage such as 6%, or none";
	}
}

static int parse_measure(struct tio_settings *settings, const char *text,
			 const struct kernel_param *kp)
{
	enum tio_knob knob = (uintptr_t)kp->arg;

	return tio_knob_parse_measure(knob, text, &settings->knobs[knob]);
}

static int set_measure(const char *text, const struct kernel_param *kp)
{
	return set(text, kp, measure_rule((uintptr_t)kp->arg), parse_measure);
}

/* ends what was printed to a page, which has room for it; returns its length */
static int end_line(char *buf, int len)
{
	buf[len++] = '\n';
	buf[len] = '\0';
	return len;
}

static int get_measure(char *buf, const struct kernel_param *kp)
{
	enum tio_knob knob = (uintptr_t)kp->arg;

	return end_line(buf, tio_knob_print_measure(knob, tio_published_knob(knob), buf,
						    PAGE_SIZE - 1));
}

static const struct kernel_param_ops measure_ops = {
	.set = set_measure,
	.get = get_measure,
};

static int set_cpus(const char *text, const struct kernel_param *kp)
{
	return set(text, kp, tio_cpus_rule, parse_cpus);
}

static int get_cpus(char *buf, const struct kernel_param *kp)
{
	return end_line(buf, tio_status_cpus(buf, PAGE_SIZE - 1));
}

static const struct kernel_param_ops cpus_ops = {
	.set = set_cpus,
	.get = get_cpus,
};

#define LIMITS(limits) \
	__stringify(limits##_MIN) " to " __stringify(limits##_MAX)
#define DEFAULT(limits) \
	"(default " __stringify(limits##_DEFAULT) ")"

module_param_cb(enable, &number_ops, (void *)TIO_KNOB_ENABLE, 0644);
MODULE_PARM_DESC(enable, "Watch for stalls, 0 or 1 (default 0)");
module_param_cb(threshold_us, &number_ops, (void *)TIO_KNOB_THRESHOLD_US, 0644);
MODULE_PARM_DESC(threshold_us, "Shortest stall recorded in microseconds, "
		 LIMITS(TIO_THRESHOLD_US) ", at least two periods "
		 DEFAULT(TIO_THRESHOLD_US));
module_param_cb(period_us, &number_ops, (void *)TIO_KNOB_PERIOD_US, 0644);
MODULE_PARM_DESC(period_us, "Time between two heartbeats in microseconds, "
		 LIMITS(TIO_PERIOD_US) " " DEFAULT(TIO_PERIOD_US));
module_param_cb(threshold, &measure_ops, (void *)TIO_KNOB_THRESHOLD_US, 0644);
MODULE_PARM_DESC(threshold, "threshold_us as a time with a unit, such as 10ms");
module_param_cb(period, &measure_ops, (void *)TIO_KNOB_PERIOD_US, 0644);
MODULE_PARM_DESC(period, "period_us as a time with a unit, such as 1ms");
module_param_cb(max_cost, &measure_ops, (void *)TIO_KNOB_MAX_COST_PPM, 0644);
MODULE_PARM_DESC(max_cost, "max_cost_ppm as a percentage, such as 6%, or none");
module_param_cb(cpus, &cpus_ops, NULL, 0644);
MODULE_PARM_DESC(cpus,
		 "CPUs to watch: default (all but isolated and nohz_full ones), all, or a list such as 0-3,8");
module_param_cb(ring_records, &number_ops, (void *)TIO_KNOB_RING_RECORDS, 0444);
MODULE_PARM_DESC(ring_records, "Records kept for each CPU, "
		 LIMITS(TIO_RING_RECORDS) ", when loading only "
		 DEFAULT(TIO_RING_RECORDS));
module_param_cb(nmi, &number_ops, (void *)TIO_KNOB_NMI, 0644);
MODULE_PARM_DESC(nmi, "Sample stuck CPUs by NMI: auto or off (default auto)");
module_param_cb(nmi_cpu_rate, &number_ops, (void *)TIO_KNOB_NMI_CPU_RATE, 0644);
MODULE_PARM_DESC(nmi_cpu_rate, "Most NMIs sent to one CPU in a second, "
		 LIMITS(TIO_NMI_CPU_RATE) " " DEFAULT(TIO_NMI_CPU_RATE));
module_param_cb(nmi_rate, &number_ops, (void *)TIO_KNOB_NMI_RATE, 0644);
MODULE_PARM_DESC(nmi_rate, "Most NMIs sent to all CPUs in a second, "
		 LIMITS(TIO_NMI_RATE) " " DEFAULT(TIO_NMI_RATE));
module_param_cb(guard, &number_ops, (void *)TIO_KNOB_GUARD, 0644);
MODULE_PARM_DESC(guard,
		 "Wake an idle CPU to look after the only busy one: auto (for 60 s after a hard stall that no sample was taken of), always or never (default auto)");
module_param_cb(max_cost_ppm, &number_ops, (void *)TIO_KNOB_MAX_COST_PPM, 0644);
MODULE_PARM_DESC(max_cost_ppm,
		 "Stop watching where heartbeats take more than this of a CPU's time for 10 s, in parts per million, "
		 LIMITS(TIO_MAX_COST_PPM) ", 0 for no limit " DEFAULT(TIO_MAX_COST_PPM));
