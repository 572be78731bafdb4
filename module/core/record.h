/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The record of one stall as both sides hold it in memory: the ring's slots
 * and the reader's model. The wire format is uapi/linux/trace_irqoff.h, which
 * also explains every field that has an attribute of the same name.
 */
#ifndef _TIO_RECORD_H
#define _TIO_RECORD_H

#include <linux/types.h>
#include "uapi/linux/trace_irqoff.h"

#define TIO_FRAMES	64	/* frames kept of a stack; STALE has a bit each */
#define TIO_SAMPLES	4	/* samples kept of a stall (sample_times.h) */
#define TIO_COMM_LEN	16	/* TASK_COMM_LEN */
#define TIO_IRQ_NAME_LEN 16
#define TIO_NO_IRQ	-1

/* what an interrupt handler handles */
struct tio_irq {
	__s32 number;		/* TIO_NO_IRQ: none of a device */
	char name[TIO_IRQ_NAME_LEN];	/* "" where there is none */
};

/* what runs beneath the kernel, and may keep a CPU from running */
enum tio_beneath {
	TIO_BENEATH_UNKNOWN,	/* it cannot be told, or an older module does not say */
	TIO_BENEATH_FIRMWARE,	/* firmware alone */
	TIO_BENEATH_HYPERVISOR,
};

/* what became of the packets that a CPU received */
struct tio_softnet {
	__u32 processed;
	__u32 dropped;
	__u32 time_squeeze;	/* net_rx_action() gave up with more to do */
	__u8 waited;		/* NET_RX was found pending */
};

/* a sample of a CPU: who was interrupted, in which state, with which stack */
struct tio_sample {
	__u64 at_ns;
	__u64 cgroup_id;
	__u32 flags;		/* TRACE_IRQOFF_F_* */
	__u32 preempt_count;
	__u32 pending;
	__u32 pid;
	__u32 tgid;
	__u32 nframes;
	__u32 softirq;		/* whose action runs, number + 1; 0: none's */
	__u32 regs;		/* a hash of the registers; 0: not known */
	char comm[TIO_COMM_LEN];
	__u32 threads;		/* of the task's process; 0: not known */
	__u32 parent;		/* the process's parent; 0: none, or not known */
	char parent_comm[TIO_COMM_LEN];
	__u64 delay_ns;		/* TRACE_IRQOFF_F_ASKED: from the request to the sample */
	/* a sample: for how long the handler has run; an end: of the longest; 0: not known */
	__u64 handler_ns;
	struct tio_irq irq;
	__u64 lock;		/* that the sampled code waits for; of lock_kind NONE: 0 */
	__u8 lock_kind;		/* enum trace_irqoff_lock */
	__u8 policy;		/* of the task: SCHED_*, + 1; 0: not known */
	__u8 prio;		/* likewise, as of sched:sched_switch, + 1; 0: it has none */
	__u32 lock_cpu;		/* whose instance of a per-CPU variable it is, + 1; 0: of none */
#ifdef __KERNEL__
	__u64 frames[TIO_FRAMES];
#else
	const __u64 *frames;	/* the reader keeps equal stacks once */
	const __u64 *calls;	/* what the call before each frame calls (0: not known), or NULL */
	__u64 stale;		/* TRACE_IRQOFF_A_STALE */
	const struct cgroup *cgroup;	/* of @cgroup_id; NULL: not known */
#endif
};

#define TIO_MEANWHILE_FRAMES	16

/* what another CPU did while this one waited for a lock: it may hold that */
struct tio_meanwhile {
	__u32 cpu;		/* + 1; 0: there is none */
	__u32 noted;		/* number of other CPUs that noted what they did */
	__u32 candidates;	/* number of those that may hold it, this one among them */
	__u32 preempt_count;	/* on this one */
#ifdef __KERNEL__
	__u64 at_ns;
	__u32 flags;		/* TRACE_IRQOFF_F_* */
	__u32 pid;
	__u32 tgid;
	__u32 nframes;
	char comm[TIO_COMM_LEN];
	__u64 frames[TIO_MEANWHILE_FRAMES];
#else
	const struct tio_sample *sample;	/* the rest, in the model's pool; NULL: none */
#endif
};

struct tio_record {
	__u64 seq;
	__u64 min_ns;
	__u64 max_ns;
	__u64 end_ns;
	__u64 nested_ns;
	__u32 cpu;
	__u8 kind;		/* enum trace_irqoff_kind */
	__u8 end_by;		/* enum trace_irqoff_end */
	__u8 open;
	__u8 nsamples;
	__u8 handler_known;	/* handler_ns is known */
	__u8 beneath;		/* enum tio_beneath */
	__u8 busy;		/* unfinished, as open.h has it: only cpu, kind and open are set */
	/* what follows is not there in a packed record of the reader (userspace/model/entry.h) */
	__u32 handlers;		/* the number of handlers that took handler_ns together */
	__u32 untraced_irqs;
	__u32 smis;		/* system management interrupts, + 1; 0: not counted */
	__u64 threshold_ns;
	__u64 period_ns;
	__u64 handler_ns;
	__u64 late_ns;		/* of a soft stall's min_ns: the CPU took no interrupts */
	__u64 nmi_ns;		/* in NMI handlers of others */
	__u64 nmi_handler;	/* address of the one that took longest; 0: none */
	/*
	 * for how long a hypervisor had the CPU, in ns, + 1; 0: not known. The ring sets it once
	 * after the rest
	 */
	__u64 steal;
	struct tio_softnet net;	/* over the stall */
	struct tio_meanwhile meanwhile;
	struct tio_sample end;
	struct tio_sample samples[TIO_SAMPLES];	/* last: the reader keeps the first @nsamples */
};

#endif /* _TIO_RECORD_H */
