/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * trace_irqoff - generic netlink interface, version 13
 *
 * A stall is a stretch in which a CPU could not take hard interrupts (a hard stall) or
 * could not run softirqs (a soft, or softirq, stall). The heartbeat is a timer on each
 * CPU; one run of it is a beat. A late beat shows a hard stall, and one that finds
 * softirqs disabled or waiting a soft one. A stall is open until its end has been seen.
 *
 * The family "trace_irqoff" exists in the initial network namespace only. The
 * interface only grows, and TRACE_IRQOFF_A_VERSION with it. No number is ever
 * given to something else. Readers ignore attributes that they do not know. An
 * absent attribute means zero or "not known".
 *
 * Changing anything (CONFIG_SET, CLEAR) needs CAP_SYS_ADMIN in the initial user
 * namespace. Reading needs CAP_PERFMON, CAP_SYS_ADMIN or CAP_SYSLOG there. Without
 * CAP_SYSLOG, or where %pK hides addresses from everybody, FRAMES, CALLS and ADDR hold
 * opaque numbers: equal for equal addresses, and of no other meaning. Their highest
 * bit is clear, which an address of the kernel has set.
 *
 * The module sends CMD_WAKE to the multicast group "stalls" when there is something new to
 * read. Joining needs CAP_SYS_ADMIN in the initial user namespace on kernels since 6.7, and
 * on stable ones since December 2023. Older kernels cannot ask for it: there anybody who may
 * open a netlink socket in the initial network namespace can join. The messages tell which
 * CPUs had stalls, how many and when, and that settings changed. They have no address, no
 * name and no task. Reading what is new needs the capabilities above.
 *
 * Times are nanoseconds of CLOCK_MONOTONIC unless a name says otherwise; all
 * integers are in host byte order and of the width given here, whatever the
 * width of the reader. u64 attributes may be preceded by padding
 * (TRACE_IRQOFF_A_PAD).
 */
#ifndef _UAPI_LINUX_TRACE_IRQOFF_H
#define _UAPI_LINUX_TRACE_IRQOFF_H

#define TRACE_IRQOFF_GENL_NAME		"trace_irqoff"
#define TRACE_IRQOFF_GENL_VERSION	2
#define TRACE_IRQOFF_GROUP_STALLS	"stalls"

