// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "commands.h"
#include "out.h"
#include "say.h"
#include "source.h"

const char status_notes[] =
	"For each CPU that was ever watched: heartbeats run; records made, still kept, overwritten by newer\n"
	"ones (lost) and dropped by clear; stacks taken while a stall went on; the time a heartbeat takes,\n"
	"and the share of the CPU that this makes.\n";

static int status(bool json)
{
	struct source *source = NULL;
	struct model model = { 0 };
	int ret = source_open(&source);

	if (!ret)
		ret = source_config(source, &model);
	if (!ret)
		ret = source_counters(source, &model);
	machine_read(&model.machine);
	if (!ret && json)
		json_status(&model, stdout);
	else if (!ret)
		text_status(&model, stdout);
	source_close(source);
	model_free(&model);
	return ret;
}

int cmd_status(const struct command *command, int argc, char **argv)
{
	bool json = false;
	int option, ret;

	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		json = true;
	}
	ret = no_operands(command, argc, argv);
	return ret ? ret : status(json);
}
