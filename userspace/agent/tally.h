/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an agent counted since the machine booted. It outlives the agent and the loads of the
 * module: with the counters it has the number of each CPU's next record, so that each record
 * is counted once.
 */
#ifndef _IRQOFF_TALLY_H
#define _IRQOFF_TALLY_H

#include "causes/causes.h"
#include "model/longest.h"
#include "model/model.h"
#include "source/follow.h"

/*
 * Prometheus keeps a series for each, on each node; others are counted together. There is room
 * for those that come with irqoff, and for some of one's own.
 */
#define TALLY_CAUSES	64

/* a stall that users notice: what services are paged for is mostly above */
#define TALLY_LONG_NS	100000000ULL

struct tally_class {
	__u64 stalls;
	__u64 stalled_ns;	/* lower bounds, without nested stalls */
	/* the newest of them, if there is one */
	struct longest_stall newest;
	__u64 newest_realtime_ns;
	struct longest longest;
};

struct tally_cause {
	char *id;
	__u64 stalls;
};

/* a stall that went on when the module was asked last */
struct tally_open {
	__u32 cpu;
	enum tio_class class;
	__u64 start_ns;		/* at the latest */
};

/* the module, as it was seen last */
struct tally_module {
	bool loaded;
	bool enabled;
	char version[32];
	__u32 watched_cpus;
	__u64 watched_ns;	/* all of these, with these settings, since then; 0: not known */
	__u64 threshold_ns;
	__u64 period_ns;
	bool cost_known;
	__u32 cost_ppm;		/* of the CPU that heartbeats cost most */
};

struct tally {
	char boot_id[37];
	char version[32];	/* of the agent */
	bool running;		/* it has not ended in good order */
	__u64 updated_ns;	/* when this was written (monotonic clock) */
	__u64 interval_ns;	/* and it is written again within that time */
	__u32 online_cpus;
	struct tally_module module;

	struct tally_class classes[TIO_CLASSES];
	struct tally_cause causes[TALLY_CAUSES];
	size_t ncauses;
	__u64 longs;		/* stalls of TALLY_LONG_NS and more, of all classes */
	__u64 other;		/* stalls of no cause that is known, or has no room */
	__u64 lost;
	__u64 lost_ns;		/* when the last one was missed; 0: none was */
	__u64 cleared;
	__u64 uncounted;	/* records that are missing since before these counters began */
	struct tally_open *open;
	size_t nopen;

	/* the module's present load, or last one */
	struct resume next;	/* the record of each CPU that is counted next */
	struct resume begin;	/* what is missing below is uncounted */
	struct resume cleared_seen;	/* of each CPU's count of these, the part that is used up */
	struct histograms before;	/* of earlier loads */
	struct histograms now;
};

void tally_begin(struct tally *tally, const char *boot_id, const char *version);
void tally_name_causes(struct tally *tally, const struct causes *causes);
void tally_instance(struct tally *tally, const struct follow *follow);
bool tally_misses(const struct tally *tally, const struct entry *entry);
bool tally_take(struct tally *tally, const struct model *model, const struct entry *entry,
		const struct cause *cause);
void tally_look(struct tally *tally, const struct model *model, __u64 least_ns);
void tally_module(struct tally *tally, const struct model *model);
void tally_gone(struct tally *tally, const char *online);
bool tally_up(const struct tally *tally, __u64 now_ns);
void tally_free(struct tally *tally);

/* of the file; another number is of another version */
#define TALLY_FORMAT	1

/* tally_print.c */
char *tally_print(const struct tally *tally);

/* tally_file.c */
bool tally_parse(struct tally *tally, const char *text);
int tally_read(struct tally *tally, const char *path);
bool tally_write(const struct tally *tally, const char *path);

#endif /* _IRQOFF_TALLY_H */
