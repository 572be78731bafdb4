/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls to CPUs that nobody waits for: "take up the settings", "do you answer?". */
#ifndef _TIO_TELL_H
#define _TIO_TELL_H

#include <linux/cpumask.h>

void tio_tell_init(void (*calls)(void));
void tio_tell(unsigned int cpu);
bool tio_tell_silent(unsigned int cpu);
bool tio_tell_all(unsigned int *silent);
void tio_tell_exit(void);

#endif /* _TIO_TELL_H */
