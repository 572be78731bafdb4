/* SPDX-License-Identifier: GPL-2.0-only */
/* What tracers are told of stalls; trace.h has the events as they see them. */
#ifndef _TIO_EVENTS_H
#define _TIO_EVENTS_H

#include "core/record.h"

void tio_event_ended(const struct tio_record *rec);

#endif /* _TIO_EVENTS_H */
