// SPDX-License-Identifier: GPL-2.0-only
/* Parts of a page that is to keep to one screen: how many lines each of them takes. */
#include <stdlib.h>
#include <string.h>

#include "output/out.h"

/* of a screen without a width: what is piped elsewhere has longer lines */
#define USUAL_WIDTH	80

/* without colours, and of UTF-8 each character once */
static unsigned int length_of(const char *line)
{
	unsigned int length = 0;

	for (; *line && *line != '\n'; line++) {
		if (*line == '\033') {
			while (*line && *line != 'm' && *line != '\n')
				line++;
			if (*line != 'm')
				break;
		} else if (((unsigned char)*line & 0xc0) != 0x80) {
			length++;
		}
	}
	return length;
}

static unsigned int lines_of(const char *text)
{
	unsigned int lines = 0;

	for (const char *end; (end = strchr(text, '\n')); text = end + 1) {
		unsigned int length = length_of(text);

		lines += length ? (length - 1) / USUAL_WIDTH + 1 : 1;
	}
	return lines;
}

/**
 * part_begin() - begin a part of a page
 * @part: the part, whose page it is printed to
 * @page: the page
 */
void part_begin(struct part *part, const struct page *page)
{
	part->text = NULL;
	part->page = *page;
	part->page.out = or_exit(open_memstream(&part->text, &part->size));
}

/**
 * part_end() - end a part
 * @part: the part
 *
 * Return: how many lines of 80 columns it takes.
 */
unsigned int part_end(struct part *part)
{
	if (fclose(part->page.out))
		exit(failed("out of memory"));
	part->page.out = NULL;
	return lines_of(part->text);
}

void part_drop(struct part *part)
{
	free(part->text);
}

/* to its page, which ends it */
void part_print(struct part *part, const struct page *page)
{
	fputs(part->text, page->out);
	part_drop(part);
}
