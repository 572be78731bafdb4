/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls to CPUs that nobody waits for: "take up the settings", "do you answer?". */
#ifndef _TIO_CPU_CALL_H
#define _TIO_CPU_CALL_H

#include <linux/cpumask.h>

void tio_cpu_call_init(void (*calls)(void));
void tio_cpu_call(unsigned int cpu);
bool tio_cpu_call_silent(unsigned int cpu);
bool tio_cpu_call_all(unsigned int *silent);
void tio_cpu_call_exit(void);

#endif /* _TIO_CPU_CALL_H */
