// SPDX-License-Identifier: GPL-2.0-only
/* All options of all commands: one table, from which help is printed as well. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "say.h"
#include "summary.h"

/* where an option's text goes on in the next line of help */
#define HANGING	"                  "

static const struct {
	unsigned int set;	/* TAKES_* */
	int option;		/* below 0x100 a letter */
	const char *word;	/* NULL: a letter only */
	const char *value;	/* NULL: takes none */
	const char *text;
} table[] = {
	{ TAKES_FILTER, FILTER_SINCE, "since", "WHEN", "stalls that ended then or later" },
	{ TAKES_FILTER, FILTER_UNTIL, "until", "WHEN", "stalls that ended by then" },
	{ TAKES_FILTER, FILTER_CPU, "cpu", "LIST", "stalls of these CPUs, such as 0-3,8" },
	{ TAKES_FILTER, FILTER_CLASS, "class", "LIST",
	  "stalls of these classes:\n" HANGING FILTER_CLASSES },
	{ TAKES_FILTER, FILTER_MIN, "min", "LENGTH",
	  "stalls that lasted at least so long, such as 50ms (ns, us, ms, s)" },
	{ TAKES_FILTER, FILTER_NEWEST, NULL, "NUMBER", "the newest so many of these" },
	{ TAKES_GROUPS, OPTION_BY, "by", "LIST",
	  "sum up by these (culprit,class):\n" HANGING SUMMARY_KEY_NAMES },
	{ TAKES_GROUPS, OPTION_SORT, "sort", "WHAT", "total, count or max (total)" },
	{ TAKES_VERBOSE, OPTION_VERBOSE, "verbose", NULL, "all evidence" },
	{ TAKES_PER_CPU, OPTION_PER_CPU, "per-cpu", NULL, "each CPU's, not their sum" },
	{ TAKES_JSON, OPTION_JSON, "json", NULL, "for programs" },
	/* "[": the value may be left out */
	{ TAKES_LINES, OPTION_JSON, "json", "[=lines]",
	  "for programs: one object, or a line for each record" },
	{ TAKES_HELP, OPTION_HELP, "help", NULL, "this" },
};

static void print_option(size_t i)
{
	char name[32];
	int len = 0;

	if (table[i].option < 0x100)
		len = snprintf(name, sizeof(name), "-%c%s", table[i].option,
			       table[i].word ? ", " : "");
	if (table[i].word)
		len += snprintf(name + len, sizeof(name) - len, "--%s", table[i].word);
	if (table[i].value)
		snprintf(name + len, sizeof(name) - len, "%s%s",
			 *table[i].value == '[' ? "" : " ", table[i].value);
	printf("  %-15s %s\n", name, table[i].text);
}

static void print_help(const struct command *command)
{
	printf("usage: irqoff %s%s%s\n\n%s.\n\n", command->name, *command->arguments ? " " : "",
	       command->arguments, command->summary);
	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].set & (command->takes | TAKES_HELP))
			print_option(i);
	if (command->notes)
		printf("\n%s", command->notes);
	if (command->takes & TAKES_FILTER)
		fputs("\n"
		      "WHEN is an age (30s, 10m, 2h, 1d), a time of day (07:00), a date with or without one\n"
		      "(2026-11-21 07:00:05), or RFC 3339 (2026-11-21T07:00:05Z). Local time where no zone is\n"
		      "named.\n", stdout);
	puts("\nExit status: 0 done, 1 failed, 2 wrong usage.");
}

/* what getopt_long() wants of the options that a command takes */
static void fill(const struct command *command, char *letters, struct option *words)
{
	*letters++ = ':';
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (!(table[i].set & (command->takes | TAKES_HELP)))
			continue;
		if (table[i].option < 0x100) {
			*letters++ = table[i].option;
			if (table[i].value)
				*letters++ = ':';
		}
		if (table[i].word)
			*words++ = (struct option){
				.name = table[i].word,
				.has_arg = !table[i].value ? no_argument :
					   *table[i].value == '[' ? optional_argument :
								    required_argument,
				.val = table[i].option,
			};
	}
	*letters = '\0';
	*words = (struct option){ 0 };
}

/**
 * next_option() - the next option of a command
 * @command: the command
 * @argc: of its arguments
 * @argv: its arguments; its name is the first
 *
 * Return: an option, OPTION_END, or one of OPTION_HELP and OPTION_WRONG, after
 * which the command ends with option_status().
 */
int next_option(const struct command *command, int argc, char **argv)
{
	struct option words[ARRAY_SIZE(table) + 1];
	char letters[2 * ARRAY_SIZE(table) + 2];
	const char *wrong;
	int option;

	fill(command, letters, words);
	option = getopt_long(argc, argv, letters, words, NULL);
	switch (option) {
	case OPTION_HELP:
		print_help(command);
		return OPTION_HELP;
	case ':':
		misuse("%s needs a value (irqoff %s --help)", argv[optind - 1], command->name);
		return OPTION_WRONG;
	case '?':
		wrong = argv[optind - 1];
		/* glibc: 0 of an unknown word, else the option that takes no value */
		if (optopt && !strncmp(wrong, "--", 2) && strchr(wrong, '='))
			misuse("%.*s takes no value (irqoff %s --help)",
			       (int)strcspn(wrong, "="), wrong, command->name);
		else if (optopt)
			misuse("there is no option -%c (irqoff %s --help)", optopt, command->name);
		else
			misuse("there is no option %s, or several begin so (irqoff %s --help)",
			       wrong, command->name);
		return OPTION_WRONG;
	default:
		return option;
	}
}

int option_status(int option)
{
	return option == OPTION_HELP ? EXIT_DONE : EXIT_USAGE;
}

/* for commands that take nothing but options */
int no_operands(const struct command *command, int argc, char **argv)
{
	if (optind == argc)
		return EXIT_DONE;
	return misuse("%s takes no '%s' (irqoff %s --help)", command->name, argv[optind],
		      command->name);
}