/**
 * enum trace_irqoff_cmd - operations
 * @TRACE_IRQOFF_CMD_CONFIG_GET: do; no attributes. One message: VERSION,
 *	MODULE_VERSION, NO_LOCKS, ENABLE, THRESHOLD_US, PERIOD_US, CPUS, RING_RECORDS,
 *	RING_BYTES, NMI, NMI_CPU_RATE, NMI_RATE, GUARD, MAX_COST_PPM, WATCHED,
 *	BEHIND, GENERATION, NOW_NS, INSTANCE, SELF_STOPS, ATTACHED, DETACHING,
 *	RINGS, FREEING;
 *	ENABLED_NS if it was ever enabled; STOPPED_NS and STOPPED_BY while it
 *	is not.
 * @TRACE_IRQOFF_CMD_CONFIG_SET: do; any of ENABLE, THRESHOLD_US, PERIOD_US,
 *	CPUS, NMI, NMI_CPU_RATE, NMI_RATE, GUARD, MAX_COST_PPM, and FREE. One
 *	transaction: all of it is carried out or none. What is in force already
 *	changes nothing, GENERATION included. It waits for no CPU:
 *	one that is stuck takes it up when it comes back (BEHIND). Where
 *	tracepoints must be attached first, all online CPUs have 50 ms to answer. A request
 *	whose genlmsghdr has version 1 waits for them. From version 2 on it does not:
 *	-EINPROGRESS says that nothing has changed yet, and that the same request is to be
 *	sent again, for as long as its sender has patience. A stop that comes between the
 *	two is undone by the second. -EINVAL
 *	with an extack sentence for a value outside its limits, a threshold below
 *	two periods, an impossible CPU, FREE with ENABLE at 1, a RING_RECORDS that
 *	differs from the one in force, which is set at load time only; -EOPNOTSUPP where
 *	high-resolution timers are off, or the clock is too slow to read for
 *	the period; -EAGAIN where tracepoints must be attached first and a
 *	CPU does not answer, or more CPUs are to be watched while one comes online or
 *	goes offline (-EINPROGRESS from version 2 on); -EINTR after a fatal signal; -ENOMEM;
 *	-ENODEV while the module is leaving.
 * @TRACE_IRQOFF_CMD_RECORD_GET: dump; any number of CURSOR, and the flag NAMES.
 *	One message for each record, by CPU and ascending sequence number.
 *	A CPU's records begin at its CURSOR, or at the oldest that is kept,
 *	and end with the last one made before the dump began. Then one
 *	message for each stall that is open. A gap in SEQ means records that
 *	were overwritten or cleared. A full ring keeps, besides the newest
 *	records, the longest of each class and some of rare causes. An open soft
 *	stall that its CPU does not finish writing within 1 ms is BUSY.
 * @TRACE_IRQOFF_CMD_HISTOGRAM_GET: dump; no attributes. One message for each CPU that was
 *	ever watched: CPU, HARD, SOFT; CLEARED_NS and RECENT if its records were ever
 *	dropped.
 * @TRACE_IRQOFF_CMD_COUNTER_GET: dump; no attributes. One message for each CPU that was ever
 *	watched: CPU, WATCHED_CPU, BEATS, PRODUCED, KEPT, LOST, LOST_BEFORE, CLEARED,
 *	SAMPLES, COST_NS, COST_BEATS, COST_PPM, NMI_REFUSED, NMI_LOST,
 *	TRACER; WATCHED_NS while it is watched; SETTLED_NS, THRESHOLD_US and
 *	PERIOD_US, unless the CPU takes up other settings at that moment.
 *	PRODUCED = KEPT + LOST + CLEARED.
 *
 *	Where records are dropped in the midst of either dump, it has NLM_F_DUMP_INTR.
 * @TRACE_IRQOFF_CMD_CLEAR: do; no attributes. Drops the records kept so far. RECENT
 *	begins anew; HARD, SOFT, counters and sequence numbers go on.
 * @TRACE_IRQOFF_CMD_WAKE: no request, but a message of the module to the group
 *	"stalls". INSTANCE, GENERATION, and a NEWS for each CPU that made a
 *	record, began or ceased to be watched, or has an open stall that has a
 *	sample and has lasted the threshold. Settings changed where GENERATION
 *	is another one than before; there is no NEWS where nothing else is new,
 *	and none in the message that is sent once the module is loaded. At least
 *	10 ms lie between two wake-ups. A wake-up of more CPUs than fit into a
 *	message consists of several messages. A message that does not arrive
 *	(ENOBUFS) loses nothing: RECORD_GET with a CURSOR gets all records
 *	that are still kept. A hard stall that no NMI samples is told of at its
 *	end only.
 *
 * An operation refuses attributes that it does not take (-EINVAL).
 */
enum trace_irqoff_cmd {
	TRACE_IRQOFF_CMD_UNSPEC,
	TRACE_IRQOFF_CMD_CONFIG_GET,
	TRACE_IRQOFF_CMD_CONFIG_SET,
	TRACE_IRQOFF_CMD_RECORD_GET,
	TRACE_IRQOFF_CMD_HISTOGRAM_GET,
	TRACE_IRQOFF_CMD_COUNTER_GET,
	TRACE_IRQOFF_CMD_CLEAR,
	TRACE_IRQOFF_CMD_WAKE,
	__TRACE_IRQOFF_CMD_MAX,
};

#define TRACE_IRQOFF_CMD_MAX	(__TRACE_IRQOFF_CMD_MAX - 1)

