/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel calls the code at an address now. */
#ifndef _TIO_KERNEL_NAME_H
#define _TIO_KERNEL_NAME_H

#include <linux/types.h>

struct tio_sample;

bool tio_in_image(u64 addr);
int tio_kernel_name(char *buf, const struct tio_sample *sample, unsigned int frame);
int tio_kernel_function(char *buf, u64 addr);

#endif /* _TIO_KERNEL_NAME_H */
