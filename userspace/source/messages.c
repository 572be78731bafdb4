// SPDX-License-Identifier: GPL-2.0-only
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "source/messages.h"

#define FIRST_ROOM	65536

/**
 * messages_keep() - keep a copy of a message
 * @messages: where
 * @message: of generic netlink; others are not kept
 */
void messages_keep(struct messages *messages, const struct nlmsghdr *message)
{
	const struct genlmsghdr *head = NLMSG_DATA(message);
	size_t len = NLMSG_ALIGN(message->nlmsg_len), room;

	if (message->nlmsg_len < NLMSG_HDRLEN + GENL_HDRLEN ||
	    head->cmd >= ARRAY_SIZE(messages->of))
		return;
	room = messages->of[head->cmd].room;
	while (messages->of[head->cmd].len + len > room)
		room = room ? 2 * room : FIRST_ROOM;
	if (room != messages->of[head->cmd].room) {
		messages->of[head->cmd].bytes = or_exit(realloc(messages->of[head->cmd].bytes,
								room));
		messages->of[head->cmd].room = room;
	}
	memset(messages->of[head->cmd].bytes + messages->of[head->cmd].len, 0, len);
	memcpy(messages->of[head->cmd].bytes + messages->of[head->cmd].len, message,
	       message->nlmsg_len);
	messages->of[head->cmd].len += len;
}

/* the operation is carried out once more */
void messages_forget(struct messages *messages, unsigned int cmd)
{
	messages->of[cmd].len = 0;
}

/**
 * messages_next() - go through the messages of an operation
 * @messages: the messages
 * @cmd: the operation
 * @last: the message before; NULL: begin
 *
 * Return: the message, NULL behind the last one.
 */
const struct nlmsghdr *messages_next(const struct messages *messages, unsigned int cmd,
				     const struct nlmsghdr *last)
{
	const char *begin = messages->of[cmd].bytes;
	const char *next = last ? (const char *)last + NLMSG_ALIGN(last->nlmsg_len) : begin;

	return next && next < begin + messages->of[cmd].len ? (const void *)next : NULL;
}

void messages_free(struct messages *messages)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(messages->of); i++)
		free(messages->of[i].bytes);
	*messages = (struct messages){ 0 };
}
