/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoints that tell a heartbeat what happened between two beats. */
#ifndef _TIO_PROBES_H
#define _TIO_PROBES_H

#include <linux/types.h>

struct tracepoint;

struct tio_probe {
	const char *name;	/* of the tracepoint */
	void *func;
	bool required;
	struct tracepoint *tp;
	bool registered;
};

int tio_probes_init(void);
int tio_probes_register(void);
void tio_probes_unregister(void);

#endif /* _TIO_PROBES_H */
