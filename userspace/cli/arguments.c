// SPDX-License-Identifier: GPL-2.0-only
/* The words of a command line, by the commands' tables of options. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/say.h"
#include "base/suggest.h"
#include "cli/commands.h"

static size_t count_rows(const struct command *command)
{
	size_t count = 0;

	while (option_row(command, count))
		count++;
	return count;
}

/* what getopt_long() wants of a command's options */
static void fill(const struct command *command, char **letters, struct option **words)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_row(command, i)); i++) {
		int takes = !row->value ? no_argument :
			    *row->value == '[' ? optional_argument : required_argument;

		if (row->option < 0x100) {
			*(*letters)++ = row->option;
			for (int colons = 0; colons < takes; colons++)
				*(*letters)++ = ':';
		}
		if (row->word)
			*(*words)++ = (struct option){
				.name = row->word,
				.has_arg = takes,
				.val = row->option,
			};
	}
}

/**
 * command_index() - find the word that names the command
 * @argc: number of arguments
 * @argv: arguments; the first is the program's name
 *
 * Options may stand before that word, and some have a value that is a word too.
 * An option has a value for all commands or for none.
 *
 * Return: the word's index, 0 where there is none, or none behind an option
 * that no command has.
 */
int command_index(int argc, char **argv)
{
	struct option *words, *word;
	char *letters, *letter;
	size_t rows = 0;
	int option;

	for (size_t i = 0; i < ncommands; i++)
		rows += count_rows(&commands[i]);
	words = alloc(rows + 1, sizeof(*words));
	letters = alloc(3 * rows + 3, 1);
	word = words;
	letter = letters;
	/* each word in its turn, no messages */
	*letter++ = '-';
	*letter++ = ':';
	for (size_t i = 0; i < ncommands; i++)
		fill(&commands[i], &letter, &word);
	/* a value behind '=' is no word of its own, whichever commands take it */
	for (struct option *each = words; each < word; each++)
		if (each->has_arg == no_argument)
			each->has_arg = optional_argument;
	optind = 0;
	do {
		option = getopt_long(argc, argv, letters, words, NULL);
	} while (option > 1 && option != '?' && option != ':');
	free(words);
	free(letters);
	return option == 1 ? optind - 1 : 0;
}

/* the first @len letters of @wrong, "--foo", begin no option's word */
static int mistyped_option(const struct command *command, const char *wrong, size_t len)
{
	char *word = print_text("%.*s", (int)len - 2, wrong + 2);
	unsigned int fewest = SUGGEST_NONE;
	const struct option_row *row;
	const char *meant = NULL;

	for (size_t i = 0; (row = option_row(command, i)); i++)
		if (row->word && row->text && suggest_closer(word, row->word, &fewest))
			meant = row->word;
	/* a wrong guess costs more here: --free is not what "--force" means */
	if (meant && fewest <= strlen(meant) / 3)
		misuse("unknown option --%s; did you mean --%s?", word, meant);
	else
		misuse("unknown option --%s (irqoff %s --help shows them all)", word,
		       command->name);
	free(word);
	return EXIT_USAGE;
}

/* @wrong, "--foo" or "--foo=bar", begins no option's word or several */
static int unknown_option(const struct command *command, const char *wrong)
{
	size_t len = strcspn(wrong, "="), matches = 0;
	const struct option_row *row;
	char list[256] = "";

	for (size_t i = 0; (row = option_row(command, i)); i++) {
		size_t used = strlen(list);

		if (!row->word || !row->text || strncmp(row->word, wrong + 2, len - 2))
			continue;
		snprintf(list + used, sizeof(list) - used, "%s--%s", matches ? ", " : "",
			 row->word);
		matches++;
	}
	if (matches > 1)
		return misuse("ambiguous option %.*s: %s", (int)len, wrong, list);
	return mistyped_option(command, wrong, len);
}

/* the option that @word is, "--from" or "--from=10m"; NULL: it is none of the command's */
static const struct option_row *option_of(const struct command *command, const char *word)
{
	size_t len = strcspn(word, "=");
	const struct option_row *row;

	for (size_t i = 0; (row = option_row(command, i)); i++)
		if (row->word && len == strlen(row->word) + 2 && !strncmp(word, "--", 2) &&
		    !strncmp(word + 2, row->word, len - 2))
			break;
	return row;
}

/* an option stands where the value of the one before it has to be */
static bool lacks_value(const struct command *command, int option, char **argv)
{
	const struct option_row *row = option_find(command, option), *next;

	if (!row || !optarg || optarg != argv[optind - 1])
		return false;
	next = option_of(command, optarg);
	if (next)
		misuse("%s needs its %.*s, and --%s is an option (irqoff %s --help)",
		       argv[optind - 2], (int)strcspn(row->value, "."), row->value, next->word,
		       command->name);
	return next;
}

