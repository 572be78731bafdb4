/* SPDX-License-Identifier: GPL-2.0-only */
/* What text is printed to: its width, its colours, its pager. */
#ifndef _IRQOFF_SCREEN_H
#define _IRQOFF_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

enum color_when {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
	COLOR_WHENS
};

/* what the command line says about it */
struct screen_wish {
	enum color_when color;
	bool no_pager;
	const char *columns;	/* the value of -o; NULL: there was none */
};

struct screen {
	unsigned int width;	/* 0: lines may be as long as they like */
	bool color;
};

const char *screen_color_word(unsigned int when);
bool screen_parse_color(const char *word, enum color_when *when);

bool screen_color(enum color_when when, bool capable, const char *no_color);
bool screen_capable(bool terminal, const char *term);
const char *screen_pager(bool wanted, const char *own, const char *others);
unsigned int screen_width(const char *columns, unsigned int terminal);

void screen_open(struct screen *screen, const struct screen_wish *wish);

#endif /* _IRQOFF_SCREEN_H */
