// SPDX-License-Identifier: GPL-2.0-only
/* Help: of the program and of each command, in lines of 80 columns. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/commands.h"
#include "model/labels.h"
#include "terminal/fold.h"

#define TEXT_COLUMN	20	/* where an option's text begins */

static const char exit_notes[] =
	"Exit status: 0 done, 1 failed, 2 wrong usage, 3 found what was asked for,\n"
	"4 cannot tell.";

static const char when_notes[] =
	"WHEN is an age (30s, 10m, 2h, 1d), a time of day (07:00), a date with or without\n"
	"a time (2026-11-21 07:00:05), RFC 3339 (2026-11-21T07:00:05Z), or seconds since 1970,\n"
	"in brackets too, as ping -D prints them (1795244405.25). A time of day that is yet to\n"
	"come is yesterday's. It is local time where no zone is named.\n";

/* "[=lines]" has all the words that it takes, "[=WHEN]" does not */
static bool spelled_out(const struct option_row *row)
{
	return !row->values || row->values == file_word ||
	       (row->value[0] == '[' &&
				!strncmp(row->value + 2, row->values(0), strlen(row->values(0))));
}

/* "stalls of these classes: hardirq-off, ...", "print these columns: rate (/MIN), ..." */
static void print_row(const struct option_row *row, FILE *out)
{
	char *text = NULL;
	size_t size;
	FILE *line = or_exit(open_memstream(&text, &size));

	fputs(row->text, line);
	for (unsigned int i = 0; !spelled_out(row) && row->values(i); i++) {
		const char *heading = option_heading(row, i);

		fprintf(line, "%s%s", i ? ", " : ": ", row->values(i));
		if (heading)
			fprintf(line, " (%s)", heading);
	}
	if (fclose(line))
		exit(failed("out of memory"));
	fold(out, FOLD_WIDTH, TEXT_COLUMN, TEXT_COLUMN, text);
	free(text);
}

static void print_option(const struct option_row *row, FILE *out)
{
	int len = fprintf(out, "  ");

	if (row->option < 0x100)
		len += fprintf(out, "-%c%s", row->option, row->word ? ", " : "");
	if (row->word)
		len += fprintf(out, "--%s", row->word);
	if (row->value)
		len += fprintf(out, "%s%s", *row->value == '[' ? "" : " ", row->value);
	if (len + 1 > TEXT_COLUMN) {
		fputc('\n', out);
		len = 0;
	}
	fprintf(out, "%*s", TEXT_COLUMN - len, "");
	print_row(row, out);
}

/* an empty line ends a paragraph; lines that begin with a space stay as they are */
static void print_notes(const char *notes, FILE *out)
{
	char *text = copy_text(notes);

	for (char *line = text, *end; *line; line = end) {
		bool fixed = *line == ' ';

		/* to the end of the line or, of words to fold, of the paragraph */
		for (end = strchr(line, '\n'); end && !fixed; end = strchr(end, '\n')) {
			if (end[1] == '\n' || end[1] == ' ' || !end[1])
				break;
			*end = ' ';
		}
		*end++ = '\0';
		fold(out, fixed ? 0 : FOLD_WIDTH, 0, 0, line);
		for (; *end == '\n'; end++)
			fputc('\n', out);
	}
	free(text);
}

static void print_classes(FILE *out)
{
	fputs("\nThe class says why interrupts or softirqs did not run:\n", out);
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		fprintf(out, "  %-16s%s\n", tio_class_name(i), class_means(i));
}

/**
 * print_help() - a command's arguments and options
 * @command: the command
 * @out: where to
 */
void print_help(const struct command *command, FILE *out)
{
	const struct option_row *row;

	fprintf(out, "usage: irqoff %s%s%s\n\n", command->name, *command->arguments ? " " : "",
		command->arguments);
	if (command->summary)
		fprintf(out, "%s.\n\n", command->summary);
	for (size_t i = 0; (row = option_row(command, i)); i++)
		if (row->text)
			print_option(row, out);
	if (command->notes) {
		fputc('\n', out);
		print_notes(command->notes, out);
	}
	row = option_find(command, FILTER_SINCE);
	if (row && !strcmp(row->value, "WHEN")) {
		fputc('\n', out);
		print_notes(when_notes, out);
	}
	if (option_find(command, FILTER_CLASS))
		print_classes(out);
	/* where a node is asked after, others say what the status means */
	if (!option_find(command, OPTION_NAGIOS))
		fprintf(out, "\n%s\n", exit_notes);
}

/* above the command of that name */
static const char * const headings[][2] = {
	{ "report", "Who is to blame?" },
	{ "alibi", "Was it a stall?" },
	{ "start", "What is watched, and kept?" },
	{ "set", "All else" },
};

/**
 * print_usage() - what commands there are
 * @out: where to
 */
void print_usage(FILE *out)
{
	fputs("usage: irqoff [COMMAND] [OPTION]... [ARGUMENT]...\n"
	      "       irqoff FILE... [OPTION]...         (report -i FILE...)\n\n"
	      "Tells which kernel code kept CPUs from taking interrupts or running softirqs, as\n"
	      "recorded by the kernel module trace_irqoff.\n\n", out);
	for (size_t i = 0; i < ncommands; i++) {
		for (size_t k = 0; k < ARRAY_SIZE(headings); k++)
			if (!strcmp(headings[k][0], commands[i].name))
				fprintf(out, "%s%s\n", i ? "\n" : "", headings[k][1]);
		if (commands[i].summary)
			fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
	}
	fputs("\n'irqoff help COMMAND' describes a command; irqoff(8) has the rest.\n", out);
	fprintf(out, "\n%s Those of check are others: 'irqoff help check' has them.\n", exit_notes);
}
