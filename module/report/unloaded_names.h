/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of code that is about to go, for the frames of stacks that are kept. Nobody can
 * name it afterwards.
 */
#ifndef _TIO_UNLOADED_NAMES_H
#define _TIO_UNLOADED_NAMES_H

#include <linux/list.h>
#include <linux/types.h>

struct tio_text {
	unsigned long base;
	unsigned long size;
};

static inline bool tio_lies_in(const struct tio_text *text, u64 addr)
{
	return addr - text->base < text->size;
}

void tio_unloaded_names_collect(struct list_head *names, const struct tio_text *text,
				unsigned int ntexts, u64 since_ns);
const char *tio_unloaded_name(const struct list_head *names, u64 addr, bool returns);
void tio_unloaded_names_free(struct list_head *names);

#endif /* _TIO_UNLOADED_NAMES_H */
