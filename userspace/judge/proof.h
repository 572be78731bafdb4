/* SPDX-License-Identifier: GPL-2.0-only */
/* What the records rule out: proofs that two CPUs alone were in a hard stall. */
#ifndef _IRQOFF_PROOF_H
#define _IRQOFF_PROOF_H

#include "model/model.h"

struct proof;

struct proof *proof_new(const struct model *model);
void proof_free(struct proof *proof);
bool proof_no_other(const struct proof *proof, const struct entry *entry, __u64 at_ns,
		    __u32 other_cpu);

#endif /* _IRQOFF_PROOF_H */
