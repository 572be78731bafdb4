/* SPDX-License-Identifier: GPL-2.0-only */
/* Documents of protobuf are written piece by piece: concatenated messages merge. */
#ifndef _IRQOFF_OUT_PROTOBUF_H
#define _IRQOFF_OUT_PROTOBUF_H

#include <protobuf-c/protobuf-c.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/say.h"

/* a message of any type */
static inline void put_message(FILE *out, const void *message)
{
	size_t len = protobuf_c_message_get_packed_size(message);
	void *bytes = alloc(len, 1);

	protobuf_c_message_pack(message, bytes);
	fwrite(bytes, 1, len, out);
	free(bytes);
}

#endif /* _IRQOFF_OUT_PROTOBUF_H */
