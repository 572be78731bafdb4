/* SPDX-License-Identifier: GPL-2.0-only */
/* What a request asks for. Pure. */
#ifndef _IRQOFF_ASKED_H
#define _IRQOFF_ASKED_H

#include <stdbool.h>

#include "agent/metrics.h"

#define ASKED_METRICS_PATH	"/metrics"
#define ASKED_PROFILE_PATH	"/debug/pprof/irqoff"

#define ASKED_SECONDS		60	/* where a request does not say */
#define ASKED_SECONDS_MOST	86400

enum asked {
	ASKED_NOTHING,
	ASKED_INDEX,
	ASKED_METRICS,
	ASKED_PROFILE,
};

enum asked asked_path(const char *path);
bool asked_method(const char *method);
bool asked_seconds(const char *text, unsigned int *seconds);
enum metrics_format asked_format(const char *accept);

#endif /* _IRQOFF_ASKED_H */
