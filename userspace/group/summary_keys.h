/* SPDX-License-Identifier: GPL-2.0-only */
/* What records are grouped by, and what groups are sorted by. */
#ifndef _IRQOFF_SUMMARY_KEYS_H
#define _IRQOFF_SUMMARY_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/model.h"

/* what records are grouped by; columns come in this order */
enum summary_key {
	SUMMARY_CULPRIT,
	SUMMARY_BUSY,
	SUMMARY_CLASS,
	SUMMARY_CPU,
	SUMMARY_COMM,
	SUMMARY_CGROUP,
	SUMMARY_POD,
	SUMMARY_CONTAINER,
	SUMMARY_KEYS
};

enum {
	SUMMARY_BY_DEFAULT = 1U << SUMMARY_CULPRIT | 1U << SUMMARY_CLASS
};

enum summary_sort {
	SUMMARY_TOTAL,		/* of groups of ends alone a tenth */
	SUMMARY_COUNT,
	SUMMARY_LONGEST,
	SUMMARY_COST,
	SUMMARY_SORTS
};

enum summary_key summary_take_key(const char **list);
bool summary_parse_by(const char *list, unsigned int *by);
bool summary_parse_sort(const char *word, enum summary_sort *sort);
const char *summary_key_name(enum summary_key key);
const char *summary_key_word(unsigned int i);
const char *summary_sort_word(unsigned int i);
const char *summary_key_text(char *buf, size_t size, const struct entry *entry,
			     enum summary_key key);
int summary_compare(const struct entry *left, const struct entry *right, unsigned int by);
unsigned long summary_hash(const struct entry *entry, unsigned int by);

#endif /* _IRQOFF_SUMMARY_KEYS_H */
