// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <string.h>

#include "terminal/fold.h"

/**
 * fold() - print a text, and a line's end
 * @out: where to
 * @width: of the lines; 0: all in one
 * @column: where in its line the text begins
 * @indent: where the next lines begin
 * @text: words with a space between them; one that is wider than a line stays whole
 */
void fold(FILE *out, unsigned int width, unsigned int column, unsigned int indent,
	  const char *text)
{
	bool first = true;

	while (*text) {
		unsigned int len = strcspn(text, " ");

		if (!first && width && column + 1 + len > width) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", len, text);
		column += len;
		text += len;
		text += *text == ' ';
		first = false;
	}
	fputc('\n', out);
}
