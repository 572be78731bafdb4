/* SPDX-License-Identifier: GPL-2.0-only */
/* The subcommands, and the options they share. */
#ifndef _IRQOFF_COMMANDS_H
#define _IRQOFF_COMMANDS_H

#include <getopt.h>

#include "filter.h"

/* options that go together */
enum option_set {
	TAKES_FILTER	= 1 << 0,
	TAKES_GROUPS	= 1 << 1,
	TAKES_VERBOSE	= 1 << 2,
	TAKES_PER_CPU	= 1 << 3,
	TAKES_JSON	= 1 << 4,
	TAKES_HELP	= 1 << 5,
	TAKES_LINES	= 1 << 6,
};

enum {
	OPTION_END = -1,
	OPTION_HELP = 'h',	/* help was printed: exit status 0 */
	OPTION_VERBOSE = 'v',
	OPTION_JSON = FILTER_OPTIONS_END,
	OPTION_BY,
	OPTION_SORT,
	OPTION_PER_CPU,
	OPTION_WRONG,		/* said so: exit status 2 */
};

struct command {
	const char *name;
	const char *arguments;
	const char *summary;
	unsigned int takes;	/* TAKES_* */
	const char *notes;	/* the rest of its help, NULL: none */
	/* argv[0] is the command's name; returns the exit status */
	int (*run)(const struct command *command, int argc, char **argv);
};

extern const char report_notes[];
extern const char list_notes[];
extern const char hist_notes[];
extern const char status_notes[];
extern const char start_notes[];
extern const char set_notes[];

int cmd_report(const struct command *command, int argc, char **argv);
int cmd_list(const struct command *command, int argc, char **argv);
int cmd_hist(const struct command *command, int argc, char **argv);
int cmd_status(const struct command *command, int argc, char **argv);
int cmd_start(const struct command *command, int argc, char **argv);
int cmd_stop(const struct command *command, int argc, char **argv);
int cmd_set(const struct command *command, int argc, char **argv);
int cmd_clear(const struct command *command, int argc, char **argv);

int next_option(const struct command *command, int argc, char **argv);
int option_status(int option);
int no_operands(const struct command *command, int argc, char **argv);

int irqoff_main(int argc, char **argv);

#endif /* _IRQOFF_COMMANDS_H */
