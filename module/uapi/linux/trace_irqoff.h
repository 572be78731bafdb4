/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * trace_irqoff - generic netlink interface, version 4
 *
 * Family "trace_irqoff", in the initial network namespace only. Additions
 * only: a number once given is never given to something else, a reader
 * ignores attributes that it does not know, and an attribute that is absent
 * means zero or "not known". TRACE_IRQOFF_A_VERSION grows with each addition.
 *
 * Every operation needs CAP_NET_ADMIN in the initial user namespace,
 * TRACE_IRQOFF_CMD_RECORD_GET also CAP_SYSLOG there (kernel addresses).
 *
 * Times are nanoseconds of CLOCK_MONOTONIC unless a name says otherwise; all
 * integers are in host byte order and of the width given here, whatever the
 * width of the reader. u64 attributes may be preceded by padding
 * (TRACE_IRQOFF_A_PAD).
 */
#ifndef _UAPI_LINUX_TRACE_IRQOFF_H
#define _UAPI_LINUX_TRACE_IRQOFF_H

#define TRACE_IRQOFF_GENL_NAME		"trace_irqoff"
#define TRACE_IRQOFF_GENL_VERSION	1

/**
 * enum trace_irqoff_cmd - operations
 * @TRACE_IRQOFF_CMD_CONFIG_GET: do; no attributes. One message: VERSION,
 *	MODULE_VERSION, ENABLE, THRESHOLD_US, PERIOD_US, CPUS, RING_RECORDS,
 *	RING_BYTES, WATCHED, NOW_NS, INSTANCE and, while enabled, ENABLED_NS.
 * @TRACE_IRQOFF_CMD_CONFIG_SET: do; any of ENABLE, THRESHOLD_US, PERIOD_US,
 *	CPUS. One transaction: all of it is carried out or none. -EINVAL with
 *	an extack sentence for a value outside its limits, a threshold below
 *	two periods, an impossible CPU; -EOPNOTSUPP where high-resolution
 *	timers are off; -EINVAL for RING_RECORDS (load time only); -ENODEV
 *	while the module is loading or leaving; -ENOMEM.
 * @TRACE_IRQOFF_CMD_RECORD_GET: dump; any number of CURSOR (records of other
 *	CPUs come from the oldest kept on), and the flag NAMES. One message
 *	a record, by CPU and ascending sequence number, bounded by what had
 *	been produced when the dump began; then the stalls still open.
 *	A gap in SEQ means records that were overwritten or cleared.
 * @TRACE_IRQOFF_CMD_HISTOGRAM_GET: dump; one message a CPU that was ever
 *	watched: CPU, HARD, SOFT.
 * @TRACE_IRQOFF_CMD_COUNTER_GET: dump; one message a CPU that was ever
 *	watched: CPU, WATCHED_CPU, BEATS, PRODUCED, KEPT, LOST, CLEARED,
 *	SAMPLES, COST_NS, COST_BEATS. PRODUCED = KEPT + LOST + CLEARED.
 * @TRACE_IRQOFF_CMD_CLEAR: do; no attributes. Drops the records kept so far;
 *	histograms, counters and sequence numbers go on.
 */
enum trace_irqoff_cmd {
	TRACE_IRQOFF_CMD_UNSPEC,
	TRACE_IRQOFF_CMD_CONFIG_GET,
	TRACE_IRQOFF_CMD_CONFIG_SET,
	TRACE_IRQOFF_CMD_RECORD_GET,
	TRACE_IRQOFF_CMD_HISTOGRAM_GET,
	TRACE_IRQOFF_CMD_COUNTER_GET,
	TRACE_IRQOFF_CMD_CLEAR,
	__TRACE_IRQOFF_CMD_MAX,
};

#define TRACE_IRQOFF_CMD_MAX	(__TRACE_IRQOFF_CMD_MAX - 1)

