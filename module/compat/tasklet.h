/* SPDX-License-Identifier: GPL-2.0-only */
/* a tasklet whose function takes it: "tasklet: Introduce new initialization API" (v5.9) */
#ifndef _TIO_COMPAT_TASKLET_H
#define _TIO_COMPAT_TASKLET_H

#include <linux/interrupt.h>

#ifndef HAVE_TASKLET_SETUP
/* the function gets a number, 0, where it takes a tasklet: no function here looks at it */
#undef DECLARE_TASKLET
#define DECLARE_TASKLET(name, _callback)					\
	struct tasklet_struct name = {						\
		.count = ATOMIC_INIT(0),					\
		.func = (void (*)(unsigned long))(void *)(_callback),		\
	}
#endif

#endif /* _TIO_COMPAT_TASKLET_H */
