/* SPDX-License-Identifier: GPL-2.0-only */
/* The one home of the version of module, reader and packages. */
#ifndef _TIO_VERSION_H
#define _TIO_VERSION_H

#define TRACE_IRQOFF_VERSION	"0.1.0"

/* TRACE_IRQOFF_A_VERSION: grows with each addition to the uapi header */
#define TRACE_IRQOFF_API	13

#endif /* _TIO_VERSION_H */