/**
 * enum trace_irqoff_attr - attributes, one space for all operations
 *
 * Configuration:
 * @TRACE_IRQOFF_A_VERSION: u32, version of this interface
 * @TRACE_IRQOFF_A_MODULE_VERSION: string
 * @TRACE_IRQOFF_A_ENABLE: u8, 0 or 1
 * @TRACE_IRQOFF_A_THRESHOLD_US: u32, microseconds, 100 to 60000000
 * @TRACE_IRQOFF_A_PERIOD_US: u32, microseconds, 50 to 1000000
 * @TRACE_IRQOFF_A_CPUS: string, "default", "all" or a CPU list ("0-3,8")
 * @TRACE_IRQOFF_A_RING_RECORDS: u32, records kept a CPU, 2 to 4096
 * @TRACE_IRQOFF_A_RING_BYTES: u32, memory of one CPU's ring
 * @TRACE_IRQOFF_A_WATCHED: string, list of the CPUs watched at this moment
 * @TRACE_IRQOFF_A_NOW_NS: u64, the module's clock when it answered
 * @TRACE_IRQOFF_A_ENABLED_NS: u64, when it was last enabled
 * @TRACE_IRQOFF_A_INSTANCE: u64, random, drawn when the module was loaded. Sequence
 *	numbers, histograms and counters of two instances have nothing in common.
 *
 * Requests for records:
 * @TRACE_IRQOFF_A_CURSOR: nest of CPU and SEQ: from this record on
 * @TRACE_IRQOFF_A_NAMES: flag; adds NAME to every record
 *
 * Records and what they share with the rest:
 * @TRACE_IRQOFF_A_CPU: u32
 * @TRACE_IRQOFF_A_SEQ: u64, per CPU, from 0, gapless, never reset; absent
 *	from a stall that is still open
 * @TRACE_IRQOFF_A_KIND: u8, enum trace_irqoff_kind
 * @TRACE_IRQOFF_A_OPEN: flag; the stall has not ended
 * @TRACE_IRQOFF_A_MIN_NS: u64, the stall lasted at least this long
 * @TRACE_IRQOFF_A_MAX_NS: u64, and at most this long
 * @TRACE_IRQOFF_A_END_NS: u64, when it ended (open: when it was looked at)
 * @TRACE_IRQOFF_A_NESTED_NS: u64, softirq stalls: the part of MIN_NS that
 *	hard stalls with records of their own account for
 * @TRACE_IRQOFF_A_WIDE: flag; the bounds are further apart than one period
 *	and 200 us
 * @TRACE_IRQOFF_A_THRESHOLD_NS: u64, in force when the record was made
 * @TRACE_IRQOFF_A_PERIOD_NS: u64, likewise
 * @TRACE_IRQOFF_A_END_BY: u8, enum trace_irqoff_end
 * @TRACE_IRQOFF_A_HANDLER_NS: u64, hard stalls: how long this CPU was in
 *	interrupt handlers since the beat before, as tracepoints tell; absent
 *	where they do not
 * @TRACE_IRQOFF_A_HANDLERS: u32, and how many handlers that were
 * @TRACE_IRQOFF_A_UNSEEN_IRQS: u32, hard stalls: interrupts in it, or up to 64
 *	beats before, that no tracepoint showed
 * @TRACE_IRQOFF_A_NET_PROCESSED: u32, received packets that this CPU handled, as
 *	in /proc/net/softnet_stat, from half a threshold before the stall at
 *	most up to its end; not of open stalls, as the next two. Inside of a
 *	soft stall a hard one has what came since that began, or since the hard
 *	one before, and the soft one the rest
 * @TRACE_IRQOFF_A_NET_DROPPED: u32, packets dropped meanwhile because its
 *	backlog was full (not those that a network card drops)
 * @TRACE_IRQOFF_A_NET_SQUEEZED: u32, times meanwhile that the NET_RX softirq
 *	stopped with more to do
 * @TRACE_IRQOFF_A_NET_WAITED: flag; a beat in the stall found received packets
 *	waiting (NET_RX pending). Without it there may have been some: a CPU that
 *	takes no interrupts is not told
 * @TRACE_IRQOFF_A_SAMPLE: nest, once for each sample, oldest first: taken
 *	while the stall was going on, of a softirq stall by the CPU itself, of
 *	a hard one in an NMI that another CPU asked for
 * @TRACE_IRQOFF_A_END: nest like SAMPLE: what its end found
 * @TRACE_IRQOFF_A_NAME: nest of ADDR and SYMBOL, once for each address in
 *	the record, as far as they fit. Without NAMES only for code that is gone
 *
 * Within SAMPLE and END:
 * @TRACE_IRQOFF_A_AT_NS: u64, when it was taken
 * @TRACE_IRQOFF_A_PREEMPT_COUNT: u32, of the interrupted context
 * @TRACE_IRQOFF_A_PENDING: u32, mask of pending softirqs
 * @TRACE_IRQOFF_A_FLAGS: u32, TRACE_IRQOFF_F_*
 * @TRACE_IRQOFF_A_PID: u32, of the interrupted task (often innocent), in the
 *	initial PID namespace
 * @TRACE_IRQOFF_A_TGID: u32
 * @TRACE_IRQOFF_A_COMM: string
 * @TRACE_IRQOFF_A_CGROUP_ID: u64, as in name_to_handle_at(2); of the memory
 *	controller's hierarchy where the unified one does not own it
 *	(TRACE_IRQOFF_F_CGROUP_V1)
 * @TRACE_IRQOFF_A_FRAMES: u64[], at most 64 code addresses, innermost first
 * @TRACE_IRQOFF_A_STALE: u64, bit i: frame i lies in a module that was loaded
 *	after the stack was taken; its name would be a wrong one
 * @TRACE_IRQOFF_A_SOFTIRQ: u32, number of the softirq whose action ran, as in
 *	PENDING; absent where none did (TRACE_IRQOFF_F_SOFTIRQ_LOOP)
 * @TRACE_IRQOFF_A_DELAY_NS: u64, samples asked for by another CPU: from asking
 *	to taking; beyond 100 us the CPU was not running
 * @TRACE_IRQOFF_A_HANDLER_NS: u64, such samples: how long the interrupt handler
 *	that was interrupted had been running; END of hard stalls: how long the
 *	longest handler in it ran, where that was half a period at least and
 *	more than half of the record's HANDLER_NS. Absent where there was
 *	none, or no tracepoint told of it
 * @TRACE_IRQOFF_A_IRQ: u32, number of the interrupt it handled, of a device's;
 *	END without HANDLER_NS: of the one that more than half of the record's
 *	HANDLER_NS was spent on, where that was half a period at least
 * @TRACE_IRQOFF_A_IRQ_NAME: string, its name in /proc/interrupts, or that of
 *	the CPU's own interrupt ("local_timer")
 * @TRACE_IRQOFF_A_ADDR: u64
 * @TRACE_IRQOFF_A_SYMBOL: string, "symbol+0xoffset/0xsize [module]"; "[unloaded MODULE]"
 *	for code of a module that is gone, "[unloaded]" where that is not known
 *
 * Histograms:
 * @TRACE_IRQOFF_A_HARD: nest of BUCKETS, COUNT, SUM_NS, LONGEST_NS
 * @TRACE_IRQOFF_A_SOFT: likewise
 * @TRACE_IRQOFF_A_BUCKETS: u64[], bucket i counts stalls whose lower bound
 *	lies in [2^i, 2^(i+1)) us; the last one has no upper end
 * @TRACE_IRQOFF_A_COUNT: u64, @TRACE_IRQOFF_A_SUM_NS: u64,
 * @TRACE_IRQOFF_A_LONGEST_NS: u64: of those lower bounds
 *
 * Counters (u64, per CPU, growing only):
 * @TRACE_IRQOFF_A_WATCHED_CPU: flag; this CPU is watched now
 * @TRACE_IRQOFF_A_BEATS: heartbeats run
 * @TRACE_IRQOFF_A_PRODUCED: records made
 * @TRACE_IRQOFF_A_KEPT: records in the ring (the only one that shrinks)
 * @TRACE_IRQOFF_A_LOST: records overwritten by newer ones
 * @TRACE_IRQOFF_A_CLEARED: records dropped by CLEAR
 * @TRACE_IRQOFF_A_SAMPLES: stacks taken while a stall was going on
 * @TRACE_IRQOFF_A_COST_NS: time spent in COST_BEATS of the heartbeats
 * @TRACE_IRQOFF_A_COST_BEATS: heartbeats that were timed
 */
