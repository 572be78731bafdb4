/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef _TIO_RELEASE_H
#define _TIO_RELEASE_H

int tio_release_check(void);

#endif /* _TIO_RELEASE_H */
