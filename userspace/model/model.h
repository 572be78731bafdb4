/* SPDX-License-Identifier: GPL-2.0-only */
/* The records, settings and counters that were read, in memory. No input and no output. */
#ifndef _IRQOFF_MODEL_H
#define _IRQOFF_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/pool.h"
#include "core/histogram.h"
#include "core/record.h"
#include "model/brief.h"
#include "model/counted.h"
#include "model/entry.h"
#include "model/knob_words.h"
#include "model/machine.h"
#include "model/record_order.h"

/* the value of a knob; an older module does not tell all of them */
struct setting {
	bool known;
	__u32 value;
};

struct config {
	__u32 version;
	char module_version[32];
	char no_locks[160];	/* as the module has it; "": none */
	bool instance_known;	/* false: an older module, which does not send it */
	__u64 instance;		/* of this load of the module, at random */
	bool enabled;
	__u32 threshold_us;
	__u32 period_us;
	__u32 ring_records;
	__u32 ring_bytes;
	__u64 now_ns;
	__u64 enabled_ns;	/* 0: it never was, or an older module does not tell */
	bool stopped_known;
	__u64 stopped_ns;
	__u8 stopped_by;	/* enum trace_irqoff_stop, or what a newer module knows */
	__u64 realtime_ns;	/* wall clock at now_ns */
	char *cpus;
	char *watched;
	struct setting knobs[TIO_KNOBS];	/* from TIO_KNOB_NMI on */
	bool control_known;	/* false: an older module, which does not send what follows */
	__u64 generation;	/* of the settings */
	__u64 self_stops;
	bool attached;
	bool detaching;
	char *behind;		/* CPUs that have not taken up the settings */
	__u32 rings;		/* number of CPUs whose records have memory */
	bool freeing;		/* it is given back once no CPU uses it */
	char *online;		/* the online CPUs, in the form of @watched; NULL: not known */
};

struct cpu_counters {
	__u32 cpu;
	bool watched;
	__u64 watched_ns;	/* without a gap since then; 0: it is not, or that is not known */
	__u64 settled_ns;	/* by these two since then, or last; 0: that is not known */
	__u64 threshold_ns;
	__u64 period_ns;
	__u64 beats;
	__u64 produced;
	__u64 kept;
	__u64 lost;
	__u64 lost_before;	/* of these, before records were cleared last; 0: not known, too */
	__u64 cleared;
	__u64 samples;
	__u64 cost_ns;
	__u64 cost_beats;
	bool cost_known;
	__u32 cost_ppm;		/* of beats with their interrupts */
	bool nmi_known;
	__u64 nmi_refused;
	__u64 nmi_lost;
	bool tracer_known;
	__u64 tracer;		/* of kept: those that blame trace_irqoff itself */
};

/* records that newer ones took the place of, since records were cleared last */
static inline __u64 counters_overwritten(const struct cpu_counters *counters)
{
	return counters->lost - counters->lost_before;
}

/* what a wake-up says of a CPU */
struct news {
	__u32 cpu;
	__u64 produced;
	bool watched;
	bool open;		/* it has an open stall that is to be read */
};

/* the module's message that there is something new */
struct wake {
	__u64 instance;
	__u64 generation;
	struct news *news;	/* to be freed */
	size_t nnews;
};

/* which record a message has */
struct record_number {
	__u32 cpu;
	bool open;
	__u64 seq;		/* of an open stall 0 */
};

/* a record or an open stall that could not be read while its CPU was writing */
struct busy_record {
	__u32 cpu;
	bool open;
	__u64 seq;		/* of an open stall 0 */
};

/* how long stalls lasted */
struct histograms {
	struct tio_histogram hard;
	struct tio_histogram soft;
};

struct cpu_histograms {
	__u32 cpu;
	struct histograms loaded;	/* since the module was; of a recording since it began */
	__u64 cleared_ns;		/* when its records were dropped last; 0: not known to be */
	struct histograms recent;	/* since then */
};

/* settings and counters as a recorder began, where a capture has later ones as well */
struct moment {
	bool known;
	bool enabled;
	__u64 now_ns;
	__u64 enabled_ns;
	struct cpu_counters *counters;
	size_t ncounters;
};

/* what of a capture is there; a module's answers are there whole, which is all zeros */
struct received {
	bool cut;		/* it does not end where it should */
	bool damaged;		/* so it is, and nobody goes on writing it */
	bool no_counters;	/* or not those of all CPUs */
	bool no_histograms;
	__u64 missing;		/* of the records that were kept when its counters were read */
	size_t contradictory;	/* records that were left out, as they contradict themselves */
};

struct model {
	struct machine machine;
	bool saved;		/* read from a capture: what is now was then */
	struct received received;
	struct config config;
	struct moment begin;
	__u64 recorded_ns;	/* it has what came since then; 0: it is no recording */
	__u64 counted_ns;	/* when its counters were read, of one without an end; else 0 */
	struct entry **entries;
	size_t nentries;
	__u64 brief_ns;		/* what ended before is no entry, but a brief, and not judged */
	struct briefs briefs;
	__u32 nread;
	struct record_order ascent;	/* of the records of a capture */
	bool packs;		/* records are added packed */
	struct entry **dropped;	/* by a filter; links of victims may lead to and from them */
	size_t ndropped;
	struct busy_record *busy;
	size_t nbusy;
	struct pool *pool;	/* of all records' stacks and names */
	struct cpu_counters *counters;
	size_t ncounters;
	struct cpu_histograms *histograms;
	size_t nhistograms;
	struct net_counted counted;	/* of a capture; else who wants it calls counted_now() */
};

struct pool *model_pool(struct model *model);
struct entry *model_add_sized(struct model *model, size_t size);
struct entry *model_add_entry(struct model *model, unsigned int nsamples);
void model_add_whole(struct model *model, const struct entry *whole);
void model_add_packed(struct model *model, const struct entry *whole);
void model_add_brief(struct model *model, __u32 cpu, struct brief brief);
void model_add_busy(struct model *model, __u32 cpu, bool open, __u64 seq);
void model_drop(struct model *model, struct entry *entry);
struct cpu_counters *model_add_counters(struct model *model);
struct cpu_histograms *model_add_histograms(struct model *model);
void model_forget_entries(struct model *model);
void model_forget_counters(struct model *model);
void model_forget_histograms(struct model *model);
void model_begin(struct model *model);
void model_drop_open(struct model *model);
bool model_ascends(const struct model *model);
size_t model_drop_older(struct model *model);
void model_prune(struct model *model);
void model_rebase(struct model *model);
void model_sort(struct model *model);
size_t model_ended_from(const struct model *model, __u64 at_ns);
bool model_uncounted(const struct model *model);
bool model_recorded(const struct model *model);
bool model_lacks_records(const struct model *model);
struct cpu_counters model_counters_sum(const struct model *model);
void histograms_merge(struct histograms *sum, const struct histograms *add);
struct histograms model_loaded_sum(const struct model *model);
struct histograms model_recent_sum(const struct model *model);
__u64 model_cleared_ns(const struct model *model);
const struct histograms *histograms_recent(const struct cpu_histograms *cpu);
void model_free(struct model *model);

bool config_stopped(const struct config *config);
__u64 model_realtime_ns(const struct model *model, __u64 monotonic_ns);
__u64 model_kernel_ns(const struct model *model, __u64 realtime_ns);

#endif /* _IRQOFF_MODEL_H */
