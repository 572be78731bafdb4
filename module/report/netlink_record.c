// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kallsyms.h>
#include <net/netlink.h>

#include "arch/call_text.h"
#include "arch/lock.h"
#include "core/classify.h"
#include "core/frame_rule.h"
#include "report/kernel_name.h"
#include "report/modules.h"
#include "report/netlink_record.h"
#include "state/opaque.h"

/* the softirq and the interrupt that ran, and how long an NMI took to arrive */
static int put_handler(struct sk_buff *skb, const struct tio_sample *sample)
{
	const struct tio_irq *irq = &sample->irq;

	if ((sample->softirq && nla_put_u32(skb, TRACE_IRQOFF_A_SOFTIRQ,
					    sample->softirq - 1)) ||
	    (sample->flags & TRACE_IRQOFF_F_ASKED &&
	     tio_put_u64(skb, TRACE_IRQOFF_A_DELAY_NS, sample->delay_ns)) ||
	    (sample->handler_ns && tio_put_u64(skb, TRACE_IRQOFF_A_HANDLER_NS,
					       sample->handler_ns)) ||
	    (irq->number != TIO_NO_IRQ &&
	     nla_put_u32(skb, TRACE_IRQOFF_A_IRQ, irq->number)) ||
	    (irq->name[0] &&
	     nla_put_string(skb, TRACE_IRQOFF_A_IRQ_NAME, irq->name)))
		return -EMSGSIZE;
	return 0;
}

static int put_frames(struct sk_buff *skb, const struct tio_sample *sample,
		      bool addresses)
{
	struct nlattr *attr = nla_reserve_64bit(skb, TRACE_IRQOFF_A_FRAMES,
						sample->nframes * sizeof(u64),
						TRACE_IRQOFF_A_PAD);
	unsigned int i;

	if (!attr)
		return -EMSGSIZE;
	for (i = 0; i < sample->nframes; i++) {
		u64 shown = tio_shown_address(sample->frames[i], addresses);

		/* not every kernel aligns it */
		memcpy(nla_data(attr) + i * sizeof(shown), &shown, sizeof(shown));
	}
	return 0;
}

/* what the calls of a stack call; nothing where no frame has a direct call before it */
static int put_calls(struct sk_buff *skb, const struct tio_sample *sample,
		     bool addresses)
{
	unsigned int i, n = 0;
	u64 calls[TIO_FRAMES];

	/* the innermost frame is no return address */
	calls[0] = 0;
	for (i = 1; i < sample->nframes; i++) {
		calls[i] = tio_call_target(sample->frames[i]);
		if (!calls[i])
			continue;
		calls[i] = tio_shown_address(calls[i], addresses);
		n = i + 1;
	}
	if (!n)
		return 0;
	return nla_put_64bit(skb, TRACE_IRQOFF_A_CALLS, n * sizeof(*calls), calls,
			     TRACE_IRQOFF_A_PAD);
}

/* the lock that a sample waits for; at the end of a stall no wait counts any more */
static int put_lock(struct sk_buff *skb, const struct tio_sample *sample, bool addresses)
{
	u64 lock = sample->lock;
	unsigned int cpu;

	if (sample->lock_kind == TRACE_IRQOFF_LOCK_NONE)
		return 0;
	if (tio_lock_variable(&lock, &cpu) && nla_put_u32(skb, TRACE_IRQOFF_A_LOCK_CPU, cpu))
		return -EMSGSIZE;
	if (tio_put_u64(skb, TRACE_IRQOFF_A_LOCK, tio_shown_address(lock, addresses)) ||
	    nla_put_u8(skb, TRACE_IRQOFF_A_LOCK_KIND, sample->lock_kind))
		return -EMSGSIZE;
	return 0;
}

/* the interrupted task's process */
static int put_process(struct sk_buff *skb, const struct tio_sample *sample)
{
	if ((sample->threads &&
	     nla_put_u32(skb, TRACE_IRQOFF_A_THREADS, sample->threads)) ||
	    (sample->parent &&
	     (nla_put_u32(skb, TRACE_IRQOFF_A_PARENT, sample->parent) ||
	      nla_put_string(skb, TRACE_IRQOFF_A_PARENT_COMM, sample->parent_comm))))
		return -EMSGSIZE;
	return 0;
}

