/* SPDX-License-Identifier: GPL-2.0-only */
/* Non-maskable interrupts to a CPU that is stuck, where modules can have them. */
#ifndef _TIO_NMI_H
#define _TIO_NMI_H

#include <linux/types.h>

struct pt_regs;

/* What NMIs call: @regs is what one interrupted; true: it was ours. */
struct tio_nmi_calls {
	bool (*take)(struct pt_regs *regs);	/* for each NMI */
	bool (*claim)(void);	/* for an NMI that nobody has claimed */
};

int tio_nmi_init(const struct tio_nmi_calls *calls);
void tio_nmi_exit(void);
bool tio_nmi_able(void);
bool tio_nmi_ours(const void *handler);
void tio_nmi_send(unsigned int cpu);

#endif /* _TIO_NMI_H */
