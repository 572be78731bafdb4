/* SPDX-License-Identifier: GPL-2.0-only */
/* A rule for names of frames that module and reader share. Pure. */
#ifndef _TIO_FRAME_RULE_H
#define _TIO_FRAME_RULE_H

#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <stdbool.h>
#include <string.h>
#endif

/*
 * Is this the name of a retpoline, maybe with an alias's prefix such as __pi_? A
 * retpoline puts the function that it jumps to where the unwinder looks for a return
 * address. Above a retpoline a frame at offset 0 is therefore that function, and not
 * the end of the function before it.
 */
static inline bool tio_is_retpoline(const char *name)
{
	return strstr(name, "__x86_indirect_thunk");
}

#endif /* _TIO_FRAME_RULE_H */
