// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device's interrupt raises NET_RX on the CPU that takes it. That CPU polls the device, and
 * with RPS it hands packets to other CPUs. A bond, a bridge or a VLAN has its packets from the
 * devices below it. A device without interrupts of its own, such as a veth, receives where
 * somebody else sent; and with threaded NAPI the poll runs wherever the scheduler puts it.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"
#include "say.h"
#include "serving.h"

/* devices below devices below... */
#define LOWEST		8

#define LOWER		"lower_"

/* @why goes on after the device's name; the first reason is told */
static void any_cpu(struct serving *serving, const char *dev, const char *why)
{
	if (!serving->all)
		serving->how = print_text("%s %s", dev, why);
	serving->all = true;
}

static void add_list(struct serving *serving, const char *list)
{
	__u32 cpu;

	for (__u32 next = 0; cpulist_next(list, next, &cpu); next = cpu + 1)
		cpuset_add(&serving->cpus, cpu);
}

/* "00000000,0000000f": words of 32 CPUs, the highest first */
static bool add_mask(struct serving *serving, const char *mask)
{
	size_t digits = 0;
	bool any = false;

	for (const char *at = mask + strlen(mask); at > mask; at--) {
		char digit[2] = { at[-1] };
		unsigned long bits;

		if (*digit == ',')
			continue;
		bits = strtoul(digit, NULL, 16);
		for (unsigned int i = 0; i < 4; i++) {
			if (!(bits & 1U << i))
				continue;
			cpuset_add(&serving->cpus, 4 * digits + i);
			any = true;
		}
		digits++;
	}
	return any;
}

static bool add_interrupt(struct serving *serving, const char *root, const char *number)
{
	static const char * const files[] = { "effective_affinity_list", "smp_affinity_list" };
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char *list;

		snprintf(path, sizeof(path), "%s/proc/irq/%s/%s", root, number, files[i]);
		list = machine_line(path);
		if (list && *list) {
			add_list(serving, list);
			free(list);
			return true;
		}
		free(list);
	}
	return false;
}

/* those of a directory msi_irqs, whose files are called by the interrupts' numbers */
static bool add_interrupts(struct serving *serving, const char *root, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *file;
	bool any = false;

	if (!dir)
		return false;
	while ((file = readdir(dir)))
		if (*file->d_name != '.')
			any |= add_interrupt(serving, root, file->d_name);
	closedir(dir);
	return any;
}

/* virtio's interrupts are those of the PCI device above it */
static bool add_device(struct serving *serving, const char *root, const char *dev)
{
	static const char * const places[] = { "device/msi_irqs", "device/../msi_irqs" };
	char path[PATH_MAX], real[PATH_MAX], *number;
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(places) && !any; i++) {
		snprintf(path, sizeof(path), "%s/sys/class/net/%s/%s", root, dev, places[i]);
		if (realpath(path, real))
			any = add_interrupts(serving, root, real);
	}
	snprintf(path, sizeof(path), "%s/sys/class/net/%s/device/irq", root, dev);
	number = any ? NULL : machine_line(path);
	if (number && strcmp(number, "0"))
		any = add_interrupt(serving, root, number);
	free(number);
	return any;
}

static bool add_steered(struct serving *serving, const char *root, const char *dev)
{
	char path[PATH_MAX];
	bool any = false;

	for (unsigned int i = 0; ; i++) {
		char *mask;

		snprintf(path, sizeof(path), "%s/sys/class/net/%s/queues/rx-%u/rps_cpus", root, dev,
			 i);
		mask = machine_line(path);
		if (!mask)
			return any;
		any |= add_mask(serving, mask);
		free(mask);
	}
}

static bool has_threads(const char *root, const char *dev)
{
	char path[PATH_MAX], *text;
	bool is;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/threaded", root, dev);
	text = machine_line(path);
	is = text && strcmp(text, "0");
	free(text);
	return is;
}

static void look(struct serving *serving, const char *root, const char *dev, unsigned int depth);

/* looks at the devices below; false: there are none */
static bool look_below(struct serving *serving, const char *root, const char *dev,
		       unsigned int depth)
{
	char path[PATH_MAX];
	struct dirent *file;
	bool any = false;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s", root, dev);
	dir = opendir(path);
	if (!dir)
		return false;
	while ((file = readdir(dir))) {
		if (strncmp(file->d_name, LOWER, strlen(LOWER)))
			continue;
		look(serving, root, file->d_name + strlen(LOWER), depth + 1);
		any = true;
	}
	closedir(dir);
	return any;
}

static void look(struct serving *serving, const char *root, const char *dev, unsigned int depth)
{
	serving->steered |= add_steered(serving, root, dev);
	if (depth > LOWEST)
		any_cpu(serving, dev, "has too many devices below it");
	else if (look_below(serving, root, dev, depth))
		return;
	else if (has_threads(root, dev))
		any_cpu(serving, dev, "is polled by threads, which may run anywhere");
	else if (!add_device(serving, root, dev))
		any_cpu(serving, dev, "has no interrupts of its own");
}

/**
 * serving_find() - which CPUs take a device's packets
 * @serving: the result; ends with serving_free()
 * @root: where /sys and /proc are, "" but in tests
 * @dev: the name of a network device
 *
 * Return: an exit status.
 */
int serving_find(struct serving *serving, const char *root, const char *dev)
{
	char path[PATH_MAX], *why;

	*serving = (struct serving){ 0 };
	snprintf(path, sizeof(path), "%s/sys/class/net/%s", root, dev);
	if (!dev[strspn(dev, ".")] || strchr(dev, '/') || access(path, F_OK))
		return failed("there is no network device '%s' here", dev);
	look(serving, root, dev, 0);
	why = serving->how;
	serving->how = why ? print_text("Any CPU may serve %s: %s", dev, why) :
			     print_text("These CPUs serve %s, as its interrupts%s are set now", dev,
					serving->steered ? " and RPS" : "");
	free(why);
	return EXIT_DONE;
}

void serving_free(struct serving *serving)
{
	cpuset_free(&serving->cpus);
	free(serving->how);
}
