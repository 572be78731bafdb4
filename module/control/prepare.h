/* SPDX-License-Identifier: GPL-2.0-only */
/* What settings need before they are in force: to be allowed, memory, probes. */
#ifndef _TIO_PREPARE_H
#define _TIO_PREPARE_H

#include "core/settings.h"

#define TIO_HOTPLUG_RULE \
	"a CPU is coming online or going offline, so nothing is changed; try again"

void tio_prepare_cpus(const struct tio_settings *settings, struct cpumask *mask);
int tio_prepare_check(const struct tio_settings *settings, const char **rule);
int tio_prepare_watching(const struct cpumask *watched, bool wait, const char **rule);
int tio_prepare_memory(const struct cpumask *watched, const char **rule);

#endif /* _TIO_PREPARE_H */
