/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages on standard error, one line each, with their exit status; memory or the end. */
#ifndef _IRQOFF_SAY_H
#define _IRQOFF_SAY_H

#include <stdarg.h>
#include <stddef.h>

enum exit_status {
	EXIT_DONE = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_FOUND = 3,		/* what was asked for was found */
	EXIT_CANNOT_TELL = 4,
};

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define __printf(string, first)	__attribute((format(printf, string, first)))

/* messages are about that line of that file, until NULL; line 0: the file as a whole */
void say_where(const char *file, unsigned int line);
__printf(1, 2) int failed(const char *format, ...);
__printf(1, 2) int misuse(const char *format, ...);
__printf(1, 2) void note(const char *format, ...);

void *or_exit(void *memory);
void *alloc(size_t count, size_t size);
size_t memory_allocated(void);
void *grow(void *array, size_t count, size_t size);
char *grow_bytes(char *bytes, size_t *room, size_t wanted);
void fill_text(char *buf, size_t size, const char *text);
char *copy_text(const char *text);
__printf(1, 0) char *vprint_text(const char *format, va_list args);
__printf(1, 2) char *print_text(const char *format, ...);
char *join_words(const char *(*word)(unsigned int i));

#endif /* _IRQOFF_SAY_H */
