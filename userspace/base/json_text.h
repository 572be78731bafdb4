/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes JSON as text, byte for byte as json-c 0.16 prints it, without a tree in memory. */
#ifndef _IRQOFF_JSON_TEXT_H
#define _IRQOFF_JSON_TEXT_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

struct json_text {
	char *bytes;		/* ends with a NUL; to be freed */
	size_t len;
	size_t room;
	unsigned int depth;
	bool pretty;		/* an item a line; else all in one */
	bool any;		/* what is open has an item */
	const char * const *hidden;	/* keys whose values are null, up to NULL; or NULL */
};

/* a value goes into the object or array that is open; a key is NULL in an array */
void json_text_open(struct json_text *text, const char *key, char bracket);
void json_text_close(struct json_text *text, char bracket);
void json_text_null(struct json_text *text, const char *key);
void json_text_bool(struct json_text *text, const char *key, bool value);
void json_text_number(struct json_text *text, const char *key, __u64 value);
void json_text_signed(struct json_text *text, const char *key, __s64 value);
void json_text_known(struct json_text *text, const char *key, bool known, __u64 value);
void json_text_string(struct json_text *text, const char *key, const char *value);
void json_text_add(struct json_text *text, const char *bytes, size_t len);
void json_text_members(struct json_text *text, const char *object);

#endif /* _IRQOFF_JSON_TEXT_H */
