// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/say.h"
#include "correlate/reasons.h"

#define FIRST_ROOM	64

/**
 * reasons_add() - count a reason
 * @reasons: zeroed at first, for reasons_free()
 * @why: the reason, which stays
 * @remedy: what would tell, which stays
 *
 * Return: its index.
 */
size_t reasons_add(struct reasons *reasons, const char *why, const char *remedy)
{
	void *index;

	if (!reasons->by_why)
		reasons->by_why = or_exit(lh_kchar_table_new(FIRST_ROOM, NULL));
	if (!lh_table_lookup_ex(reasons->by_why, why, &index)) {
		index = (void *)(uintptr_t)reasons->count;
		if (lh_table_insert(reasons->by_why, why, index))
			or_exit(NULL);
		reasons->all = grow(reasons->all, reasons->count, sizeof(*reasons->all));
		reasons->all[reasons->count++] = (struct reason){ .why = why, .remedy = remedy };
	}
	reasons->all[(uintptr_t)index].count++;
	return (uintptr_t)index;
}

void reasons_free(struct reasons *reasons)
{
	if (reasons->by_why)
		lh_table_free(reasons->by_why);
	free(reasons->all);
	*reasons = (struct reasons){ 0 };
}
