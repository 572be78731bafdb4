/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the network counted, and when; and which CPUs served its devices. A capture of one
 * moment tells what was counted since boot. A recording has counters of many moments, so it
 * tells what was counted between two of them.
 */
#ifndef _IRQOFF_COUNTED_H
#define _IRQOFF_COUNTED_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/cpuset.h"
#include "model/serving.h"

#define COUNTED_DEVICES	4096	/* that are kept at most */
#define COUNTED_NAME	16	/* room for a device's name: IFNAMSIZ */

struct model;

/* what a network namespace counts, of its files in /proc/net */
enum net_counter {
	NET_SYN_RETRANS,	/* netstat */
	NET_TIMEOUTS,
	NET_LISTEN_DROPS,
	NET_LISTEN_OVERFLOWS,
	NET_RETRANS,		/* snmp, of TCP */
	NET_CSUM_ERRORS,
	NET_INSERT_FAILED,	/* stat/nf_conntrack, of 32 bits; the sum of all CPUs */
	NET_DROP,
	NET_COUNTERS
};

enum net_file { NET_SNMP, NET_NETSTAT, NET_CONNTRACK, NET_FILES };

/* a kernel that does not count it, or a text that is not understood, does not make it 0 */
struct net_value {
	bool known;
	__u64 value;
};

/* what was read was counted between these, by the kernel's monotonic clock */
struct moments {
	__u64 from_ns, to_ns;
};

struct net_counts {
	struct moments read;
	__u64 inode;		/* of the network namespace; 0: of whoever read it */
	unsigned int files;	/* a bit each */
	struct net_value values[NET_COUNTERS];
};

/* the kernel's are of 32 bits and wrap */
struct softnet_cpu {
	__u32 cpu;
	__u32 processed;
	__u32 dropped;
	__u32 squeezed;		/* time_squeeze */
};

struct softnet_counts {
	struct moments read;
	struct softnet_cpu *cpus;	/* online ones, by number */
	size_t ncpus;
};

/* a device, whenever somebody looked */
struct served {
	char dev[COUNTED_NAME];
	struct cpuset cpus;	/* all that served it at one time or another */
	enum serving_why why;
	char lower[COUNTED_NAME];
	enum serving_when when;
	char *how;		/* as serving_how() says it */
};

#define SYN_LINEAR_PATH	"/proc/sys/net/ipv4/tcp_syn_linear_timeouts"

struct net_counted {
	bool syn_linear;	/* some namespace sends its first SYNs at equal distances */
	struct softnet_counts *softnets;
	size_t nsoftnets;
	struct net_counts *nets;	/* in the order in which they were read */
	size_t nnets;
	bool unordered;		/* but not by their times: somebody made them up */
	__u64 *inodes;		/* of these, each once */
	size_t ninodes;
	struct served *devices;	/* by name */
	size_t ndevices;
};

/* a file of counters as it was */
struct counted_file {
	const char *path;
	const char *text;
	struct moments read;
	__u64 inode;		/* of another network namespace, or 0 */
	const char *online;	/* list of the online CPUs; NULL: not known */
};

void counted_file(struct net_counted *counted, const struct counted_file *file);
void counted_serving(struct net_counted *counted, const char *dev, const struct serving *serving,
		     enum serving_when when);
void counted_now(struct net_counted *counted, const char *root);
void counted_rebase(struct net_counted *counted, __u64 by_ns);
void counted_free(struct net_counted *counted);

/* counted_text.c: what a text does not have stays as it is */
bool softnet_parse(struct softnet_counts *counts, const char *text, const char *online);
void net_parse(struct net_counts *counts, enum net_file file, const char *text);

/* what an answer rests on */
enum counted_how {
	COUNTED_UNKNOWN,	/* nobody has read it */
	COUNTED_SINCE_BOOT,	/* what was counted until some moment */
	COUNTED_BETWEEN,	/* growth between two moments, one before the time and one after */
};

/* growth of a network namespace's counters */
struct net_growth {
	struct net_value values[NET_COUNTERS];
	struct moments between;	/* from_ns is 0 where it is since boot */
};

/* counted_ask.c */
enum counted_how counted_cpus(const struct model *model, __u64 from_ns, __u64 to_ns,
			      struct cpuset *cpus);
enum counted_how counted_drops(const struct model *model, const struct cpuset *cpus,
			       __u64 from_ns, __u64 to_ns, __u64 *dropped);
enum counted_how counted_net(const struct model *model, __u64 inode, __u64 from_ns, __u64 to_ns,
			     struct net_growth *growth);
void counted_steering(const struct model *model, struct cpuset *cpus);
bool counted_device(const struct model *model, const char *dev, struct cpuset *cpus, bool *all,
		    const char **how);
const char *net_counter_word(enum net_counter counter);

#endif /* _IRQOFF_COUNTED_H */