/**
 * next_option() - the next option of a command
 * @command: the command
 * @argc: of the arguments
 * @argv: arguments without the command's name; the first is the program's
 *
 * Return: an option, OPTION_OPERAND, OPTION_END, or one of OPTION_HELP and OPTION_WRONG, after
 * which the command ends with option_status().
 */
int next_option(const struct command *command, int argc, char **argv)
{
	size_t rows = count_rows(command);
	struct option *words = alloc(rows + 1, sizeof(*words)), *word = words;
	char *letters = alloc(3 * rows + 3, 1), *letter = letters;
	const struct option_row *row;
	int option;

	/* where two options take files, a word belongs to the one before it */
	if (option_find(command, OPTION_BASELINE))
		*letter++ = '-';
	*letter++ = ':';
	fill(command, &letter, &word);
	option = getopt_long(argc, argv, letters, words, NULL);
	free(words);
	free(letters);
	switch (option) {
	case OPTION_HELP:
		print_help(command, stdout);
		return OPTION_HELP;
	case ':':
		misuse("%s needs a value (irqoff %s --help)", argv[optind - 1], command->name);
		return OPTION_WRONG;
	case '?':
		/* glibc: 0 of an unknown word, the letter of an unknown letter, else the option */
		row = optopt ? option_find(command, optopt) : NULL;
		if (row)
			misuse("--%s takes no value (irqoff %s --help)", row->word, command->name);
		else if (optopt)
			misuse("unknown option -%c (irqoff %s --help shows them all)", optopt,
			       command->name);
		else
			unknown_option(command, argv[optind - 1]);
		return OPTION_WRONG;
	default:
		return lacks_value(command, option, argv) ? OPTION_WRONG : option;
	}
}

int option_status(int option)
{
	return option == OPTION_HELP ? EXIT_DONE : EXIT_USAGE;
}

/**
 * screen_option() - take an option that all commands with a screen have
 * @wish: what the command line says about the screen
 * @option: the option
 * @value: its argument
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int screen_option(struct screen_wish *wish, int option, const char *value)
{
	switch (option) {
	case OPTION_COLUMNS:
		wish->columns = value;
		return EXIT_DONE;
	case OPTION_NO_PAGER:
		wish->no_pager = true;
		return EXIT_DONE;
	default:
		if (screen_parse_color(value, &wish->color))
			return EXIT_DONE;
		return misuse("--color takes auto, always or never, not '%s'", value);
	}
}

/**
 * value_option() - is this word an option's value, which has to stand behind '='?
 * @command: the command
 * @word: a word of its own
 *
 * Return: the option, NULL: none takes such a value.
 */
const struct option_row *value_option(const struct command *command, const char *word)
{
	const struct option_row *row;

	for (size_t i = 0; (row = option_row(command, i)); i++) {
		if (!row->value || *row->value != '[' || !row->values)
			continue;
		for (unsigned int k = 0; row->values(k); k++)
			if (!strcmp(row->values(k), word))
				return row;
	}
	return NULL;
}

/**
 * may_be_capture() - is this word a file that the command would read behind -i?
 * @command: the command
 * @word: a word of its own
 */
bool may_be_capture(const struct command *command, const char *word)
{
	return option_find(command, OPTION_INPUT) && !access(word, F_OK);
}

/* says that a command takes no such word */
int wrong_operand(const struct command *command, const char *word)
{
	const struct option_row *row = value_option(command, word);

	if (row)
		return misuse("%s takes no '%s'; type --%s=%s", command->name, word, row->word,
			      word);
	if (may_be_capture(command, word))
		return misuse("%s takes no '%s'; type irqoff %s -i %s", command->name, word,
			      command->name, word);
	return misuse("%s takes no '%s' (irqoff %s --help)", command->name, word, command->name);
}

/* for commands that take nothing but options */
int no_operands(const struct command *command, int argc, char **argv)
{
	return optind == argc ? EXIT_DONE : wrong_operand(command, argv[optind]);
}

/**
 * input_operands() - take the words behind -i FILE as more files
 * @inputs: the files
 * @command: the command, which takes no other operands
 * @argc: of the arguments
 * @argv: arguments
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong.
 */
int input_operands(struct inputs *inputs, const struct command *command, int argc, char **argv)
{
	while (inputs->count && optind < argc)
		inputs_add(inputs, argv[optind++]);
	return no_operands(command, argc, argv);
}

/* no option but --help; *done says that this was it, or that there was a wrong one */
int only_help(const struct command *command, int argc, char **argv, int *done)
{
	int option = next_option(command, argc, argv);

	*done = option != OPTION_END;
	return *done ? option_status(option) : EXIT_DONE;
}
