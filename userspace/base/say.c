// SPDX-License-Identifier: GPL-2.0-only
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"

#define HEAP_HEADER	16	/* bytes that each allocation takes besides */

static const char *where_file;
static unsigned int where_line;
static size_t allocated;

void say_where(const char *file, unsigned int line)
{
	where_file = file;
	where_line = line;
}

static void say(const char *format, va_list args)
{
	fflush(stdout);
	fputs("irqoff: ", stderr);
	if (where_file && where_line)
		fprintf(stderr, "%s:%u: ", where_file, where_line);
	else if (where_file)
		fprintf(stderr, "%s: ", where_file);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

/**
 * failed() - say what went wrong, and what to do about it where that is known
 * @format: one sentence without its full stop
 *
 * Return: EXIT_FAILED.
 */
int failed(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return EXIT_FAILED;
}

/**
 * note() - say what is good to know, though nothing failed
 * @format: one sentence without its full stop
 */
void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

/**
 * misuse() - say what is wrong with the command line
 * @format: one sentence without its full stop
 *
 * Return: EXIT_USAGE.
 */
int misuse(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return EXIT_USAGE;
}

/**
 * or_exit() - what a library allocated, or the end of the program
 * @memory: NULL where there was no memory
 *
 * Return: @memory.
 */
void *or_exit(void *memory)
{
	if (!memory)
		exit(failed("out of memory"));
	return memory;
}

/* zeroed memory; there is no way on without it */
void *alloc(size_t count, size_t size)
{
	void *memory = or_exit(calloc(count ? count : 1, size));

	allocated += count * size + HEAP_HEADER;
	return memory;
}

/**
 * memory_allocated() - how much memory was asked for here so far
 *
 * Return: bytes, with those that were freed meanwhile: it only grows.
 */
size_t memory_allocated(void)
{
	return allocated;
}

/**
 * grow() - room for one more element
 * @array: from grow(), or NULL
 * @count: elements in it
 * @size: of one
 *
 * Return: the array, which is doubled whenever @count is a power of two.
 */
void *grow(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	array = or_exit(reallocarray(array, count ? 2 * count : 1, size));
	allocated += (count ? count : 1) * size;
	return array;
}

/**
 * fill_text() - put a text into a buffer, as far as it fits
 * @buf: the buffer
 * @size: of it, at least 1
 * @text: the text
 *
 * It does what snprintf() would, and is called several times for each frame.
 */
void fill_text(char *buf, size_t size, const char *text)
{
	size_t len = strnlen(text, size - 1);

	memcpy(buf, text, len);
	buf[len] = '\0';
}

/**
 * grow_bytes() - room for more bytes of a text that is being made
 * @bytes: those that are there; NULL: none
 * @room: how many there is room for; set to how many there is room for then
 * @wanted: how many there have to be room for
 *
 * Return: the bytes, which may have moved.
 */
char *grow_bytes(char *bytes, size_t *room, size_t wanted)
{
	if (wanted <= *room)
		return bytes;
	*room = *room + wanted;
	return or_exit(realloc(bytes, *room));
}

char *copy_text(const char *text)
{
	allocated += strlen(text) + 1 + HEAP_HEADER;
	return or_exit(strdup(text));
}

/**
 * vprint_text() - print into memory
 * @format: the text
 * @args: what goes into it
 *
 * Return: the text, to be freed.
 */
char *vprint_text(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		exit(failed("out of memory"));
	return text;
}

char *print_text(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = vprint_text(format, args);
	va_end(args);
	return text;
}

/**
 * join_words() - the words of a table, as a sentence lists them
 * @word: the word at a place, NULL behind the last one
 *
 * Return: "this, that, another", to be freed.
 */
char *join_words(const char *(*word)(unsigned int i))
{
	char *text = NULL;
	size_t size;
	FILE *out = or_exit(open_memstream(&text, &size));

	for (unsigned int i = 0; word(i); i++)
		fprintf(out, "%s%s", i ? ", " : "", word(i));
	if (fclose(out))
		exit(failed("out of memory"));
	return text;
}
