/* SPDX-License-Identifier: GPL-2.0-only */
/* Records that have something in common, summed up. */
#ifndef _IRQOFF_GROUP_H
#define _IRQOFF_GROUP_H

#include "group/met_tasks.h"
#include "group/name_counts.h"
#include "group/regularity.h"
#include "judge/on_behalf.h"
#include "model/charge.h"
#include "model/cpuset.h"
#include "model/model.h"

struct sighting {
	__u64 count;
	__u64 first_ns;		/* the latest moment at which the first one can have begun */
	__u64 last_ns;		/* the last one's end; both by the kernel's monotonic clock */
	__u64 longest_ns;	/* the greatest lower bound */
	struct cpuset cpus;
};

/* stalls that waited for one of a group's; they are in no other group */
struct victims {
	struct sighting seen;	/* all of them */
	__u64 probable;		/* number of those that are not proved */
	__u64 ns;		/* added up as total_ns of the group, which excludes it */
	__u64 early;		/* as early and early_ns of the group */
	__u64 early_ns;
};

struct group {
	struct entry *best;	/* evidence; where @count is 0, of those that were waited for */
	unsigned int evidence;	/* enum tio_evidence of all of them */
	__u32 suspected;	/* number of stalls that have a suspect */
	__u64 count;
	__u64 sampled;		/* those of them whose evidence is a sample */
	__u64 folded;		/* those of them that would be a row of ends alone (ends_fold.h) */
	__u64 early;		/* those of them that are older than the time that rates refer to */
	__u64 early_ns;		/* added up as @total_ns, which includes it */
	__u64 packets_waited;	/* number of stalls and victims in which packets waited */
	__u64 packets_dropped;	/* number of packets, in all of these */
	__u64 total_ns;		/* without nested stalls that have records */
	__u64 longest_ns;	/* the greatest lower bound, of a whole stall */
	struct victims *victims;	/* NULL: none; read by group_victims() */
	struct cost cost;
	struct sighting seen;	/* its stalls; where @count is 0 those that were waited for */
	struct occasions occasions;	/* of its stalls */
	struct behalves behalves;	/* whom its stalls' time was for */
	__u64 rank_ns;		/* where it stands among others, by time */
	struct name_counts *busy;	/* of its stalls: what they were busy in */
	struct name_counts *waiters;	/* of a lock: who waited for it */
	struct name_counts *candidates;	/* likewise: who may have had it */
	struct name_counts *suspects;	/* of those that have one */
	struct met_tasks *tasks;	/* the tasks that it blames; NULL: none */
	struct tio_irq irq;	/* whose handlers took the time; without a name: nobody's */
	bool irqs;		/* handlers of other interrupts did, too, or very many */
	__u8 rwlocks;		/* found.rwlock of its stalls, a bit each */
	struct cpuset places;	/* of merged nodes: where it was seen (places.h) */
	unsigned int place;	/* of the best */
	struct group_key *key;
};

void sighting_add(struct sighting *sighting, const struct entry *entry);
void sighting_free(struct sighting *sighting);
bool group_is_tracer(const struct group *group);
const struct victims *group_victims(const struct group *group);
struct victims *group_add_victims(struct group *group);
void group_merge(struct group *group, const struct group *more);
void group_forget(struct group *group);

#endif /* _IRQOFF_GROUP_H */
