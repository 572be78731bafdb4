// SPDX-License-Identifier: GPL-2.0-only
#include <json-c/linkhash.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/say.h"
#include "model/labels.h"
#include "replies/replies.h"

#define FIRST_SIZE	64
#define LOST_LEAST	10000	/* so many losses are believed in any log */

/**
 * replies_add() - add a reply
 * @replies: the replies
 * @reply: the reply, which is copied
 *
 * Return: where it is until the next one is added.
 */
struct reply *replies_add(struct replies *replies, const struct reply *reply)
{
	replies->all = grow(replies->all, replies->count, sizeof(*replies->all));
	replies->all[replies->count] = *reply;
	replies->lost += reply->lost && !reply->untold;
	replies->untold += reply->untold;
	return &replies->all[replies->count++];
}

/**
 * replies_too_many() - are more packets lost than a log can prove?
 * @replies: the replies
 *
 * Return: true where most are: rather, the log lacks most of its lines.
 */
bool replies_too_many(const struct replies *replies)
{
	return replies->lost > LOST_LEAST + replies->count / 2;
}

/**
 * replies_target() - the index of a target, which is added where it is new
 * @replies: the replies
 * @name: its name in a log
 *
 * Return: the index in @replies->targets.
 */
unsigned int replies_target(struct replies *replies, const char *name)
{
	char *own = printable(copy_text(name));
	void *known;

	if (!replies->by_target)
		replies->by_target = or_exit(lh_kchar_table_new(FIRST_SIZE, NULL));
	if (lh_table_lookup_ex(replies->by_target, own, &known)) {
		free(own);
		return (uintptr_t)known;
	}
	if (lh_table_insert(replies->by_target, own, (void *)(uintptr_t)replies->ntargets))
		exit(failed("out of memory"));
	replies->targets = grow(replies->targets, replies->ntargets, sizeof(*replies->targets));
	replies->targets[replies->ntargets] = own;
	return replies->ntargets++;
}

void replies_free(struct replies *replies)
{
	if (replies->by_target)
		lh_table_free(replies->by_target);
	for (size_t i = 0; i < replies->ntargets; i++)
		free(replies->targets[i]);
	free(replies->targets);
	free(replies->ignored_log);
	free(replies->ignored_text);
	free(replies->all);
	*replies = (struct replies){ 0 };
}
