// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/suggest.h"

#define LETTERS_MOST	32

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
 * suggest_closer() - may this be what a word was meant to be, rather than those before?
 * @word: what was typed
 * @other: a word that there is
 * @fewest: the mistakes of the closest one so far, SUGGEST_NONE before the first; is updated
 *
 * Return: false where it has no fewer mistakes, more than two, or more than half of its letters.
 */
bool suggest_closer(const char *word, const char *other, unsigned int *fewest)
{
	unsigned int count;

	if (strlen(word) > LETTERS_MOST || strlen(other) > LETTERS_MOST)
		return false;
	count = mistakes(word, other);
	if (count >= *fewest || count > strlen(other) / 2)
		return false;
	*fewest = count;
	return true;
}

/**
 * suggest() - what a word was meant to be
 * @word: it is none of @words
 * @words: the words that there are
 *
 * Return: the one with the fewest mistakes, of several the first; NULL where none is close
 * (suggest_closer()).
 */
const char *suggest(const char *word, const char *(*words)(unsigned int i))
{
	unsigned int fewest = SUGGEST_NONE;
	const char *best = NULL, *other;

	for (unsigned int i = 0; (other = words(i)); i++)
		if (suggest_closer(word, other, &fewest))
			best = other;
	return best;
}
