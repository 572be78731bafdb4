/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints of stalls, for perf, trace-cmd and bpftrace. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM trace_irqoff

#if !defined(_TIO_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TIO_TRACE_H

#include <linux/tracepoint.h>

#include "core/classify.h"

/* frames in an event, innermost first */
#define TIO_TRACE_FRAMES	16

/* user space formats these by their numbers */
TRACE_DEFINE_ENUM(TRACE_IRQOFF_KIND_HARD);
TRACE_DEFINE_ENUM(TRACE_IRQOFF_KIND_SOFT);
TRACE_DEFINE_ENUM(TIO_CLASS_UNKNOWN);
TRACE_DEFINE_ENUM(TIO_CLASS_HARDIRQ_OFF);
TRACE_DEFINE_ENUM(TIO_CLASS_SOFTIRQ_OFF);
TRACE_DEFINE_ENUM(TIO_CLASS_SOFTIRQ_LONG);
TRACE_DEFINE_ENUM(TIO_CLASS_KSOFTIRQD_WAIT);
TRACE_DEFINE_ENUM(TIO_CLASS_HARDIRQ_LONG);
TRACE_DEFINE_ENUM(TIO_CLASS_STOLEN);

#define TIO_SHOW_KIND(kind)				\
	__print_symbolic(kind,				\
		{ TRACE_IRQOFF_KIND_HARD, "hard" },	\
		{ TRACE_IRQOFF_KIND_SOFT, "soft" })

#define TIO_SHOW_CLASS(class)					\
	__print_symbolic(class,					\
		{ TIO_CLASS_UNKNOWN, "unknown" },		\
		{ TIO_CLASS_HARDIRQ_OFF, "hardirq-off" },	\
		{ TIO_CLASS_SOFTIRQ_OFF, "softirq-off" },	\
		{ TIO_CLASS_SOFTIRQ_LONG, "softirq-long" },	\
		{ TIO_CLASS_KSOFTIRQD_WAIT, "ksoftirqd-wait" },	\
		{ TIO_CLASS_HARDIRQ_LONG, "hardirq-long" },	\
		{ TIO_CLASS_STOLEN, "stolen" })

/*
 * A stall has ended and is in the ring. The CPU that had it fires this, with interrupts off.
 *
 * @min_ns, @max_ns: bounds of its length
 * @end_ns: CLOCK_MONOTONIC; trace-cmd and perf record have other clocks by default
 * @seq: its number on this CPU, as /proc/trace_irqoff and irqoff show it
 * @class: by what is known now, or suspected; how much a hypervisor took is known a tick
 *	later, and may still turn the record's class into "stolen", or leave it "unknown"
 * @frames: of the sample that decides, which has more than these where nframes is
 *	TIO_TRACE_FRAMES; zeroes behind the last one
 */
TRACE_EVENT(stall,
	TP_PROTO(const struct tio_record *rec, enum tio_class class,
		 const struct tio_sample *sample),
	TP_ARGS(rec, class, sample),
	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, min_ns)
		__field(u64, max_ns)
		__field(u64, end_ns)
		__field(u32, cpu)
		__field(u32, kind)
		__field(u32, class)
		__field(u32, nframes)
		__array(u64, frames, TIO_TRACE_FRAMES)
	),
	TP_fast_assign(
		u32 n = sample ? min_t(u32, sample->nframes, TIO_TRACE_FRAMES) : 0;

		__entry->cpu = rec->cpu;
		__entry->seq = rec->seq;
		__entry->kind = rec->kind;
		__entry->class = class;
		__entry->min_ns = rec->min_ns;
		__entry->max_ns = rec->max_ns;
		__entry->end_ns = rec->end_ns;
		__entry->nframes = n;
		memset(__entry->frames, 0, sizeof(__entry->frames));
		if (n)
			memcpy(__entry->frames, sample->frames, n * sizeof(u64));
	),
	TP_printk("cpu=%u seq=%llu kind=%s class=%s min_ns=%llu max_ns=%llu end_ns=%llu nframes=%u %pS <- %pS <- %pS <- %pS",
		  __entry->cpu, __entry->seq, TIO_SHOW_KIND(__entry->kind),
		  TIO_SHOW_CLASS(__entry->class), __entry->min_ns, __entry->max_ns,
		  __entry->end_ns, __entry->nframes,
		  (void *)(unsigned long)__entry->frames[0],
		  (void *)(unsigned long)__entry->frames[1],
		  (void *)(unsigned long)__entry->frames[2],
		  (void *)(unsigned long)__entry->frames[3])
);

/*
 * A stall goes on and is sampled. It has lasted the threshold, or a soft one will within a
 * period: one that ends before leaves no record. Of a hard stall the CPU fires this that asks
 * for the sample, with interrupts off; it is never fired in an NMI, where the kernel ignores
 * snapshot triggers.
 *
 * @cpu: the CPU that stalls
 * @begun_ns: CLOCK_MONOTONIC, about when the stall began; its bounds tell the moment
 */
TRACE_EVENT(stall_open,
	TP_PROTO(unsigned int cpu, enum trace_irqoff_kind kind, u64 begun_ns),
	TP_ARGS(cpu, kind, begun_ns),
	TP_STRUCT__entry(
		__field(u64, begun_ns)
		__field(u32, cpu)
		__field(u32, kind)
	),
	TP_fast_assign(
		__entry->cpu = cpu;
		__entry->kind = kind;
		__entry->begun_ns = begun_ns;
	),
	TP_printk("cpu=%u kind=%s begun_ns=%llu", __entry->cpu,
		  TIO_SHOW_KIND(__entry->kind), __entry->begun_ns)
);

#endif /* _TIO_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH record
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
