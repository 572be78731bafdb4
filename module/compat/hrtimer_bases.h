/* SPDX-License-Identifier: GPL-2.0-only */
/* where struct hrtimer_cpu_base is declared: in a header of its own from v7.3 on */
#ifndef _TIO_COMPAT_HRTIMER_BASES_H
#define _TIO_COMPAT_HRTIMER_BASES_H

#ifdef HAVE_HRTIMER_BASES
#include <linux/hrtimer_bases.h>
#else
#include <linux/hrtimer.h>
#endif

/*
 * Is the CPU's timer hardware set to the first of its hrtimers? Without high resolution the
 * tick looks for them. An interrupt that gave up is made up for later, and from v7.1 on an
 * interrupt sets the hardware only on its way out.
 */
static inline bool tio_hrtimers_programmed(const struct hrtimer_cpu_base *base)
{
#ifdef HAVE_HRTIMER_DEFERRED_REARM
	if (base->deferred_rearm)
		return false;
#endif
	return base->hres_active && !base->hang_detected;
}

#endif /* _TIO_COMPAT_HRTIMER_BASES_H */
