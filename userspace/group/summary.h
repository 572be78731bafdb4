/* SPDX-License-Identifier: GPL-2.0-only */
/* Records summed up in groups. */
#ifndef _IRQOFF_SUMMARY_H
#define _IRQOFF_SUMMARY_H

#include "group/lock_waiters.h"
#include "group/met_tasks.h"
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

void sighting_add(struct sighting *sighting, const struct entry *entry);
void sighting_free(struct sighting *sighting);

/* what records are grouped by; columns come in this order */
enum summary_key {
	SUMMARY_CULPRIT,
	SUMMARY_BUSY,
	SUMMARY_CLASS,
	SUMMARY_CPU,
	SUMMARY_COMM,
	SUMMARY_CGROUP,
	SUMMARY_POD,
	SUMMARY_CONTAINER,
	SUMMARY_KEYS
};

enum {
	SUMMARY_BY_DEFAULT = 1U << SUMMARY_CULPRIT | 1U << SUMMARY_CLASS
};

enum summary_sort {
	SUMMARY_TOTAL,		/* of groups of ends alone a tenth */
	SUMMARY_COUNT,
	SUMMARY_LONGEST,
	SUMMARY_COST,
	SUMMARY_SORTS
};

struct group {
	struct entry *best;	/* evidence; where @count is 0, of those that were waited for */
	unsigned int evidence;	/* enum tio_evidence of all of them */
	__u32 suspected;	/* number of stalls that have a suspect */
	__u64 count;
	__u64 early;		/* those of them that are older than the time that rates refer to */
	__u64 early_ns;		/* added up as @total_ns, which includes it */
	__u64 packets_waited;	/* number of stalls and victims in which packets waited */
	__u64 packets_dropped;	/* number of packets, in all of these */
	__u64 total_ns;		/* without nested stalls that have records */
	__u64 longest_ns;	/* the greatest lower bound, of a whole stall */
	/* stalls that waited for one of the group's; they are in no other group */
	__u64 victims;
	__u64 probable;		/* those of them that are not proved */
	__u64 victims_ns;	/* added up as @total_ns, which excludes it */
	__u64 victims_early;	/* as @early and @early_ns */
	__u64 victims_early_ns;
	struct cost cost;
	struct sighting seen;	/* its stalls; where @count is 0 those that were waited for */
	struct sighting victims_seen;
	struct occasions occasions;	/* of its stalls */
	struct behalves behalves;	/* whom its stalls' time was for */
	struct lock_waiters waiters;	/* of a lock: who waited for it */
	struct lock_waiters candidates;	/* likewise: who may have had it */
	struct met_tasks tasks;		/* the tasks that it blames */
	struct cpuset places;	/* of merged nodes: where it was seen (places.h) */
	unsigned int place;	/* of the best */
	struct group_key *key;
};

struct lh_table;

struct summary {
	unsigned int by;	/* bits of enum summary_key */
	struct group *groups;
	size_t ngroups;
	struct lh_table *index;	/* while it grows */
	bool victims;		/* some group has any */
	size_t left_out;	/* groups, by summary_top() */
};

enum summary_key summary_take_key(const char **list);
bool summary_parse_by(const char *list, unsigned int *by);
bool summary_parse_sort(const char *word, enum summary_sort *sort);
const char *summary_key_name(enum summary_key key);
const char *summary_key_word(unsigned int i);
const char *summary_sort_word(unsigned int i);
const char *summary_key_text(char *buf, size_t size, const struct entry *entry,
			     enum summary_key key);
bool summary_ends_alone(const struct group *group);
const char *summary_evidence_name(const struct group *group);
__u64 summary_mean_ns(const struct group *group);
void summary_regularity(const struct group *group, struct regularity *regularity);
void summary_begin(struct summary *summary, unsigned int by);
void summary_add(struct summary *summary, const struct model *model, unsigned int place);
void summary_end(struct summary *summary, enum summary_sort sort);
void summary_build(struct summary *summary, const struct model *model, unsigned int by,
		   enum summary_sort sort);
bool summary_packets(const struct summary *summary);
bool group_is_tracer(const struct group *group);
bool summary_blames(const struct summary *summary, const struct group *group);
void summary_top(struct summary *summary, size_t most);
void summary_free(struct summary *summary);

#endif /* _IRQOFF_SUMMARY_H */
