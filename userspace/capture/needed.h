/* SPDX-License-Identifier: GPL-2.0-only */
/* From when on a command needs the records of a capture whole; older ones are counted. */
#ifndef _IRQOFF_NEEDED_H
#define _IRQOFF_NEEDED_H

#include "base/units.h"
#include "model/filter.h"

/* before the first record that passes: those that it may be linked to end in this time */
#define NEEDED_BEFORE_NS	(60 * NSEC_PER_SEC)

bool needed_some(const struct filter *filter);
bool needed_look(const struct filter *filter);
__u64 needed_from_ns(const struct filter *filter, const struct model *model);
bool needed_suffices(const struct filter *filter, const struct model *model, __u64 from_ns);

#endif /* _IRQOFF_NEEDED_H */
