/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats of other tools, each written from one or more captures. */
#ifndef _IRQOFF_EXPORT_H
#define _IRQOFF_EXPORT_H

#include "output/out.h"

/* what stands before the functions of a folded stack */
struct first_frames {
	enum summary_key keys[SUMMARY_KEYS];
	unsigned int count;
};

struct exporter {
	const char *name;
	bool binary;
	bool grouped;		/* as of a filter: packed records suffice */
	bool one_boot;		/* its times are of the kernel's clock */
	/* begins with an empty state; NULL: this irqoff was built without it */
	void *(*begin)(FILE *out, const struct first_frames *first);
	void (*add)(void *state, const struct page *page);
	void (*comment)(void *state, const char *text);	/* NULL: the format has none */
	void (*end)(void *state);	/* frees it */
};

extern const struct exporter folded_exporter;
extern const struct exporter pprof_exporter;
extern const struct exporter perfetto_exporter;

bool folded_parse_first(const char *list, struct first_frames *first);

/* gzip.c */
bool gzip_write(FILE *out, const void *bytes, size_t len);

#endif /* _IRQOFF_EXPORT_H */
