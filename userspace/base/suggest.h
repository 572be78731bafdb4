/* SPDX-License-Identifier: GPL-2.0-only */
/* What a word was meant to be. */
#ifndef _IRQOFF_SUGGEST_H
#define _IRQOFF_SUGGEST_H

/* @words has the words that there are, from 0 on; NULL behind the last one */
#include <stdbool.h>

/* a word with so many mistakes is another word */
#define SUGGEST_NONE	3

bool suggest_closer(const char *word, const char *other, unsigned int *fewest);
const char *suggest(const char *word, const char *(*words)(unsigned int i));

#endif /* _IRQOFF_SUGGEST_H */
