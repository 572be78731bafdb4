/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TIO_PROCFS_H
#define _TIO_PROCFS_H

int tio_procfs_init(void);
void tio_procfs_exit(void);

#endif /* _TIO_PROCFS_H */
