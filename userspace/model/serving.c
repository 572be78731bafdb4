// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device's interrupt raises NET_RX on the CPU that takes it. That CPU polls the device, and
 * with RPS it hands packets to other CPUs. A bond, a bridge or a VLAN has its packets from the
 * devices below it. A device without interrupts of its own, such as a veth, receives where
 * somebody else sent; and with threaded NAPI the poll runs wherever the scheduler puts it.
 */
#include <dirent.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "model/machine.h"
#include "model/serving.h"

/* devices below devices below... */
#define LOWEST		8

#define LOWER		"lower_"

/* the first reason is told */
static void any_cpu(struct serving *serving, const char *dev, enum serving_why why)
{
	if (serving_any(serving->why))
		return;
	serving->why = why;
	serving->lower = copy_text(dev);
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
			cpuset_add_list(&serving->cpus, list);
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

static DIR *open_device(const char *root, const char *dev)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/class/net/%s", root, dev);
	return opendir(path);
}

/* the next device below, in a device's directory; NULL: there are no more */
static const char *next_below(DIR *dir)
{
	struct dirent *file;

	while (dir && (file = readdir(dir)))
		if (!strncmp(file->d_name, LOWER, strlen(LOWER)))
			return file->d_name + strlen(LOWER);
	return NULL;
}

/* looks at the devices below; false: there are none */
static bool look_below(struct serving *serving, const char *root, const char *dev,
		       unsigned int depth)
{
	DIR *dir = open_device(root, dev);
	const char *below;
	bool any = false;

	while ((below = next_below(dir))) {
		look(serving, root, below, depth + 1);
		any = true;
	}
	if (dir)
		closedir(dir);
	return any;
}

static void look(struct serving *serving, const char *root, const char *dev, unsigned int depth)
{
	if (add_steered(serving, root, dev) && !serving_any(serving->why))
		serving->why = SERVING_STEERED;
	if (depth > LOWEST)
		any_cpu(serving, dev, SERVING_DEEP);
	else if (look_below(serving, root, dev, depth))
		return;
	else if (has_threads(root, dev))
		any_cpu(serving, dev, SERVING_THREADS);
	else if (!add_device(serving, root, dev))
		any_cpu(serving, dev, SERVING_NO_INTERRUPTS);
}

/* may the name be a file of /sys/class/net? */
static bool is_name(const char *dev)
{
	return dev[strspn(dev, ".")] && !strchr(dev, '/');
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
	char path[PATH_MAX];

	*serving = (struct serving){ 0 };
	snprintf(path, sizeof(path), "%s/sys/class/net/%s", root, dev);
	if (!is_name(dev) || access(path, F_OK))
		return failed("there is no network device '%s' here", dev);
	look(serving, root, dev, 0);
	serving->how = serving_how(dev, serving->why, serving->lower, SERVING_NOW);
	return EXIT_DONE;
}

static bool is_up(const char *root, const char *dev)
{
	char path[PATH_MAX], *flags;
	bool up;

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/flags", root, dev);
	flags = machine_line(path);
	up = flags && strtoul(flags, NULL, 16) & IFF_UP;
	free(flags);
	return up;
}

static char *read_index(const char *root, const char *dev, const char *file)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/class/net/%s/%s", root, dev, file);
	return machine_line(path);
}

/* a veth's link is its other end; that of a VLAN is a device below it */
static bool is_end(const char *root, const char *dev)
{
	char *own = read_index(root, dev, "ifindex"), *link = read_index(root, dev, "iflink");
	bool is = own && link && strcmp(own, link) && strcmp(link, "0");
	DIR *dir = is ? open_device(root, dev) : NULL;

	is = is && !next_below(dir);
	if (dir)
		closedir(dir);
	free(own);
	free(link);
	return is;
}

/**
 * serving_each() - go through the network devices that are up
 * @root: where /sys and /proc are, "" but in tests
 * @most: pass over the rest
 * @call: gets each, with the CPUs that serve it, but no sentence
 * @context: its first argument
 *
 * Devices of the network namespace whose /sys is mounted here, and of no other one. The ends
 * of veths are passed over: any CPU may serve them, and a node has thousands.
 */
void serving_each(const char *root, size_t most, serving_call *call, void *context)
{
	char path[PATH_MAX];
	struct dirent *file;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/sys/class/net", root);
	dir = opendir(path);
	while (dir && most && (file = readdir(dir))) {
		const char *dev = file->d_name;
		struct serving serving = { 0 };

		if (!is_name(dev) || !is_up(root, dev) || is_end(root, dev))
			continue;
		look(&serving, root, dev, 0);
		call(context, dev, &serving);
		serving_free(&serving);
		most--;
	}
	if (dir)
		closedir(dir);
}

/* of a device that any CPU may serve */
static char *any_how(const char *dev, enum serving_why why, const char *lower, bool now)
{
	static const char * const words[SERVING_WHYS][2] = {
		[SERVING_NO_INTERRUPTS] = { "had no interrupts of its own",
					    "has no interrupts of its own" },
		[SERVING_THREADS] = { "was polled by threads, which may run anywhere",
				      "is polled by threads, which may run anywhere" },
		[SERVING_DEEP] = { "had too many devices below it",
				   "has too many devices below it" },
	};

	return print_text("Any CPU may %s %s: %s %s", now ? "serve" : "have served", dev, lower,
			  words[why][now]);
}

/**
 * serving_how() - what tells which CPUs serve a device
 * @dev: its name
 * @why: what tells
 * @lower: which device's reason it is, where any CPU may
 * @when: how long ago that was looked at
 *
 * Return: a sentence without its end, to be freed.
 */
char *serving_how(const char *dev, enum serving_why why, const char *lower,
		  enum serving_when when)
{
	const char *steered = why == SERVING_STEERED ? " and RPS" : "";

	if (serving_any(why))
		return any_how(dev, why, lower, when == SERVING_NOW);
	if (when == SERVING_NOW)
		return print_text("These CPUs serve %s, as its interrupts%s are set now", dev,
				  steered);
	return print_text("These CPUs served %s%s, as its interrupts%s were set then", dev,
			  when == SERVING_CHANGED ? " at one time or another" : "", steered);
}

void serving_free(struct serving *serving)
{
	cpuset_free(&serving->cpus);
	free(serving->lower);
	free(serving->how);
}
