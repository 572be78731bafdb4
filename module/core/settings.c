// SPDX-License-Identifier: GPL-2.0-only
/* Settings to and from text. tio_knobs_refuse() checks limits. */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time.h>

#include "core/measure.h"
#include "core/settings.h"

static int parse_word(const struct tio_knob_desc *desc, const char *text, u32 *value)
{
	u32 i;

	for (i = desc->min; text && i <= desc->max; i++) {
		if (sysfs_streq(text, desc->words[i])) {
			*value = i;
			return 0;
		}
	}
	return -EINVAL;
}

/**
 * tio_knob_parse() - read a value of a numeric knob
 * @knob: the knob
 * @text: a number in C's notation, or a word where the values have names; for
 *	TIO_KNOB_ENABLE what any boolean parameter takes: y, n, on, off and so on. NULL,
 *	for the bare name, means y
 * @value: the result; unchanged on failure
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int tio_knob_parse(enum tio_knob knob, const char *text, u32 *value)
{
	bool on = true;

	if (knob == TIO_KNOB_ENABLE) {
		if (text && kstrtobool(text, &on))
			return -EINVAL;
		*value = on;
		return 0;
	}
	if (tio_knobs[knob].words)
		return parse_word(&tio_knobs[knob], text, value);
	return text && !kstrtouint(text, 0, value) ? 0 : -EINVAL;
}

/**
 * tio_knob_parse_measure() - read a time or a share as people type it
 * @knob: TIO_KNOB_THRESHOLD_US, TIO_KNOB_PERIOD_US or TIO_KNOB_MAX_COST_PPM
 * @text: "10ms", "500us", "6%" and so on, with or without a newline; or NULL
 * @value: the result, in the knob's unit; unchanged on failure
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int tio_knob_parse_measure(enum tio_knob knob, const char *text, u32 *value)
{
	size_t len = text ? strlen(text) : 0;
	u64 ns;

	if (len && text[len - 1] == '\n')
		len--;
	if (knob == TIO_KNOB_MAX_COST_PPM)
		return len && tio_share(text, len, value) ? 0 : -EINVAL;
	if (!len || !tio_length(text, len, &ns) || ns % NSEC_PER_USEC ||
	    ns / NSEC_PER_USEC > U32_MAX)
		return -EINVAL;
	*value = ns / NSEC_PER_USEC;
	return 0;
}

/**
 * tio_knob_print_measure() - write it as tio_knob_parse_measure() reads it
 * @knob: as there
 * @value: a value of it
 * @buf: buffer
 * @size: its size
 *
 * Context: any.
 * Return: length without the terminating zero.
 */
int tio_knob_print_measure(enum tio_knob knob, u32 value, char *buf, size_t size)
{
	int len;

	if (knob != TIO_KNOB_MAX_COST_PPM) {
		if (value % USEC_PER_MSEC)
			return scnprintf(buf, size, "%uus", value);
		value /= USEC_PER_MSEC;
		return value % MSEC_PER_SEC ? scnprintf(buf, size, "%ums", value) :
					      scnprintf(buf, size, "%lus", value / MSEC_PER_SEC);
	}
	if (!value)
		return scnprintf(buf, size, "none");
	len = scnprintf(buf, size, "%u.%04u", value / 10000, value % 10000);
	while (buf[len - 1] == '0')
		len--;
	if (buf[len - 1] == '.')
		len--;
	return len + scnprintf(buf + len, size - len, "%%");
}

/**
 * tio_cpus_parse() - read a value of the knob "cpus"
 * @settings: gets the CPUs; unchanged on failure
 * @text: "default", "all" or a CPU list; white space around it is ignored
 *
 * Context: task, may sleep.
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

	/*
	 * cpulist_parse() ignores everything behind a newline, and some kernels' takes
	 * words. So only digits and separators get there.
	 */
	word = strim(copy);
	if (!strcmp(word, "default")) {
		settings->cpus_mode = TIO_CPUS_DEFAULT;
	} else if (!strcmp(word, "all")) {
		settings->cpus_mode = TIO_CPUS_ALL;
	} else if (word[strspn(word, "0123456789-,:/ ")] ||
		   !isdigit(*word) || cpulist_parse(word, mask) ||
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
 * Context: any.
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
