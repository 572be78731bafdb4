/* SPDX-License-Identifier: GPL-2.0-only */
/* The tracepoints that tell a heartbeat what happens between two beats. */
#ifndef _TIO_TRACEPOINTS_H
#define _TIO_TRACEPOINTS_H

struct tio_cpu;

void tio_probes_reset(struct tio_cpu *cpu);
int tio_probes_init(void);
int tio_probes_register(void);
void tio_probes_unregister(void);

#endif /* _TIO_TRACEPOINTS_H */