/**
 * enum trace_irqoff_attr - attributes, one space for all operations
 *
 * Configuration:
 * @TRACE_IRQOFF_A_VERSION: u32, version of this interface
 * @TRACE_IRQOFF_A_MODULE_VERSION: string
 * @TRACE_IRQOFF_A_NO_LOCKS: string, the slow paths of locks, separated by spaces, whose text the
 *	module does not understand: a sample of a CPU that waits there has no LOCK. "all" on an
 *	architecture where it reads none
 * @TRACE_IRQOFF_A_ENABLE: u8, 0 or 1
 * @TRACE_IRQOFF_A_THRESHOLD_US: u32, microseconds, 100 to 60000000
 * @TRACE_IRQOFF_A_PERIOD_US: u32, microseconds, 50 to 1000000
 * @TRACE_IRQOFF_A_CPUS: string, "default", "all" or a CPU list ("0-3,8")
 * @TRACE_IRQOFF_A_RING_RECORDS: u32, records kept for each CPU, 2 to 4096
 * @TRACE_IRQOFF_A_RING_BYTES: u32, memory of one CPU's ring
 * @TRACE_IRQOFF_A_WATCHED: string, list of the CPUs watched at this moment
 * @TRACE_IRQOFF_A_NOW_NS: u64, the module's clock when it answered
 * @TRACE_IRQOFF_A_ENABLED_NS: u64, since when the CPUs of WATCHED were watched, or
 *	the last ones were: when it was last enabled, or CPUS changed
 * @TRACE_IRQOFF_A_INSTANCE: u64, random, drawn when the module was loaded.
 *	Sequence numbers, histograms and counters begin anew with each instance.
 * @TRACE_IRQOFF_A_GENERATION: u64, of the settings: grows with each change
 * @TRACE_IRQOFF_A_BEHIND: string, list of the online CPUs that have not taken up the
 *	settings yet. Such a CPU takes no interrupts, or does not run
 * @TRACE_IRQOFF_A_ATTACHED: flag; probes are attached to the kernel's tracepoints
 * @TRACE_IRQOFF_A_DETACHING: flag; they are about to be detached: 10 s after watching
 *	stopped, or after they were attached for a start that was not asked for again,
 *	once no CPU is behind
 * @TRACE_IRQOFF_A_STOPPED_NS: u64, when watching stopped
 * @TRACE_IRQOFF_A_STOPPED_BY: u8, enum trace_irqoff_stop
 * @TRACE_IRQOFF_A_SELF_STOPS: u64, how often the module stopped watching by itself
 * @TRACE_IRQOFF_A_RINGS: u32, number of the CPUs whose ring is allocated
 * @TRACE_IRQOFF_A_FREEING: flag; the rings are given back once no CPU uses them. If
 *	watching begins before, they are kept
 * @TRACE_IRQOFF_A_FREE: flag, in requests: once watching has stopped, give back the
 *	memory of the records. RECENT begins anew; their numbers, HARD, SOFT and the
 *	counters go on
 * @TRACE_IRQOFF_A_NMI: u8, enum trace_irqoff_nmi
 * @TRACE_IRQOFF_A_NMI_CPU_RATE: u32, the most NMIs sent to one CPU in a second, on
 *	average, 1 to 1000. After a pause as many may be sent at once
 * @TRACE_IRQOFF_A_NMI_RATE: u32, the same for all CPUs together, 1 to 100000
 * @TRACE_IRQOFF_A_GUARD: u8, enum trace_irqoff_guard
 * @TRACE_IRQOFF_A_MAX_COST_PPM: u32, watching stops by itself where its interrupts
 *	take more than this of a CPU's time for 10 s, in parts per million, at most
 *	1000000; 0: no limit
 *
 * Requests for records:
 * @TRACE_IRQOFF_A_CURSOR: nest of CPU and SEQ: begin that CPU's records here
 * @TRACE_IRQOFF_A_NAMES: flag; adds NAME to every record
 *
 * Records and what they share with the rest:
 * @TRACE_IRQOFF_A_CPU: u32
 * @TRACE_IRQOFF_A_SEQ: u64, per CPU, from 0, gapless, never reset; absent
 *	from a stall that is still open
 * @TRACE_IRQOFF_A_KIND: u8, enum trace_irqoff_kind
 * @TRACE_IRQOFF_A_OPEN: flag; the stall has not ended
 * @TRACE_IRQOFF_A_BUSY: flag; for more than 1 ms the CPU was in the midst of
 *	adding a sample to this open soft stall: a virtual CPU that its host
 *	stopped. Only CPU, KIND and OPEN are there
 * @TRACE_IRQOFF_A_MIN_NS: u64, the stall lasted at least this long
 * @TRACE_IRQOFF_A_MAX_NS: u64, and at most this long
 * @TRACE_IRQOFF_A_END_NS: u64, when it ended; of an open stall: when it was read
 * @TRACE_IRQOFF_A_NESTED_NS: u64, softirq stalls: the part of MIN_NS that
 *	hard stalls with records of their own account for
 * @TRACE_IRQOFF_A_LATE_NS: u64, softirq stalls: the part of MIN_NS in which the CPU took no
 *	interrupts for two periods and more at a time, with a record of that or not. A
 *	hypervisor may have had the CPU then. Absent: none, or an older module
 * @TRACE_IRQOFF_A_WIDE: flag; the bounds are further apart than one period
 *	and 200 us
 * @TRACE_IRQOFF_A_THRESHOLD_NS: u64, in force when the record was made
 * @TRACE_IRQOFF_A_PERIOD_NS: u64, likewise
 * @TRACE_IRQOFF_A_END_BY: u8, enum trace_irqoff_end
 * @TRACE_IRQOFF_A_HANDLER_NS: u64, hard stalls: how long this CPU was in
 *	interrupt handlers since the beat before, by their tracepoints; absent
 *	where these did not see all of them. Within SAMPLE and END it means another time
 * @TRACE_IRQOFF_A_HANDLERS: u32, the number of these handlers
 * @TRACE_IRQOFF_A_UNSEEN_IRQS: u32, hard stalls: untraced interrupts (those
 *	without a tracepoint) in the stall, or in the up to 64 beats before
 * @TRACE_IRQOFF_A_NMI_NS: u64, hard stalls: how long NMI handlers of others ran in
 *	the stall. A beat puts off no NMI, so the time is theirs. Where it is more
 *	than half of MIN_NS, END has the symbol of the one that took longest
 *	(NMI_HANDLER)
 * @TRACE_IRQOFF_A_STEAL_NS: u64, hard stalls: for how long a hypervisor had this CPU
 *	meanwhile, at most: the kernel counts that (steal in /proc/stat) at its ticks only,
 *	so up to half a threshold and two ticks besides are in it. Absent where the kernel
 *	has never counted any, in the first ticks after the stall, and where too much time
 *	besides is in the count
 * @TRACE_IRQOFF_A_HYPERVISOR: u8; 1: a hypervisor runs beneath this kernel, and may have
 *	had the CPU; 0: none does, and only firmware may have had it. Absent where that
 *	cannot be told
 * @TRACE_IRQOFF_A_SMIS: u32, hard stalls: how many system management interrupts this CPU
 *	counted in the stall, and up to a threshold and two ticks before it. Absent where
 *	there is a hypervisor, on CPUs that count none (all but Intel's), where some came and
 *	it is not known when, and from open stalls
 * @TRACE_IRQOFF_A_NET_PROCESSED: u32, received packets that this CPU handled, as
 *	in /proc/net/softnet_stat. Absent from open stalls, as the next two are.
 *	All three count from the stall's begin, or up to half a threshold
 *	earlier, to its end. A hard stall inside of a soft one counts from the
 *	soft one's begin or the previous hard one's end; the soft record has
 *	the rest, so nothing is counted twice
 * @TRACE_IRQOFF_A_NET_DROPPED: u32, packets dropped in that time because the
 *	CPU's backlog was full (not those that a network card drops)
 * @TRACE_IRQOFF_A_NET_SQUEEZED: u32, how often in that time the NET_RX softirq
 *	stopped with more to do
 * @TRACE_IRQOFF_A_NET_WAITED: flag; a beat in the stall found NET_RX pending, so
 *	packets waited. Without the flag some may have waited as well: nothing
 *	tells a CPU of packets while it takes no interrupts
 * @TRACE_IRQOFF_A_SAMPLE: nest, once for each sample that was taken while the
 *	stall went on and is kept, oldest first: the first, the newest, and of
 *	the others those that are far apart. In a softirq stall the CPU samples
 *	itself, in a hard stall an NMI does so that another CPU sends
 * @TRACE_IRQOFF_A_END: nest like SAMPLE, taken when the stall was over
 * @TRACE_IRQOFF_A_MEANWHILE: nest like SAMPLE, with CPU, NOTED and CANDIDATES, of a stall with
 *	a sample that has a LOCK: what a beat of another CPU interrupted meanwhile, at most 16
 *	frames of it. That CPU may hold the lock: it was in the kernel, with preemption off
 *	where any was. CPU and frames are absent where no CPU was in the kernel
 * @TRACE_IRQOFF_A_NAME: nest of ADDR and SYMBOL, once for each address in
 *	the record, as far as they fit. Without NAMES only for code that is not in
 *	the kernel's image (up to version 5: that is gone), but for each opaque
 *	number; and for each LOCK that is a variable of the kernel or of a module
 *
 * Within SAMPLE, END and MEANWHILE:
 * @TRACE_IRQOFF_A_AT_NS: u64, when it was taken
 * @TRACE_IRQOFF_A_PREEMPT_COUNT: u32, of the interrupted context, as that kernel lays it out
 *	(include/linux/preempt.h). FLAGS says the same of each kernel
 * @TRACE_IRQOFF_A_PENDING: u32, mask of pending softirqs
 * @TRACE_IRQOFF_A_FLAGS: u32, TRACE_IRQOFF_F_*
 * @TRACE_IRQOFF_A_PID: u32, of the interrupted task (often innocent), in the
 *	initial PID namespace
 * @TRACE_IRQOFF_A_TGID: u32
 * @TRACE_IRQOFF_A_COMM: string
 * @TRACE_IRQOFF_A_THREADS: u32, of that task's process
 * @TRACE_IRQOFF_A_PARENT: u32, process id of that process's parent, in the initial PID
 *	namespace. Absent, as the next one is, of kernel threads
 * @TRACE_IRQOFF_A_PARENT_COMM: string
 * @TRACE_IRQOFF_A_POLICY: u32, SCHED_* of linux/sched.h, of the interrupted task
 * @TRACE_IRQOFF_A_PRIO: u32, its priority as the tracepoint sched:sched_switch has it, with what
 *	it inherits from who waits for it: 99 less the priority of a real-time task, or the nice
 *	value of another one and 120. Absent of one with a deadline, which has none
 * @TRACE_IRQOFF_A_CGROUP_ID: u64, as in name_to_handle_at(2); of the memory
 *	controller's hierarchy where the unified one does not own it
 *	(TRACE_IRQOFF_F_CGROUP_V1)
 * @TRACE_IRQOFF_A_FRAMES: u64[], at most 64 code addresses, innermost first
 * @TRACE_IRQOFF_A_CALLS: u64[], for each of FRAMES, as far as one is known: what the call
 *	instruction before that return address calls, as the text is now; 0 where the
 *	call is indirect, or is none. Only the beginning of a function is a target. Where
 *	it is another one than that of the frame inside, it left by a jump (a tail call).
 *	NAMES adds the names of such functions
 * @TRACE_IRQOFF_A_STALE: u64, bit i: frame i lies in a module that was loaded
 *	after the stack was taken; its name would be a wrong one
 * @TRACE_IRQOFF_A_SOFTIRQ: u32, number of the softirq whose action ran, as in
 *	PENDING; absent where none did (TRACE_IRQOFF_F_SOFTIRQ_LOOP)
 * @TRACE_IRQOFF_A_DELAY_NS: u64, NMI samples: from the request to the sample (in records of
 *	arm64, which older modules sampled, from some ms later). Beyond 100 us the CPU was
 *	not running, or in one instruction
 * @TRACE_IRQOFF_A_HANDLER_NS: u64, NMI samples: how long the interrupted
 *	interrupt handler had run. END of hard stalls: how long the longest
 *	handler ran, where that was at least half a period and more than half
 *	of the record's HANDLER_NS. Absent where there was no such handler, or
 *	no tracepoint for it
 * @TRACE_IRQOFF_A_IRQ: u32, number of that handler's interrupt; absent where it
 *	is the CPU's own. END without HANDLER_NS: number of the interrupt that
 *	took more than half of the record's HANDLER_NS, where that was at least
 *	half a period
 * @TRACE_IRQOFF_A_IRQ_NAME: string, its name in /proc/interrupts, or that of
 *	the CPU's own interrupt ("local_timer")
 * @TRACE_IRQOFF_A_NMI_HANDLER: u64, END: address of the NMI handler that took longest
 * @TRACE_IRQOFF_A_REGS: u32, NMI samples: a hash of the interrupted registers. The CPU has run
 *	between two samples that have different ones
 * @TRACE_IRQOFF_A_LOCK: u64, NMI samples of code that spins in the slow path of a queued
 *	spinlock or rwlock: the address of the lock that it waits for, as FRAMES has
 *	addresses. Absent where the slow path is not known well enough to tell, or the lock
 *	was not held
 * @TRACE_IRQOFF_A_LOCK_KIND: u8, enum trace_irqoff_lock, beside LOCK
 * @TRACE_IRQOFF_A_LOCK_CPU: u32, beside LOCK: the lock is this CPU's instance of a per-CPU
 *	variable, and LOCK is the address that the kernel's symbol table has for that
 * @TRACE_IRQOFF_A_NOTED: u32, MEANWHILE: how many other CPUs noted what they did. Idle and
 *	stuck ones do not, nor does any where others asked in the last 125 ms
 * @TRACE_IRQOFF_A_CANDIDATES: u32, MEANWHILE: how many of these may hold the lock as well as
 *	the one that is shown, with that one
 * @TRACE_IRQOFF_A_ADDR: u64
 * @TRACE_IRQOFF_A_SYMBOL: string, "symbol+0xoffset/0xsize [module]", where "[bpf?]" is a
 *	BPF program that may have come later. With " (unloaded)" behind it for code
 *	that is gone: of an unloaded module, or freed after its init. Where the
 *	symbol was not kept "[module]+0xoffset (unloaded)", or "[module init]" for
 *	freed code, with the offset in the module's text or init text; up to
 *	version 5 "[unloaded module]". "[unloaded]" where the module is not known
 *
 * Histograms:
 * @TRACE_IRQOFF_A_HARD: nest of BUCKETS, COUNT, SUM_NS, LONGEST_NS: of the stalls that ended
 *	since the module was loaded
 * @TRACE_IRQOFF_A_SOFT: likewise
 * @TRACE_IRQOFF_A_RECENT: nest of HARD and SOFT: of the stalls that ended since CLEARED_NS.
 *	One that ended at that very moment may be missing, and one that was going on
 *	counts whole
 * @TRACE_IRQOFF_A_CLEARED_NS: u64, when CLEAR or FREE dropped this CPU's records last.
 *	Absent, as RECENT is, where neither ever did
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
 * @TRACE_IRQOFF_A_LOST_BEFORE: of LOST, those that were lost before CLEAR or FREE dropped
 *	records last
 * @TRACE_IRQOFF_A_CLEARED: records dropped by CLEAR or FREE
 * @TRACE_IRQOFF_A_SAMPLES: stacks taken while a stall was going on
 * @TRACE_IRQOFF_A_COST_NS: time spent in COST_BEATS of the heartbeats
 * @TRACE_IRQOFF_A_COST_BEATS: heartbeats that were timed
 * @TRACE_IRQOFF_A_COST_PPM: u32, the part of its time that this CPU spent in the
 *	interrupts of heartbeats, in parts per million: their median length, from
 *	entry to exit tracepoint, times their rate; of the last second that was
 *	measured, 0 where these interrupts have no tracepoint. What lies outside of
 *	the two tracepoints is not in it: VM exits, the kernel's first and last
 *	instructions of an interrupt, the caches of what was interrupted
 * @TRACE_IRQOFF_A_NMI_REFUSED: samples that were not requested because NMI_CPU_RATE
 *	or NMI_RATE was used up
 * @TRACE_IRQOFF_A_NMI_LOST: NMIs sent to this CPU that did not arrive within 1 s
 * @TRACE_IRQOFF_A_TRACER: u32, of KEPT those whose stacks have the code of trace_irqoff
 *	itself and no other: readers blame it (shrinks as KEPT does)
 * @TRACE_IRQOFF_A_WATCHED_NS: since when this CPU has been watched without a gap; absent
 *	while it is not watched. It is another one once the CPU was offline or left out
 *	of CPUS, or watching stopped. A change of other settings does not change it
 * @TRACE_IRQOFF_A_SETTLED_NS: since when this CPU has been watched without a gap by the
 *	THRESHOLD_US and PERIOD_US of the same message. These are what the CPU itself goes
 *	by: one that is stuck, or asleep, takes up others later. Where watching has stopped,
 *	how the CPU was watched until then
 *
 * Wake-ups:
 * @TRACE_IRQOFF_A_NEWS: nest of CPU and PRODUCED; the flag WATCHED_CPU if the CPU is watched
 *	now; the flag OPEN if the CPU has an open stall to read
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
	TRACE_IRQOFF_A_GENERATION,
	TRACE_IRQOFF_A_BEHIND,
	TRACE_IRQOFF_A_ATTACHED,
	TRACE_IRQOFF_A_DETACHING,
	TRACE_IRQOFF_A_STOPPED_NS,
	TRACE_IRQOFF_A_STOPPED_BY,
	TRACE_IRQOFF_A_SELF_STOPS,
	TRACE_IRQOFF_A_FREE,
	TRACE_IRQOFF_A_NMI,
	TRACE_IRQOFF_A_NMI_CPU_RATE,
	TRACE_IRQOFF_A_NMI_RATE,
	TRACE_IRQOFF_A_GUARD,
	TRACE_IRQOFF_A_MAX_COST_PPM,
	TRACE_IRQOFF_A_BUSY,
	TRACE_IRQOFF_A_NMI_NS,
	TRACE_IRQOFF_A_NMI_HANDLER,
	TRACE_IRQOFF_A_COST_PPM,
	TRACE_IRQOFF_A_NMI_REFUSED,
	TRACE_IRQOFF_A_NMI_LOST,
	TRACE_IRQOFF_A_RINGS,
	TRACE_IRQOFF_A_FREEING,
	TRACE_IRQOFF_A_CALLS,
	TRACE_IRQOFF_A_TRACER,
	TRACE_IRQOFF_A_STEAL_NS,
	TRACE_IRQOFF_A_WATCHED_NS,
	TRACE_IRQOFF_A_NEWS,
	TRACE_IRQOFF_A_SETTLED_NS,
	TRACE_IRQOFF_A_HYPERVISOR,
	TRACE_IRQOFF_A_SMIS,
	TRACE_IRQOFF_A_REGS,
	TRACE_IRQOFF_A_LOST_BEFORE,
	TRACE_IRQOFF_A_RECENT,
	TRACE_IRQOFF_A_CLEARED_NS,
	TRACE_IRQOFF_A_LATE_NS,
	TRACE_IRQOFF_A_LOCK,
	TRACE_IRQOFF_A_LOCK_KIND,
	TRACE_IRQOFF_A_LOCK_CPU,
	TRACE_IRQOFF_A_MEANWHILE,
	TRACE_IRQOFF_A_NOTED,
	TRACE_IRQOFF_A_CANDIDATES,
	TRACE_IRQOFF_A_THREADS,
	TRACE_IRQOFF_A_PARENT,
	TRACE_IRQOFF_A_PARENT_COMM,
	TRACE_IRQOFF_A_POLICY,
	TRACE_IRQOFF_A_PRIO,
	TRACE_IRQOFF_A_NO_LOCKS,
	__TRACE_IRQOFF_A_MAX,
};

#define TRACE_IRQOFF_A_MAX	(__TRACE_IRQOFF_A_MAX - 1)

/** enum trace_irqoff_kind - what the CPU could not do */
enum trace_irqoff_kind {
	TRACE_IRQOFF_KIND_HARD,		/* take hard interrupts */
	TRACE_IRQOFF_KIND_SOFT,		/* run softirqs */
};

