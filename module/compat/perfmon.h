/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "capabilities: Introduce CAP_PERFMON to kernel and user space" (v5.8). What it allows
 * took CAP_SYS_ADMIN before.
 */
#ifndef _TIO_COMPAT_PERFMON_H
#define _TIO_COMPAT_PERFMON_H

#include <linux/capability.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON	CAP_SYS_ADMIN
#endif

#endif /* _TIO_COMPAT_PERFMON_H */
