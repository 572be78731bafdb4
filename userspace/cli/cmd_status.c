// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stddef.h>

#include "base/say.h"
#include "cli/commands.h"
#include "model/ignored.h"
#include "output/out.h"
#include "source/installed.h"
#include "source/source.h"

const char status_notes[] =
	"For each CPU that was ever watched: heartbeats run; records made, still kept,\n"
	"overwritten by newer ones (lost) and dropped by clear or stop --free (cleared);\n"
	"stacks taken while a stall went on; the time a heartbeat takes, and the share of the\n"
	"CPU that this makes.\n\n"
	"Three more columns are shown where they are not 0. PPM is what heartbeats cost with\n"
	"their interrupts, in parts per million of the CPU's time. max_cost limits it.\n"
	"NMI-REFUSED counts samples that were not taken because nmi_cpu_rate or nmi_rate was\n"
	"used up. NMI-LOST counts NMIs that did not arrive within a second.\n";

struct request {
	struct inputs inputs;
	struct screen_wish wish;
	struct screen screen;
	bool json;
};

static void print_status(struct request *request, const struct model *model, bool first)
{
	struct page page = { .model = model, .out = stdout };

	if (request->json) {
		json_status(model, stdout);
		return;
	}
	status_select(&page.columns, model, request->wish.columns);
	if (first)
		screen_open(&request->screen, &request->wish);
	else
		putchar('\n');
	page.screen = request->screen;
	text_status(&page);
}

static int status_one(struct collection *collection, struct filter *filter, bool first,
		      void *context)
{
	(void)filter;
	print_status(context, &collection->model, first);
	return EXIT_DONE;
}

/* which module the next load takes, where DKMS installed it */
static void read_installed(struct machine *machine)
{
	struct installed installed;

	installed_look(&installed, "", machine->release);
	if (installed.state == INSTALLED_MODULE || installed.state == INSTALLED_SIGNED_ONLY)
		fill_text(machine->installed, sizeof(machine->installed), installed.version);
}

static int status(struct request *request)
{
	struct filter none = { .since_ns = ~0ULL, .until_ns = ~0ULL, .narrow = true };
	struct source *source = NULL;
	struct model model = { 0 };
	int ret;

	if (request->inputs.count)
		return inputs_each(&request->inputs, &none, status_one, request);
	ret = source_open(&source);
	if (!ret)
		ret = source_config(source, &model);
	if (!ret)
		ret = source_counters(source, &model);
	machine_read(&model.machine);
	read_installed(&model.machine);
	if (!ret) {
		ignored_read(model.machine.ignored);
		print_status(request, &model, true);
	}
	source_close(source);
	model_free(&model);
	return ret;
}

int cmd_status(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	int option, ret = EXIT_DONE;
	struct columns columns;

	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG) {
			inputs_free(&request.inputs);
			return option_status(option);
		}
		if (option == OPTION_INPUT)
			inputs_add(&request.inputs, optarg);
		else if (option == OPTION_JSON)
			request.json = true;
		else
			ret = screen_option(&request.wish, option, optarg);
	}
	if (!ret)
		ret = input_operands(&request.inputs, command, argc, argv);
	if (!ret)
		ret = status_select(&columns, NULL, request.wish.columns);
	if (!ret)
		ret = status(&request);
	inputs_free(&request.inputs);
	return ret;
}