enum trace_irqoff_attr {
	TRACE_IRQOFF_A_UNSPEC,
	TRACE_IRQOFF_A_PAD,
	TRACE_IRQOFF_A_VERSION,
	TRACE_IRQOFF_A_MODULE_VERSION,
	TRACE_IRQOFF_A_ENABLE,
	TRACE_IRQOFF_A_THRESHOLD_US,
	TRACE_IRQOFF_A_PERIOD_US,
	TRACE_IRQOFF_A_CPUS,
	TRACE_IRQOFF_A_RING_RECORDS,
	TRACE_IRQOFF_A_RING_BYTES,
	TRACE_IRQOFF_A_WATCHED,
	TRACE_IRQOFF_A_NOW_NS,
	TRACE_IRQOFF_A_ENABLED_NS,
	TRACE_IRQOFF_A_CURSOR,
	TRACE_IRQOFF_A_NAMES,
	TRACE_IRQOFF_A_CPU,
	TRACE_IRQOFF_A_SEQ,
	TRACE_IRQOFF_A_KIND,
	TRACE_IRQOFF_A_OPEN,
	TRACE_IRQOFF_A_MIN_NS,
	TRACE_IRQOFF_A_MAX_NS,
	TRACE_IRQOFF_A_END_NS,
	TRACE_IRQOFF_A_NESTED_NS,
	TRACE_IRQOFF_A_WIDE,
	TRACE_IRQOFF_A_THRESHOLD_NS,
	TRACE_IRQOFF_A_PERIOD_NS,
	TRACE_IRQOFF_A_END_BY,
	TRACE_IRQOFF_A_HANDLER_NS,
	TRACE_IRQOFF_A_UNSEEN_IRQS,
	TRACE_IRQOFF_A_SAMPLE,
	TRACE_IRQOFF_A_END,
	TRACE_IRQOFF_A_NAME,
	TRACE_IRQOFF_A_AT_NS,
	TRACE_IRQOFF_A_PREEMPT_COUNT,
	TRACE_IRQOFF_A_PENDING,
	TRACE_IRQOFF_A_FLAGS,
	TRACE_IRQOFF_A_PID,
	TRACE_IRQOFF_A_TGID,
	TRACE_IRQOFF_A_COMM,
	TRACE_IRQOFF_A_CGROUP_ID,
	TRACE_IRQOFF_A_FRAMES,
	TRACE_IRQOFF_A_STALE,
	TRACE_IRQOFF_A_ADDR,
	TRACE_IRQOFF_A_SYMBOL,
	TRACE_IRQOFF_A_HARD,
	TRACE_IRQOFF_A_SOFT,
	TRACE_IRQOFF_A_BUCKETS,
	TRACE_IRQOFF_A_COUNT,
	TRACE_IRQOFF_A_SUM_NS,
	TRACE_IRQOFF_A_LONGEST_NS,
	TRACE_IRQOFF_A_WATCHED_CPU,
	TRACE_IRQOFF_A_BEATS,
	TRACE_IRQOFF_A_PRODUCED,
	TRACE_IRQOFF_A_KEPT,
	TRACE_IRQOFF_A_LOST,
	TRACE_IRQOFF_A_CLEARED,
	TRACE_IRQOFF_A_SAMPLES,
	TRACE_IRQOFF_A_COST_NS,
	TRACE_IRQOFF_A_COST_BEATS,
	TRACE_IRQOFF_A_DELAY_NS,
	TRACE_IRQOFF_A_IRQ,
	TRACE_IRQOFF_A_IRQ_NAME,
	TRACE_IRQOFF_A_HANDLERS,
	TRACE_IRQOFF_A_NET_PROCESSED,
	TRACE_IRQOFF_A_NET_DROPPED,
	TRACE_IRQOFF_A_NET_SQUEEZED,
	TRACE_IRQOFF_A_SOFTIRQ,
	TRACE_IRQOFF_A_NET_WAITED,
	TRACE_IRQOFF_A_INSTANCE,
	__TRACE_IRQOFF_A_MAX,
};

