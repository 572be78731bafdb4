// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>

#include "commands.h"
#include "out.h"
#include "say.h"
#include "source.h"

const char hist_notes[] =
	"Counts lower bounds of the stalls' lengths, from two periods up, whether or not there is a record\n"
	"of the stall; clear leaves them as they are.\n";

static int hist(bool per_cpu, bool json)
{
	struct source *source = NULL;
	struct model model = { 0 };
	int ret = source_open(&source);

	if (!ret)
		ret = source_config(source, &model);
	if (!ret)
		ret = source_counters(source, &model);
	if (!ret)
		ret = source_histograms(source, &model);
	machine_read(&model.machine);
	if (!ret && json)
		json_hist(&model, per_cpu, stdout);
	else if (!ret)
		text_hist(&model, per_cpu, stdout);
	source_close(source);
	model_free(&model);
	return ret;
}

int cmd_hist(const struct command *command, int argc, char **argv)
{
	bool per_cpu = false, json = false;
	int option, ret;

	while ((option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		if (option == OPTION_PER_CPU)
			per_cpu = true;
		else
			json = true;
	}
	ret = no_operands(command, argc, argv);
	return ret ? ret : hist(per_cpu, json);
}