/** enum trace_irqoff_class - why it could not, in the tracepoint trace_irqoff:stall */
enum trace_irqoff_class {
	TRACE_IRQOFF_CLASS_UNKNOWN,		/* the evidence does not tell */
	TRACE_IRQOFF_CLASS_HARDIRQ_OFF,		/* code ran with interrupts off */
	TRACE_IRQOFF_CLASS_SOFTIRQ_OFF,		/* a task had bottom halves disabled */
	TRACE_IRQOFF_CLASS_SOFTIRQ_LONG,	/* softirqs ran for long */
	TRACE_IRQOFF_CLASS_KSOFTIRQD_WAIT,	/* ksoftirqd waited for the CPU */
	TRACE_IRQOFF_CLASS_HARDIRQ_LONG,	/* interrupt handlers ran for long */
	TRACE_IRQOFF_CLASS_STOLEN,		/* a hypervisor or firmware had the CPU */
};

/** enum trace_irqoff_end - what showed that a stall was over */
enum trace_irqoff_end {
	TRACE_IRQOFF_END_BEAT,		/* the heartbeat */
	TRACE_IRQOFF_END_SOFTIRQ_ENTRY,	/* a softirq began to run */
	TRACE_IRQOFF_END_SOFTIRQ_EXIT,	/* a softirq ended, none pending */
	TRACE_IRQOFF_END_STOP,		/* watching stopped */
	TRACE_IRQOFF_END_IDLE,		/* the idle loop went on, as to a sleep */
};

