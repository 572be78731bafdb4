// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clocks.h"
#include "base/lower_bound.h"
#include "base/say.h"
#include "model/counted.h"
#include "model/machine.h"

#define TEXT_MOST	(1024 * 1024)

#define SOFTNET_PATH	"/proc/net/softnet_stat"

static const char * const net_paths[NET_FILES] = {
	[NET_SNMP] = "/proc/net/snmp",
	[NET_NETSTAT] = "/proc/net/netstat",
	[NET_CONNTRACK] = "/proc/net/stat/nf_conntrack",
};

static void add_softnet(struct net_counted *counted, const struct counted_file *file)
{
	struct softnet_counts counts = { .read = file->read };

	if (!softnet_parse(&counts, file->text, file->online))
		return;
	counted->softnets = grow(counted->softnets, counted->nsoftnets, sizeof(counts));
	counted->softnets[counted->nsoftnets++] = counts;
}

/* moments have the same few namespaces, so the last ones are looked at first */
static void add_inode(struct net_counted *counted, __u64 inode)
{
	for (size_t i = counted->ninodes; i--; )
		if (counted->inodes[i] == inode)
			return;
	counted->inodes = grow(counted->inodes, counted->ninodes, sizeof(*counted->inodes));
	counted->inodes[counted->ninodes++] = inode;
}

/* a namespace's files come one behind the other; one that comes again is of a later moment */
static struct net_counts *counts_of(struct net_counted *counted, const struct counted_file *file,
				    unsigned int bit)
{
	struct net_counts *last = counted->nnets ? &counted->nets[counted->nnets - 1] : NULL;

	if (last && last->inode == file->inode && !(last->files & bit)) {
		if (file->read.from_ns < last->read.from_ns)
			last->read.from_ns = file->read.from_ns;
		if (file->read.to_ns > last->read.to_ns)
			last->read.to_ns = file->read.to_ns;
		return last;
	}
	if (last && file->read.from_ns < last->read.from_ns)
		counted->unordered = true;
	add_inode(counted, file->inode);
	counted->nets = grow(counted->nets, counted->nnets, sizeof(*counted->nets));
	last = &counted->nets[counted->nnets++];
	*last = (struct net_counts){ .read = file->read, .inode = file->inode };
	return last;
}

/**
 * counted_file() - add a file of counters
 * @counted: gets what it has; nothing of a file that is not known or not understood
 * @file: the file
 */
void counted_file(struct net_counted *counted, const struct counted_file *file)
{
	if (!strcmp(file->path, SOFTNET_PATH))
		add_softnet(counted, file);
	if (!strcmp(file->path, SYN_LINEAR_PATH) && strtoul(file->text, NULL, 10))
		counted->syn_linear = true;
	for (unsigned int i = 0; i < NET_FILES; i++) {
		struct net_counts *counts;

		if (strcmp(file->path, net_paths[i]))
			continue;
		counts = counts_of(counted, file, 1U << i);
		counts->files |= 1U << i;
		net_parse(counts, i, file->text);
	}
}

/* where a device is, or would be */
static size_t place_of(const struct net_counted *counted, const char *dev)
{
	return lower_bound(0, counted->ndevices, i, strcmp(counted->devices[i].dev, dev) < 0);
}

static struct served *add_device(struct net_counted *counted, size_t place, const char *dev,
				 enum serving_when when)
{
	struct served *device;

	counted->devices = grow(counted->devices, counted->ndevices, sizeof(*device));
	device = &counted->devices[place];
	memmove(device + 1, device, (counted->ndevices++ - place) * sizeof(*device));
	*device = (struct served){ .when = when };
	fill_text(device->dev, sizeof(device->dev), dev);
	return device;
}

/* that any CPU may have served it counts before all else, then RPS */
static void add_reason(struct served *device, const struct serving *serving)
{
	if (serving_any(device->why))
		return;
	if (serving->why > device->why)
		device->why = serving->why;
	if (serving_any(serving->why))
		fill_text(device->lower, sizeof(device->lower),
			  serving->lower ? serving->lower : device->dev);
}

