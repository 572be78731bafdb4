// SPDX-License-Identifier: GPL-2.0-only
/* The agent's file of settings, which administrators write by hand. */
#include "fuzz.h"

#include <string.h>

#include "base/say.h"
#include "cli/agent_settings.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	char *text = text_of((struct input){ data, size });
	struct settings settings;
	int ret = settings_parse(&settings, "file", text);

	promise(ret == EXIT_DONE || ret == EXIT_USAGE);
	promise(settings.noptions <= SETTINGS_OPTIONS);
	promise(settings.knobs.given[TIO_KNOB_ENABLE]);
	for (size_t i = 0; i < settings.noptions; i++)
		promise(!settings.options[i].value || !strchr(settings.options[i].value, '\n'));
	settings_free(&settings);
	free(text);
	return 0;
}
