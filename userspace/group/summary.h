/* SPDX-License-Identifier: GPL-2.0-only */
/* Records summed up in groups. */
#ifndef _IRQOFF_SUMMARY_H
#define _IRQOFF_SUMMARY_H

#include "group/group.h"
#include "group/regularity.h"
#include "group/summary_keys.h"
#include "model/model.h"

struct lh_table;

struct summary {
	unsigned int by;	/* bits of enum summary_key */
	struct group *groups;
	size_t ngroups;
	struct lh_table *index;	/* while it grows */
	bool victims;		/* some group has any */
	size_t left_out;	/* groups, by summary_top() */
};

bool summary_ends_alone(const struct group *group);
bool summary_differs(const struct group *group);
const char *summary_busy(const struct group *group);
const char *summary_evidence_name(const struct group *group);
__u64 summary_mean_ns(const struct group *group);
void summary_regularity(const struct group *group, struct regularity *regularity);
char *summary_apart(const struct group *group);
void summary_begin(struct summary *summary, unsigned int by);
void summary_add(struct summary *summary, const struct model *model, unsigned int place);
const struct group *summary_group(const struct summary *summary, const struct entry *entry);
void summary_end(struct summary *summary, enum summary_sort sort);
void summary_build(struct summary *summary, const struct model *model, unsigned int by,
		   enum summary_sort sort);
bool summary_packets(const struct summary *summary);
bool summary_blames(const struct summary *summary, const struct group *group);
void summary_top(struct summary *summary, size_t most);
void summary_free(struct summary *summary);

#endif /* _IRQOFF_SUMMARY_H */
