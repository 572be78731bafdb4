// SPDX-License-Identifier: GPL-2.0-only
/* What clients of irqoff serve write: an Accept header, a path, and a number of seconds. */
#include "fuzz.h"

#include <string.h>

#include "serve/asked.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	char *text = text_of((struct input){ data, size });
	unsigned int seconds;

	/* OpenMetrics has to be named */
	if (asked_format(text) == METRICS_OPENMETRICS)
		promise(strcasestr(text, "application/openmetrics-text"));
	promise(asked_path(text) != ASKED_PROFILE || !strcmp(text, ASKED_PROFILE_PATH));
	if (asked_seconds(text, &seconds))
		promise(seconds >= 1 && seconds <= ASKED_SECONDS_MOST);
	free(text);
	return 0;
}
