// SPDX-License-Identifier: GPL-2.0-only
/* Which known cause a stall has. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "causes/causes.h"
#include "judge/culprit.h"
#include "names/lock_name.h"
#include "names/stack_functions.h"

/* what the parts of a signature count for: each counts for more than all below it together */
enum score {
	SCORE_CLASS	= 1 << 0,
	SCORE_MODULE	= 1 << 1,
	SCORE_PATH	= 1 << 2,
	SCORE_PATTERN	= 1 << 3,	/* a culprit by a pattern */
	SCORE_CULPRIT	= 1 << 4,	/* a culprit by its name */
};

/* what a signature is compared with */
struct candidate {
	char *function;		/* "(interrupt 24 eth0)" and the like as they are */
	char *module;		/* "kernel" for the kernel itself; "": not known */
	enum tio_class class;
	struct trace trace;	/* the stack that names the culprit */
};

/*
 * "name [module]", "name (many)" or "(task name)". Of a wait for a lock it is the lock, and the
 * stack, which is that of who waited, says nothing. Nor does one of many that differ. Of a lock
 * that is not known who waited is all there is.
 */
static void suspect_init(struct candidate *suspect, const struct symbols *symbols,
			 const struct entry *entry)
{
	const struct tio_sample *sample = entry_naming_sample(entry);
	bool lock = entry->found.lock && lock_known(entry_waiting_sample(entry));
	const char *waiter = entry->found.waiter ?: entry->found.culprit ?: "";
	const char *text = lock ? entry->found.lock : waiter;
	bool function = *text && *text != '(' && *text != '[';
	size_t len = function ? strcspn(text, " ") : strlen(text);
	const char *module = function ? strchr(text, '[') : NULL;
	/* "name (many)" does not say whose it is */
	bool kernel = function && !text[len];

	*suspect = (struct candidate){
		.function = print_text("%.*s", (int)len, text),
		.module = module ? print_text("%.*s", (int)strcspn(module + 1, "]"), module + 1) :
			  copy_text(kernel ? "kernel" : ""),
		.class = entry->found.verdict.class,
	};
	if (sample && !lock && !culprit_is_many(entry))
		trace_of(&suspect->trace, symbols, entry, sample);
}

static void suspect_free(struct candidate *suspect)
{
	free(suspect->function);
	free(suspect->module);
}

/* is a text among them as it is? */
static bool names(const struct patterns *patterns, const char *text)
{
	for (size_t i = 0; i < patterns->count; i++)
		if (!strcmp(patterns->all[i], text))
			return true;
	return false;
}

/* most differ in their first letter already */
static bool fits(const struct patterns *patterns, const char *text)
{
	for (size_t i = 0; i < patterns->count; i++)
		if ((*patterns->all[i] == *text || strchr("*?[\\", *patterns->all[i])) &&
		    !fnmatch(patterns->all[i], text, 0))
			return true;
	return false;
}

/* is one of these functions on the stack? */
static bool on_path(const struct patterns *patterns, const struct trace *trace)
{
	for (int i = 0; i < trace->nsteps; i++)
		if (fits(patterns, trace->steps[i].function->name))
			return true;
	return false;
}

/* how much of the signature says that it is this stall; 0: it is not */
static unsigned int score(const struct cause *cause, const struct candidate *suspect)
{
	unsigned int sum = 0;

	if (cause->classes) {
		if (!(cause->classes & 1U << suspect->class))
			return 0;
		sum += SCORE_CLASS;
	}
	if (cause->module.count) {
		if (!fits(&cause->module, suspect->module))
			return 0;
		sum += SCORE_MODULE;
	}
	if (cause->culprit.count) {
		if (names(&cause->culprit, suspect->function))
			sum += SCORE_CULPRIT;
		else if (*suspect->function && fits(&cause->culprit, suspect->function))
			sum += SCORE_PATTERN;
		else
			return 0;
	}
	/* last, because stacks are long */
	if (cause->path.count) {
		if (!on_path(&cause->path, &suspect->trace))
			return 0;
		sum += SCORE_PATH;
	}
	return sum;
}

