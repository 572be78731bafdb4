/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A record in little memory: its samples are kept once with equal ones, but for their times and
 * registers. From handlers on, the fields of its rec are read by what is here alone.
 */
#ifndef _IRQOFF_PACKED_H
#define _IRQOFF_PACKED_H

#include "model.h"

void model_add_packed(struct model *model, const struct entry *whole);
struct entry *entry_open(struct entry *room, struct entry *entry);
void entry_close(struct entry *entry, const struct entry *whole);
const struct tio_record *entry_record(struct tio_record *room, const struct entry *entry);
const struct tio_sample *entry_sample(const struct entry *entry, unsigned int i);
__u64 entry_sampled_ns(const struct entry *entry, unsigned int i);

#endif /* _IRQOFF_PACKED_H */