/* NULL: it is not there, and may not be added */
static struct served *device_of(struct net_counted *counted, const char *dev,
				const struct serving *serving, enum serving_when when)
{
	size_t place = place_of(counted, dev);

	if (place < counted->ndevices && !strcmp(counted->devices[place].dev, dev)) {
		struct served *device = &counted->devices[place];

		if (!cpuset_same(&device->cpus, &serving->cpus))
			device->when = SERVING_CHANGED;
		return device;
	}
	if (!*dev || strlen(dev) >= COUNTED_NAME || counted->ndevices == COUNTED_DEVICES)
		return NULL;
	return add_device(counted, place, dev, when);
}

/**
 * counted_serving() - add which CPUs serve a device
 * @counted: gets it
 * @dev: the device's name
 * @serving: the CPUs, at some moment
 * @when: SERVING_NOW or SERVING_THEN
 *
 * Passed over where there are too many, or no device can have that name.
 */
void counted_serving(struct net_counted *counted, const char *dev, const struct serving *serving,
		     enum serving_when when)
{
	struct served *device = device_of(counted, dev, serving, when);

	if (!device)
		return;
	add_reason(device, serving);
	cpuset_add_set(&device->cpus, &serving->cpus);
	free(device->how);
	device->how = serving_how(dev, device->why, device->lower, device->when);
}

static void add_serving(void *context, const char *dev, const struct serving *serving)
{
	counted_serving(context, dev, serving, SERVING_NOW);
}

static void read_now(struct net_counted *counted, const char *root, const char *name,
		     const char *online)
{
	char path[PATH_MAX], *text;
	struct counted_file counts = { .path = name, .online = online };
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "%s%s", root, name);
	counts.read.from_ns = clock_monotonic_ns();
	file = fopen(path, "re");
	if (!file)
		return;
	text = alloc(1, TEXT_MOST);
	len = fread(text, 1, TEXT_MOST - 1, file);
	fclose(file);
	text[len] = '\0';
	counts.read.to_ns = clock_monotonic_ns();
	counts.text = text;
	counted_file(counted, &counts);
	free(text);
}

/**
 * counted_now() - add what this machine has counted by now, and its devices
 * @counted: gets it
 * @root: where /sys and /proc are, "" but in tests
 *
 * Called again it tells what was counted in between.
 */
void counted_now(struct net_counted *counted, const char *root)
{
	char *online = machine_online();

	read_now(counted, root, SOFTNET_PATH, online);
	for (unsigned int i = 0; i < NET_FILES; i++)
		read_now(counted, root, net_paths[i], online);
	read_now(counted, root, SYN_LINEAR_PATH, online);
	serving_each(root, COUNTED_DEVICES, add_serving, counted);
	free(online);
}

static void rebase(struct moments *read, __u64 by_ns)
{
	read->from_ns += by_ns;
	read->to_ns += by_ns;
}

/* from the kernel's clock to another one */
void counted_rebase(struct net_counted *counted, __u64 by_ns)
{
	for (size_t i = 0; i < counted->nsoftnets; i++)
		rebase(&counted->softnets[i].read, by_ns);
	for (size_t i = 0; i < counted->nnets; i++)
		rebase(&counted->nets[i].read, by_ns);
}

void counted_free(struct net_counted *counted)
{
	for (size_t i = 0; i < counted->nsoftnets; i++)
		free(counted->softnets[i].cpus);
	for (size_t i = 0; i < counted->ndevices; i++) {
		cpuset_free(&counted->devices[i].cpus);
		free(counted->devices[i].how);
	}
	free(counted->softnets);
	free(counted->nets);
	free(counted->inodes);
	free(counted->devices);
	*counted = (struct net_counted){ 0 };
}
