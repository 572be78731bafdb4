/* SPDX-License-Identifier: GPL-2.0-only */
/* The model, printed: for people and for programs. Prints to any file, so that tests can look. */
#ifndef _IRQOFF_OUT_H
#define _IRQOFF_OUT_H

#include <stdio.h>

#include "model.h"
#include "summary.h"
#include "symbols.h"
#include "units.h"

/* what the records of a page are printed with */
struct page {
	const struct model *model;
	const struct symbols *symbols;
	bool filtered;		/* not all records were wanted */
	bool unwatched;		/* no CPU of those that were is watched */
	FILE *out;
};

void text_report(const struct page *page, const struct summary *summary);
void text_list(const struct page *page, bool verbose);
void text_nothing(const struct page *page);
void text_state(const struct model *model, FILE *out);
void text_hist(const struct model *model, bool per_cpu, FILE *out);
void text_status(const struct model *model, FILE *out);
const char *text_name(char buf[UNITS_LEN], const struct tio_record *rec);
void text_stack(const struct page *page, const struct entry *entry,
		const struct tio_sample *sample, const char *indent, unsigned int most);

void json_report(const struct page *page, const struct summary *summary);
void json_list(const struct page *page);
void json_lines(const struct page *page);
void json_hist(const struct model *model, bool per_cpu, FILE *out);
void json_status(const struct model *model, FILE *out);

#endif /* _IRQOFF_OUT_H */
