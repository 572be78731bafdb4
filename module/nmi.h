/* SPDX-License-Identifier: GPL-2.0-only */
/* Non-maskable interrupts from CPU to CPU, where modules can send them. */
#ifndef _TIO_NMI_H
#define _TIO_NMI_H

#include <linux/types.h>

int tio_nmi_init(void);
void tio_nmi_exit(void);
bool tio_nmi_able(void);
void tio_nmi_send(unsigned int cpu);

#endif /* _TIO_NMI_H */
