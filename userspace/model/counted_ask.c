// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters are read now and then, a minute apart where a recorder does by default. So what was
 * counted in a time is known as growth between two moments, one before it and one after it: an
 * upper bound for the time itself. Where there is no such pair, what was counted since boot is
 * one as well, if it was read after the time. If it was read before, it says what used to
 * happen, and no more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/lower_bound.h"
#include "base/say.h"
#include "model/counted.h"
#include "model/model.h"

#define CONNTRACK_MASK	0xffffffffULL

/* the moments around a time; what was read at them begins with struct moments */
struct frame {
	const struct moments *before;	/* the last one; NULL: none */
	const struct moments *after;	/* the first one */
	const struct moments *last;	/* of all */
};

static void look_at(struct frame *frame, const struct moments *read, __u64 from_ns, __u64 to_ns)
{
	if (read->to_ns <= from_ns && (!frame->before || read->to_ns >= frame->before->to_ns))
		frame->before = read;
	if (read->from_ns >= to_ns && (!frame->after || read->from_ns < frame->after->from_ns))
		frame->after = read;
	if (!frame->last || read->to_ns >= frame->last->to_ns)
		frame->last = read;
}

/* decides from where to where it is counted; without a pair @before is NULL */
static enum counted_how settle(struct frame *frame)
{
	if (frame->before && frame->after)
		return COUNTED_BETWEEN;
	frame->before = NULL;
	if (!frame->after)
		frame->after = frame->last;
	return frame->after ? COUNTED_SINCE_BOOT : COUNTED_UNKNOWN;
}

static enum counted_how frame_softnet(struct frame *frame, const struct model *model,
				      __u64 from_ns, __u64 to_ns)
{
	const struct net_counted *counted = &model->counted;

	*frame = (struct frame){ 0 };
	for (size_t i = 0; i < counted->nsoftnets; i++)
		look_at(frame, &counted->softnets[i].read, from_ns, to_ns);
	return settle(frame);
}

static int by_cpu(const void *a, const void *b)
{
	const struct softnet_cpu *left = a, *right = b;

	return (left->cpu > right->cpu) - (left->cpu < right->cpu);
}

/* NULL: it was offline, or there was no such moment */
static const struct softnet_cpu *cpu_at(const struct moments *read, __u32 cpu)
{
	const struct softnet_counts *counts = (const void *)read;
	const struct softnet_cpu key = { .cpu = cpu };

	if (!counts || !counts->ncpus)
		return NULL;
	return bsearch(&key, counts->cpus, counts->ncpus, sizeof(key), by_cpu);
}

/* one that came or went meanwhile may have taken packets while it was there */
static bool took_packets(const struct frame *frame, const struct softnet_cpu *one)
{
	const struct softnet_cpu *before = cpu_at(frame->before, one->cpu);
	const struct softnet_cpu *after = cpu_at(frame->after, one->cpu);

	if (before && after)
		return before->processed != after->processed;
	return one->processed;
}

static void add_cpus(struct cpuset *cpus, const struct frame *frame, const struct moments *read)
{
	const struct softnet_counts *counts = (const void *)read;

	for (size_t i = 0; counts && i < counts->ncpus; i++)
		if (took_packets(frame, &counts->cpus[i]))
			cpuset_add(cpus, counts->cpus[i].cpu);
}

/**
 * counted_cpus() - CPUs that took packets around a time
 * @model: of a node
 * @from_ns: when the time begins, by the kernel's clock
 * @to_ns: when it ends
 * @cpus: gets them; those that took none in the time itself may be among them
 *
 * Return: what the answer rests on. COUNTED_SINCE_BOOT: they took any until some moment, which
 * may be before the time.
 */
enum counted_how counted_cpus(const struct model *model, __u64 from_ns, __u64 to_ns,
			      struct cpuset *cpus)
{
	struct frame frame;
	enum counted_how how = frame_softnet(&frame, model, from_ns, to_ns);

	add_cpus(cpus, &frame, frame.before);
	add_cpus(cpus, &frame, frame.after);
	return how;
}

/* false: the CPU came or went meanwhile, and nobody knows what it counted */
static bool add_drops(const struct frame *frame, __u32 cpu, __u64 *dropped)
{
	const struct softnet_cpu *before = cpu_at(frame->before, cpu);
	const struct softnet_cpu *after = cpu_at(frame->after, cpu);

	if (after && (before || !frame->before))
		*dropped += (__u32)(after->dropped - (before ? before->dropped : 0));
	return !frame->before || !before == !after;
}

/**
 * counted_drops() - packets that CPUs dropped around a time, because their backlog was full
 * @model: of a node
 * @cpus: the CPUs
 * @from_ns: when the time begins, by the kernel's clock
 * @to_ns: when it ends
 * @dropped: gets the number: what was dropped in the time itself is no more
 *
 * Return: what the answer rests on.
 */
