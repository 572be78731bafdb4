// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdlib.h>

#include "base/say.h"
#include "causes/causes.h"
#include "cli/commands.h"
#include "output/out.h"

const char causes_notes[] =
	"report prints a known cause under the culprit that it explains. Without an ID all known\n"
	"causes are listed, and what looks like a stall and is none. FIXED is the release of the\n"
	"kernel that has the cause no more; distributions may have it earlier.\n\n"
	"Rows of one's own are read from the files NAME.json in /etc/trace-irqoff/causes.d, before\n"
	"those that came with irqoff. irqoff-causes(5) says how to write them. A file that is wrong\n"
	"is left out, after saying what is wrong with it, and the exit status is 1.\n";

struct request {
	struct screen_wish wish;
	bool json;
};

static int take_option(struct request *request, int option, const char *value)
{
	if (option != OPTION_JSON)
		return screen_option(&request->wish, option, value);
	request->json = true;
	return EXIT_DONE;
}

/* finds the rows that are named */
static int choose(const struct causes *causes, bool *chosen, int argc, char **argv)
{
	for (int i = optind; i < argc; i++) {
		const struct cause *cause = cause_by_id(causes, argv[i]);

		if (!cause)
			return failed("there is no cause '%s' (irqoff causes lists them)",
				      argv[i]);
		chosen[cause - causes->rows] = true;
	}
	return EXIT_DONE;
}

static void print_causes(const struct request *request, const struct causes *causes,
			 const bool *chosen, bool all)
{
	struct page page = { .out = stdout };
	bool first = true;

	if (request->json) {
		json_causes(causes, all ? NULL : chosen, stdout);
		return;
	}
	screen_open(&page.screen, &request->wish);
	if (all)
		text_causes(&page, causes);
	for (size_t i = 0; i < causes->count && !all; i++) {
		if (!chosen[i])
			continue;
		if (!first)
			putchar('\n');
		text_cause_whole(&page, causes, &causes->rows[i]);
		first = false;
	}
}

/* after saying why, which it was already of files that are left out */
static int no_files(const struct causes *causes)
{
	char *why;

	if (!causes->refused) {
		why = causes_missing();
		failed("%s", why);
		free(why);
	}
	return EXIT_FAILED;
}

static int show_causes(const struct request *request, const struct causes *causes, int argc,
		       char **argv)
{
	bool *chosen = alloc(causes->count + 1, sizeof(*chosen));
	int ret = choose(causes, chosen, argc, argv);

	if (!ret)
		print_causes(request, causes, chosen, optind == argc);
	free(chosen);
	return !ret && causes->refused ? EXIT_FAILED : ret;
}

int cmd_causes(const struct command *command, int argc, char **argv)
{
	struct request request = { 0 };
	int option, ret = EXIT_DONE;
	struct causes causes;

	while (!ret && (option = next_option(command, argc, argv)) != OPTION_END) {
		if (option == OPTION_HELP || option == OPTION_WRONG)
			return option_status(option);
		ret = take_option(&request, option, optarg);
	}
	if (ret)
		return ret;
	causes_open(&causes);
	ret = causes.nfiles ? show_causes(&request, &causes, argc, argv) : no_files(&causes);
	causes_free(&causes);
	return ret;
}
