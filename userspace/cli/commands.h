/* SPDX-License-Identifier: GPL-2.0-only */
/* The subcommands, and the options of each. */
#ifndef _IRQOFF_COMMANDS_H
#define _IRQOFF_COMMANDS_H

#include <getopt.h>
#include <stdio.h>

#include "collect/inputs.h"
#include "model/filter.h"
#include "terminal/screen.h"

enum {
	OPTION_END = -1,
	OPTION_OPERAND = 1,	/* optarg, where words come in their order */
	OPTION_HELP = 'h',	/* help was printed: exit status 0 */
	OPTION_VERBOSE = 'v',
	OPTION_COLUMNS = 'o',
	OPTION_OUTPUT = 'o',	/* of commands that write a file */
	OPTION_INPUT = 'i',
	OPTION_JSON = FILTER_OPTIONS_END,
	OPTION_BY,
	OPTION_SORT,
	OPTION_TOP,
	OPTION_TREE,
	OPTION_PER_CPU,
	OPTION_COLOR,
	OPTION_NO_PAGER,
	OPTION_FREE,
	OPTION_STRIP,
	OPTION_FORCE,
	OPTION_PARTIAL,
	OPTION_BASELINE,
	OPTION_OPEN,
	OPTION_FOR,
	OPTION_FAIL_ABOVE,
	OPTION_EXEC,
	OPTION_EXEC_EVERY,
	OPTION_COUNTERS,
	OPTION_NETNS,
	OPTION_ROTATE,
	OPTION_FORMAT,
	OPTION_OVER,
	OPTION_DEV,
	OPTION_OFFSET,
	OPTION_TIME_IS,
	OPTION_UNIT,
	OPTION_FIELDS,
	OPTION_START,
	OPTION_INTERVAL,
	OPTION_CONFIG,
	OPTION_STATE,
	OPTION_TEXTFILE,
	OPTION_LINES,
	OPTION_MAX,
	OPTION_NAGIOS,
	OPTION_LISTEN,
	OPTION_WRONG,		/* an error was printed: exit status 2 */
};

/* one option: what is parsed, printed as help, and completed */
struct option_row {
	int option;		/* below 0x100 also its letter; 0 ends a group */
	const char *word;	/* NULL: a letter only */
	const char *value;	/* NULL: takes none; "[=WHEN]": may have one behind '=' */
	const char *text;	/* NULL: help and completion leave the option out */
	const char *(*values)(unsigned int i);	/* the words it takes; NULL: any value */
};

struct command {
	const char *name;
	const char *arguments;
	const char *summary;	/* NULL: help does not list the command */
	const struct option_row * const *options;	/* groups of them; NULL ends them */
	const char *(*operands)(unsigned int i);	/* words to complete; NULL: none */
	const char *notes;	/* the rest of its help, NULL: none */
	/* argv[0] is the program's name; returns the exit status */
	int (*run)(const struct command *command, int argc, char **argv);
};

extern const struct command commands[];
extern const size_t ncommands;

const char *command_word(unsigned int i);
const char *file_word(unsigned int i);
const char *export_word(unsigned int i);
const char *time_is_word(unsigned int i);
const char *latency_unit_word(unsigned int i);

extern const struct option_row * const report_options[];
extern const struct option_row * const list_options[];
extern const struct option_row * const show_options[];
extern const struct option_row * const watch_options[];
extern const struct option_row * const share_options[];
extern const struct option_row * const export_options[];
extern const struct option_row * const alibi_options[];
extern const struct option_row * const correlate_options[];
extern const struct option_row * const hist_options[];
extern const struct option_row * const status_options[];
extern const struct option_row * const causes_options[];
extern const struct option_row * const stop_options[];
extern const struct option_row * const save_options[];
extern const struct option_row * const record_options[];
extern const struct option_row * const agent_options[];
extern const struct option_row * const check_options[];
extern const struct option_row * const serve_options[];
extern const struct option_row * const plain_options[];

extern const char report_notes[];
extern const char list_notes[];
extern const char show_notes[];
extern const char watch_notes[];
extern const char share_notes[];
extern const char export_notes[];
extern const char alibi_notes[];
extern const char correlate_notes[];
extern const char hist_notes[];
extern const char status_notes[];
extern const char causes_notes[];
extern const char start_notes[];
extern const char stop_notes[];
extern const char set_notes[];
extern const char save_notes[];
extern const char record_notes[];
extern const char agent_notes[];
extern const char check_notes[];
extern const char serve_notes[];

int cmd_report(const struct command *command, int argc, char **argv);
int cmd_list(const struct command *command, int argc, char **argv);
int cmd_show(const struct command *command, int argc, char **argv);
int cmd_watch(const struct command *command, int argc, char **argv);
int cmd_share(const struct command *command, int argc, char **argv);
int cmd_export(const struct command *command, int argc, char **argv);
int cmd_alibi(const struct command *command, int argc, char **argv);
int cmd_correlate(const struct command *command, int argc, char **argv);
int cmd_hist(const struct command *command, int argc, char **argv);
int cmd_status(const struct command *command, int argc, char **argv);
int cmd_causes(const struct command *command, int argc, char **argv);
int cmd_start(const struct command *command, int argc, char **argv);
int cmd_stop(const struct command *command, int argc, char **argv);
int cmd_set(const struct command *command, int argc, char **argv);
int cmd_save(const struct command *command, int argc, char **argv);
int cmd_record(const struct command *command, int argc, char **argv);
int cmd_agent(const struct command *command, int argc, char **argv);
int cmd_check(const struct command *command, int argc, char **argv);
int cmd_serve(const struct command *command, int argc, char **argv);
int cmd_clear(const struct command *command, int argc, char **argv);
int cmd_version(const struct command *command, int argc, char **argv);
int cmd_help(const struct command *command, int argc, char **argv);
int cmd_completion(const struct command *command, int argc, char **argv);

const struct option_row *option_row(const struct command *command, size_t i);
const struct option_row *option_find(const struct command *command, int option);
const char *option_heading(const struct option_row *row, unsigned int i);

/* arguments.c */
int command_index(int argc, char **argv);
int next_option(const struct command *command, int argc, char **argv);
int option_status(int option);
const struct option_row *value_option(const struct command *command, const char *word);
int screen_option(struct screen_wish *wish, int option, const char *value);
bool may_be_capture(const struct command *command, const char *word);
int wrong_operand(const struct command *command, const char *word);
int no_operands(const struct command *command, int argc, char **argv);
int input_operands(struct inputs *inputs, const struct command *command, int argc, char **argv);
int only_help(const struct command *command, int argc, char **argv, int *done);

/* help.c */
void print_usage(FILE *out);
void print_help(const struct command *command, FILE *out);

int irqoff_main(int argc, char **argv);

#endif /* _IRQOFF_COMMANDS_H */