/**
 * cause_find() - the known cause of a stall
 * @causes: the rows, those that go before others first
 * @symbols: names
 * @entry: a record, judged
 *
 * Return: the row whose signature says most; NULL where none fits.
 */
const struct cause *cause_find(const struct causes *causes, const struct symbols *symbols,
			       const struct entry *entry)
{
	const struct cause *best = NULL;
	unsigned int highest = 0;
	struct candidate suspect;

	suspect_init(&suspect, symbols, entry);
	for (size_t i = 0; i < causes->count; i++) {
		unsigned int points = causes->rows[i].stall ?
				      score(&causes->rows[i], &suspect) : 0;

		if (points > highest) {
			highest = points;
			best = &causes->rows[i];
		}
	}
	suspect_free(&suspect);
	return best;
}

/* do all stalls of the group share a culprit, or have none? */
static bool can_tell(const struct summary *summary, const struct group *group)
{
	return summary->by & 1U << SUMMARY_CULPRIT || !summary_blames(summary, group);
}

/**
 * cause_of() - the known cause of a group's stalls, by its best record
 * @causes: the rows; NULL: none are known
 * @symbols: names
 * @summary: the groups
 * @group: the group
 *
 * Return: the row; NULL where none fits, and where the group has other keys than a culprit.
 */
const struct cause *cause_of(const struct causes *causes, const struct symbols *symbols,
			     const struct summary *summary, const struct group *group)
{
	const struct cause *cause;

	if (!causes || !can_tell(summary, group))
		return NULL;
	cause = cause_find(causes, symbols, group->best);
	/* the group may be of several classes */
	if (cause && cause->classes && !(summary->by & 1U << SUMMARY_CLASS) &&
	    !cause->culprit.count && !cause->path.count)
		return NULL;
	return cause;
}

/* what stands by the class speaks of samples */
static const char hint_of_ends[] =
	"No cause is known, and no sample was taken: irqoff set guard=always gets more.";

/**
 * cause_hint() - what to do where no cause is known
 * @causes: the hints; NULL: there are none
 * @summary: the groups
 * @group: the group
 *
 * Return: a sentence about the group's class; NULL where there is none, and of a lock's waiters,
 * since it is about a culprit.
 */
const char *cause_hint(const struct causes *causes, const struct summary *summary,
		       const struct group *group)
{
	if (!causes || !(summary->by & 1U << SUMMARY_CLASS) || !can_tell(summary, group) ||
	    group->best->found.lock)
		return NULL;
	if (summary_ends_alone(group))
		return hint_of_ends;
	return causes->hints[group->best->found.verdict.class];
}

const struct cause *cause_by_id(const struct causes *causes, const char *id)
{
	for (size_t i = 0; i < causes->count; i++)
		if (!strcmp(causes->rows[i].id, id))
			return &causes->rows[i];
	return NULL;
}

void patterns_free(struct patterns *patterns)
{
	for (size_t i = 0; i < patterns->count; i++)
		free(patterns->all[i]);
	free(patterns->all);
}

void cause_free(struct cause *cause)
{
	free(cause->id);
	free(cause->cause);
	free(cause->remedy);
	free(cause->count);
	free(cause->since);
	patterns_free(&cause->culprit);
	patterns_free(&cause->path);
	patterns_free(&cause->module);
	patterns_free(&cause->commits);
	patterns_free(&cause->links);
	*cause = (struct cause){ 0 };
}

void causes_free(struct causes *causes)
{
	for (size_t i = 0; i < causes->count; i++)
		cause_free(&causes->rows[i]);
	free(causes->rows);
	for (unsigned int i = 0; i < TIO_CLASSES; i++)
		free(causes->hints[i]);
	for (unsigned int i = 0; i < causes->nfiles; i++)
		free(causes->files[i]);
	free(causes->files);
	*causes = (struct causes){ 0 };
}
