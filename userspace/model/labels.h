/* SPDX-License-Identifier: GPL-2.0-only */
/* Words for the module's numbers and bits. */
#ifndef _IRQOFF_LABELS_H
#define _IRQOFF_LABELS_H

#include <stddef.h>

#include "base/units.h"
#include "core/classify.h"
#include "core/record.h"

const char *class_means(enum tio_class class);
const char *kind_word(const struct tio_record *rec);
const char *end_word(const struct tio_record *rec);
const char *stop_word(unsigned int by);
const char *lock_word(unsigned int kind);
const char *flag_word(unsigned int bit);
const char *softirq_word(unsigned int bit);

const char *print_record_name(char buf[UNITS_LEN], const struct tio_record *rec);

size_t characters(const char *text);
char *printable(char *text);

#endif /* _IRQOFF_LABELS_H */
