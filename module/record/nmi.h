/* SPDX-License-Identifier: GPL-2.0-only */
/* Non-maskable interrupts to a CPU that is stuck, where modules can have them. */
#ifndef _TIO_NMI_H
#define _TIO_NMI_H

#include <linux/types.h>

struct pt_regs;

/*
 * What NMIs call: @regs is what one interrupted, @grace_ns how long after its request an
 * NMI comes at the latest to a CPU that runs; true: it was ours.
 */
struct tio_nmi_calls {
	bool (*take)(struct pt_regs *regs, u64 grace_ns);	/* for each NMI */
	bool (*claim)(void);	/* for an NMI that nobody has claimed */
};

int tio_nmi_init(const struct tio_nmi_calls *calls);
void tio_nmi_exit(void);
bool tio_nmi_able(void);
bool tio_nmi_ours(const void *handler);
void tio_nmi_send(unsigned int cpu);

/*
 * tio_nmi_polled(): none is sent. NMIs come to each CPU by themselves, now and then, and the
 * next one finds what has been requested. Kbuild says so where that is how it is.
 */
#ifdef TIO_NMI_POLLED
static inline bool tio_nmi_polled(void) { return true; }
bool tio_nmi_reaches(unsigned int cpu);
void tio_nmi_settings(unsigned int cpu);
void tio_nmi_online(unsigned int cpu);
#else
static inline bool tio_nmi_polled(void) { return false; }
static inline bool tio_nmi_reaches(unsigned int cpu) { return true; }
static inline void tio_nmi_settings(unsigned int cpu) { }
static inline void tio_nmi_online(unsigned int cpu) { }
#endif

#endif /* _TIO_NMI_H */
