/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that come online and go offline. */
#ifndef _TIO_HOTPLUG_H
#define _TIO_HOTPLUG_H

int tio_hotplug_init(void);
void tio_hotplug_exit(void);

#endif /* _TIO_HOTPLUG_H */
