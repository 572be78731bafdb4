/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of a record's frames. */
#ifndef _IRQOFF_FRAME_H
#define _IRQOFF_FRAME_H

#include "model/model.h"
#include "names/symbols.h"

/* a record of a capture has names of its own time */
static inline const struct symbols *entry_symbols(const struct symbols *symbols,
						  const struct entry *entry)
{
	return entry->symbols ? entry->symbols : symbols;
}

bool frames_named(const struct entry *entry);
void frame_symbol(const struct symbols *symbols, const struct entry *entry,
		  const struct tio_sample *sample, unsigned int frame, struct symbol *symbol);
void frame_source(const struct symbols *symbols, const struct entry *entry,
		  const struct tio_sample *sample, unsigned int frame, struct symbol *symbol);
void frame_function(const struct symbols *symbols, const struct entry *entry, __u64 addr,
		    struct symbol *symbol);
void frame_function_source(const struct symbols *symbols, const struct entry *entry, __u64 addr,
			   struct symbol *symbol);
bool frame_variable(const struct symbols *symbols, const struct entry *entry, __u64 addr,
		    bool percpu, struct symbol *symbol);

#endif /* _IRQOFF_FRAME_H */
