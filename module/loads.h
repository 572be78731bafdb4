/* SPDX-License-Identifier: GPL-2.0-only */
/* Which modules came after a stack was taken: their names would be wrong ones. */
#ifndef _TIO_LOADS_H
#define _TIO_LOADS_H

#include <linux/types.h>

struct tio_sample;

int tio_loads_init(void);
void tio_loads_exit(void);
u64 tio_loads_stale(const struct tio_sample *sample);
int tio_frame_print(char *buf, const struct tio_sample *sample, u64 stale,
		    unsigned int frame);

#endif /* _TIO_LOADS_H */