/** enum trace_irqoff_stop - why watching stopped */
enum trace_irqoff_stop {
	TRACE_IRQOFF_STOP_USER,		/* somebody stopped it, or it was never enabled */
	TRACE_IRQOFF_STOP_COST,		/* it cost more than MAX_COST_PPM */
	TRACE_IRQOFF_STOP_CLOCK,	/* the kernel's clock became too slow to read */
};

/** enum trace_irqoff_lock - how a lock was wanted */
enum trace_irqoff_lock {
	TRACE_IRQOFF_LOCK_NONE,		/* none is known */
	TRACE_IRQOFF_LOCK_SPIN,		/* a spinlock */
	TRACE_IRQOFF_LOCK_READ,		/* a rwlock, to read */
	TRACE_IRQOFF_LOCK_WRITE,	/* a rwlock, to write */
};

/** enum trace_irqoff_nmi - are CPUs that are stuck sampled by NMIs? */
enum trace_irqoff_nmi {
	TRACE_IRQOFF_NMI_OFF,
	TRACE_IRQOFF_NMI_AUTO,		/* where NMIs can be sent: on x86 */
	TRACE_IRQOFF_NMI_COUNTER,	/* as auto; older modules sampled arm64 so */
};

/** enum trace_irqoff_guard - does an idle CPU wake to look after the only busy one? */
enum trace_irqoff_guard {
	TRACE_IRQOFF_GUARD_AUTO,	/* for 60 s after a hard stall that went unsampled */
	TRACE_IRQOFF_GUARD_ALWAYS,
	TRACE_IRQOFF_GUARD_NEVER,
};

