// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "source/module.h"

/**
 * module_state() - is the module there?
 * @sysfs: its directory, /sys/module/trace_irqoff
 *
 * Return: its state, MODULE_LIVE where the directory is there and does not say.
 */
enum module_state module_state(const char *sysfs)
{
	char path[PATH_MAX], word[16] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/initstate", sysfs);
	file = fopen(path, "re");
	if (!file)
		return access(sysfs, F_OK) ? MODULE_ABSENT : MODULE_LIVE;
	/* the file goes as the module does */
	if (!fgets(word, sizeof(word), file))
		strcpy(word, "going");
	fclose(file);
	word[strcspn(word, "\n")] = '\0';
	if (!strcmp(word, "coming"))
		return MODULE_COMING;
	return strcmp(word, "going") ? MODULE_LIVE : MODULE_GOING;
}

/**
 * module_silence() - why the module does not answer, and what to do
 * @state: of the module, which is the same in all namespaces
 * @netns: of the reader
 *
 * Return: a sentence without its full stop.
 */
const char *module_silence(enum module_state state, enum netns netns)
{
	switch (state) {
	case MODULE_COMING:
		return "the module trace_irqoff is being loaded; try again";
	case MODULE_GOING:
		return "the module trace_irqoff is being unloaded; "
		       "that takes an answer from each CPU";
	case MODULE_LIVE:
		/* it came or went between two looks */
		if (netns == NETNS_HOST)
			return "the module trace_irqoff is being loaded or unloaded; try again";
		return "trace_irqoff answers in the host's network namespace only; "
		       "run irqoff with nsenter -t 1 -n, or in a pod with hostNetwork";
	default:
		return "the module trace_irqoff is not loaded; "
		       "load it with modprobe trace_irqoff, or insmod module/trace_irqoff.ko";
	}
}
