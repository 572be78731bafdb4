/* SPDX-License-Identifier: GPL-2.0-only */
/* When the probes are attached to the kernel's tracepoints, and when they are detached. */
#ifndef _TIO_ATTACH_H
#define _TIO_ATTACH_H

#include <linux/types.h>

int tio_attach_start(unsigned int *silent);
int tio_attach_ask(unsigned int *silent);
void tio_attach_stop(void);
bool tio_attach_attached(void);
bool tio_attach_detaching(void);
void tio_attach_exit(void);

#endif /* _TIO_ATTACH_H */
