/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the tests: cmocka, made-up records and names, golden files. */
#ifndef _FIXTURE_H
#define _FIXTURE_H

#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/say.h"
#include "collect/collect.h"

#define MS	1000000ULL

/*
 * Says which case cannot be judged here, wholly or from there on; the case returns then. For
 * cmocka's own skip() prove sees a failure.
 */
#define leave_out(why)	print_message("# left out: %s, %s\n", __func__, why)

/* 2026-11-21 07:00:00 UTC, and the monotonic clock at that moment */
#define NOW_REALTIME_NS	1795244400000000000ULL
#define NOW_NS		9000000000000ULL

/* functions of the made-up kernel and of its module ip_vs, one at each address */
#define AT_SCHEDULE		0xffffffff81001000ULL
#define AT_SPIN_UNLOCK		0xffffffff81002000ULL
#define AT_DELAY_TSC		0xffffffff81003000ULL
#define AT_HANDLE_SOFTIRQS	0xffffffff81004000ULL
#define AT_CALL_TIMER_FN	0xffffffff81005000ULL
#define AT_RUN_TIMERS		0xffffffff81006000ULL
#define AT_SYSCALL		0xffffffff81007000ULL
#define AT_MEMORY_STAT		0xffffffff81008000ULL
#define AT_FLUSH_COLD		0xffffffff81009000ULL
#define AT_VRING_INTERRUPT	0xffffffff8100a000ULL
#define AT_HANDLE_EVENT		0xffffffff8100b000ULL
#define AT_HANDLE_EDGE		0xffffffff8100c000ULL
#define AT_INTERRUPT		0xffffffff8100d000ULL
#define AT_ASM_INTERRUPT	0xffffffff8100e000ULL
#define AT_HRTIMER_INTERRUPT	0xffffffff8100f000ULL
#define AT_SYSVEC_TIMER		0xffffffff81010000ULL
#define AT_PAGE_FAULT		0xffffffff81011000ULL
#define AT_SLOWPATH		0xffffffff81012000ULL
#define AT_SPIN_LOCK		0xffffffff81013000ULL
#define AT_CALL_MANY		0xffffffff81014000ULL
#define AT_CPU_STOP		0xffffffff81015000ULL
#define AT_CALL_SINGLE		0xffffffff81016000ULL
#define AT_MODULE_WAIT		0xffffffffc0100000ULL
#define AT_ESTIMATION		0xffffffffc0100100ULL
#define AT_MODULE_LOCK		0xffffffffc0100200ULL
#define AT_NOTHING		0xffffffffc0500000ULL
#define AT_TRACER		0xffffffffc0400000ULL
#define AT_PROBE		0xffffffffc0400100ULL
#define AT_BPF			0xffffffffc0300000ULL

extern const char fixture_kallsyms[];
extern const char fixture_modules[];

struct symbols *symbols_of(const char *kallsyms, const char *modules);

void set_frames(struct tio_sample *sample, const __u64 *frames, unsigned int nframes);

/* the addresses of the stack; 0 ends them */
void set_stack(struct tio_sample *sample, ...);
void set_call(struct tio_sample *sample, unsigned int frame, __u64 target);
struct entry *add_hard(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns);
struct entry *add_asked(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns,
			__u32 flags);
struct entry *add_soft(struct model *model, __u32 cpu, __u64 seq, __u64 end_ns, __u64 min_ns,
		       __u32 flags);

/* works out classes and evidence, for tests that need no culprits */
void judge_all(struct model *model);

/* names and settings, no records */
void fixture_begin(struct collection *collection);

/* a model with every kind of record, with names and settings, judged and sorted */
void fixture_collect(struct collection *collection);

/* the same, with hard stalls that were sampled only at their end */
void fixture_collect_ends(struct collection *collection);

/* watching was stopped five minutes ago */
void fixture_stop(struct model *model, enum trace_irqoff_stop by);

/* records were dropped 5 minutes ago; CPU 0 has had some stalls since then */
void fixture_clear(struct model *model);

/* stopped by itself, not for the first time, with CPUs 1 and 3 behind and nmi=off */
void fixture_trouble(struct model *model);

/* what a module of interface 4 does not tell */
void fixture_age(struct model *model);

void assert_golden(const char *name, FILE *stream, char **text);

#endif /* _FIXTURE_H */
