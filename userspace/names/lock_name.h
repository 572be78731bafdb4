/* SPDX-License-Identifier: GPL-2.0-only */
/* What a lock is called that a sample waits for. */
#ifndef _IRQOFF_LOCK_NAME_H
#define _IRQOFF_LOCK_NAME_H

#include "model/model.h"
#include "names/stack_functions.h"
#include "names/symbols.h"

#define LOCK_NAME_LEN	(SYMBOL_TEXT_LEN + 32)

const char *lock_field(const struct trace *trace);
const char *lock_name(char buf[LOCK_NAME_LEN], const struct symbols *symbols,
		      const struct entry *entry, const struct tio_sample *sample);
const char *lock_print(char buf[LOCK_NAME_LEN], const struct symbols *symbols,
		       const struct entry *entry, const struct tio_sample *sample);

/* does a sample tell which lock it waits for? */
static inline bool lock_known(const struct tio_sample *sample)
{
	return sample->lock_kind != TRACE_IRQOFF_LOCK_NONE;
}

static inline bool lock_same(const struct tio_sample *a, const struct tio_sample *b)
{
	return lock_known(a) && lock_known(b) && a->lock == b->lock && a->lock_cpu == b->lock_cpu;
}

#endif /* _IRQOFF_LOCK_NAME_H */
