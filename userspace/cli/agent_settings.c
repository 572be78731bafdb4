// SPDX-License-Identifier: GPL-2.0-only
/*
 * KEY=VALUE, one a line: the knobs by the names that `irqoff set` takes, and the agent's
 * options. A file that is wrong anywhere is refused as a whole.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "cli/agent_settings.h"
#include "cli/commands.h"

/* far more than the longest list of CPUs */
#define BYTES_MOST	(256 * 1024)

static const struct {
	const char *name;
	int option;
	bool often;
	bool yes_or_no;
} rows[] = {
	{ "rotate", OPTION_ROTATE, false, false },
	{ "counters", OPTION_COUNTERS, false, false },
	{ "netns", OPTION_NETNS, true, false },
	{ "textfile", OPTION_TEXTFILE, false, false },
	{ "state", OPTION_STATE, false, false },
	{ "strip", OPTION_STRIP, false, true },
	{ "lines", OPTION_LINES, false, true },
};

static bool parse_yes(const char *value, bool *yes)
{
	static const char * const words[] = { "no", "yes", "0", "1" };

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(value, words[i])) {
			*yes = i & 1;
			return true;
		}
	}
	return false;
}

static int take_enable(struct settings *settings, const char *value, bool *given)
{
	bool yes;

	if (*given)
		return misuse("enable is set by an earlier line");
	if (!parse_yes(value, &yes))
		return misuse("enable takes yes or no, not '%s'", value);
	*given = true;
	settings->knobs.numbers[TIO_KNOB_ENABLE] = yes;
	return EXIT_DONE;
}

static int take_option(struct settings *settings, size_t row, const char *value,
		       unsigned int line)
{
	bool yes = true;

	for (size_t i = 0; i < settings->noptions && !rows[row].often; i++)
		if (settings->options[i].option == rows[row].option)
			return misuse("%s is set by line %u", rows[row].name,
				      settings->options[i].line);
	if (settings->noptions == SETTINGS_OPTIONS)
		return misuse("netns is there more than %d times; 'all' takes those with a name",
			      NETNS_MOST);
	if (rows[row].yes_or_no && !parse_yes(value, &yes))
		return misuse("%s takes yes or no, not '%s'", rows[row].name, value);
	/* "no" is what there is without the line */
	settings->options[settings->noptions] = (struct settings_option){
		.option = yes ? rows[row].option : OPTION_END,
		.value = rows[row].yes_or_no ? NULL : value,
		.line = line,
	};
	settings->noptions++;
	return EXIT_DONE;
}

static bool is_key(const char *word, const char *key)
{
	size_t len = strlen(key);

	return !strncmp(word, key, len) && word[len] == '=';
}

static int take_word(struct settings *settings, const char *word, unsigned int line,
		     bool *enable_given)
{
	if (!strchr(word, '='))
		return misuse("'%s' is not KEY=VALUE, such as threshold=2ms", word);
	if (is_key(word, "enable"))
		return take_enable(settings, strchr(word, '=') + 1, enable_given);
	if (is_key(word, "ring_records"))
		return misuse("ring_records is set as the module is loaded; "
			      "write it into /etc/modprobe.d/trace-irqoff.conf");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (is_key(word, rows[i].name))
			return take_option(settings, i, strchr(word, '=') + 1, line);
	if (!knob_known(word))
		return misuse("there is no key '%.*s'; trace-irqoff.conf(5) lists them",
			      (int)strcspn(word, "="), word);
	return knobs_parse(&settings->knobs, word, NULL);
}

/* cuts a comment off, and the space around what is left */
static char *trim(char *line)
{
	char *end;

	while (isspace((unsigned char)*line))
		line++;
	for (char *mark = strchr(line, '#'); mark; mark = strchr(mark + 1, '#')) {
		if (mark == line || isspace((unsigned char)mark[-1])) {
			*mark = '\0';
			break;
		}
	}
	end = line + strlen(line);
	while (end > line && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return line;
}

/* "key = value" is "key=value" */
static void close_up(char *line)
{
	char *equals = strchr(line, '='), *end = equals, *value = equals;

	if (!equals)
		return;
	while (end > line && isspace((unsigned char)end[-1]))
		end--;
	while (isspace((unsigned char)*++value))
		;
	*end++ = '=';
	memmove(end, value, strlen(value) + 1);
}

/**
 * settings_parse() - take what a file says
 * @settings: the result, to be freed whatever is returned
 * @file: its name, for messages
 * @text: what is in it
 *
 * Return: EXIT_DONE, or EXIT_USAGE after saying what is wrong and in which line.
 */
int settings_parse(struct settings *settings, const char *file, const char *text)
{
	unsigned int number = 0;
	bool enable = false;
	int ret = EXIT_DONE;
	char *next, *line;

	*settings = (struct settings){ .text = copy_text(text) };
	settings->knobs.given[TIO_KNOB_ENABLE] = true;
	settings->knobs.numbers[TIO_KNOB_ENABLE] = 1;
	for (line = settings->text; line && !ret; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		line = trim(line);
		close_up(line);
		say_where(file, ++number);
		if (*line)
			ret = take_word(settings, line, number, &enable);
	}
	say_where(NULL, 0);
	return ret;
}

/**
 * settings_read() - read a file of settings
 * @settings: the result, to be freed whatever is returned
 * @file: its name
 *
 * Return: an exit status, after saying what is wrong.
 */
int settings_read(struct settings *settings, const char *file)
{
	FILE *in = fopen(file, "re");
	char *text;
	size_t len;
	int ret;

	*settings = (struct settings){ 0 };
	if (!in)
		return misuse("could not read %s: %s", file, strerror(errno));
	text = alloc(1, BYTES_MOST + 1);
	len = fread(text, 1, BYTES_MOST, in);
	if (ferror(in))
		ret = misuse("could not read %s: %s", file, strerror(errno));
	else if (len == BYTES_MOST || strlen(text) != len)
		ret = misuse("%s is no file of settings", file);
	else
		ret = settings_parse(settings, file, text);
	fclose(in);
	free(text);
	return ret;
}

void settings_free(struct settings *settings)
{
	free(settings->text);
	*settings = (struct settings){ 0 };
}
