/* SPDX-License-Identifier: GPL-2.0-only */
/* Times and shares as people type them: "1.5ms", "6%". Pure, for module and reader. */
#ifndef _TIO_MEASURE_H
#define _TIO_MEASURE_H

#include <linux/types.h>
#ifndef __KERNEL__
#include <stdbool.h>
#include <stddef.h>
#endif

bool tio_scaled(const char *text, size_t len, __u64 scale, __u64 *result);
__u64 tio_unit(const char *word, size_t len);
bool tio_time(const char *text, size_t len, __u64 *ns);
bool tio_length(const char *text, size_t len, __u64 *ns);
bool tio_share(const char *text, size_t len, __u32 *ppm);

#endif /* _TIO_MEASURE_H */
