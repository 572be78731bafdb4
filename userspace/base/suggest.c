// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/suggest.h"

#define LETTERS_MOST	32
#define MISTAKES_MOST	2

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * How many letters are missing, too many, wrong, or in the place of their neighbours: the
 * optimal string alignment distance (Boytsov 2011, "Indexing methods for approximate
 * dictionary searching").
 */
static unsigned int mistakes(const char *a, const char *b)
{
	unsigned int rows[3][LETTERS_MOST + 1], *before = rows[0], *last = rows[1], *row = rows[2];

	for (size_t k = 0; k <= strlen(b); k++)
		last[k] = k;
	for (size_t i = 1; a[i - 1]; i++) {
		unsigned int *next = before;

		row[0] = i;
		for (size_t k = 1; b[k - 1]; k++) {
			row[k] = least(last[k - 1] + !same(a[i - 1], b[k - 1]),
				       least(last[k], row[k - 1]) + 1);
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]))
				row[k] = least(row[k], before[k - 2] + 1);
		}
		before = last;
		last = row;
		row = next;
	}
	return last[strlen(b)];
}

/**
 * suggest() - what a word was meant to be
 * @word: it is none of @words
 * @words: the words that there are
 *
 * Return: the one with the fewest mistakes, of several the first; NULL where all have more
 * than two, or than half of their letters.
 */
const char *suggest(const char *word, const char *(*words)(unsigned int i))
{
	unsigned int fewest = MISTAKES_MOST + 1;
	const char *best = NULL, *other;

	for (unsigned int i = 0; strlen(word) <= LETTERS_MOST && (other = words(i)); i++) {
		unsigned int count = strlen(other) <= LETTERS_MOST ? mistakes(word, other) :
								     UINT_MAX;

		if (count < fewest && count <= strlen(other) / 2) {
			fewest = count;
			best = other;
		}
	}
	return best;
}
