/* SPDX-License-Identifier: GPL-2.0-only */
/* A stack in JSON. */
#ifndef _IRQOFF_OUT_JSON_FRAMES_H
#define _IRQOFF_OUT_JSON_FRAMES_H

#include "base/json_text.h"
#include "output/out.h"

/* what was written of stacks of one model */
struct json_stacks;

struct json_stacks *json_stacks_new(void);
void json_frames(struct json_text *text, struct json_stacks *known, const struct page *page,
		 const struct entry *entry, const struct tio_sample *sample);
void json_stacks_free(struct json_stacks *known);

#endif /* _IRQOFF_OUT_JSON_FRAMES_H */
