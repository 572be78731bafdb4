/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_SMP_H
#define _LINUX_KERNEL_SMP_H

#define raw_smp_processor_id()	0

#endif /* _LINUX_KERNEL_SMP_H */
