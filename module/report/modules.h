/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of frames. A module that was loaded after a stack was taken may lie where another
 * one lay then: its names would be wrong.
 */
#ifndef _TIO_MODULES_H
#define _TIO_MODULES_H

#include <linux/types.h>

struct tio_sample;

int tio_modules_init(void);
void tio_modules_exit(void);
u64 tio_modules_stale(const struct tio_sample *sample);
int tio_frame_print(char *buf, const struct tio_sample *sample, unsigned int frame);
int tio_function_print(char *buf, u64 addr, u64 at_ns);

#endif /* _TIO_MODULES_H */
