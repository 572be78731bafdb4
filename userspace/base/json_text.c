// SPDX-License-Identifier: GPL-2.0-only
/* A record has some 200 values; a tree of them took nine tenths of the time of a list. */
#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/say.h"

#define DIGITS_MOST	20

static void add(struct json_text *text, const char *bytes, size_t len)
{
	text->bytes = grow_bytes(text->bytes, &text->room, text->len + len + 1);
	memcpy(text->bytes + text->len, bytes, len);
	text->len += len;
	text->bytes[text->len] = '\0';
}

static void add_char(struct json_text *text, char character)
{
	add(text, &character, 1);
}

static void add_indent(struct json_text *text)
{
	for (unsigned int i = 0; text->pretty && i < text->depth; i++)
		add(text, "  ", 2);
}

/* no key needs escaping */
static void begin_item(struct json_text *text, const char *key)
{
	if (text->any)
		add(text, ",\n", text->pretty ? 2 : 1);
	add_indent(text);
	text->any = true;
	if (!key)
		return;
	add_char(text, '"');
	add(text, key, strlen(key));
	add(text, "\": ", text->pretty ? 3 : 2);
}

/* begins an item, and says whether its value is to be left out */
static bool hides(struct json_text *text, const char *key)
{
	const char * const *hidden = key ? text->hidden : NULL;

	begin_item(text, key);
	while (hidden && *hidden && strcmp(*hidden, key))
		hidden++;
	if (!hidden || !*hidden)
		return false;
	add(text, "null", 4);
	return true;
}

/**
 * json_text_open() - begin an object or an array
 * @text: where to
 * @key: of it; NULL: it is in an array, or the outermost one
 * @bracket: '{' or '['
 */
void json_text_open(struct json_text *text, const char *key, char bracket)
{
	begin_item(text, key);
	add_char(text, bracket);
	if (text->pretty)
		add_char(text, '\n');
	text->depth++;
	text->any = false;
}

/**
 * json_text_close() - end the object or array that was begun last
 * @text: where to
 * @bracket: '}' or ']'
 */
void json_text_close(struct json_text *text, char bracket)
{
	text->depth--;
	if (text->pretty && text->any)
		add_char(text, '\n');
	add_indent(text);
	add_char(text, bracket);
	text->any = true;
}

void json_text_null(struct json_text *text, const char *key)
{
	begin_item(text, key);
	add(text, "null", 4);
}

void json_text_bool(struct json_text *text, const char *key, bool value)
{
	if (!hides(text, key))
		add(text, value ? "true" : "false", value ? 4 : 5);
}

static void add_number(struct json_text *text, __u64 value)
{
	char digits[DIGITS_MOST], *at = digits + sizeof(digits);

	do {
		*--at = '0' + value % 10;
		value /= 10;
	} while (value);
	add(text, at, digits + sizeof(digits) - at);
}

void json_text_number(struct json_text *text, const char *key, __u64 value)
{
	if (!hides(text, key))
		add_number(text, value);
}

void json_text_signed(struct json_text *text, const char *key, __s64 value)
{
	begin_item(text, key);
	if (value < 0)
		add_char(text, '-');
	add_number(text, value < 0 ? -(__u64)value : (__u64)value);
}

/* null where it is not known */
void json_text_known(struct json_text *text, const char *key, bool known, __u64 value)
{
	if (known)
		json_text_number(text, key, value);
	else
		json_text_null(text, key);
}

static void add_escaped(struct json_text *text, unsigned char character)
{
	static const char letters[] = "\b\n\r\t\f\"\\", names[] = "bnrtf\"\\";
	const char *found = strchr(letters, character);
	char code[8] = "\\u00";

	if (found) {
		code[1] = names[found - letters];
		add(text, code, 2);
		return;
	}
	code[4] = '0' + (character >> 4);
	code[5] = "0123456789abcdef"[character & 15];
	add(text, code, 6);
}

/**
 * json_text_string() - a string, as json-c escapes it with JSON_C_TO_STRING_NOSLASHESCAPE
 * @text: where to
 * @key: of it; NULL: in an array
 * @value: NULL: null
 */
void json_text_string(struct json_text *text, const char *key, const char *value)
{
	const char *at;

	if (hides(text, key))
		return;
	if (!value) {
		add(text, "null", 4);
		return;
	}
	add_char(text, '"');
	for (at = value; *at; at++) {
		if ((unsigned char)*at >= ' ' && *at != '"' && *at != '\\')
			continue;
		add(text, value, at - value);
		add_escaped(text, *at);
		value = at + 1;
	}
	add(text, value, at - value);
	add_char(text, '"');
}

/**
 * json_text_add() - items as they were written before
 * @text: where to; what is open has an item, and is as deep as it was then
 * @bytes: the items, from the comma before them on
 * @len: how many bytes
 */
void json_text_add(struct json_text *text, const char *bytes, size_t len)
{
	add(text, bytes, len);
}

/**
 * json_text_members() - the members of an object that was printed, in one line
 * @text: where to; is not pretty
 * @object: such as {"a":1}, with one member at least
 */
void json_text_members(struct json_text *text, const char *object)
{
	begin_item(text, NULL);
	add(text, object + 1, strlen(object) - 2);
}
