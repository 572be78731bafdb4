/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _LINUX_KERNEL_TOPOLOGY_H
#define _LINUX_KERNEL_TOPOLOGY_H

#define cpu_to_node(cpu)	((void)(cpu), 0)

#endif /* _LINUX_KERNEL_TOPOLOGY_H */
