/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_MODULE_H
#define _LINUX_KERNEL_MODULE_H

#define MODULE_DESCRIPTION(text)
#define MODULE_LICENSE(name)

#endif /* _LINUX_KERNEL_MODULE_H */