#define TRACE_IRQOFF_A_MAX	(__TRACE_IRQOFF_A_MAX - 1)

/** enum trace_irqoff_kind - what the CPU could not do */
enum trace_irqoff_kind {
	TRACE_IRQOFF_KIND_HARD,		/* take hard interrupts */
	TRACE_IRQOFF_KIND_SOFT,		/* run softirqs */
};

/** enum trace_irqoff_end - what showed that a stall was over */
enum trace_irqoff_end {
	TRACE_IRQOFF_END_BEAT,		/* the heartbeat */
	TRACE_IRQOFF_END_SOFTIRQ_ENTRY,	/* a softirq began to run */
	TRACE_IRQOFF_END_SOFTIRQ_EXIT,	/* a softirq ended, none pending */
	TRACE_IRQOFF_END_STOP,		/* watching stopped */
};

/* TRACE_IRQOFF_A_FLAGS: the state that was interrupted */
#define TRACE_IRQOFF_F_IRQS_ON		(1U << 0) /* IF was set */
#define TRACE_IRQOFF_F_USER		(1U << 1) /* in user mode */
#define TRACE_IRQOFF_F_IDLE		(1U << 2) /* the idle task */
#define TRACE_IRQOFF_F_HARDIRQ		(1U << 3) /* in a hard interrupt */
#define TRACE_IRQOFF_F_SERVING_SOFTIRQ	(1U << 4) /* in a softirq */
#define TRACE_IRQOFF_F_BH_OFF		(1U << 5) /* bottom halves disabled */
/* right behind an instruction that turns interrupts on; x86 and arm64 */
#define TRACE_IRQOFF_F_AT_IRQ_ENABLE	(1U << 6)
#define TRACE_IRQOFF_F_TRUNCATED	(1U << 7) /* the stack went deeper */
#define TRACE_IRQOFF_F_CGROUP_V1	(1U << 8) /* see CGROUP_ID */
/* serving softirqs, but between two of their actions */
#define TRACE_IRQOFF_F_SOFTIRQ_LOOP	(1U << 9)
#define TRACE_IRQOFF_F_ASKED		(1U << 10) /* by another CPU, in an NMI */
/*
 * the CPU that asked had been late itself: all may have been stopped; in END, it
 * still was as the stall ended
 */
#define TRACE_IRQOFF_F_ASKER_LATE	(1U << 11)
/*
 * PREEMPT_RT: a task of this CPU that did not run had bottom halves disabled, or
 * slept in the midst of a softirq
 */
#define TRACE_IRQOFF_F_BH_HELD		(1U << 12)

#endif /* _UAPI_LINUX_TRACE_IRQOFF_H */