/* how the interrupted task is scheduled */
static int put_policy(struct sk_buff *skb, const struct tio_sample *sample)
{
	if ((sample->policy && nla_put_u32(skb, TRACE_IRQOFF_A_POLICY, sample->policy - 1)) ||
	    (sample->prio && nla_put_u32(skb, TRACE_IRQOFF_A_PRIO, sample->prio - 1)))
		return -EMSGSIZE;
	return 0;
}

/* who was interrupted, and where */
static int put_state(struct sk_buff *skb, const struct tio_sample *sample, bool addresses)
{
	if (tio_put_u64(skb, TRACE_IRQOFF_A_AT_NS, sample->at_ns) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_PREEMPT_COUNT,
			sample->preempt_count) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_PENDING, sample->pending) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_FLAGS, sample->flags) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_PID, sample->pid) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_TGID, sample->tgid) ||
	    nla_put_string(skb, TRACE_IRQOFF_A_COMM, sample->comm) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_CGROUP_ID, sample->cgroup_id) ||
	    put_frames(skb, sample, addresses) ||
	    put_calls(skb, sample, addresses) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_STALE, tio_modules_stale(sample)))
		return -EMSGSIZE;
	return 0;
}

/* @nmi_handler: of the end of a stall; 0: none */
static int put_sample(struct sk_buff *skb, int attr, const struct tio_sample *sample,
		      u64 nmi_handler, bool addresses)
{
	struct nlattr *nest = nla_nest_start(skb, attr);

	if (!nest || put_state(skb, sample, addresses) ||
	    put_process(skb, sample) || put_policy(skb, sample) ||
	    (sample->regs && nla_put_u32(skb, TRACE_IRQOFF_A_REGS, sample->regs)) ||
	    put_handler(skb, sample) ||
	    (attr == TRACE_IRQOFF_A_SAMPLE && put_lock(skb, sample, addresses)) ||
	    (nmi_handler && tio_put_u64(skb, TRACE_IRQOFF_A_NMI_HANDLER,
					tio_shown_address(nmi_handler, addresses))))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_flag(struct sk_buff *skb, int attr, bool set)
{
	return set ? nla_put_flag(skb, attr) : 0;
}

/* what another CPU did while this one waited for a lock */
static int put_meanwhile(struct sk_buff *skb, const struct tio_meanwhile *meanwhile,
			 const struct tio_sample *sample, bool addresses)
{
	struct nlattr *nest;

	if (!meanwhile->noted)
		return 0;
	nest = nla_nest_start(skb, TRACE_IRQOFF_A_MEANWHILE);
	if (!nest || nla_put_u32(skb, TRACE_IRQOFF_A_NOTED, meanwhile->noted) ||
	    nla_put_u32(skb, TRACE_IRQOFF_A_CANDIDATES, meanwhile->candidates) ||
	    (meanwhile->cpu && (nla_put_u32(skb, TRACE_IRQOFF_A_CPU, meanwhile->cpu - 1) ||
				put_state(skb, sample, addresses))))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/**
 * tio_put_record() - a record, without names
 * @skb: message
 * @rec: record
 * @meanwhile: what its meanwhile has, as tio_meanwhile_sample() made it
 * @addresses: the reader may see addresses
 *
 * Context: task, may sleep.
 * Return: 0 or -EMSGSIZE.
 */
int tio_put_record(struct sk_buff *skb, const struct tio_record *rec,
		   const struct tio_sample *meanwhile, bool addresses)
{
	bool wide = tio_bounds_wide(rec->min_ns, rec->max_ns, rec->period_ns);
	unsigned int i;

	if (nla_put_u32(skb, TRACE_IRQOFF_A_CPU, rec->cpu) ||
	    (!rec->open && tio_put_u64(skb, TRACE_IRQOFF_A_SEQ, rec->seq)) ||
	    put_flag(skb, TRACE_IRQOFF_A_OPEN, rec->open) ||
	    ((rec->open || !rec->busy) && nla_put_u8(skb, TRACE_IRQOFF_A_KIND, rec->kind)))
		return -EMSGSIZE;
	if (rec->busy)
		return nla_put_flag(skb, TRACE_IRQOFF_A_BUSY);
	if (tio_put_u64(skb, TRACE_IRQOFF_A_MIN_NS, rec->min_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_MAX_NS, rec->max_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_END_NS, rec->end_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_NESTED_NS, rec->nested_ns) ||
	    (rec->late_ns && tio_put_u64(skb, TRACE_IRQOFF_A_LATE_NS, rec->late_ns)) ||
	    put_flag(skb, TRACE_IRQOFF_A_WIDE, wide) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_THRESHOLD_NS, rec->threshold_ns) ||
	    tio_put_u64(skb, TRACE_IRQOFF_A_PERIOD_NS, rec->period_ns))
		return -EMSGSIZE;

	if (rec->beneath &&
	    nla_put_u8(skb, TRACE_IRQOFF_A_HYPERVISOR,
		       rec->beneath == TIO_BENEATH_HYPERVISOR))
		return -EMSGSIZE;
	if (rec->kind == TRACE_IRQOFF_KIND_HARD && !rec->open &&
	    (nla_put_u32(skb, TRACE_IRQOFF_A_UNSEEN_IRQS, rec->untraced_irqs) ||
	     (rec->nmi_ns && tio_put_u64(skb, TRACE_IRQOFF_A_NMI_NS, rec->nmi_ns)) ||
	     (rec->smis && nla_put_u32(skb, TRACE_IRQOFF_A_SMIS, rec->smis - 1)) ||
	     (rec->steal && tio_put_u64(skb, TRACE_IRQOFF_A_STEAL_NS, rec->steal - 1)) ||
	     (rec->handler_known &&
	      (tio_put_u64(skb, TRACE_IRQOFF_A_HANDLER_NS, rec->handler_ns) ||
	       nla_put_u32(skb, TRACE_IRQOFF_A_HANDLERS, rec->handlers)))))
		return -EMSGSIZE;

	if (!rec->open &&
	    (put_flag(skb, TRACE_IRQOFF_A_NET_WAITED, rec->net.waited) ||
	     nla_put_u32(skb, TRACE_IRQOFF_A_NET_PROCESSED,
			 rec->net.processed) ||
	     nla_put_u32(skb, TRACE_IRQOFF_A_NET_DROPPED, rec->net.dropped) ||
	     nla_put_u32(skb, TRACE_IRQOFF_A_NET_SQUEEZED,
			 rec->net.time_squeeze)))
		return -EMSGSIZE;

	for (i = 0; i < rec->nsamples; i++)
		if (put_sample(skb, TRACE_IRQOFF_A_SAMPLE, &rec->samples[i], 0,
			       addresses))
			return -EMSGSIZE;
	if (!rec->open &&
	    (nla_put_u8(skb, TRACE_IRQOFF_A_END_BY, rec->end_by) ||
	     put_sample(skb, TRACE_IRQOFF_A_END, &rec->end, rec->nmi_handler, addresses) ||
	     put_meanwhile(skb, &rec->meanwhile, meanwhile, addresses)))
		return -EMSGSIZE;
	return 0;
}

/* a record's stacks: its samples, its end, and what another CPU did meanwhile */
static const struct tio_sample *stack_of(const struct tio_record *rec,
					 const struct tio_sample *meanwhile, unsigned int i)
{
	if (i < rec->nsamples)
		return &rec->samples[i];
	return i == rec->nsamples ? &rec->end : meanwhile;
}

static unsigned int stacks_of(const struct tio_record *rec)
{
	if (rec->open)
		return rec->nsamples;
	return rec->nsamples + (rec->meanwhile.cpu ? 2 : 1);
}

/* was this address named already, in an earlier stack or further up this one? */
static bool named(const struct tio_record *rec, const struct tio_sample *meanwhile,
		  unsigned int sample, unsigned int frame, u64 addr)
{
	unsigned int s, f;

	for (s = 0; s <= sample; s++) {
		const struct tio_sample *other = stack_of(rec, meanwhile, s);
		unsigned int n = s == sample ? frame : other->nframes;

		for (f = 0; f < n; f++)
			/* the innermost frame is named by another rule */
			if (other->frames[f] == addr && (f || !frame))
				return true;
	}
	return false;
}

static int put_name(struct sk_buff *skb, u64 addr, const char *symbol)
{
	struct nlattr *nest = nla_nest_start(skb, TRACE_IRQOFF_A_NAME);

	if (!nest)
		return -EMSGSIZE;
	if (tio_put_u64(skb, TRACE_IRQOFF_A_ADDR, addr) ||
	    nla_put_string(skb, TRACE_IRQOFF_A_SYMBOL, symbol)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * Prints the function that the call of a frame calls directly, where that is not the
 * function of the frame inside: it left by a jump, so no frame has its name.
 */
static bool print_call(char *buf, const struct tio_sample *sample, unsigned int frame)
{
	u64 target = tio_call_target(sample->frames[frame]);
	unsigned long size;
	const char *plus;

	if (!target)
		return false;
	scnprintf(buf, KSYM_SYMBOL_LEN, "%pS", (void *)(unsigned long)target);
	plus = strstr(buf, "+0x0/0x");
	return plus && sscanf(plus, "+0x0/%lx", &size) == 1 && !tio_is_bpf(buf) &&
	       sample->frames[frame - 1] - target >= size;
}

/*
 * The name of the variable that a lock is, or is a part of. Of per-CPU ones it is the run queue
 * alone: behind the variables of a CPU lies memory that was allocated, and the image has other
 * symbols there.
 */
static int put_lock_name(struct sk_buff *skb, const struct tio_sample *sample,
			 bool addresses, char *symbol)
{
	static const char runqueues[] = "runqueues+";
	u64 lock = sample->lock;
	unsigned int cpu;
	bool percpu;

	if (sample->lock_kind == TRACE_IRQOFF_LOCK_NONE)
		return 0;
	percpu = tio_lock_variable(&lock, &cpu);
	scnprintf(symbol, KSYM_SYMBOL_LEN, "%pS", (void *)(unsigned long)lock);
	if (percpu && strncmp(symbol, runqueues, sizeof(runqueues) - 1))
		return 0;
	/* what has no symbol is printed as a number */
	if (!strncmp(symbol, "0x", 2))
		return 0;
	return put_name(skb, tio_shown_address(lock, addresses), symbol);
}

/**
 * tio_put_names() - the names of a record's frames and locks, as far as they fit
 * @skb: message
 * @rec: record
 * @meanwhile: as tio_put_record() has it
 * @all: all names, also of functions that left by a jump; otherwise only those that a
 *	reader cannot know for sure: of code that comes and goes, as all does that is not
 *	in the kernel's image
 * @addresses: the reader may see addresses
 * @symbol: KSYM_SYMBOL_LEN bytes to work in
 *
 * Context: task, may sleep.
 * Return: 0, or -EMSGSIZE where some did not fit.
 */
int tio_put_names(struct sk_buff *skb, const struct tio_record *rec,
		  const struct tio_sample *meanwhile, bool all, bool addresses, char *symbol)
{
	unsigned int stacks = stacks_of(rec);
	unsigned int s, f;

	if (rec->nmi_handler) {
		tio_function_print(symbol, rec->nmi_handler, rec->end_ns);
		if (put_name(skb, tio_shown_address(rec->nmi_handler, addresses), symbol))
			return -EMSGSIZE;
	}
	for (s = 0; s < stacks; s++) {
		const struct tio_sample *sample = stack_of(rec, meanwhile, s);
		u64 stale = all ? tio_modules_stale(sample) : 0;

		if (s < rec->nsamples && put_lock_name(skb, sample, addresses, symbol))
			return -EMSGSIZE;
		for (f = 0; f < sample->nframes; f++) {
			u64 addr = sample->frames[f];

			if (all && f && !(stale & BIT_ULL(f)) &&
			    print_call(symbol, sample, f) &&
			    put_name(skb, tio_shown_address(tio_call_target(addr), addresses),
				     symbol))
				return -EMSGSIZE;
			if ((!all && tio_in_image(addr)) || named(rec, meanwhile, s, f, addr))
				continue;
			tio_frame_print(symbol, sample, f);
			/* the name may have told that it lies there */
			if (!all && tio_in_image(addr))
				continue;
			if (put_name(skb, tio_shown_address(addr, addresses), symbol))
				return -EMSGSIZE;
		}
	}
	return 0;
}
