/* SPDX-License-Identifier: GPL-2.0-only */
/* The one way to change settings. A stop waits for no CPU, a start for 50 ms or not at all. */
#ifndef _TIO_CONTROL_H
#define _TIO_CONTROL_H

#include "core/settings.h"
#include "state/published.h"

int tio_control_init(void);
void tio_control_exit(void);
void tio_control_leave(void);

struct tio_settings *tio_control_begin(void);
int tio_control_end(struct tio_settings *settings, bool free, bool wait, const char **rule);
void tio_control_abort(struct tio_settings *settings);

bool tio_control_self_stop(enum trace_irqoff_stop by,
			   bool (*harmful)(const struct tio_published *in_force));
unsigned int tio_control_drops(void);
int tio_control_clear(void);

#endif /* _TIO_CONTROL_H */
