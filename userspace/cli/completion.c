// SPDX-License-Identifier: GPL-2.0-only
/* What a shell needs to complete irqoff's arguments. */
#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "cli/commands.h"

/* the words of a function as one shell word each */
static void print_words(const char *(*word)(unsigned int i))
{
	for (unsigned int i = 0; word && word(i); i++)
		printf("%s%s", i ? " " : "", word(i));
}

/* the knobs that take words */
static void print_knobs(const struct command *command)
{
	for (unsigned int i = 0; command->operands == knob_word && knob_word(i); i++) {
		if (!knob_value(knob_word(i), 0))
			continue;
		printf("\t\tvalues[%s]='", knob_word(i));
		for (unsigned int k = 0; knob_value(knob_word(i), k); k++)
			printf("%s%s", k ? " " : "", knob_value(knob_word(i), k));
		puts("'");
	}
}

static void print_options(const struct command *command)
{
	const struct option_row *row;

	printf("\t%s)\n\t\toptions='", command->name);
	for (size_t i = 0; (row = option_row(command, i)); i++) {
		if (!row->text)
			continue;
		if (row->option < 0x100)
			printf("-%c ", row->option);
		if (row->word)
			printf("--%s%s ", row->word, row->value && *row->value == '[' ? "=" : "");
	}
	fputs("'\n\t\toperands='", stdout);
	print_words(command->operands);
	puts("'");
	for (size_t i = 0; (row = option_row(command, i)); i++) {
		if (!row->value || !row->text)
			continue;
		fputs("\t\t", stdout);
		if (row->option < 0x100)
			printf("values[-%c]='", row->option);
		if (row->option < 0x100 && row->word) {
			print_words(row->values);
			fputs("' ", stdout);
		}
		if (row->word)
			printf("values[--%s%s]='", row->word, *row->value == '[' ? "=" : "");
		print_words(row->values);
		puts("'");
	}
	print_knobs(command);
	puts("\t\t;;");
}

/* a list's last item is completed; the items before it stay. FILE stands for files. */
static const char functions[] =
	"_irqoff_values() {\n"
	"\tif [[ $1 == FILE ]]; then\n"
	"\t\tcompopt -o filenames\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -f -- \"$2\")\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tlocal done=\n"
	"\tif [[ $2 == *,* ]]; then done=${2%,*},; fi\n"
	"\tCOMPREPLY=($(compgen -P \"$done\" -W \"$1\" -- \"${2##*,}\"))\n"
	"}\n"
	"\n"
	"_irqoff() {\n"
	"\tlocal cur prev words cword command=report options operands i\n"
	"\tlocal -A values=()\n"
	"\t_get_comp_words_by_ref -n =: cur prev words cword\n"
	"\tfor ((i = 1; i < cword; i++)); do\n"
	"\t\tcase ${words[i]} in\n";

static const char rest[] =
	"\tesac\n"
	"\tif [[ $cur == --*=* ]]; then\n"
	"\t\t_irqoff_values \"${values[${cur%%=*}]-${values[${cur%%=*}=]-}}\" \"${cur#*=}\"\n"
	"\telif [[ $prev == -* && -n ${values[$prev]+set} ]]; then\n"
	"\t\t_irqoff_values \"${values[$prev]}\" \"$cur\"\n"
	"\telif [[ $cur == *=* ]]; then\n"
	"\t\t_irqoff_values \"${values[${cur%%=*}=]-}\" \"${cur#*=}\"\n"
	"\telif [[ $cur == -* ]]; then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
	"\telif [[ $operands == FILE || \" ${words[*]:1:cword-1} \" =~ \" \"(-i|--baseline)\" \" ]]; then\n"
	"\t\t_irqoff_values FILE \"$cur\"\n"
	"\telse\n"
	"\t\t[[ $i -lt $cword ]] || operands+=\" $commands\"\n"
	"\t\tCOMPREPLY=($(compgen -W \"$operands\" -- \"$cur\"))\n"
	"\tfi\n"
	"\t[[ ${COMPREPLY-} != *= ]] || compopt -o nospace\n"
	"}\n"
	"complete -F _irqoff irqoff\n";

static void print_bash(void)
{
	puts("# bash completion for irqoff, made by 'irqoff completion bash'");
	fputs(functions, stdout);
	fputs("\t\t", stdout);
	for (unsigned int i = 0; command_word(i); i++)
		printf("%s%s", i ? " | " : "", command_word(i));
	puts(")\n\t\t\tcommand=${words[i]}\n\t\t\tbreak\n\t\t\t;;\n\t\tesac\n\tdone");
	fputs("\tlocal commands='", stdout);
	print_words(command_word);
	puts("'\n\tcase $command in");
	for (size_t i = 0; i < ncommands; i++)
		if (commands[i].summary)
			print_options(&commands[i]);
	fputs(rest, stdout);
}

int cmd_completion(const struct command *command, int argc, char **argv)
{
	int done, ret = only_help(command, argc, argv, &done);

	if (ret || done)
		return ret;
	if (argc - optind != 1 || strcmp(argv[optind], "bash"))
		return misuse("completion takes one word: bash");
	print_bash();
	return EXIT_DONE;
}
