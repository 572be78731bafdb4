// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "record/cursor.h"
#include "report/kernel_name.h"
#include "report/unloaded_names.h"

/*
 * One cause of stalls has some ten addresses in a module. With names of 60 bytes these
 * are 25 KiB for a module's text or init text, and 400 KiB for all that are remembered.
 */
#define NAMES_OF_TEXT	256
#define NAMES_OF_ALL	4096

static atomic_t nall = ATOMIC_INIT(0);

struct gone_name {
	struct list_head list;
	u64 addr;
	bool returns;	/* frames but the innermost are named by another rule */
	char text[];
};

struct collection {
	struct list_head *names;
	const struct tio_text *texts;
	unsigned int ntexts;
	unsigned int n;
	u64 since_ns;
	char symbol[KSYM_SYMBOL_LEN];
};

static bool lies_in_any(const struct collection *to, u64 addr)
{
	unsigned int i;

	for (i = 0; i < to->ntexts; i++)
		if (tio_lies_in(&to->texts[i], addr))
			return true;
	return false;
}

static void keep(struct collection *to, u64 addr, bool returns)
{
	size_t len = strlen(to->symbol) + 1;
	struct gone_name *name;

	if (atomic_inc_return(&nall) > NAMES_OF_ALL)
		goto refuse;
	name = kmalloc(sizeof(*name) + len, GFP_KERNEL);
	if (!name)
		goto refuse;
	name->addr = addr;
	name->returns = returns;
	memcpy(name->text, to->symbol, len);
	list_add(&name->list, to->names);
	to->n++;
	return;

refuse:
	atomic_dec(&nall);
}

static bool wanted(const struct collection *to, u64 addr, bool returns, u64 at_ns)
{
	return to->n < NAMES_OF_TEXT && at_ns >= to->since_ns && lies_in_any(to, addr) &&
	       !tio_unloaded_name(to->names, addr, returns);
}

static void collect_stack(struct collection *to, const struct tio_sample *sample)
{
	unsigned int i;

	for (i = 0; i < sample->nframes; i++)
		if (wanted(to, sample->frames[i], i, sample->at_ns) &&
		    tio_kernel_name(to->symbol, sample, i))
			keep(to, sample->frames[i], i);
}

static void collect_record(struct collection *to, const struct tio_record *rec)
{
	unsigned int i;

	for (i = 0; i < rec->nsamples; i++)
		collect_stack(to, &rec->samples[i]);
	if (rec->open)
		return;
	collect_stack(to, &rec->end);
	if (rec->nmi_handler && wanted(to, rec->nmi_handler, false, rec->end_ns) &&
	    tio_kernel_function(to->symbol, rec->nmi_handler))
		keep(to, rec->nmi_handler, false);
}

/**
 * tio_unloaded_names_collect() - keep the names of frames in code that is about to go
 * @names: they are added here
 * @texts: where the code is
 * @ntexts: number of places
 * @since_ns: when it came; what was there before is other code
 *
 * A name that there is no memory for, or no room, is left out. So is one of a record that
 * is written at this moment.
 *
 * Context: task, may sleep; the code still has its symbols.
 */
void tio_unloaded_names_collect(struct list_head *names, const struct tio_text *texts,
				unsigned int ntexts, u64 since_ns)
{
	struct collection *to = kmalloc(sizeof(*to), GFP_KERNEL);
	struct tio_sweep *sweep = kmalloc(sizeof(*sweep), GFP_KERNEL);

	if (to && sweep) {
		to->names = names;
		to->texts = texts;
		to->ntexts = ntexts;
		to->since_ns = since_ns;
		to->n = 0;
		tio_sweep_begin(sweep, since_ns);
		while (to->n < NAMES_OF_TEXT && tio_sweep_next(sweep))
			if (!sweep->rec.busy)
				collect_record(to, &sweep->rec);
	}
	kfree(sweep);
	kfree(to);
}

/**
 * tio_unloaded_name() - the name that is kept for a frame
 * @names: of the module that it lies in
 * @addr: its address
 * @returns: it is not the innermost one of its stack
 *
 * Context: whatever protects @names.
 * Return: the text of tio_kernel_name(); NULL where there is none.
 */
const char *tio_unloaded_name(const struct list_head *names, u64 addr, bool returns)
{
	const struct gone_name *name;

	list_for_each_entry(name, names, list)
		if (name->addr == addr && name->returns == returns)
			return name->text;
	return NULL;
}

/**
 * tio_unloaded_names_free() - forget names
 * @names: them
 *
 * Context: as tio_unloaded_name().
 */
void tio_unloaded_names_free(struct list_head *names)
{
	struct gone_name *name, *next;

	list_for_each_entry_safe(name, next, names, list) {
		kfree(name);
		atomic_dec(&nall);
	}
	INIT_LIST_HEAD(names);
}
