// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "base/say.h"
#include "cli/commands.h"
#include "source/source.h"

static int clear(void)
{
	struct source *source = NULL;
	int ret = source_open(&source);

	if (!ret)
		ret = source_clear(source);
	source_close(source);
	return ret;
}

int cmd_clear(const struct command *command, int argc, char **argv)
{
	int done, ret = only_help(command, argc, argv, &done);

	if (!ret && !done)
		ret = no_operands(command, argc, argv);
	return ret || done ? ret : clear();
}
