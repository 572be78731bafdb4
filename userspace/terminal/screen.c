// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/say.h"
#include "base/units.h"
#include "terminal/pager.h"
#include "terminal/screen.h"

#define WIDTH_LEAST	40	/* a terminal that says less is taken to have so many */
#define WIDTH_UNTOLD	80	/* of a terminal that does not say */

static const char * const color_words[COLOR_WHENS] = {
	[COLOR_AUTO]	= "auto",
	[COLOR_ALWAYS]	= "always",
	[COLOR_NEVER]	= "never",
};

/* NULL behind the last one */
const char *screen_color_word(unsigned int when)
{
	return when < COLOR_WHENS ? color_words[when] : NULL;
}

/**
 * screen_parse_color() - the value of --color
 * @word: the value; NULL: --color alone, which means always
 * @when: the result
 *
 * Return: true when @word was one.
 */
bool screen_parse_color(const char *word, enum color_when *when)
{
	*when = COLOR_ALWAYS;
	if (!word)
		return true;
	for (*when = 0; *when < COLOR_WHENS; (*when)++)
		if (!strcmp(word, color_words[*when]))
			return true;
	return false;
}

/**
 * screen_capable() - can what shows the output do more than print lines?
 * @terminal: whether it is a terminal
 * @term: $TERM
 *
 * Return: true for a terminal that is not dumb.
 */
bool screen_capable(bool terminal, const char *term)
{
	return terminal && term && *term && strcmp(term, "dumb");
}

/**
 * screen_color() - print in colours?
 * @when: what --color says
 * @capable: screen_capable()
 * @no_color: $NO_COLOR; what it is set to does not matter unless it is empty
 *
 * Return: true for colours.
 */
bool screen_color(enum color_when when, bool capable, const char *no_color)
{
	if (when != COLOR_AUTO)
		return when == COLOR_ALWAYS;
	return capable && !(no_color && *no_color);
}

/**
 * screen_pager() - the pager to print through
 * @wanted: screen_capable(), and there was no --no-pager
 * @own: $IRQOFF_PAGER, which goes before
 * @others: $PAGER
 *
 * Return: a command for the shell; NULL: none.
 */
const char *screen_pager(bool wanted, const char *own, const char *others)
{
	const char *pager = own ? own : others ? others : "less";

	if (!wanted || !*pager || !strcmp(pager, "cat"))
		return NULL;
	return pager;
}

/**
 * screen_width() - how wide lines may be
 * @columns: $COLUMNS
 * @terminal: what the terminal says, 0 where there is none
 *
 * Return: characters; 0: any number of them.
 */
unsigned int screen_width(const char *columns, unsigned int terminal)
{
	unsigned int width = terminal;
	__u64 number;

	if (columns && parse_number(columns, 10000, &number) && number)
		width = number;
	return width && width < WIDTH_LEAST ? WIDTH_LEAST : width;
}

static unsigned int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return WIDTH_UNTOLD;
	return size.ws_col;
}

/**
 * screen_open() - look at what stdout is, and put a pager in front of it
 * @screen: the result
 * @wish: what the command line says
 *
 * For text only. pager_close() ends the pager.
 */
void screen_open(struct screen *screen, const struct screen_wish *wish)
{
	bool terminal = isatty(STDOUT_FILENO), capable = screen_capable(terminal, getenv("TERM"));
	const char *pager = screen_pager(capable && !wish->no_pager, getenv("IRQOFF_PAGER"),
					 getenv("PAGER"));

	screen->width = screen_width(getenv("COLUMNS"), terminal ? terminal_width() : 0);
	screen->color = screen_color(wish->color, capable, getenv("NO_COLOR"));
	if (pager)
		pager_open(pager);
}
