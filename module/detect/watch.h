/* SPDX-License-Identifier: GPL-2.0-only */
/* Watching a CPU: begun, changed, ended. */
#ifndef _TIO_WATCH_H
#define _TIO_WATCH_H

#include "state/cpu.h"
#include "state/published.h"

void tio_watch_init(void);
void tio_watch_take_up(void);
void tio_watch_online(bool online);
bool tio_watch_knows(unsigned int cpu, u64 generation);
bool tio_watch_behind(unsigned int cpu, const struct tio_published *state);
void tio_watch_exit(void);

#endif /* _TIO_WATCH_H */
