/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_PROCESSOR_H
#define _LINUX_KERNEL_PROCESSOR_H

#define cpu_relax()	((void)0)

#endif /* _LINUX_KERNEL_PROCESSOR_H */