enum counted_how counted_drops(const struct model *model, const struct cpuset *cpus,
			       __u64 from_ns, __u64 to_ns, __u64 *dropped)
{
	struct frame frame;
	enum counted_how how = frame_softnet(&frame, model, from_ns, to_ns);

	*dropped = 0;
	for (size_t cpu = 0; how != COUNTED_UNKNOWN && cpu < cpus->nwords * 64; cpu++)
		if (cpuset_has(cpus, cpu) && !add_drops(&frame, cpu, dropped))
			how = COUNTED_UNKNOWN;
	return how;
}

static bool wraps(unsigned int counter)
{
	return counter == NET_INSERT_FAILED || counter == NET_DROP;
}

static struct net_value growth_of(const struct net_counts *before, const struct net_counts *after,
				  unsigned int counter)
{
	struct net_value from = { .known = true }, to = after->values[counter];

	if (before)
		from = before->values[counter];
	/* a counter never falls, but in a text that somebody made up */
	if (!from.known || !to.known || (to.value < from.value && !wraps(counter)))
		return (struct net_value){ 0 };
	to.value -= from.value;
	if (before && wraps(counter))
		to.value &= CONNTRACK_MASK;
	return to;
}

/* the index of the first that was read then or later */
static size_t nets_from(const struct net_counted *counted, __u64 at_ns)
{
	return lower_bound(0, counted->nnets, i, counted->nets[i].read.from_ns < at_ns);
}

/*
 * A day has thousands of moments, each with all namespaces. Three of them count: the last one,
 * and those that frame the time, which are looked for from its begin backwards and from its
 * end on.
 */
static void look_at_nets(struct frame *frame, const struct net_counted *counted, __u64 inode,
			 __u64 from_ns, __u64 to_ns)
{
	size_t first = counted->unordered ? counted->nnets : nets_from(counted, from_ns);
	size_t i;

	for (i = counted->nnets; i-- && counted->nets[i].inode != inode; )
		;
	if (i >= counted->nnets)
		return;
	look_at(frame, &counted->nets[i].read, from_ns, to_ns);
	for (i = first; i-- && !frame->before; )
		if (counted->nets[i].inode == inode)
			look_at(frame, &counted->nets[i].read, from_ns, to_ns);
	for (i = nets_from(counted, to_ns); i < counted->nnets; i++) {
		if (counted->nets[i].inode != inode)
			continue;
		look_at(frame, &counted->nets[i].read, from_ns, to_ns);
		return;
	}
}

/**
 * counted_net() - what a network namespace counted around a time
 * @model: of a node
 * @inode: the namespace; 0: that of whoever read the counters
 * @from_ns: when the time begins, by the kernel's clock
 * @to_ns: when it ends
 * @growth: gets each counter's growth, and between which moments
 *
 * Return: what the answer rests on. COUNTED_SINCE_BOOT says little of the time.
 */
enum counted_how counted_net(const struct model *model, __u64 inode, __u64 from_ns, __u64 to_ns,
			     struct net_growth *growth)
{
	const struct net_counted *counted = &model->counted;
	struct frame frame = { 0 };
	enum counted_how how;

	*growth = (struct net_growth){ 0 };
	look_at_nets(&frame, counted, inode, from_ns, to_ns);
	how = settle(&frame);
	if (how == COUNTED_UNKNOWN)
		return how;
	growth->between.from_ns = frame.before ? frame.before->from_ns : 0;
	growth->between.to_ns = frame.after->to_ns;
	for (unsigned int i = 0; i < NET_COUNTERS; i++)
		growth->values[i] = growth_of((const void *)frame.before,
					      (const void *)frame.after, i);
	return how;
}

/**
 * counted_steering() - CPUs that may hand all packets on to others (RPS)
 * @model: of a node
 * @cpus: gets them: they hold packets up, and softnet_stat counts none of theirs
 */
void counted_steering(const struct model *model, struct cpuset *cpus)
{
	const struct net_counted *counted = &model->counted;

	for (size_t i = 0; i < counted->ndevices; i++)
		if (counted->devices[i].why == SERVING_STEERED)
			cpuset_add_set(cpus, &counted->devices[i].cpus);
}

static int by_name(const void *dev, const void *served)
{
	return strcmp(dev, ((const struct served *)served)->dev);
}

/**
 * counted_device() - CPUs that served a network device, as somebody saw
 * @model: of a node
 * @dev: the device's name
 * @cpus: gets them; nothing is added where any CPU may have
 * @all: any CPU may have
 * @how: gets a sentence without its end, of the model, that says what tells
 *
 * Return: false where nothing is known of such a device.
 */
bool counted_device(const struct model *model, const char *dev, struct cpuset *cpus, bool *all,
		    const char **how)
{
	const struct net_counted *counted = &model->counted;
	const struct served *device = NULL;

	if (counted->ndevices)
		device = bsearch(dev, counted->devices, counted->ndevices, sizeof(*device),
				 by_name);
	if (!device || (!serving_any(device->why) && !cpuset_count(&device->cpus)))
		return false;
	*all = serving_any(device->why);
	if (!*all)
		cpuset_add_set(cpus, &device->cpus);
	*how = device->how;
	return true;
}
