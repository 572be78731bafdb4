// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lock that is a variable has its name. Of one that was allocated the function that takes it
 * tells which field of what it is (lock_fields.c).
 */
#include <stdio.h>
#include <string.h>

#include "names/frame.h"
#include "names/lock_name.h"

/* its bit is clear in an opaque number */
#define KERNEL_ADDRESS	0x8000000000000000ULL

/* "tasklist_lock", "name+0x10 [module]", "run queue of CPU 3", "name of CPU 3" */
static void print_variable(char buf[LOCK_NAME_LEN], const struct symbol *symbol, __u32 lock_cpu)
{
	bool runqueue = lock_cpu && symbol_is_core(symbol) && !strcmp(symbol->name, "runqueues");
	int len = snprintf(buf, LOCK_NAME_LEN, "%s", runqueue ? "run queue" : symbol->name);

	if (symbol->offset && !runqueue)
		len += snprintf(buf + len, LOCK_NAME_LEN - len, "+0x%llx", symbol->offset);
	if (*symbol->module)
		len += snprintf(buf + len, LOCK_NAME_LEN - len, " [%s]", symbol->module);
	if (lock_cpu)
		snprintf(buf + len, LOCK_NAME_LEN - len, " of CPU %u", lock_cpu - 1);
}

/**
 * lock_name() - the name of the lock that a sample waits for
 * @buf: room
 * @symbols: from symbols_open()
 * @entry: a record
 * @sample: one of its samples
 *
 * Return: the variable, or the field of what was allocated; NULL where neither is known.
 */
const char *lock_name(char buf[LOCK_NAME_LEN], const struct symbols *symbols,
		      const struct entry *entry, const struct tio_sample *sample)
{
	struct symbol symbol;
	struct trace trace;

	if (!lock_known(sample))
		return NULL;
	if (frame_variable(symbols, entry, sample->lock, sample->lock_cpu, &symbol)) {
		print_variable(buf, &symbol, sample->lock_cpu);
		return buf;
	}
	if (sample->lock_cpu)
		return NULL;
	trace_of(&trace, symbols, entry, sample);
	return lock_field(&trace);
}

/**
 * lock_print() - the lock that a sample waits for, where addresses may be shown
 * @buf: room
 * @symbols: from symbols_open()
 * @entry: a record
 * @sample: one of its samples, of which the lock is known
 *
 * Return: its name; without one "a lock at 0xffff...", or "a lock #..." by an opaque number.
 */
const char *lock_print(char buf[LOCK_NAME_LEN], const struct symbols *symbols,
		       const struct entry *entry, const struct tio_sample *sample)
{
	const char *name = lock_name(buf, symbols, entry, sample);
	int len;

	if (name)
		return name;
	len = snprintf(buf, LOCK_NAME_LEN,
		       sample->lock & KERNEL_ADDRESS ? "a lock at 0x%llx" : "a lock #%llx",
		       sample->lock);
	if (sample->lock_cpu)
		snprintf(buf + len, LOCK_NAME_LEN - len, " of CPU %u", sample->lock_cpu - 1);
	return buf;
}
