/* SPDX-License-Identifier: GPL-2.0-only */
/* A model as the module would have sent it, and as a capture. */
#ifndef _WIRE_H
#define _WIRE_H

#include "collect/collect.h"
#include "source/messages.h"

struct nl_msg *wire_record(const struct entry *entry);
void wire_name(struct nl_msg *msg, __u64 addr, const char *symbol);
void wire_model(struct messages *messages, const struct model *model);

/* a capture of it in memory, to be freed */
char *wire_capture(struct collection *collection, bool strip, size_t *len);

/* a capture tells the same of all that is counted where its records are read briefly */
void wire_assert_brief(const char *bytes, size_t len, const struct model *whole);

#endif /* _WIRE_H */
