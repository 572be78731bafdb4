/* SPDX-License-Identifier: GPL-2.0-only */
/* Lets pass the records that the command line asks for. */
#ifndef _IRQOFF_FILTER_H
#define _IRQOFF_FILTER_H

#include "model/cpuset.h"
#include "model/model.h"

struct cpu_range {
	__u32 first;
	__u32 last;
};

/* a record's name, such as 1:24 or 1:open */
struct record_name {
	__u32 cpu;
	bool open;
	__u64 seq;
};

struct filter {
	__u64 now_ns;		/* what "10m" ago and "07:00" refer to */
	const char *since;	/* as they were typed; NULL: not given */
	const char *until;
	__u64 since_ns;
	__u64 until_ns;
	__u64 min_ns;
	__u64 newest;		/* 0: all */
	struct cpu_range *cpus;
	size_t ncpus;		/* 0: all */
	unsigned int classes;	/* a bit each; 0: all */
	struct record_name *names;
	size_t nnames;		/* 0: all */
	bool given;
	bool referred;		/* times refer to what filter_refer() was told */
	bool grouped;		/* records are summed up; packed ones suffice */
	bool narrow;		/* what does not pass counts, and is not looked at otherwise */
};

/* options without a letter lie above all characters, so that no letter is taken for one */
enum filter_option {
	FILTER_NEWEST = 'n',
	FILTER_SINCE = 0x100,
	FILTER_UNTIL,
	FILTER_CPU,
	FILTER_CLASS,
	FILTER_MIN,
	FILTER_OPTIONS_END,
};

static inline bool record_is_named(const struct record_name *name, __u32 cpu, bool open,
				   __u64 seq)
{
	return cpu == name->cpu && open == name->open && (open || seq == name->seq);
}

enum tio_class filter_class(const char *name);
const char *filter_class_word(unsigned int i);

void filter_init(struct filter *filter);
int filter_option(struct filter *filter, int option, const char *value);
bool filter_is_name(const char *word);
int filter_name(struct filter *filter, const char *word);
void filter_refer_to(struct filter *filter, __u64 now_ns);
int filter_refer(struct filter *filter, __u64 now_ns);
int filter_check(const struct filter *filter);
bool filter_may_pass(const struct filter *filter, const struct model *model,
		     const struct record_name *name, __u64 end_ns, __u64 min_ns);
void filter_apply(const struct filter *filter, struct model *model);
void filter_free(struct filter *filter);

/* filter_cpus.c */
void filter_name_cpus(struct filter *filter, const struct cpuset *cpus);
bool filter_wants_cpu(const struct filter *filter, __u32 cpu);
bool filter_watched(const struct filter *filter, const struct model *model);
const char *filter_absent(char *buf, size_t size, const struct filter *filter,
			  const struct model *model);
void filter_tell_absent(const struct filter *filter, const struct model *model);
void filter_tell_offline(const struct filter *filter, const struct model *model);

/* found.c */
int filter_found(const struct filter *filter, const struct model *model);

#endif /* _IRQOFF_FILTER_H */