/* TRACE_IRQOFF_A_FLAGS: the state that was interrupted */
#define TRACE_IRQOFF_F_IRQS_ON		(1U << 0) /* interrupts enabled */
#define TRACE_IRQOFF_F_USER		(1U << 1) /* in user mode */
#define TRACE_IRQOFF_F_IDLE		(1U << 2) /* the idle task, asleep */
#define TRACE_IRQOFF_F_HARDIRQ		(1U << 3) /* in a hard interrupt */
#define TRACE_IRQOFF_F_SERVING_SOFTIRQ	(1U << 4) /* in a softirq */
#define TRACE_IRQOFF_F_BH_OFF		(1U << 5) /* bottom halves disabled */
/* right behind an instruction that enables interrupts; known on x86 and arm64 */
#define TRACE_IRQOFF_F_AT_IRQ_ENABLE	(1U << 6)
#define TRACE_IRQOFF_F_TRUNCATED	(1U << 7) /* the stack went deeper */
#define TRACE_IRQOFF_F_CGROUP_V1	(1U << 8) /* see CGROUP_ID */
/* serving softirqs, but between two of their actions */
#define TRACE_IRQOFF_F_SOFTIRQ_LOOP	(1U << 9)
#define TRACE_IRQOFF_F_ASKED		(1U << 10) /* taken in an NMI that another CPU sent */
/*
 * that other CPU, the requester, was late itself: all CPUs may have been stopped; in
 * END: it was stopped while it sent the NMI, and the stall ended before it went on
 */
#define TRACE_IRQOFF_F_ASKER_LATE	(1U << 11)
/*
 * PREEMPT_RT: a task of this CPU that did not run had bottom halves disabled, or
 * slept while it served a softirq
 */
#define TRACE_IRQOFF_F_BH_HELD		(1U << 12)
/* the idle task, awake: before its first sleep or between two */
#define TRACE_IRQOFF_F_IDLE_LOOP	(1U << 13)

#endif /* _UAPI_LINUX_TRACE_IRQOFF_H */
